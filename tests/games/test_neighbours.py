"""Who else looks at a table, here and at other processes, and what is heard of them (R7)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from config.logs import Seldom
from games import presence, wake
from games.live import listener, neighbours, readers
from tests.games.layer import Layer
from tests.games.party import Party
from tests.games.sockets import OFTEN, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


async def test_a_seat_is_here_for_as_long_as_one_of_its_pages_is(party: Party):
    """R5: a phone that comes back has its new line before the house gives up the old one, and was
    shown to the others as gone until its next heartbeat."""
    async with looks(party.ben) as ben:
        await ben.settles()
        async with looks(party.ben, "screen") as again:
            await again.settles()
        await ben.settles()
        [table_id] = readers._readers
        assert list(presence.connections(table_id)) == [party.ben.seat]


async def test_what_was_done_before_a_late_layer_listened_is_shown_as_soon_as_it_does(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: between the first drawing and the listening nobody tells this process of anything.

    It is asked once, however many come meanwhile: each would leave a task waiting.
    """
    listens, asked = asyncio.Event(), []

    class Late(Layer):
        async def group_add(self, group: str, channel: str) -> None:
            asked.append(group)
            await listens.wait()
            await super().group_add(group, channel)

    Late(monkeypatch)
    monkeypatch.setattr(neighbours, "FOLLOW_SECONDS", OFTEN)
    monkeypatch.setattr(readers, "LOOK_SECONDS", 60.0)
    async with looks(party.ben) as ben, looks(party.ana) as ana:
        await ana.settles()
        await ben.settles()
        assert len(asked) == 1
        with monkeypatch.context() as unheard:
            unheard.setattr(wake, "wakers", [])
            await sync_to_async(lambda: party.ana.does("pick_number", number=9))()
        assert await ben.is_quiet()
        listens.set()
        assert await ben.takes()


async def test_who_is_here_is_told_again_before_the_others_forget_it(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: another process's word holds for 45 seconds; phones at rest were shown as gone then."""
    assert neighbours.TELL_SECONDS + 2 * readers.LOOK_SECONDS < presence.HEARSAY_SECONDS
    layer = Layer(monkeypatch)
    monkeypatch.setattr(neighbours, "TELL_SECONDS", 3 * OFTEN)
    monkeypatch.setattr(readers, "LOOK_SECONDS", OFTEN)
    async with looks(party.ben) as ben:
        await ben.settles()
        layer.sent.clear()
        await asyncio.sleep(10 * OFTEN)
        assert {tuple(one["lines"]) for one in layer.sent} == {(str(party.ben.seat),)}


def test_of_tables_that_nobody_is_at_any_more_nothing_is_kept(monkeypatch: pytest.MonkeyPatch):
    """Memory flat (R7): a house has tens of thousands of tables, and no table is ever removed."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for seat in (2, 4):
        presence.put(1, seat, 30)
    for seat in (2, 4):
        presence.drop(1, seat)
    presence.hear(1, {"3": 30}, "another")
    presence.hear(1, {}, "another")
    presence.note_asked(1, 2)
    now += presence.PAGE_SECONDS + 1
    presence.note_asked(5, 2)
    assert (presence._here, presence._elsewhere, list(presence._asked)) == ({}, {}, [5])
    assert presence._gone == {}


async def test_the_first_who_looks_here_asks_who_looks_elsewhere(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: those would be shown as gone until their process tells it anew, twenty seconds later."""
    layer = Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        async with looks(party.ana) as ana:
            await ana.settles()
            asked = [told["asks"] for told in layer.sent if told["type"] == "table.presence"]
    assert asked == [True, False]


# --- the ear -------------------------------------------------------------------------------------


async def test_what_cannot_be_unpacked_does_not_end_the_listening(monkeypatch: pytest.MonkeyPatch):
    """R7: the layer itself fails over what another program says; the next news must be heard."""
    woken = asyncio.Event()

    class Garbled(Layer):
        async def receive(self, channel: str) -> dict[str, Any]:
            news = await super().receive(channel)
            if "type" not in news:
                raise ValueError("no message of ours")
            return news

    layer = Garbled(monkeypatch)
    monkeypatch.setattr(listener, "RETRY_SECONDS", 0)
    monkeypatch.setattr(listener, "wakers", [lambda _table, _done: woken.set()])
    hears = asyncio.create_task(listener.Listener(layer, "ear").listen())
    layer.news.put_nowait({})
    layer.news.put_nowait({"type": "table.wake", "table": 1, "from": "another"})
    await asyncio.wait_for(woken.wait(), 5)
    hears.cancel()


def test_however_much_is_told_a_line_on_which_nothing_comes_back_is_dead(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: in a full house somebody is told of something each second, and that began the wait anew.

    What is told of a table that is not listened to comes back to nobody.
    """
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    ear = listener.Listener(None, "ear")
    ear.tables.add(1)
    ear.expects(2)
    now += 2 * listener.COMES_BACK_S
    assert not ear.hears_nothing
    for _second in range(int(listener.COMES_BACK_S) + 2):
        ear.expects(1)
        now += 1
    assert ear.hears_nothing


async def test_of_many_tables_that_are_behind_one_gives_the_dead_line_up(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: each would have listened on a line of its own, and heard all news as often."""
    given_up = []

    class Dead(Layer):
        async def flush(self) -> None:
            given_up.append(self.channels)
            await asyncio.sleep(0)

    layer = Dead(monkeypatch)
    tables = (1, 2, 3)
    for table in tables:
        await listener.follow(table)
    [dead] = listener._ears.values()
    dead.waits_since = -listener.COMES_BACK_S
    await asyncio.gather(*(listener.follow(table, anew=True) for table in tables))
    [ear] = listener._ears.values()
    assert given_up == [1]
    assert layer.channels == 2
    assert {(f"table.{table}", ear.channel) for table in tables} <= set(layer.groups)
    assert dead.task.cancelled(), "it would wait for ever for what nobody sends there"
    ear.task.cancel()


async def test_whatever_comes_back_shows_that_the_line_lives(monkeypatch: pytest.MonkeyPatch):
    """R7: a line that lives was given up again and again, with all that came meanwhile."""
    layer = Layer(monkeypatch)
    ear = listener.Listener(layer, "ear")
    ear.tables.add(1)
    ear.expects(1)
    hears = asyncio.create_task(ear.listen())
    layer.news.put_nowait({"type": "table.wake", "table": 1, "from": wake.this_process()})
    async with asyncio.timeout(5):
        while ear.waits_since is not None:
            await asyncio.sleep(0)
    hears.cancel()


async def test_a_layer_that_is_away_is_asked_now_and_then(monkeypatch: pytest.MonkeyPatch):
    """R7: not without end, by a loop that then does nothing else."""
    asked: list[str] = []

    class Away(Layer):
        async def receive(self, channel: str) -> dict[str, Any]:
            asked.append(channel)
            raise ConnectionError("the layer is away")

    hears = asyncio.create_task(listener.Listener(Away(monkeypatch), "ear").listen())
    for _turn in range(20):
        await asyncio.sleep(0)
    hears.cancel()
    assert asked == ["ear"]


async def test_a_dead_line_that_could_not_be_given_up_is_given_up_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: Redis was away as well. Whoever went meanwhile is asked for, and told who is here."""

    class Dead(Layer):
        async def flush(self) -> None:
            self._answer()

    layer = Dead(monkeypatch)
    await listener.follow(1)
    [dead] = listener._ears.values()
    dead.waits_since = -listener.COMES_BACK_S
    layer.is_away = True
    with pytest.raises(ConnectionError):
        await listener.follow(1, anew=True)
    layer.is_away = False
    await listener.follow(1, anew=True)
    [ear] = listener._ears.values()
    assert ear is not dead
    assert [told["asks"] for told in layer.sent] == [True]
    ear.task.cancel()


async def test_who_leaves_while_a_dead_line_is_given_up_leaves_no_other_table_unheard(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: the layer is asked for one table after the other, and nobody waits for that."""

    class Slow(Layer):
        async def flush(self) -> None:
            pass

        async def group_add(self, group: str, channel: str) -> None:
            await super().group_add(group, channel)
            if self.channels == 2:
                await listener.forget(3)

    layer = Slow(monkeypatch)
    for table in (1, 2, 3):
        await listener.follow(table)
    [dead] = listener._ears.values()
    dead.waits_since = -listener.COMES_BACK_S
    await listener.follow(1, anew=True)
    [ear] = listener._ears.values()
    assert {("table.1", ear.channel), ("table.2", ear.channel)} <= set(layer.groups)
    ear.task.cancel()


async def test_of_a_table_that_nobody_here_looks_at_nothing_is_heard_nor_waited_for(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: what is told as the last phone goes comes back to nobody, and a line that lives would be
    given up for it. And whoever goes elsewhere now, goes unheard."""
    layer = Layer(monkeypatch)
    await listener.follow(1)
    [ear] = listener._ears.values()
    presence.hear(1, {"2": 30}, "another")
    await listener.tell_presence(1)
    assert ear.waits_since is not None
    await listener.forget(1)
    assert layer.groups == []
    assert presence.connections(1) == {}
    assert ear.waits_since is None
    await listener.tell_presence(1)
    assert ear.waits_since is None
    ear.task.cancel()


async def test_who_comes_or_goes_elsewhere_is_shown_at_once_and_only_then(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: the next look is up to five seconds away; what is only told again draws nothing anew.

    Who does not ask is not answered: two processes would tell each other for ever.
    """
    layer = Layer(monkeypatch)
    drawn: list[int] = []
    monkeypatch.setattr(listener, "onlookers", [drawn.append])
    news = {"type": "table.presence", "table": 1, "from": "another", "now": time.time()}
    for lines, times in (({"2": 30}, 1), ({"2": 40}, 1), ({}, 2)):
        await listener._take({**news, "lines": lines})
        assert drawn == [1] * times
    assert layer.sent == []
    await listener._take({**news, "lines": {}, "asks": True})
    assert [told["asks"] for told in layer.sent] == [False]


async def test_after_trouble_with_the_layer_who_is_here_is_told_and_asked_for_twice(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: when it is back for us it may not be back for the others yet."""
    layer = Layer(monkeypatch)
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    layer.is_away = True
    await near.tell()
    layer.is_away = False
    for _look in range(4):
        near.tell_in_time()
        await near._telling
    assert [told["asks"] for told in layer.sent] == [True, True]


async def test_what_was_told_on_a_line_that_had_died_is_told_once_more_in_a_moment(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: Redis had been started anew. Who came first after that was "away" at other processes, and
    they here, until the next look: five seconds."""
    layer = Layer(monkeypatch)
    monkeypatch.setattr(listener, "RETRY_SECONDS", OFTEN)
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    layer.is_away = True
    await asyncio.gather(near.tell(asks=True), near.tell())
    layer.is_away = False
    async with asyncio.timeout(5):
        while not layer.sent:
            await asyncio.sleep(OFTEN)
    await asyncio.sleep(5 * OFTEN)
    assert [told["asks"] for told in layer.sent] == [True]


async def test_who_is_here_is_told_in_its_time_and_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: with many tables each further word is read by every process, and answered if it asks."""
    layer = Layer(monkeypatch)
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    await near.tell()
    layer.sent.clear()
    near._told_at -= neighbours.TELL_SECONDS + 1
    for _look in range(3):
        near.tell_in_time()
        assert near._telling
        await near._telling
    assert [told["asks"] for told in layer.sent] == [False]


async def test_that_no_other_process_is_heard_is_told_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """R7: with Redis away each table at which somebody looks told of it every five seconds."""

    async def is_away(_table_id: int, *, anew: bool) -> None:
        raise ConnectionError

    monkeypatch.setattr(listener, "follow", is_away)
    start = asyncio.get_running_loop().create_task
    with caplog.filtering(Seldom()):
        for table_id in range(1, 4):
            await neighbours.Neighbours(table_id, start, lambda: None).follow()
    assert [one.getMessage() for one in caplog.records] == [
        "Table 1 hears no other process now: ConnectionError"
    ]


async def test_after_trouble_a_table_is_listened_to_anew_once(monkeypatch: pytest.MonkeyPatch):
    """R7: with each look all other processes would be asked again for who is there."""
    layer = Layer(monkeypatch)
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    near.note_unheard()
    for _look in range(2):
        await near.follow_again()
    assert [told["asks"] for told in layer.sent] == [True]
    [ear] = listener._ears.values()
    ear.task.cancel()
