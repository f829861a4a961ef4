"""The live table: what is pushed, to whom, when, what heals what is lost, and what it costs."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any
from unittest.mock import Mock

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from games import clock, others, snapshot, wake
from games.live import alarm, consumer, listener, neighbours, readers, table_reader
from games.live.lines import chunks
from games.models import Entrant, Seat, Table, rows
from games.screens.pages import PAGES
from tests.games.party import Party, Person, done
from tests.games.sockets import does, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


# --- drawing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "page"), [("ben", "phone"), ("tess", "screen"), ("ana", "gm")])
async def test_connecting_draws_everything_afresh(party: Party, who, page):
    async with looks(getattr(party, who), page) as line:
        push = await line.takes()
    assert set(push["regions"]) >= set(PAGES[page])
    assert push["mode"] == "gathering"
    assert push["seq"] == await sync_to_async(lambda: party.table.seq)()
    assert push["epoch"]
    assert all(html.startswith("<") for html in push["regions"].values())


async def test_a_tap_is_pushed_to_everybody_and_only_what_changed(party: Party):
    async with looks(party.ana) as ana, looks(party.ben) as ben:
        await ana.settles()
        await ben.settles()
        await does(party.ben, "pick_number", number=7)
        hers, his = await ana.takes(), await ben.takes()
    for push in (hers, his):
        assert 0 < len(push["regions"]) < len(PAGES["phone"])
        assert "ruler" not in push["regions"]
        assert push["told"][-1]["text"] == "Ben takes the number 7."
    assert hers["seq"] == his["seq"]


async def test_a_refused_tap_pushes_nothing(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        await sync_to_async(party.ben.does)("pick_number", number=20)
        assert await ben.is_quiet()


async def test_a_push_waits_for_the_ack_of_the_last_and_what_comes_meanwhile_merges(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        for number in (7, 8, 9, 10):
            await does(party.ana, "pick_number", number=number)
        first = await ben.hears()
        assert await ben.is_quiet()
        await ben.says(ack=first["seq"])
        second = await ben.takes()
        assert await ben.is_quiet()
    told = [t["seq"] for t in (*first["told"], *second["told"])]
    assert told == sorted(set(told))  # nothing twice, nothing out of order
    assert second["seq"] == max(told)
    assert "takes the number 10" in second["told"][-1]["text"]


async def test_a_phone_that_comes_back_is_told_what_it_missed(party: Party):
    async with looks(party.ben) as ben:
        last = (await ben.settles())[-1]["seq"]
    await does(party.ana, "pick_number", number=9)
    async with looks(party.ben, seq=str(last)) as ben:
        push = await ben.takes()
    assert set(push["regions"]) >= set(PAGES["phone"])
    assert [t["seq"] for t in push["told"]] == [last + 1]


@pytest.mark.parametrize("seq", ["x", "-1", "9" * 40, "%00"])
async def test_a_phone_may_name_any_number(party: Party, seq):
    async with looks(party.ben, seq=seq) as ben:
        assert (await ben.takes())["regions"]


async def test_a_phone_that_answers_later_marks_but_took_no_push_is_drawn_afresh(party: Party):
    """What it was told before stays told: only what it never acknowledged comes again."""
    async with looks(party.ben) as line:
        first = await line.takes()
        await does(party.ana, "rename_table", name="The Heron")
        lost = await line.hears()
        await line.says(ping=1.0)
        pong = await line.hears()
        await line.says(echo=pong["mark"])
        again = await line.takes()
    assert again["seq"] == lost["seq"] > first["seq"]
    assert set(again["regions"]) == set(first["regions"])
    assert [t["seq"] for t in again["told"]] == [t["seq"] for t in lost["told"]]


async def test_a_push_under_way_on_a_slow_line_is_not_sent_again(party: Party):
    """However long it takes: the phone has answered nothing that was sent after it."""
    async with looks(party.ben) as line:
        await line.takes()
        before = await line.pings(1.0)
        await does(party.ana, "rename_table", name="The Heron")
        assert "regions" in await line.hears()
        await line.says(echo=before["mark"])
        assert await line.is_quiet()


async def test_who_waits_at_the_door_is_shown_no_region(party: Party):
    await does(party.ana, "set_door", door="ask")
    await sync_to_async(party.cleo.joins)(await sync_to_async(lambda: party.table)())
    async with looks(party.cleo) as cleo:
        push = await cleo.takes()
        # What goes on behind it wakes nobody there: each event sent an empty push.
        await does(party.ben, "pick_number", number=7)
        assert await cleo.is_quiet()
        assert (await cleo.pings(1.0))["seq"] == push["seq"] == 0, "nor how much there was"
    assert (push["mode"], push["regions"], push["told"]) == ("knocking", {}, [])


async def test_each_phone_is_drawn_in_its_own_language(party: Party):
    await does(party.ben, "speak", language="es")
    async with looks(party.ana) as ana, looks(party.ben) as ben:
        hers = (await ana.takes())["regions"]
        his = (await ben.takes())["regions"]
    assert set(hers) == set(his)
    assert hers["stage"] != his["stage"]


# --- the clock -----------------------------------------------------------------------------------


async def test_the_shouting_closes_by_itself(party: Party):
    await sync_to_async(party.begins)()
    await sync_to_async(party.rolls)(party.ana, 7)
    async with looks(party.ben) as ben:
        await ben.settles()
        await does(party.ben, "shout", call="brave")
        kinds: list[str] = []
        while "Challenged" not in kinds:
            kinds += [t["kind"] for t in (await ben.takes())["told"]]
    assert kinds.index("Shouted") < kinds.index("Challenged")


async def test_a_failing_clock_does_not_stop_the_table(party: Party, monkeypatch):
    rung = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(clock, "play_due", rung)
    monkeypatch.setattr(alarm, "AGAIN_SECONDS", 0.05)
    await sync_to_async(party.begins)()
    await sync_to_async(party.rolls)(party.ana, 7)
    async with looks(party.ben) as ben:
        await ben.settles()
        await does(party.ben, "shout", call="brave")
        assert await ben.takes()
        async with asyncio.timeout(10):
            while rung.call_count < 2:
                await asyncio.sleep(0.01)
        await does(party.ana, "pause")
        assert await ben.takes()


# --- what is lost --------------------------------------------------------------------------------


async def test_a_lost_wake_up_is_healed_by_a_look(party: Party, monkeypatch):
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.1)
    async with looks(party.ben) as ben:
        await ben.settles()
        monkeypatch.setattr(wake, "wakers", [])
        await does(party.ana, "pick_number", number=9)
        assert "number 9" in (await ben.takes())["told"][-1]["text"]


async def test_without_the_look_a_lost_wake_up_stays_lost(party: Party, monkeypatch):
    """The control."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60)
    async with looks(party.ben) as ben:
        await ben.settles()
        monkeypatch.setattr(wake, "wakers", [])
        await does(party.ana, "pick_number", number=9)
        assert await ben.is_quiet()


async def test_a_broken_layer_does_not_fail_what_was_committed(party: Party, monkeypatch):
    class Broken:
        async def group_send(self, group: str, message: dict) -> None:
            raise ConnectionError("Redis has gone")

    monkeypatch.setattr(others, "get_channel_layer", Broken)
    async with looks(party.ben) as ben:
        await ben.settles()
        await does(party.ana, "pick_number", number=9)
        assert await ben.takes()


async def test_a_layer_that_stands_still_keeps_no_phone_waiting(party: Party, monkeypatch):
    """Drawn, heard, and shown what another process commits: as if there were no Redis (R7)."""
    asked: list[str] = []

    class Still:
        def __getattr__(self, name: str) -> Any:
            async def never(*_given: Any) -> None:
                asked.append(name)
                await asyncio.Event().wait()

            return never

    monkeypatch.setattr(listener, "layer_to_others", Still)
    monkeypatch.setattr(neighbours, "FOLLOW_SECONDS", 0.1)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.1)
    async with looks(party.ben) as ben:
        assert await ben.takes()
        assert await ben.pings(1.0)
        assert "group_send" in asked
        monkeypatch.setattr(wake, "wakers", [])
        await does(party.ana, "pick_number", number=9)
        assert await ben.takes()
        # Leaving tells the others as well, and would wait as long.
        monkeypatch.undo()


async def test_what_is_tried_again_and_again_leaves_a_line_in_the_log(
    party: Party, monkeypatch, caplog
):
    """A database that is away is no fault of ours; what is one keeps its traceback."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60)
    table_id = await sync_to_async(lambda: party.table.pk)()
    for error in (OperationalError("the server has gone"), ZeroDivisionError("our own")):
        caplog.clear()
        async with looks(party.ben) as ben:
            await ben.settles()
            with monkeypatch.context() as patch:
                patch.setattr(snapshot, "load", Mock(side_effect=error))
                readers.wake(table_id)
                await ben.is_quiet()
        told = [r for r in caplog.records if "could not be read" in r.getMessage()]
        assert told
        assert bool(told[0].exc_info) == isinstance(error, ZeroDivisionError)
        assert str(error) in logging.Formatter().format(told[0])


async def test_a_table_that_cannot_be_read_once_is_read_again(party: Party, monkeypatch):
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.1)
    async with looks(party.ben) as ben:
        await ben.settles()
        real, fails = snapshot.load, [True]
        monkeypatch.setattr(snapshot, "load", lambda t: 1 / 0 if fails and fails.pop() else real(t))
        await does(party.ana, "pick_number", number=9)
        assert await ben.takes()


# --- what it costs -------------------------------------------------------------------------------


def queries_to_load(party: Party) -> int:
    with CaptureQueriesContext(connection) as asked:
        snapshot.load(party.table.pk)
    return len(asked)


def test_reading_a_table_costs_the_same_however_long_its_log(party: Party):
    party.begins().rolls(party.ana, 7)
    queries_to_load(party)  # the first one opens the house
    few = queries_to_load(party)
    for turn in range(80):
        done(party.ben.does("show_hand", letters=str(turn % 2 == 0).lower()))
    assert queries_to_load(party) == few <= 8  # one of them is the test's own


def test_the_newest_of_the_log_is_read_not_all_of_it(party: Party):
    for turn in range(snapshot.NEWEST_EVENTS + 10):
        done(party.ben.does("show_hand", letters=str(turn % 2 == 0).lower()))
    now = snapshot.load(party.table.pk)
    assert len(now.events) == snapshot.NEWEST_EVENTS
    assert now.events[-1].seq == now.seq


def test_a_commit_between_two_reads_is_not_told_early(party: Party, monkeypatch):
    """A snapshot's events never run ahead of its number, or they would be told twice."""
    before, read = party.table, rows.first
    done(party.ben.does("pick_number", number=7))
    with monkeypatch.context() as patch:
        patch.setattr(rows, "first", lambda m, **w: before if m is Table else read(m, **w))
        now = snapshot.load(before.pk)
    assert now.events[-1].seq <= now.seq == before.seq < party.table.seq


@pytest.mark.parametrize("read", [Seat, Entrant])
def test_somebody_who_sits_down_between_two_reads_breaks_no_page(party: Party, monkeypatch, read):
    """With several connections each read sees what was committed until then."""
    fetch, seats, comes = rows.fetch, snapshot._SEATS, [Person("Luz")]

    def then_somebody_comes(found: Any, model: Any) -> Any:
        if model is read and comes:
            comes.pop().joins(party.table)
        return found

    monkeypatch.setattr(rows, "fetch", lambda m, **w: then_somebody_comes(fetch(m, **w), m))
    monkeypatch.setattr(snapshot, "_SEATS", lambda key: then_somebody_comes(seats(key), Seat))
    now = snapshot.load(party.table.pk)
    assert not comes
    assert {e.seat_id for e in now.entrants} <= {s.pk for s in now.seats}


async def test_what_answers_no_scene_is_not_sent_with_the_next(party: Party):
    """The host's settings and seats are the same in every scene: a roll is no news of them."""
    await sync_to_async(party.begins)()
    async with looks(party.ana, "gm") as host:
        await host.settles()
        await sync_to_async(party.rolls)(party.ana, 9)
        [push] = await host.settles()
    assert all(name == "gm-bout" or name.startswith(("gm-log", "log-")) for name in push["regions"])
    assert len(push["regions"]) == 2


def test_a_wake_up_carries_no_state(party: Party, monkeypatch):
    sent: list[dict] = []

    class Layer:
        async def group_send(self, group: str, message: dict) -> None:
            sent.append(message)

    monkeypatch.setattr(others, "get_channel_layer", Layer)
    done(party.ben.does("pick_number", number=7))
    assert [set(m) for m in sent] == [{"type", "table", "first", "seq", "touched", "from"}]
    assert set(sent[0]["touched"]) <= set(connection.introspection.table_names())
    assert sent[0]["from"] == others.this_process()
    assert "7" not in json.dumps({**sent[0], "table": 0, "first": 0, "seq": 0, "from": ""})


async def test_a_wake_up_of_one_s_own_that_the_layer_brings_back_is_no_news(monkeypatch):
    """With Redis every process hears itself: it would draw each table twice."""
    woken: list[int] = []

    class Layer:
        def __init__(self) -> None:
            news = {"type": "table.wake", "seq": 1}
            self.news = [{**news, "table": 1, "from": others.this_process()},
                         {**news, "table": 2, "from": "another"}]  # fmt: skip

        async def receive(self, channel: str) -> dict:
            while not self.news:
                await asyncio.sleep(60)
            return self.news.pop(0)

    monkeypatch.setattr(listener, "wakers", [lambda table, _done: woken.append(table)])
    hears = asyncio.create_task(listener.Listener(Layer(), "ear").listen())
    await asyncio.sleep(0.05)
    hears.cancel()
    assert woken == [2]


async def test_a_line_that_breaks_while_it_is_drawn_keeps_nothing_from_the_others(
    party: Party, monkeypatch
):
    """R4: one phone's broken socket must not stop the push to the rest of the table."""
    async with looks(party.ana) as ana, looks(party.ben) as ben:
        await ana.settles()
        await ben.settles()

        async def breaks(event: dict) -> None:
            raise ConnectionError("the line broke a moment ago")

        hers = [c for (_, seat), those in consumer._open_sockets.items()
                for c in those if seat == party.ana.seat]  # fmt: skip
        assert hers
        for one in hers:
            monkeypatch.setattr(one._line, "_send", breaks)
        for number in (11, 12, 13):
            await does(party.ana, "pick_number", number=number)
            assert any("numbers" in push["regions"] for push in await ben.settles())
        monkeypatch.undo()


def test_a_push_that_the_server_would_not_send_whole_goes_in_chunks_that_it_does():
    text = json.dumps({"regions": {"gm-fight": "ß€𝄞" * 40_000}}, ensure_ascii=False)
    sent = [chunk.decode() for chunk in chunks(text.encode())]
    assert all(len(chunk.encode()) <= 65_536 for chunk in sent)
    assert [chunk[0] for chunk in sent] == ["+"] * (len(sent) - 1) + ["."]
    assert "".join(chunk[1:] for chunk in sent) == text
    assert chunks(b'{"seq": 1}') == [b'{"seq": 1}']
