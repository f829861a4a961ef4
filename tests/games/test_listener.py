"""How a process hears the others: one channel, given up where nothing comes back on it (R7)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from games import others, presence
from games.live import listener
from tests.games.layer import Layer


async def test_what_cannot_be_unpacked_does_not_end_the_listening(monkeypatch: pytest.MonkeyPatch):
    """R7: the layer itself fails over what another program says; the next news must be heard, and
    at once: after sixty such messages a process heard nothing of the others for a minute."""
    woken = asyncio.Event()

    class Garbled(Layer):
        async def receive(self, channel: str) -> dict[str, Any]:
            news = await super().receive(channel)
            if "type" not in news:
                raise ValueError("no message of ours")
            return news

    layer = Garbled(monkeypatch)
    monkeypatch.setattr(listener, "wakers", [lambda _table, _done: woken.set()])
    hears = asyncio.create_task(listener.Listener(layer, "ear").listen())
    for _message in range(60):
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


async def test_many_tables_that_are_looked_at_together_listen_on_one_channel(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: each asked Redis for one of its own, of which all but one stayed and heard nothing."""
    layer = Layer(monkeypatch)
    await asyncio.gather(*(listener.follow(table) for table in (1, 2, 3)))
    [ear] = listener._ears.values()
    assert layer.channels == 1
    assert layer.groups == [(f"table.{table}", ear.channel) for table in (1, 2, 3)]
    ear.task.cancel()


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
    layer.news.put_nowait({"type": "table.wake", "table": 1, "from": others.this_process()})
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
