"""Who else looks at a table, here and at other processes, and what is heard of them (R7)."""

from __future__ import annotations

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async

from config.logs import Seldom
from games import presence, wake
from games.live import listener, neighbours, readers, table_reader
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
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60.0)
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
    assert neighbours.TELL_SECONDS + 2 * table_reader.LOOK_SECONDS < presence.HEARSAY_SECONDS
    layer = Layer(monkeypatch)
    monkeypatch.setattr(neighbours, "TELL_SECONDS", 3 * OFTEN)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", OFTEN)
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


async def test_a_table_that_is_left_before_it_is_listened_to_is_not_listened_to_for_ever(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: a slow Redis took up its news when nobody was there any more, and nobody let go."""
    listens = asyncio.Event()

    class Late(Layer):
        async def new_channel(self) -> str:
            await listens.wait()
            return await super().new_channel()

    layer = Late(monkeypatch)
    monkeypatch.setattr(neighbours, "FOLLOW_SECONDS", OFTEN)
    async with looks(party.ben) as ben:
        await ben.settles()
    listens.set()
    await asyncio.sleep(5 * OFTEN)
    [ear] = listener._ears.values()
    assert (layer.groups, ear.tables) == ([], set())
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
    monkeypatch.setattr(presence, "_here", {1: {2: presence.Connection(30)}})
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    layer.is_away = True
    await asyncio.gather(near.tell(asks=True), near.tell())
    layer.is_away = False
    async with asyncio.timeout(5):
        while not layer.sent:
            await asyncio.sleep(OFTEN)
    await asyncio.sleep(5 * OFTEN)
    assert [told["asks"] for told in layer.sent] == [True]


async def test_that_the_last_phone_has_gone_is_told_until_the_others_have_heard_it(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: with Redis away for more than a second, who left was "here" elsewhere for 50 seconds."""
    layer = Layer(monkeypatch)
    monkeypatch.setattr(listener, "RETRY_SECONDS", OFTEN)
    near = neighbours.Neighbours(1, asyncio.get_running_loop().create_task, lambda: None)
    layer.is_away = True
    await near.tell()
    await asyncio.sleep(5 * OFTEN)
    layer.is_away = False
    async with asyncio.timeout(5):
        while not near._again.done():
            await asyncio.sleep(OFTEN)
    assert [told["lines"] for told in layer.sent] == [{}, {}], "the others may hear again later"


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
