"""The content lines (G7): one list of the table's, of which nothing tells whose a line is."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async

from games.deeds import safety
from games.models import ContentLine
from tests.games.party import Party, done, everything_kept, refused
from tests.games.sockets import looks

pytestmark = pytest.mark.django_db(transaction=True)

# Where whoever has a seat reads the lines, on every page.
STOP_SHEET = r'<dialog id="stop-sheet".*?</dialog>'


@pytest.fixture
def party(party_with_dora: Party) -> Party:
    return party_with_dora


def lines(party: Party) -> list[tuple[str, str]]:
    return [(x.kind, x.text) for x in party.table.content_lines.all()]


def test_a_line_is_kept_without_whose_it_is_and_stands_in_no_log(party: Party):
    done(party.ben.does("add_content_line", text="Spiders", kind="veil", tap="bens-own-tap"))
    play = party.last_play
    assert (play.seat_id, play.timing) == (None, None)
    assert "bens" not in play.tap
    (event,) = party.events("content_line_added")
    assert (event.data, event.to_id) == ({}, None)
    records = re.sub(STOP_SHEET, "", party.ana.sees("records/"), flags=re.DOTALL)
    assert "Spiders" not in party.tess.sees("screen/") + records
    assert lines(party) == [("veil", "Spiders")]


def test_the_same_words_are_one_line_and_what_asks_for_more_stands(party: Party):
    done(party.ben.does("add_content_line", text="Spiders", kind="veil", tap="once"))
    done(party.ben.does("add_content_line", text="Spiders", kind="veil", tap="once"))
    done(party.others[0].does("add_content_line", text=" SPIDERS "))
    done(party.ana.does("add_content_line", text="spiders", kind="veil"))
    assert lines(party) == [("line", "Spiders")]
    assert len(party.events("content_line_added")) == 2
    done(party.ben.does("add_content_line", text="Ash"))  # nor does the order tell who came last
    assert [text for _kind, text in lines(party)] == ["Ash", "Spiders"]


@pytest.mark.parametrize(
    "fields",
    [{}, {"text": "  "}, {"text": "x" * 121}, {"text": "\u202e"}, {"text": "x", "kind": "x"}],
)
def test_what_is_no_line_is_refused(party: Party, fields: dict[str, str]):
    before = everything_kept()
    refused(party.ben.does("add_content_line", **fields), 422)
    assert everything_kept() == before
    assert not ContentLine.objects.exists()


def test_the_list_ends_somewhere(party: Party):
    table = party.table
    rows = [ContentLine(table=table, text=f"{n}") for n in range(safety.MOST_LINES)]
    ContentLine.objects.bulk_create(rows)
    assert "full" in refused(party.ben.does("add_content_line", text="Spiders"), 409)


def test_only_the_host_takes_a_line_off_and_can_take_that_back(party: Party):
    done(party.ben.does("add_content_line", text="Spiders"))
    line = ContentLine.objects.get().mark
    refused(party.ben.does("drop_content_line", line=line), 403)
    refused(party.ben.does("undo", event=party.events("content_line_added")[0].seq), 403)
    done(party.ana.does("drop_content_line", line=line))
    assert lines(party) == []
    refused(party.ana.does("drop_content_line", line=line), 409)
    done(party.ana.does("undo", event=party.events("content_line_dropped")[0].seq))
    assert lines(party) == [("line", "Spiders")]


def test_nothing_on_a_page_tells_in_which_order_lines_were_written(party: Party):
    """Decision 14: lines are kept without time; with the log, their order would be the hour."""

    def buttons(*texts: str) -> list[str]:
        for text in texts:
            done(party.ben.does("add_content_line", text=text))
        found = re.findall(r'name="line" value="(\d+)"', party.ana.sees("gm/"))
        for line in found:
            done(party.ana.does("drop_content_line", line=line))
        return found

    assert len(buttons("Spiders", "Ants")) == 2
    assert buttons("Spiders", "Ants") == buttons("Ants", "Spiders")


async def test_every_phone_has_the_list_and_the_tablet_only_in_a_pause(party: Party):
    await sync_to_async(lambda: done(party.ben.does("add_content_line", text="Spi<i>ders")))()
    async with looks(party.ben) as ben, looks(party.ana, "gm") as ana:
        his, hers = (await ben.takes())["common"], (await ana.takes())["common"]
    assert "Spi&lt;i&gt;ders" in his["content-lines"]
    assert "drop_content_line" in hers["content-lines"]
    assert "drop_content_line" not in his["content-lines"]
    async with looks(party.tess, "screen") as tess:
        assert list((await tess.takes())["common"]) == ["paused"]
        assert "Spi" not in "".join(tess.frames)
        await sync_to_async(lambda: safety.stop(party.table.pk))()
        push = await tess.takes()
        assert "Spi&lt;i&gt;ders" in push["common"]["paused"]
        assert "Ben" not in push["common"]["paused"]


def test_a_page_has_the_list_and_the_pause_before_anything_is_pushed(party: Party):
    done(party.ben.does("add_content_line", text="Spiders"))
    safety.stop(party.table.pk)
    for one, page, count in ((party.ben, "", 2), (party.ana, "gm/", 2), (party.tess, "screen/", 1)):
        served = one.sees(page)
        assert "Nothing is on the list yet" not in served
        assert served.count("Spiders") >= count
    assert "drop_content_line" in party.ana.sees("gm/")
    assert "drop_content_line" not in party.ben.sees()
