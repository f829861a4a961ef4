"""A bout goes on where nobody holds a socket: programs play it, or pages without scripts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import NoReturn

import pytest
from asgiref.sync import sync_to_async

from config.loop import note_serving_loop
from games import clock
from games.live import alarm, readers, unwatched
from games.models import Event
from games.rules import brave_or_knave as bk
from games.services.change import now_ms
from tests.games.party import Party, done
from tests.games.sockets import looks

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = 10.0
PICKS_WITHIN_MS = 1500


@pytest.fixture
async def party(running_party: Party) -> AsyncIterator[Party]:
    """A house that serves, and a bout at which Ana has rolled a 12."""
    note_serving_loop(asyncio.get_running_loop())
    await sync_to_async(rolled)(running_party)
    yield running_party
    for task, _news in list(unwatched._minding.values()):
        task.cancel()


def rolled(party: Party) -> None:
    party.begins()
    party.dice.fall(12)
    done(party.ana.does("roll"))


def shouted(party: Party) -> None:
    done(party.ben.does("shout", call="knave"))


async def becomes(party: Party, phase: str) -> None:
    began = time.monotonic()
    while await sync_to_async(lambda: party.phase)() != phase:
        assert time.monotonic() - began < LONGEST, f"never {phase}"
        await asyncio.sleep(0.02)


async def rests() -> None:
    """Wait until nothing falls due any more."""
    began = time.monotonic()
    while unwatched._minding:
        assert time.monotonic() - began < LONGEST
        await asyncio.sleep(0.02)


async def test_bk10_a_shouting_closes_at_its_time(party: Party):
    """At once here: nobody else could have been first."""
    await sync_to_async(shouted)(party)
    await becomes(party, "challenge")
    (first,) = await sync_to_async(lambda: party.events("Shouted"))()
    (challenged,) = await sync_to_async(lambda: party.events("Challenged"))()
    assert 0 <= (challenged.at - first.at).total_seconds() < 1
    await rests()


@pytest.mark.parametrize("reads", ["sees", "asks"])
async def test_what_fell_due_before_the_house_was_started_is_played_once_somebody_reads(
    party: Party, reads: str, monkeypatch: pytest.MonkeyPatch
):
    await rests()  # nobody minds the table since the roll
    with monkeypatch.context() as before:
        before.setattr(unwatched, "mind", lambda *_: None)
        await sync_to_async(shouted)(party)
        await asyncio.sleep(0.5)
    assert await sync_to_async(lambda: party.phase)() == "shout"
    ways: dict[str, Callable[[], object]] = {
        "sees": party.ben.sees,
        "asks": lambda: party.ben.client.get(f"/api/tables/{party.ben.code}/"),
    }
    await sync_to_async(ways[reads])()
    await becomes(party, "challenge")


async def test_after_a_pause_it_goes_on_without_anybody_reading(party: Party):
    """docs/programs.md: what falls due happens in its time, whether or not a phone is there."""

    def paused() -> None:
        shouted(party)
        done(party.ana.does("pause"))

    await sync_to_async(paused)()
    await rests()
    await sync_to_async(lambda: done(party.ana.does("resume")))()
    await becomes(party, "challenge")


async def test_bk11_a_pace_set_in_a_bout_knocks_without_anybody_reading(party: Party):
    await rests()
    await sync_to_async(
        lambda: done(party.ana.does("configure", setting="knock_pace_ms", value="1000"))
    )()
    began = time.monotonic()
    while not await sync_to_async(lambda: party.events("Knocked"))():
        assert time.monotonic() - began < LONGEST / 4
        await asyncio.sleep(0.02)


async def test_bk10_a_shouting_closes_at_its_time_though_a_later_move_was_waited_for(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """What is done meanwhile may bring a move that falls due sooner than the next knock."""
    falls_due = clock.due_moves_at

    def knocks_late(*at: int) -> list[clock.Due]:
        return [replace(due, at_ms=due.at_ms + 60_000) for due in falls_due(*at) if is_knock(due)]

    def is_knock(due: clock.Due) -> bool:
        return isinstance(due.action, bk.Knock)

    await rests()
    with monkeypatch.context() as late:
        late.setattr(clock, "due_moves_at", knocks_late)
        await sync_to_async(
            lambda: done(party.ana.does("configure", setting="knock_pace_ms", value="2500"))
        )()
        await asyncio.sleep(0.3)
    assert unwatched._minding
    await sync_to_async(shouted)(party)
    await becomes(party, "challenge")


async def test_where_no_worker_can_begin_the_next_reading_tries_again(
    party: Party, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """A machine that has no thread left for a moment: it is told in words, and nothing stays."""

    def none_left(_table_id: int) -> NoReturn:
        raise RuntimeError("can't start new thread")

    await rests()
    with monkeypatch.context() as full:
        full.setattr(unwatched, "worker_of", none_left)
        await sync_to_async(shouted)(party)
        await rests()
    assert "Nobody minds table" in caplog.text
    await sync_to_async(party.ben.sees)()
    await becomes(party, "challenge")


async def test_a_move_that_is_refused_is_not_tried_with_each_reading(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """What somebody's reading brought was taken for the move's own commit."""
    tried = []

    def refuses(*at: int) -> bool:
        unwatched.mind(at[0], lambda: False)
        return bool(tried.append(at))

    monkeypatch.setattr(clock, "play_due", refuses)
    await sync_to_async(shouted)(party)
    await asyncio.sleep(1.2)
    assert 1 <= len(tried) <= 2


async def test_a_move_that_was_refused_is_tried_again_however_often_somebody_reads(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """Programs that ask all the time do not put it off."""
    plays = clock.play_due
    refused = [True]
    monkeypatch.setattr(unwatched, "AGAIN_SECONDS", 0.2)
    monkeypatch.setattr(
        clock, "play_due", lambda *at: None if refused and refused.pop() else plays(*at)
    )
    await sync_to_async(shouted)(party)
    table_id = await sync_to_async(lambda: party.table.pk)()
    began = time.monotonic()
    while await sync_to_async(lambda: party.phase)() != "challenge":
        assert time.monotonic() - began < LONGEST / 4
        unwatched.mind(table_id, lambda: False)
        await asyncio.sleep(0.02)
    assert not refused


async def test_regulars_play_with_whoever_plays_by_a_program(party: Party):
    """They shout at a number that two of them may beat, and roll when they are to."""
    await sync_to_async(again_with_regulars)(party)
    before = len(await sync_to_async(lambda: party.events("Rolled"))())
    began = time.monotonic()
    while len(await sync_to_async(lambda: party.events("Rolled"))()) == before:
        assert time.monotonic() - began < LONGEST
        await asyncio.sleep(0.05)
    shouted = await sync_to_async(lambda: party.events("Shouted"))()
    assert shouted


def again_with_regulars(party: Party) -> None:
    done(party.ana.does("end_bout"))
    for _one in range(2):
        done(party.ana.does("add_regular"))
    rolled(party)
    party.dice.fall(13, 13)


def owes_a_finger(party: Party) -> None:
    party.dice.fall(14)
    done(party.ben.does("roll"))
    assert party.state.owed(1) == 1


async def test_bk20_seconds_to_pick_a_finger_begin_with_the_choice(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(clock, "PICKS_WITHIN_MS", PICKS_WITHIN_MS)
    await sync_to_async(shouted)(party)
    await becomes(party, "challenge")
    await sync_to_async(owes_a_finger)(party)
    owes_since = now_ms()
    given = await a_finger_is_given(party)
    assert given.at.timestamp() * 1000 - owes_since > PICKS_WITHIN_MS / 2


async def a_finger_is_given(party: Party) -> Event:
    began = time.monotonic()
    while not (given := await sync_to_async(lambda: party.events("FingerGiven"))()):
        assert time.monotonic() - began < LONGEST
        await asyncio.sleep(0.02)
    return given[0]


async def test_bk20_a_house_that_stood_still_lets_them_pick_once_it_is_awake(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """As where a phone is there (`tests/games/test_slept.py`): nobody could have picked."""
    monkeypatch.setattr(clock, "PICKS_WITHIN_MS", PICKS_WITHIN_MS)
    monkeypatch.setattr(alarm, "SLEPT_MS", PICKS_WITHIN_MS / 5)
    await sync_to_async(shouted)(party)
    await becomes(party, "challenge")
    await sync_to_async(owes_a_finger)(party)
    await asyncio.sleep(PICKS_WITHIN_MS / 5000)
    time.sleep(PICKS_WITHIN_MS / 500)  # all that serves stands still
    awake_since = now_ms()
    given = await a_finger_is_given(party)
    assert given.at.timestamp() * 1000 - awake_since > PICKS_WITHIN_MS / 2


async def test_where_a_socket_is_open_only_its_reader_minds_the_table(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        await sync_to_async(shouted)(party)
        assert not unwatched._minding
        await becomes(party, "challenge")


def test_reading_a_table_at_which_nothing_can_fall_due_has_nobody_look(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: each page and each request of a program would cost its worker a look besides."""
    minded: list[int] = []
    monkeypatch.setattr(unwatched, "mind", lambda table_id, _is_watched: minded.append(table_id))
    running_party.ben.sees()
    assert not minded
    running_party.begins()
    minded.clear()
    running_party.ben.sees()
    assert minded == [running_party.table.pk]


async def test_who_opens_a_socket_meanwhile_has_the_reader_take_over(party: Party):
    await sync_to_async(shouted)(party)
    async with looks(party.ben) as ben:
        await becomes(party, "challenge")
        await rests()
        await ben.settles()
        assert len(await sync_to_async(lambda: party.events("Challenged"))()) == 1


async def test_where_all_phones_have_gone_nobody_is_played_for(party: Party):
    """Nor by a drawing that was under way when the last one went: it sets the alarm as well."""
    async with looks(party.ana) as ana:
        await sync_to_async(
            lambda: done(party.ana.does("configure", setting="knock_pace_ms", value="2500"))
        )()
        await ana.settles()
        [reader] = readers._readers.values()
        timer = reader._alarm._timer
        assert timer
    assert timer.cancelled()
    assert reader._alarm._timer is None
    reader._alarm.set(now_ms(), reader.seq)
    assert reader._alarm._timer is None


class Here:
    """A worker that works in the loop, where nobody else comes in between."""

    async def read(self, work: Callable[[], object]) -> object:
        return work()

    write = read


async def test_what_is_done_while_it_is_looked_for_the_next_move_is_looked_at_as_well(
    monkeypatch: pytest.MonkeyPatch,
):
    """Else what falls due by it would wait for somebody who reads."""
    looked = []

    def asks_again(*at: int) -> None:
        looked.append(at)
        if len(looked) == 1:
            unwatched._mind_soon(1, lambda: False)

    monkeypatch.setattr(unwatched, "worker_of", lambda _table: Here())
    monkeypatch.setattr(clock, "due_moves_at", asks_again)
    monkeypatch.setattr(clock, "first_ms", lambda due: due)
    unwatched._mind_soon(1, lambda: False)
    await rests()
    assert len(looked) == 2


async def test_a_move_that_fell_due_as_somebody_came_is_the_readers(
    monkeypatch: pytest.MonkeyPatch,
):
    """The reader's alarm knows since when people could act there."""
    played, watched = [], [False, True, True]
    monkeypatch.setattr(unwatched, "worker_of", lambda _table: Here())
    monkeypatch.setattr(clock, "due_moves_at", lambda *_at: now_ms())
    monkeypatch.setattr(clock, "first_ms", lambda due: due)
    monkeypatch.setattr(clock, "play_due", lambda *at: played.append(at))
    unwatched._mind_soon(1, lambda: watched.pop(0))
    await rests()
    assert played == []


async def test_without_it_the_shouting_never_closes(party: Party, monkeypatch: pytest.MonkeyPatch):
    """The control, once nobody is left who looks on since the roll."""
    await rests()
    monkeypatch.setattr(unwatched, "mind", lambda *_: None)
    await sync_to_async(shouted)(party)
    await asyncio.sleep(0.8)
    assert not readers._readers
    assert await sync_to_async(lambda: party.phase)() == "shout"
