"""A house that slept, or was started anew, gives whoever has to choose their seconds again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import clock
from games.live import alarm, readers
from games.live.workers import worker_of
from games.services.change import now_ms
from tests.games.party import Party, done
from tests.games.sockets import Line, looks

pytestmark = pytest.mark.django_db(transaction=True)

# A finger's seconds, and after how many too many it is said that the house slept.
PICKS_WITHIN_MS, SLEPT_MS = 1500, 500
NAP = 3.0


@pytest.fixture
def party(running_party: Party, monkeypatch: pytest.MonkeyPatch) -> Party:
    """Ben owes a finger, since just now."""
    monkeypatch.setattr(clock, "PICKS_WITHIN_MS", PICKS_WITHIN_MS)
    monkeypatch.setattr(alarm, "SLEPT_MS", SLEPT_MS)
    party = running_party.begins()
    party.dice.fall(12)
    done(party.ana.does("roll"))
    done(party.ben.does("shout", call="knave"))
    game = party.game
    game.closes_ms = now_ms()
    game.save(update_fields=["closes_ms"])
    clock.play_due(party.table.pk)
    party.dice.fall(14)
    done(party.ben.does("roll"))
    assert party.state.owed(1) == 1
    return party


def slept(party: Party, seconds: float) -> None:
    """Let Ben have owed it for so long."""
    game = party.game
    game.owed_ms = {index: since - int(seconds * 1000) for index, since in game.owed_ms.items()}
    game.moved_ms -= int(seconds * 1000)
    game.save(update_fields=["owed_ms", "moved_ms"])


async def given(party: Party) -> list[Any]:
    return await sync_to_async(lambda: party.events("FingerGiven"))()


async def comes(line: Line, party: Party) -> float:
    """Wait for the house to take the finger; return after how many seconds."""
    began = time.monotonic()
    while not await given(party):
        assert time.monotonic() - began < 10
        await line.settles()
    return time.monotonic() - began


async def test_bk20_a_house_that_was_started_anew_leaves_time_to_pick(party: Party):
    await sync_to_async(slept)(party, 3600)
    async with looks(party.ben) as ben:
        await ben.settles()
        assert not await given(party)
        assert await comes(ben, party) > PICKS_WITHIN_MS / 1000 / 3


async def test_bk20_a_house_that_slept_leaves_time_to_pick(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        time.sleep(NAP)
        await ben.settles()
        assert not await given(party)
        assert await comes(ben, party) > PICKS_WITHIN_MS / 1000 / 3


@pytest.mark.parametrize("hours", [1, -2])
async def test_r10_a_clock_that_was_set_leaves_time_to_pick(
    party: Party, monkeypatch: pytest.MonkeyPatch, hours: int
):
    """A laptop that wakes up looks the same: its clock has gone on, what only counts has not.

    Set forward, the finger went with the next tap of anybody. Set back, each finger that was owed
    later went at once, and each number got its knocks at once, for as long as it had been set back.
    """
    real, table = time.time_ns, (await sync_to_async(lambda: party.table)()).pk
    async with looks(party.ben) as ben:
        await ben.settles()
        monkeypatch.setattr(time, "time_ns", lambda: real() + hours * 3600 * 10**9)
        monkeypatch.setattr(time, "time", lambda: time.time_ns() / 10**9)
        if hours < 0:
            await sync_to_async(slept)(party, -hours * 3600)  # Ben owes it since then
        readers.wake(table)
        assert await comes(ben, party) > PICKS_WITHIN_MS / 1000 / 3


async def test_without_that_the_finger_is_gone_when_the_house_wakes(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """The control."""
    monkeypatch.setattr(alarm, "SLEPT_MS", 10**9)
    async with looks(party.ben) as ben:
        await ben.settles()
        time.sleep(NAP)
        await ben.settles()
        assert await given(party)


def test_bk11_a_house_that_was_away_knocks_in_its_pace(running_party: Party):
    party = running_party.begins(knock_pace_ms="1500")
    party.dice.fall(7)
    done(party.ana.does("roll"))
    slept(party, 3600)
    entrants = list(party.game.entrants.select_related("seat"))
    awake = now_ms()
    (late,) = clock.due_moves(party.table, party.game, entrants)
    (knock,) = clock.due_moves(party.table, party.game, entrants, awake)
    assert late.at_ms < awake
    assert knock.at_ms == awake + 1500


async def test_a_move_over_which_the_clock_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch):
    """R4: the next look finds nothing that is new, so that nothing else would set the alarm."""
    monkeypatch.setattr(alarm, "AGAIN_SECONDS", 0.01)
    tried = []

    class Worker:
        async def write(self, work: Any) -> None:
            tried.append(work)
            raise OSError("the disk is away")

    loop = asyncio.get_running_loop()
    one = alarm.Alarm(1, Worker(), loop.create_task)
    one.set(now_ms(), 1)
    began = time.monotonic()
    while len(tried) < 2:
        assert time.monotonic() - began < NAP
        await asyncio.sleep(0.01)
    one.turn_off()


async def test_bk20_what_fell_due_before_its_alarm_was_set_puts_nothing_off():
    """A drawing that took its time has set it: nobody has slept, and nobody gets seconds again."""
    rung = asyncio.Event()

    def starts(playing: Any) -> None:
        playing.close()
        rung.set()

    one = alarm.Alarm(1, None, starts)
    since = one.awake.since_ms()
    await asyncio.sleep(0.01)
    one.set(now_ms() - 3_600_000, 1)
    await asyncio.wait_for(rung.wait(), NAP)
    assert one.awake.since_ms() == since


async def test_what_was_long_due_when_it_was_first_seen_says_nothing_of_sleep():
    """R5: of a house that is back each table would wait as long again for what was due before."""
    began: list[str] = []

    def starts(work: Coroutine[Any, Any, None]) -> Any:
        began.append("played")
        work.close()

    one = alarm.Alarm(1, worker_of(1), starts)
    awake_ms = one.awake.since_ms()
    await asyncio.sleep(0.02)
    one.set(now_ms() - 10 * alarm.SLEPT_MS, 1)
    await asyncio.sleep(0.05)
    assert began == ["played"]
    assert one.awake.since_ms() == awake_ms
