"""What a campaign's file may cost the house, however old the campaign is (S1)."""

from __future__ import annotations

import gc

import pytest

from campaigns.models import Campaign, Sequence
from campaigns.services.file_write import file_of
from games.one_at_a_time import PLACES
from tests.campaigns import yearbook
from tests.campaigns.parcel import brings
from tests.campaigns.troupe import Troupe


@pytest.fixture
def campaign(troupe: Troupe) -> Campaign:
    return yearbook.brought_in(troupe.table, yearbook.year(1, moments=1))


def test_files_are_made_and_read_one_at_a_time(troupe: Troupe, campaign: Campaign):
    """Each of 24 MB took 200 more and a page's thread: thirty that were asked for took 1.5 GB."""
    addresses = [f"/t/{troupe.erin.code}/campaign/{what}/" for what in ("file", "markdown")]
    sent = file_of(campaign)

    def answers() -> list[int]:
        asked = [troupe.erin.client.get(address) for address in addresses]
        return [one.status_code for one in (*asked, brings(troupe.erin, sent))]

    with PLACES, PLACES:  # one is being made, and one waits for that
        assert answers() == [503, 503, 503]
    assert answers() == [200, 200, 302]


def test_a_whole_book_is_made_one_at_a_time_and_a_volume_at_once(
    troupe: Troupe, campaign: Campaign
):
    """A campaign of a hundred chapters takes as long to tell as to write into a file."""
    book = f"/t/{troupe.erin.code}/campaign/book/"
    with PLACES, PLACES:
        assert troupe.erin.client.get(f"{book}?all=1").status_code == 503
        assert troupe.erin.client.get(book).status_code == 200
    assert troupe.erin.client.get(f"{book}?all=1").status_code == 200


def test_nothing_of_a_file_stays_in_memory_until_rubbish_is_looked_for(campaign: Campaign):
    """Eleven MB of each stayed for as long as nobody played: fights and their games were a ring."""
    gc.collect()
    gc.disable()
    try:
        file_of(campaign)
        assert [one for one in gc.get_objects() if type(one) is Sequence] == []
    finally:
        gc.enable()
