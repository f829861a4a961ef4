"""When a table in play is read: what was taken on is held to the database, and no tap waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config import loop
from games import others, snapshot, wake
from games.live import listener, readers, table_now, table_reader
from games.models import Event, Table
from games.services.change import Committed
from tests.games.party import Clock, Party, done
from tests.games.sockets import OFTEN, Line, does, looks

pytestmark = pytest.mark.django_db(transaction=True)

only_sqlite_tells = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has no number that others' writes change"
)
FRESH = 0.3


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return what is added to each time that a table is read."""
    found: list[int] = []
    load = snapshot.load

    def loads(table_id: int) -> snapshot.Snapshot:
        found.append(table_id)
        return load(table_id)

    monkeypatch.setattr(snapshot, "load", loads)
    return found


class LayerBetween:
    """Keeps what is said to the layer, in the place of what readers are handed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: list[dict[str, Any]] = []
        self._wakers = list(wake.wakers)
        monkeypatch.setattr(wake, "wakers", [])
        monkeypatch.setattr(others, "get_channel_layer", lambda: self)
        monkeypatch.setattr(loop, "_serving", [])

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.said.append(message)

    async def hears(self) -> None:
        """Let this process hear all of it, as if another had said it."""
        for message in self.said:
            for waker in self._wakers:
                waker(message["table"], others.heard(message))


@asynccontextmanager
async def in_play(party: Party) -> AsyncIterator[Line]:
    """Ben's phone at a table that is being played, with nothing left to be shown."""
    await sync_to_async(party.begins)()
    async with looks(party.ben) as ben:
        await ben.settles()
        await sync_to_async(party.rolls)(party.ana, 9)
        await ben.settles()
        yield ben


async def test_a_table_in_play_is_read_anew_between_two_taps(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """A cache may be stale at any moment, and is not for long; once is enough while nobody taps."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", OFTEN)
    async with in_play(party) as ben:
        read.clear()
        await sync_to_async(party.shouts)(party.ben, "brave")
        assert await ben.settles()
        monkeypatch.setattr(table_now, "FRESH_SECONDS", FRESH)
        await asyncio.sleep(FRESH + 4 * OFTEN)
        assert await ben.is_quiet()
        assert read
        read.clear()
        await asyncio.sleep(FRESH + 4 * OFTEN)
        assert not read


@pytest.mark.parametrize("is_known", [pytest.param(True, marks=only_sqlite_tells), False])
async def test_what_nobody_else_has_written_to_is_not_read_anew(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch, is_known: bool
):
    """SQLite tells whether another connection has written: with none, no tap waits for a reading.

    The control is a database that can't tell; and the test above, where others do write.
    """
    if not is_known:
        monkeypatch.setattr(snapshot, "writes_of_others", lambda: None)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", OFTEN)
    monkeypatch.setattr(table_now, "FRESH_SECONDS", FRESH)
    await sync_to_async(party.begins)()
    async with looks(party.ana) as ana:
        await ana.settles()
        party.dice.fall(9)
        await ana.says(do=f"action=roll&seat={party.ana.seat}", n=1)
        assert await ana.is_answered()
        read.clear()
        await asyncio.sleep(FRESH + 4 * OFTEN)
        await ana.says(do=f"action=knock&seat={party.ana.seat}", n=2)
        assert await ana.is_answered()
        await asyncio.sleep(FRESH + 4 * OFTEN)
        assert bool(read) is not is_known


@only_sqlite_tells
def test_what_nobody_else_has_written_to_is_believed_from_then_on(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """R5: somebody's tap had it read anew, though a look between two taps had just seen to it."""
    clock = Clock()
    monkeypatch.setattr(table_now.time, "monotonic", lambda: clock.ms / 1000)
    known = table_now.TableNow(party.table.pk)
    for _drawing in range(2):
        known.now()
        clock.passes(1000)
    clock.passes(1000 * table_now.FRESH_SECONDS)
    assert not known.is_behind()
    clock.passes(1000 * (table_now.BELIEVED_SECONDS - 1))
    known.now()
    assert read == [party.table.pk]


async def test_what_was_handed_on_for_too_long_is_not_believed(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Should the looks fail: then a tap waits for the reading."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60.0)
    async with in_play(party) as ben:
        monkeypatch.setattr(table_now, "BELIEVED_SECONDS", 0.0)
        read.clear()
        await sync_to_async(party.shouts)(party.ben, "brave")
        assert await ben.settles()
        assert read


def test_a_number_that_is_given_twice_is_read_anew(party: Party, monkeypatch: pytest.MonkeyPatch):
    """A failover to a server that lacked the last moments: what it lacked stood on screens."""
    told: list[Committed] = []
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: told.append(done)])
    done(party.ben.does("pick_number", number=3))
    known = table_now.TableNow(party.table.pk)
    lost = known.now().events[-1]
    Event.objects.filter(pk=lost.pk).delete()
    Table.objects.filter(pk=party.table.pk).update(seq=lost.seq - 1)
    done(party.ben.does("pick_number", number=5))
    monkeypatch.setattr(table_now, "LATE_SECONDS", 0.0)
    known.carry(told[-1])
    newest = known.now().events[-1]
    assert (newest.seq, newest.data) == (lost.seq, {**lost.data, "number": 5})


def test_a_commit_that_was_there_when_the_table_was_read_has_nothing_read_again(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """A tap's drawing begins as often as not before the commit's word of it has come."""
    table = table_now.TableNow(party.table.pk)
    told: list[Committed] = []
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: told.append(done)])
    done(party.ben.does("pick_number", number=3))
    table.now()
    read.clear()
    table.carry(told[-1])
    assert table.now().seq == told[-1].seq
    assert not read


async def test_what_another_process_has_committed_is_taken_on_as_well(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Each tap at another process was a whole reading here, and a drawing with nothing kept."""
    async with in_play(party) as ben:
        read.clear()
        brought = LayerBetween(monkeypatch)
        await does(party.ana, "knock")
        assert await ben.is_quiet()
        await brought.hears()
        [push] = await ben.settles()
        assert push["seq"] == await sync_to_async(lambda: party.table.seq)()
        assert not read


async def test_who_looks_in_at_another_process_is_shown_without_a_reading(
    party: Party, read: list[int]
):
    async with in_play(party) as ben:
        read.clear()
        key = await sync_to_async(lambda: party.table.pk)()
        news = {"type": "table.presence", "table": key, "from": "another"}
        await listener._hear_presence({**news, "lines": {str(party.ana.seat): 20}})
        [push] = await ben.settles()
        assert "ring" in " ".join(push["regions"])
        assert not read


async def test_who_looks_in_on_a_table_in_play_is_shown_what_is_known_of_it(
    party: Party, read: list[int]
):
    """R4, R5: phones sleep and come back all the time; nothing has moved at the table by that."""
    async with in_play(party) as ben:
        read.clear()
        async with looks(party.ana) as ana:
            [first] = await ana.settles()
            assert first["seq"] == await sync_to_async(lambda: party.table.seq)()
        await ben.settles()
        assert not read


async def test_who_looks_in_is_shown_what_another_process_did_without_a_word(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Truth is in the database: a wake-up may be lost, and whoever comes then is told all of it."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60.0)
    async with in_play(party):
        monkeypatch.setattr(wake, "wakers", [])
        await does(party.ana, "knock")
        read.clear()
        async with looks(party.ana) as ana:
            [first] = await ana.settles()
            assert first["seq"] == await sync_to_async(lambda: party.table.seq)()
        assert read


async def test_a_table_at_rest_is_read_once_for_those_who_come_together_and_then_forgotten(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(table_reader, "AT_REST_SECONDS", 0.5)
    async with looks(party.ana) as ana, looks(party.ben) as ben:
        await ana.settles()
        await ben.settles()
        assert len(read) == 1
        await asyncio.sleep(0.8)
        async with looks(party.tess, "screen") as tess:
            await tess.settles()
            assert len(read) == 2


async def test_a_table_at_rest_is_not_read_anew_because_many_came_together(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """A house that is back has read each table once; what nobody plays is let go, not refreshed."""
    monkeypatch.setattr(table_reader, "AT_REST_SECONDS", 2 * FRESH)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", OFTEN)
    monkeypatch.setattr(table_now, "FRESH_SECONDS", 4 * FRESH)
    monkeypatch.setattr(snapshot, "writes_of_others", lambda: None)
    async with looks(party.ana) as ana:
        await ana.settles()
        async with looks(party.ben) as ben:
            await ben.settles()
            await asyncio.sleep(4 * FRESH)
            assert len(read) == 1


def test_a_commit_at_hand_is_taken_on_without_a_question(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: what other processes have done is asked for where nothing was done here, not each tap."""
    table = table_now.TableNow(party.table.pk)
    told: list[Committed] = []
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: told.append(done)])
    party.begins()
    table.now()
    party.rolls(party.ana, 9)
    table.carry(told[-1])
    with CaptureQueriesContext(connection) as asked:
        assert table.now().seq == told[-1].seq
    assert not asked.captured_queries


def test_what_another_process_did_by_several_taps_is_read(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """R7: its wake-ups merge while the layer is slow, and no one commit can be taken on then."""
    table = table_now.TableNow(party.table.pk)
    told: list[Committed] = []
    party.begins()
    table.now()
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: told.append(done)])
    party.rolls(party.ana, 9)
    done(party.ben.does("shout", call="knave"))
    read.clear()
    table.carry(others.Heard(told[0].first_seq, told[-1].seq, told[0].touched | told[-1].touched))
    assert table.now().seq == told[-1].seq
    assert read


def test_a_reading_that_is_asked_for_meanwhile_comes(
    party: Party, read: list[int], monkeypatch: pytest.MonkeyPatch
):
    """By another thread, just while this one finds out whether to read."""
    party.begins()
    table = table_now.TableNow(party.table.pk)
    table.now()

    class Meanwhile(float):
        def __lt__(self, other: float) -> bool:
            table.read_anew()
            return False

    read.clear()
    with monkeypatch.context() as patched:
        patched.setattr(table_now, "BELIEVED_SECONDS", Meanwhile())
        table.now()
    table.now()
    assert read


def test_what_others_write_while_a_table_is_read_is_read_later(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """It may have come too late for this reading, and no number of the log need tell of it."""
    others, load = [1], snapshot.load

    def loads(table_id: int) -> snapshot.Snapshot:
        now = load(table_id)
        others.append(2)
        return now

    monkeypatch.setattr(snapshot, "load", loads)
    monkeypatch.setattr(snapshot, "writes_of_others", lambda: (others[-1], 0))
    monkeypatch.setattr(table_now, "FRESH_SECONDS", 0.0)
    known = table_now.TableNow(party.table.pk)
    for is_behind in (True, False):
        known.read_anew()
        known.now()
        known.now()
        assert known.is_behind() is is_behind


def test_a_table_that_was_let_go_is_at_rest_until_something_is_done(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """Or all that is drawn of it would be kept for as long as a phone sleeps there."""
    known = table_now.TableNow(party.table.pk)
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: known.carry(done)])
    done(party.ben.does("pick_number", number=3))
    for _drawing in range(2):
        known.now()
        assert known.is_played
    known.drop()
    known.now()
    assert not known.is_played


def test_a_table_whose_drawing_failed_is_behind_until_it_is_drawn(party: Party):
    """R4: the next look tries again, though the log has not moved since."""
    table = table_now.TableNow(party.table.pk)
    table.now()
    assert not table.is_behind()
    table.read_anew()
    assert table.is_behind()


async def test_who_knows_of_more_than_this_process_has_heard_is_shown_nothing_older(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: who came from another process saw the table go back, and heard the same told again."""
    async with in_play(party):
        acts: list[Any] = []
        monkeypatch.setattr(wake, "wakers", [lambda _table_id, done: acts.append(done)])
        await sync_to_async(party.shouts)(party.ben, "brave")
        await does(party.ana, "rename_table", name="The Heron")
        table = await sync_to_async(lambda: party.table)()
        readers.reader_of(table.pk)._table.carry(acts[0])
        async with looks(party.ana, seq=str(table.seq)) as ana:
            push = await ana.takes()
    assert (push["seq"], push["told"]) == (table.seq, [])
