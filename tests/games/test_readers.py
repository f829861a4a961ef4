"""Who comes in and who goes while a table is drawn (`games.live.table_reader`)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from config import loop
from games import clock, snapshot
from games.live import readers, table_now, table_reader
from games.live.drawing import Drawing, drawing_cache
from games.live.viewers import Viewer
from games.models import Event, Table
from games.services.change import now_ms
from tests.games.layer import Layer
from tests.games.party import Party, Person
from tests.games.sockets import looks

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE, SOON_MS = 10.0, 200


class Came:
    """A socket that has just come in."""

    def __init__(self, who: Person) -> None:
        seat = who.row
        assert seat.device_id
        self.viewer = Viewer("phone", seat.number, seat.device_id)
        self.told: list[str] = []
        self.is_told = asyncio.Event()

    def offer(self, _drawing: Drawing) -> None:
        self._hears("a drawing")

    def turn_out(self) -> None:
        self._hears("turned out")

    def start_over(self) -> None:
        self._hears("has to start over")

    def _hears(self, what: str) -> None:
        self.told.append(what)
        self.is_told.set()


class Slowly:
    """Draws, and does not hand over what was drawn until the test lets it go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real, self._begun, self.goes_on = (
            table_reader.draw_all,
            threading.Event(),
            threading.Event(),
        )
        monkeypatch.setattr(table_reader, "draw_all", self)

    def __call__(self, *given: Any) -> Any:
        drawn = self._real(*given)
        self._begun.set()
        self.goes_on.wait(PATIENCE)
        return drawn

    async def is_begun(self) -> None:
        await asyncio.to_thread(self._begun.wait, PATIENCE)


@asynccontextmanager
async def comes_while_it_is_drawn(
    looking: Person, coming: Person, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[table_reader.TableReader, Came]]:
    """Let somebody's socket come in while the table is drawn for who looks, and let that go on."""
    came, table_id = await sync_to_async(lambda: (Came(coming), coming.row.table_id))()
    async with looks(looking) as here:
        await here.settles()
        slowly = Slowly(monkeypatch)
        reader = readers.reader_of(table_id)
        readers.draw_again(table_id)
        await slowly.is_begun()
        await reader.join(came)
        slowly.goes_on.set()
        yield reader, came
        await reader.leave(came)


async def test_who_comes_in_while_the_table_is_drawn_is_shown_the_next_drawing(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: that it has no drawing for them yet does not mean that they may not look."""
    party = running_party
    async with comes_while_it_is_drawn(party.ben, party.ana, monkeypatch) as (_reader, came):
        await asyncio.wait_for(came.is_told.wait(), PATIENCE)
    assert came.told == ["a drawing"]


async def test_who_comes_back_while_the_table_is_drawn_is_not_shown_that_drawing(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: drawn for their lost line, it may be older than the page that another process gave them.

    The screen went back for a moment, and what was read aloud before that was read aloud again.
    """
    ben = running_party.ben
    async with comes_while_it_is_drawn(ben, ben, monkeypatch) as (reader, came):
        while reader.is_busy:
            await asyncio.sleep(0.01)
    assert came.told == ["a drawing"]


async def test_of_two_who_come_first_one_asks_who_looks_elsewhere(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: each saw the other there once the layer had answered, so that nobody asked: whoever was
    at another process was "away" here until that told it anew, twenty seconds later."""
    layer = Layer(monkeypatch)
    party = running_party
    both = await sync_to_async(lambda: (Came(party.ben), Came(party.ana)))()
    reader = readers.reader_of(await sync_to_async(lambda: party.table.pk)())
    await asyncio.gather(*map(reader.join, both))
    while reader.is_busy or len(layer.sent) < len(both):
        await asyncio.sleep(0.01)
    asked = [told["asks"] for told in layer.sent]
    for one in both:
        await reader.leave(one)
    assert asked == [True, False]


async def test_a_table_that_everybody_leaves_while_it_is_drawn_is_forgotten(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: what is drawn after they have gone was kept for as long as the house was open."""
    came, table_id = await sync_to_async(
        lambda: (Came(running_party.ana), running_party.table.pk)
    )()
    slowly = Slowly(monkeypatch)
    reader = readers.reader_of(table_id)
    await reader.join(came)
    await slowly.is_begun()
    await reader.leave(came)
    forgotten: list[int] = []
    monkeypatch.setattr(drawing_cache, "forget_table", forgotten.append)
    slowly.goes_on.set()
    while reader.is_busy:
        await asyncio.sleep(0.01)
    assert forgotten == [table_id]


async def test_who_was_sent_back_for_an_older_log_stays_when_they_come_again(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: everybody was sent back by each drawing, for as long as anybody's line was open."""
    came, table_id = await sync_to_async(
        lambda: (Came(running_party.ana), running_party.table.pk)
    )()
    reader = readers.reader_of(table_id)
    await reader.join(came)
    for expected in ("a drawing", "has to start over", "a drawing"):
        await asyncio.wait_for(came.is_told.wait(), PATIENCE)
        assert came.told[-1] == expected
        came.is_told.clear()
        if expected == "a drawing":
            await sync_to_async(one_number_less)(table_id)
        readers.draw_all_again()
    await reader.leave(came)


def one_number_less(table_id: int) -> None:
    table = Table.objects.get(pk=table_id)
    Event.objects.filter(table=table, seq=table.seq).delete()
    Table.objects.filter(pk=table_id).update(seq=table.seq - 1)


async def test_wake_ups_that_come_before_a_drawing_are_drawn_by_it(running_party: Party):
    """R5: of each tap, and of each who comes in, the table would be drawn for everybody."""
    table_id = await sync_to_async(lambda: running_party.table.pk)()
    drawn: list[table_reader.TableReader] = []

    class Worker:
        draw = drawn.append

    reader = table_reader.TableReader(table_id, asyncio.get_running_loop(), {})
    reader.worker = Worker()  # type: ignore[assignment]
    for _news in range(3):
        reader.news()
    assert drawn == [reader]
    reader.draw()
    reader.news()
    assert drawn == [reader] * 2


async def test_a_table_that_nobody_looks_at_any_more_is_not_read(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: whoever leaves last often leaves a drawing behind that waits."""
    table_id = await sync_to_async(lambda: running_party.table.pk)()
    read: list[int] = []
    monkeypatch.setattr(snapshot, "load", read.append)
    reader = table_reader.TableReader(table_id, asyncio.get_running_loop(), {})
    assert await sync_to_async(reader.draw)() is None
    assert read == []


async def test_the_clock_of_a_table_that_everybody_has_left_is_off(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """It went on each second for as long as the house was open, at every table ever looked at."""
    came, table_id = await sync_to_async(
        lambda: (Came(running_party.ana), running_party.table.pk)
    )()
    rung: list[int] = []
    monkeypatch.setattr(clock, "first_ms", lambda _due: now_ms() + SOON_MS)
    monkeypatch.setattr(clock, "play_due", lambda *table: rung.append(table[0]))
    reader = readers.reader_of(table_id)
    await reader.join(came)
    await asyncio.wait_for(came.is_told.wait(), PATIENCE)
    await reader.leave(came)
    rung.clear()
    await asyncio.sleep(2 * SOON_MS / 1000)
    assert not rung


def test_all_tables_are_drawn_again_though_somebody_comes_in_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
):
    """The laptop has another address: the thread that found it out draws, while phones come back.

    Half of them showed the old address, and nobody was told of the new one.
    """
    drawn: list[str] = []

    class Another:
        def news(self) -> None:
            drawn.append("again")
            readers._readers[len(drawn)] = self  # type: ignore[assignment]

    monkeypatch.setattr(readers, "_readers", {0: Another()})
    readers.draw_all_again()
    assert drawn == ["again"]


async def test_sockets_alone_tell_the_house_which_loop_serves_it(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: of a house that is back they come before any page: no stop by request was heard, and no
    tap of a program was minded.
    """
    monkeypatch.setattr(loop, "_serving", [])
    async with looks(running_party.ben) as ben:
        await ben.settles()
        assert loop.serving_loop() is asyncio.get_running_loop()


async def test_what_a_table_does_is_not_done_as_whoever_came_last(running_party: Party):
    """G6: what is logged of a stop, or in which language, would tell whose socket was there."""
    whose = ContextVar("whose", default="nobody's")
    done: list[str] = []

    async def work() -> None:
        done.append(whose.get())

    async with looks(running_party.ben) as ben:
        await ben.settles()
        [reader] = readers._readers.values()
        whose.set("Ben's")
        await reader._task(work())
    assert done == ["nobody's"]


async def test_a_table_that_was_played_at_is_forgotten_when_it_has_rested(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: phones that are left on a table overnight are not worth the memory. Not before, by what
    was begun when it was at rest: it would be read anew in the middle of play.
    """
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(table_reader, "AT_REST_SECONDS", 0.3)
    forgotten: list[int] = []
    async with looks(running_party.ben) as ben:
        await ben.settles()
        await sync_to_async(running_party.ben.does)("pick_number", number=5)
        await ben.settles()
        monkeypatch.setattr(drawing_cache, "forget_table", forgotten.append)
        await asyncio.sleep(0.4)
        assert not forgotten
        monkeypatch.setattr(table_now, "IDLE_SECONDS", 0.0)
        async with asyncio.timeout(PATIENCE):
            while not forgotten:
                await asyncio.sleep(0.01)
