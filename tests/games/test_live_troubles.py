"""A live table while the database or the layer fails for a moment: nothing stays owed after it."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.utils import timezone

from games import others, presence, snapshot, wake
from games.live import consumer, listener, readers, table_now, table_reader
from games.live.taps import Answer
from games.models import Table
from tests.games.layer import Layer
from tests.games.party import Party, cut_the_log
from tests.games.sockets import LONGEST_WAIT, OFTEN, Line, knocks_at, looks

pytestmark = pytest.mark.django_db(transaction=True)

FRESH = 0.3


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", OFTEN)


class Fails:
    """Stands before a function, which fails until the test says that the trouble is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> None:
        self._real, self._is_over, self.times = getattr(where, name), False, 0
        monkeypatch.setattr(where, name, self)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if self._is_over:
            return self._real(*args, **named)
        self.times += 1
        raise OperationalError("the database is away for a moment")

    async def is_over(self) -> None:
        """Let it work again once it has failed and nobody is at it."""
        while not self.times or any(r.is_busy for r in readers._readers.values()):
            await asyncio.sleep(OFTEN)
        self._is_over = True


async def test_who_comes_while_the_database_is_away_is_told_to_come_again(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: a page that is turned out asks no more."""
    Fails(monkeypatch, consumer, "who_connects")
    socket = knocks_at(party.ben)
    assert (await socket.connect(timeout=LONGEST_WAIT))[0]
    assert await Line(socket).closes() == consumer.TRY_AGAIN


async def test_actions_that_wait_for_the_disk_are_kept_up_to_a_bound(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """S1, memory stays flat: a socket may say 16 KB twenty times a second, for as long as that."""
    monkeypatch.setattr(consumer, "TOKENS_A_SECOND", 1e9)
    goes_on = threading.Event()

    def take(*_tap: Any) -> Answer:
        goes_on.wait(LONGEST_WAIT)
        return Answer(204)

    monkeypatch.setattr(consumer.taps, "take", take)
    async with looks(party.ben) as ben:
        await ben.settles()
        try:
            for count in (1, consumer.MOST_ASKED):  # one is being done, the others wait for it
                for _action in range(count):
                    await ben.says(do="action=roll")
                assert (await ben.pings(1.0))["pong"], "the socket is open, and answers"
            await ben.says(do="action=roll")
            assert await ben.closes() == consumer.TOO_FAST
        finally:
            goes_on.set()


async def test_who_comes_in_while_the_table_cannot_be_drawn_is_shown_it_after_the_next_look(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: nothing has moved at the table, so that its number tells nobody what is owed."""
    async with looks(party.ana) as ana:
        await ana.settles()
        trouble = Fails(monkeypatch, table_reader, "draw_all")
        async with looks(party.ben) as ben:
            await trouble.is_over()
            assert await ben.takes()


async def test_a_drawing_that_failed_is_tried_again_before_the_next_look(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: a broken connection is replaced at once, and screens waited five seconds for a look.

    Once only: with the database away for long, every table of the house would ask for it.
    """
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60.0)
    monkeypatch.setattr(table_reader, "AGAIN_SECONDS", FRESH)
    table = (await sync_to_async(lambda: party.table)()).pk
    async with looks(party.ben) as ben:
        await ben.settles()
        trouble = Fails(monkeypatch, table_reader, "draw_all")
        await sync_to_async(lambda: party.ben.does("pick_number", number=9))()
        await asyncio.sleep(4 * FRESH)
        assert trouble.times == 2
        trouble.times = 0
        trouble._is_over = True
        readers.wake(table)
        await ben.takes()
        trouble._is_over = False
        await sync_to_async(lambda: party.ben.does("pick_number", number=10))()
        await trouble.is_over()
        assert (await ben.takes())["regions"]


async def test_what_somebody_else_wrote_is_read_though_the_first_reading_failed(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: what was written without a word was taken for seen before it was."""
    await sync_to_async(party.begins)()
    async with looks(party.ben) as ben:
        await ben.settles()
        with monkeypatch.context() as nobody_looks:  # who looks before it is told reads it anew
            nobody_looks.setattr(table_now.TableNow, "is_behind", lambda _self: False)
            await sync_to_async(party.rolls)(party.ana, 9)
            await ben.settles()
        trouble = Fails(monkeypatch, snapshot, "load")
        await Table.objects.aupdate(paused_at=timezone.now())
        monkeypatch.setattr(table_now, "FRESH_SECONDS", FRESH)
        await trouble.is_over()
        assert (await ben.takes())["regions"]


async def test_a_look_that_failed_is_not_the_last(party: Party, monkeypatch: pytest.MonkeyPatch):
    """R4: with the database away for a moment nobody would look again, all evening."""
    async with looks(party.ben) as ben:
        await ben.settles()
        trouble = Fails(monkeypatch, snapshot, "head")
        await trouble.is_over()
        monkeypatch.setattr(wake, "wakers", [])
        await sync_to_async(lambda: party.ana.does("pick_number", number=9))()
        assert await ben.takes()


async def test_a_phone_that_goes_while_the_layer_is_away_leaves_without_an_error(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: every phone that left a table left a traceback in the log as well."""
    layer = Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        assert layer.groups
        layer.is_away = True
    assert not readers._readers


async def test_a_table_first_looked_at_while_the_layer_is_away_is_listened_to_once_it_is_back(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: otherwise each event of another process is seen seconds late, for the whole evening."""
    layer = Layer(monkeypatch)
    layer.is_away = True
    async with looks(party.ben) as ben:
        await ben.settles()
        assert not layer.groups
        layer.is_away = False
        await asyncio.sleep(4 * OFTEN)
        assert len(layer.groups) == 1
        await asyncio.sleep(4 * OFTEN)
        assert len(layer.groups) == 1
    assert not layer.groups


class Forgetful(Layer):
    """One that, as Redis's, is asked once for each table, and here forgets what it was asked."""

    asked: frozenset[tuple[str, str]] = frozenset()

    async def group_add(self, group: str, channel: str) -> None:
        if (group, channel) not in self.asked:
            self.asked |= {(group, channel)}
            await super().group_add(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        self.asked -= {(group, channel)}
        await super().group_discard(group, channel)


async def test_a_table_whose_news_the_layer_has_stopped_bringing_is_asked_for_again(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: a Redis whose user might listen to nothing for a moment left its processes without news
    of each other until they were started anew."""
    layer = Forgetful(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        [(group, _channel)] = layer.groups
        layer.groups.clear()
        monkeypatch.setattr(wake, "wakers", [])
        await sync_to_async(lambda: party.ana.does("pick_number", number=9))()
        await ben.takes()
        await asyncio.sleep(4 * OFTEN)
        assert [one for one, _channel in layer.groups] == [group]


async def test_tables_that_are_first_looked_at_together_are_all_let_go(
    monkeypatch: pytest.MonkeyPatch,
):
    """R6: in a house that was back each had an ear of its own, which heard it for ever."""
    layer = Layer(monkeypatch)
    await asyncio.gather(*(listener.follow(table) for table in (1, 2, 3)))
    assert len(layer.groups) == 3
    for table in (1, 2, 3):
        await listener.forget(table)
    assert not layer.groups


async def test_who_comes_while_others_are_told_that_the_last_has_gone_goes_on_hearing(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: what the one had listened to was let go after the other had begun to."""
    layer, let_go = Layer(monkeypatch), []
    is_told, goes_on = asyncio.Event(), asyncio.Event()

    async def slowly(_group: str, _message: dict[str, Any]) -> None:
        is_told.set()
        await goes_on.wait()

    async def discard(group: str, _channel: str) -> None:
        let_go.append(group)

    monkeypatch.setattr(layer, "group_discard", discard)
    ben = knocks_at(party.ben)
    assert (await ben.connect(timeout=LONGEST_WAIT))[0]
    await Line(ben).settles()
    monkeypatch.setattr(layer, "group_send", slowly)
    goes = asyncio.create_task(ben.disconnect(timeout=LONGEST_WAIT))
    await is_told.wait()
    async with looks(party.ana) as ana:
        while not readers._readers:
            await asyncio.sleep(0.01)
        goes_on.set()
        await goes
        await ana.settles()
        assert not let_go
    assert len(let_go) == 1


async def test_a_process_that_asks_who_is_here_is_told(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: one that has just come would show these phones as gone for up to 20 seconds."""
    layer = Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        layer.sent.clear()
        [table_id] = readers._readers
        asks = {"type": "table.presence", "table": table_id, "lines": {}, "from": "another"}
        await listener._take({**asks, "asks": True})
        [told] = layer.sent
        assert (list(told["lines"]), told["asks"]) == ([str(party.ben.seat)], False)


async def test_a_line_that_becomes_slow_is_told_to_other_processes_at_once(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R9: their phones showed it up to 20 seconds late."""
    layer = Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        layer.sent.clear()
        [reader] = readers._readers.values()
        [socket] = reader.sockets
        reader.note_presence(socket.viewer, 900)
        await ben.settles()
        assert [one["lines"] for one in layer.sent] == [{str(party.ben.seat): 900}]


async def test_whose_clock_is_ahead_is_told_by_the_other_process(
    party: Party, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """R10: shouts are compared by the clocks of all machines, and nobody knew that two differed.

    News that is late looks as if its sender's clock were behind: that one hears of it by ours.
    """
    layer = Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        news = next(one for one in layer.sent if one["type"] == "table.presence")
        for ahead, is_told in ((0.1, False), (-180, False), (180, True)):
            caplog.clear()
            said = {**news, "from": "another", "now": time.time() + ahead}
            await listener._take(said)
            assert ("seconds ahead" in caplog.text) == is_told
        await listener._take({k: v for k, v in said.items() if k != "now"})  # an older release
        assert len(caplog.records) == 1


async def test_what_a_process_said_itself_is_no_news_to_it(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: the layer brings it back. Its phones would be here, by its own word, after they went."""
    Layer(monkeypatch)
    async with looks(party.ben) as ben:
        await ben.settles()
        [table_id] = readers._readers
        said = {"type": "table.presence", "table": table_id, "lines": {"2": 40}, "asks": False}
        for whose, is_news in ((others.this_process(), False), ("another", True)):
            await listener._take({**said, "from": whose})
            assert bool(presence._elsewhere) == is_news


async def test_news_that_cannot_be_understood_do_not_end_the_listening(
    monkeypatch: pytest.MonkeyPatch,
):
    """R7: a process of another release may say things otherwise; the next news must be heard."""
    layer, woken = Layer(monkeypatch), asyncio.Event()
    monkeypatch.setattr(listener, "wakers", [lambda _table, _done: woken.set()])
    hears = asyncio.create_task(listener.Listener(layer, "ear").listen())
    for news in ({"type": "table.wake"}, {"type": "table.presence", "table": 1, "lines": 5}):
        layer.news.put_nowait(news | {"from": "another"})
    layer.news.put_nowait({"type": "table.wake", "table": 1, "from": "another"})
    await asyncio.wait_for(woken.wait(), 5)
    hears.cancel()


async def test_pages_ask_again_also_where_the_shorter_log_cannot_be_drawn_at_first(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: an older copy was put back; the next drawing found nothing amiss, and told nobody."""
    async with looks(party.ben) as ben:
        head = (await ben.settles())[-1]["seq"]
        drawing = Fails(monkeypatch, table_reader, "draw_all")
        await sync_to_async(cut_the_log)(party.ben.code, head - 1)
        readers.draw_all_again()
        await drawing.is_over()
        readers.draw_all_again()
        assert await ben.closes() == consumer.TRY_AGAIN
