"""What our own tables write comes in again, whatever has been played, corrected and taken back.

A file is held against the rules (`test_spoilt_files`); this is the other side: nothing that people
can do at a table makes a file that is refused. TAPROOM_DEEDS and TAPROOM_SEED as in the undo
machine.
"""

from __future__ import annotations

import random

import pytest
from django.db import transaction

from campaigns.models import Campaign
from campaigns.services.file_import import bring_in
from campaigns.services.file_read import read_file
from campaigns.services.file_rows import Rows
from campaigns.services.file_write import file_of, value_of
from campaigns.views.records import check_told
from games.models import Table
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import Saga
from tests.campaigns.walk import DEEDS, PLACES, SEED, Walk
from tests.games.party import Person, dice_fall_by, done
from tests.set_back import rows

ELSEWHERE = "Elsewhere"


def comes_in_again(campaign: Campaign, there: Table) -> None:
    """Take a campaign's file to a table of strangers, and insist that it is the same there."""
    before = value_of(campaign)
    read = read_file(file_of(campaign))
    check_told(read)
    with transaction.atomic():
        made = bring_in(there, Rows(read))
        assert value_of(Campaign.objects.get(pk=made.pk)) == before
        transaction.set_rollback(True)


def table_elsewhere() -> Table:
    """Return a table at which nobody sits whose name is in the campaign."""
    return Person("Zoe").opens_table(ELSEWHERE)


def somebody_leaves(saga: Saga, luck: random.Random) -> None:
    """Let a player get up, in the middle of whatever is under way."""
    person = luck.choice(saga.players)
    if saga.table.seats.filter(name=person.name, standing="seated").exists():
        done(person.does("leave_table"))


def walks_with_files(saga: Saga, luck: random.Random, there: Table) -> None:
    walk = Walk(saga, luck)
    for deed in range(DEEDS):
        walk.does()
        if luck.random() < 0.25:
            walk.last_ones_go(luck.randint(1, 3))
        if luck.random() < 0.1:
            walk.something_earlier_goes()
        if luck.random() < 0.05:
            somebody_leaves(saga, luck)
            walk.done, walk.rows = [], rows()
        if deed % 2:
            for campaign in saga.table.campaigns.all():
                comes_in_again(campaign, there)
    walk.something_earlier_goes()
    for campaign in saga.table.campaigns.all():
        comes_in_again(campaign, there)


@pytest.mark.parametrize("place", PLACES)
def test_whatever_is_played_leaves_as_a_file_that_comes_in(
    saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch
):
    saga, luck = saga_at(place), random.Random(f"files {SEED} {place}")
    dice_fall_by(luck, monkeypatch)
    walks_with_files(saga, luck, table_elsewhere())
