"""Fair shouting (BK-8 to BK-10): a slow line is not a slow hand, and nobody lies themselves first.

A shout carries the instant of its press on the server's scale, and a note, signed by the
server, of the round trip that it measured for that phone.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from django.conf import settings

from games import presence
from games.live import consumer, fair, readers, taps
from games.services.change import now_ms
from tests.games.party import Clock, Party, Person, done, refused
from tests.games.sockets import looks


def note(who: Person, delay_ms: int) -> str:
    return fair.note_of_delay(str(who.device.pk), delay_ms)


def shouts(party: Party, who: Person, *, pressed_ago: int, delay: int, **more) -> int:
    """Shout with a press this long ago over a line of this delay; return the instant used."""
    party.clock.passes(1000)
    claim = party.clock.ms - pressed_ago
    done(who.does("shout", call="brave", pressed=claim, note=note(who, delay), **more))
    assert party.last_play.timing["claimed_ms"] == claim
    return party.last_play.timing["used_ms"]


# --- the note ------------------------------------------------------------------------------------


def test_a_note_is_read_back_by_the_phone_it_was_measured_on(clock: Clock):
    assert fair.read_note("phone", fair.note_of_delay("phone", 80)) == 80


def test_a_note_of_another_phone_counts_for_nothing(clock: Clock):
    assert fair.read_note("mine", fair.note_of_delay("yours", 80)) is None


def test_a_note_that_somebody_changed_counts_for_nothing(clock: Clock):
    good = fair.note_of_delay("phone", 80)
    for forged in ("", "x", "a:b:c", good[:-1], good + "x", "A" + good[1:], good.upper()):
        assert fair.read_note("phone", forged) is None


@pytest.mark.parametrize("way", [1, -1])
def test_a_note_is_fresh_for_two_minutes(clock: Clock, way: int):
    """R10: also where the server's clock is set back, by hours perhaps."""
    old = fair.note_of_delay("phone", 80)
    clock.passes(seconds=way * 120)
    assert fair.read_note("phone", old) == 80
    clock.passes(seconds=way)
    assert fair.read_note("phone", old) is None


# --- the bounds ----------------------------------------------------------------------------------


def test_a_press_within_what_the_delay_explains_counts_when_it_was_pressed(clock: Clock):
    press = fair.judge("p", clock.ms, clock.ms - 190, fair.note_of_delay("p", 100))
    assert press.at_ms == clock.ms - 190


@pytest.mark.parametrize(
    "ago", [191, 5_000, 86_400_000, -1, -500], ids=["too long", "old", "a day", "future", "ahead"]
)
def test_a_claim_outside_counts_from_when_it_arrived(clock: Clock, ago):
    press = fair.judge("p", clock.ms, clock.ms - ago, fair.note_of_delay("p", 100))
    assert press.at_ms == clock.ms


def test_a_claim_without_a_measurement_counts_from_when_it_arrived(clock: Clock):
    assert fair.judge("p", clock.ms, clock.ms - 30, "").at_ms == clock.ms
    assert fair.judge("p", clock.ms, None, fair.note_of_delay("p", 100)).at_ms == clock.ms


def test_no_delay_however_long_explains_more_than_the_bound(clock: Clock):
    slow = fair.note_of_delay("p", 20_000)
    bound = settings.SHOUT_DELAY_MAX_MS
    assert fair.judge("p", clock.ms, clock.ms - bound, slow).at_ms == clock.ms - bound
    assert fair.judge("p", clock.ms, clock.ms - bound - 1, slow).at_ms == clock.ms


# --- at the table --------------------------------------------------------------------------------


def test_the_slow_line_that_was_pressed_first_wins(party: Party):
    """BK-9: judged by when the phones were pressed, not by when the network delivered them."""
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, party.ben.seat, 400)
    presence.put(party.table.pk, dora.seat, 20)
    party.clock.passes(1000)
    opened = party.clock.ms
    party.clock.passes(300)
    done(dora.does("shout", call="knave", pressed=opened + 290, note=note(dora, 20)))
    party.clock.passes(100)
    done(party.ben.does("shout", call="brave", pressed=opened, note=note(party.ben, 400)))
    party.closes()
    assert party.state.names[party.state.challenger] == "Ben"


def test_both_times_go_into_the_log(party: Party):
    party.begins().rolls(party.ana, 7)
    used = shouts(party, party.ben, pressed_ago=50, delay=80)
    timing = party.last_play.timing
    assert timing == {
        "arrived_ms": party.clock.ms,
        "claimed_ms": party.clock.ms - 50,
        "delay_ms": 80,
        "used_ms": party.clock.ms - 50,
    }
    assert used == party.clock.ms - 50
    assert party.state.shouts[0].at_ms == used - party.game.scene_ms


@pytest.mark.django_db(transaction=True)
async def test_what_comes_while_the_house_is_busy_has_arrived_when_it_came(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """BK-9: a press that no delay explains counts from then, not from when somebody had time."""
    arrived: list[int] = []

    def take(*tap: Any) -> taps.Answer:
        arrived.append(tap[-1])
        return taps.Answer(204)

    monkeypatch.setattr(taps, "take", take)
    goes_on = threading.Event()
    async with looks(running_party.ben) as ben:
        await ben.settles()
        [reader] = readers._readers.values()
        busy = asyncio.create_task(reader.worker.read(lambda: goes_on.wait(5)))
        await ben.says(do="", n=1)
        await asyncio.sleep(0.1)
        came_before = now_ms()
        await asyncio.sleep(0.01)
        goes_on.set()
        await busy
        assert (await ben.hears())["did"] == 1
    assert arrived[0] <= came_before


@pytest.mark.django_db(transaction=True)
async def test_a_mark_that_waited_in_a_sleeping_phone_measures_no_line(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """BK-10: the shouting would stay open as long for a line that is as quick as any."""
    monkeypatch.setattr(consumer, "LONGEST_TRIP_MS", 0)
    async with looks(running_party.ben) as ben:
        await ben.settles()
        await ben.says(echo=(await ben.pings(1.0))["mark"])
        assert "delay" not in await ben.pings(2.0)


@pytest.mark.django_db(transaction=True)
async def test_a_line_is_what_its_last_trips_were(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """BK-10: one that has become slow is waited for. And of a phone that never echoes a mark no
    more of them are kept than the last.
    """
    monkeypatch.setattr(consumer, "MOST_TRIPS", 2)
    monkeypatch.setattr(consumer, "MOST_MARKS", 2)
    async with looks(running_party.ben) as ben:
        await ben.settles()
        first = (await ben.pings(1.0))["mark"]
        await ben.pings(1.0)
        last = (await ben.pings(1.0))["mark"]
        await ben.says(echo=first)
        assert "delay" not in await ben.pings(2.0)
        await ben.says(echo=last)
        slow = [(await ben.pings(3.0))["mark"] for _trip in range(2)]
        await asyncio.sleep(0.2)
        for mark in slow:
            await ben.says(echo=mark)
        assert (await ben.pings(4.0))["delay"] >= 200


def test_a_claim_from_before_the_number_was_out_counts_from_its_arrival(party: Party):
    party.begins().rolls(party.ana, 7)
    party.clock.passes(20)
    claim = party.clock.ms - 100
    done(party.ben.does("shout", call="brave", pressed=claim, note=note(party.ben, 200)))
    assert party.state.shouts[0].at_ms == 20, "nobody answers a number that has not fallen"


def test_a_forged_claim_does_not_come_before_an_honest_shout(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave", after_ms=500)
    party.clock.passes(200)
    done(dora.does("shout", call="knave", pressed=party.game.scene_ms + 1, note="forged"))
    party.closes()
    assert party.state.names[party.state.challenger] == "Ben"


@pytest.mark.parametrize(("gap", "phase"), [(0, "award"), (120, "award"), (121, "challenge")])
def test_bk9_unison_is_120_milliseconds(party: Party, gap, phase):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave").shouts(dora, "knave", after_ms=gap).closes()
    assert party.phase == phase


def test_bk9_the_window_is_the_tables_to_set(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins(unison_ms=0).rolls(party.ana, 7)
    party.shouts(party.ben, "brave").shouts(dora, "knave", after_ms=1).closes()
    assert party.phase == "challenge"


# --- the close -----------------------------------------------------------------------------------


def waits(party: Party) -> int:
    return party.game.closes_ms - party.clock.ms


def test_the_close_waits_until_every_connected_phone_could_have_arrived(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, dora.seat, 300)
    party.shouts(party.ben, "brave")
    assert waits(party) >= 120 + 300


def test_the_close_waits_for_no_phone_that_is_not_there(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    assert waits(party) <= 120 + 60


def test_the_close_is_bounded(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, dora.seat, 25_000)
    party.shouts(party.ben, "brave")
    assert waits(party) == settings.SHOUT_DELAY_MAX_MS


def test_a_line_nobody_measured_yet_is_waited_for_as_an_ordinary_one(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, dora.seat, None)
    party.shouts(party.ben, "brave")
    assert waits(party) == 120 + presence.UNKNOWN_DELAY_MS + 60


def test_what_another_process_says_of_its_phones_is_waited_for(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    presence.hear(party.table.pk, {str(dora.seat): 250})
    party.shouts(party.ben, "brave")
    assert waits(party) == 120 + 250 + 60


def test_what_another_process_says_replaces_what_it_said_before():
    """A phone that left one process for another is known once; one that left is known no more."""
    here, there = "one", "two"
    assert presence.hear(1, {"2": 90, "3": None}, here)
    assert not presence.hear(1, {"2": 80, "3": 70}, here), "nobody came or went"
    assert presence.hear(1, {"2": 900, "3": 70}, here), "a line that became slow is shown"
    assert presence.hear(1, {"2": 80, "3": 70}, here), "and that it is so no more"
    assert presence.hear(1, {"3": 60}, there)
    assert presence.hear(1, {"2": 80}, here)
    assert {seat: line.delay_ms for seat, line in presence.connections(1).items()} == {2: 80, 3: 60}
    assert presence.hear(1, {}, here)
    assert set(presence.connections(1)) == {3}
    presence.put(1, 3, 20)
    assert presence.connections(1)[3].delay_ms == 20, "one's own sockets are known best"


def test_once_everybody_has_shouted_nothing_is_waited_for(party: Party):
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, party.ben.seat, 500)
    party.shouts(party.ben, "brave")
    assert waits(party) == 0


def test_a_shout_never_moves_the_close_past_the_bound(party: Party):
    party.welcomes("Dora", "Emil")
    dora, emil = party.others
    party.begins().rolls(party.ana, 7)
    presence.put(party.table.pk, emil.seat, 10_000)
    party.shouts(party.ben, "brave")
    closes = party.game.closes_ms
    party.shouts(dora, "knave", after_ms=400)
    assert party.game.closes_ms == closes


# --- false starts --------------------------------------------------------------------------------


def test_a_false_start_locks_that_phone_for_half_a_second(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins()
    party.rolls(party.ana, 7)
    done(party.ben.does("false_start"))
    party.clock.passes(499)
    assert "half a second" in refused(party.ben.does("shout", call="brave"), 409)
    done(dora.does("shout", call="knave"))
    party.clock.passes(1)
    done(party.ben.does("shout", call="brave"))


def test_a_false_start_on_a_slow_line_locks_from_when_it_was_pressed(party: Party):
    """BK-9: half a second for everybody, not half a second and the line's delay."""
    party.begins()
    party.clock.passes(1000)
    pressed = party.clock.ms - 300
    done(party.ben.does("false_start", pressed=pressed, note=note(party.ben, 400)))
    party.rolls(party.ana, 7)
    party.clock.passes(300)
    done(party.ben.does("shout", call="brave"))


def test_a_false_start_is_for_all_to_see(party: Party):
    party.begins()
    done(party.ben.does("false_start"))
    assert "False start: Ben" in party.ana.sees()


def test_a_lock_is_not_slipped_by_pretending_to_have_pressed_later(party: Party):
    party.begins().rolls(party.ana, 7)
    done(party.ben.does("false_start"))
    party.clock.passes(100)
    ahead = party.clock.ms + 450
    answer = party.ben.does("shout", call="brave", pressed=ahead, note=note(party.ben, 100))
    refused(answer, 409)


def test_a_false_start_holds_for_the_number_that_then_falls(party: Party):
    """A thumb that was down before the number is out must not be the first when it is."""
    party.begins()
    done(party.ben.does("false_start"))
    party.clock.passes(100)
    party.rolls(party.ana, 7)
    answer = party.ben.does("shout", call="brave")
    assert answer.status_code == 409
    party.clock.passes(400)
    done(party.ben.does("shout", call="brave"))


# --- the page ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("action", "given"), [("roll", {}), ("shout", {"call": "brave"})])
def test_a_move_that_slept_is_too_late_once_another_game_is_in_front(
    party: Party, action: str, given: dict[str, str]
):
    """With the instant of a shout the page that it was pressed on got lost."""
    party.begins()
    done(party.ana.does("end_bout"))
    done(party.ana.does("turn_table", rules="knave"))
    asked = {"front": "brave_or_knave", **given}
    said = "Too late: the table has moved on. Look again."
    assert refused(party.ben.does(action, **asked), 409) == said
