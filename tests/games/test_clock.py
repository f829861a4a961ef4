"""What falls due without anybody tapping: the close, knocks, the little finger, the regulars."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.http import HttpResponse

from games import clock as house
from games.models import Game, Play
from games.rules.dice import SeededDice
from games.stored import state_of
from tests.games.party import Party, Person, done, refused, seqs
from tests.sizes import size


def ticks(party: Party) -> int:
    """Let the house look at its clock; return how many moves it made."""
    before = Play.objects.count()
    house.play_due(party.table.pk)
    return Play.objects.count() - before


def falls_due_after(party: Party, ms: int) -> None:
    """Let so many milliseconds pass; the house makes one move, and none a millisecond earlier."""
    party.clock.passes(ms - 1)
    assert ticks(party) == 0
    party.clock.passes(1)
    assert ticks(party) == 1


def due(party: Party) -> list[str]:
    entrants = list(party.game.entrants.select_related("seat"))
    return [type(d.action).__name__ for d in house.due_moves(party.table, party.game, entrants)]


def test_nothing_falls_due_at_an_opening_roll(party: Party):
    party.begins()
    party.clock.passes(seconds=3600)
    assert due(party) == []
    assert ticks(party) == 0


def test_the_shouting_closes_at_its_time_and_not_before(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    party.clock.ms = party.game.closes_ms - 1
    assert ticks(party) == 0
    party.clock.passes(1)
    assert ticks(party) == 1
    assert party.phase == "challenge"


TWO_HOURS = 2 * 3600


def test_a_shouting_closes_though_the_clock_is_set_back(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    party.clock.passes(seconds=-TWO_HOURS)
    assert ticks(party) == 1
    assert party.phase == "challenge"


def test_who_shouts_after_the_clock_was_set_back_comes_after_who_shouted_before(party: Party):
    dora, eli = party.welcomes("Dora", "Eli")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    party.clock.passes(seconds=-TWO_HOURS)
    party.shouts(dora, "brave", after_ms=400).shouts(eli, "brave", after_ms=200)
    first, second, third = (s.at_ms for s in party.state.shouts)
    assert first < second < third
    assert third - second == 200


def test_no_false_start_locks_a_phone_for_as_long_as_the_clock_was_set_back(party: Party):
    party.begins()
    done(party.ben.does("false_start"))
    party.rolls(party.ana, 7)
    party.clock.passes(seconds=-TWO_HOURS)
    party.shouts(party.ben, "brave")


def test_the_house_looks_twice_and_it_happens_once(party: Party):
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave").closes()
    before = party.table.seq
    assert ticks(party) == 0
    assert party.table.seq == before
    entrants = list(party.game.entrants.select_related("seat"))
    assert house.due_moves(party.table, party.game, entrants) == []


def test_two_processes_with_one_clock_make_one_move(party: Party):
    """Each computed its due moves before the other acted: the tap's name keeps it to one."""
    party.begins(knock_pace_ms="1500").rolls(party.ana, 7)
    party.clock.passes(1500)
    table, game = party.table, party.game
    entrants = list(game.entrants.select_related("seat"))
    (first,) = house.due_moves(table, game, entrants)
    (second,) = house.due_moves(table, game, entrants)
    assert first.tap.id == second.tap.id
    assert not house.act(table.pk, first.actor, first.action, first.tap).is_repeat
    assert house.act(table.pk, second.actor, second.action, second.tap).is_repeat
    assert party.state.knocks == 1


def test_bk11_the_house_knocks_at_the_tables_pace(party: Party):
    party.begins(knock_pace_ms="1500").rolls(party.ana, 7)
    for count in (1, 2):
        falls_due_after(party, 1500)
        assert party.state.knocks == count
    party.clock.passes(1500)
    ticks(party)
    assert party.phase == "name"


def test_bk11_by_hand_the_house_does_not_knock(party: Party):
    party.begins().rolls(party.ana, 7)
    party.clock.passes(seconds=600)
    assert ticks(party) == 0


def test_bk11_no_knock_once_somebody_shouted(party: Party):
    party.welcomes("Dora")
    party.begins(knock_pace_ms="1000").rolls(party.ana, 7).shouts(party.ben, "brave")
    assert due(party) == ["Close"]


def test_bk20_the_little_finger_goes_after_some_seconds(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    falls_due_after(party, house.PICKS_WITHIN_MS)
    assert party.events("FingerGiven")[-1].data["which"] == "little"
    assert ticks(party) == 0


def test_bk20_of_several_fingers_the_next_one_goes_next(party: Party):
    party.welcomes("Dora")
    party.begins(has_shroud="true").calls_blind(party.ben, "knave", 6)
    party.rolls(party.ben, 11)  # fails: three fingers
    for finger in ("little", "ring", "middle"):
        party.clock.passes(house.PICKS_WITHIN_MS)
        ticks(party)
        assert party.events("FingerGiven")[-1].data["which"] == finger


def test_bk20_the_moves_of_others_give_nobody_more_time(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    party.clock.passes(house.PICKS_WITHIN_MS - 1)
    party.rolls(party.ben, 20)
    assert ticks(party) == 0
    party.clock.passes(1)
    assert ticks(party) == 1
    assert party.events("FingerGiven")[-1].data == {"seat": 1, "which": "little"}
    falls_due_after(party, house.PICKS_WITHIN_MS - 1)
    assert party.events("FingerGiven")[-1].data == {"seat": 0, "which": "little"}


def test_bk20_fingers_lost_together_go_together(party: Party):
    party.welcomes("Dora", "Eve")
    party.begins().rolls(party.ana, 20)
    party.clock.passes(house.PICKS_WITHIN_MS)
    assert [ticks(party) for _turn in range(4)] == [1, 1, 1, 0]
    assert [e.data["seat"] for e in party.events("FingerGiven")] == [1, 2, 3]


def test_bk20_who_picked_is_left_alone(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    done(party.ben.does("finger", which="thumb"))
    party.clock.passes(seconds=60)
    assert ticks(party) == 0


def test_a_pause_stops_the_clocks_and_they_go_on_where_they_stood(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    party.clock.passes(seconds=5)
    done(party.ana.does("pause"))
    party.clock.passes(seconds=3600)
    assert due(party) == []
    assert ticks(party) == 0
    done(party.ana.does("resume"))
    falls_due_after(party, house.PICKS_WITHIN_MS - 5000)


def test_go_on_kept_by_a_phone_without_a_line_ends_no_later_pause(party: Party):
    """Each action names what it answers: a stop that somebody asked for since then holds."""
    done(party.ana.does("pause"))
    first = party.table.pause
    assert f'name="pause" value="{first}"' in party.ana.sees()
    done(party.ana.does("resume", pause=first))
    party.clock.passes(seconds=1)
    done(party.ana.does("pause"))
    refused(party.ana.does("resume", pause=first), 409)
    assert party.table.paused_at
    done(party.ana.does("resume", pause=party.table.pause))
    assert party.table.paused_at is None


def test_bk11_after_a_pause_the_next_knock_waits_for_what_was_left(party: Party):
    party.begins(knock_pace_ms="1500").rolls(party.ana, 7)
    party.clock.passes(500)
    done(party.ana.does("pause"))
    party.clock.passes(seconds=3600)
    done(party.ana.does("resume"))
    falls_due_after(party, 1000)


def test_a_pause_keeps_the_race_that_was_on(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    left = party.game.closes_ms - party.clock.ms
    done(party.ana.does("pause"))
    party.clock.passes(seconds=60)
    done(party.ana.does("resume"))
    assert party.game.closes_ms - party.clock.ms == left
    party.clock.passes(100)
    done(party.others[0].does("shout", call="knave"))
    first, second = party.state.shouts
    assert second.at_ms - first.at_ms == 100


def in_a_pause(party: Party, does: Callable[[], HttpResponse]) -> None:
    """Let an hour go by, in which the host has something done, until it goes on."""
    done(party.ana.does("pause"))
    party.clock.passes(seconds=1800)
    done(does())
    party.clock.passes(seconds=1800)
    done(party.ana.does("resume"))


def test_bk20_a_finger_that_is_back_in_a_pause_may_be_picked_for_as_long_as_ever(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    done(party.ben.does("finger", which="thumb"))
    given = party.events("FingerGiven")[-1].seq
    in_a_pause(party, lambda: party.ana.does("undo", event=given))
    falls_due_after(party, house.PICKS_WITHIN_MS)


def test_bk11_after_a_pause_in_which_somebody_left_the_next_knock_waits_its_time(party: Party):
    party.welcomes("Dora")
    party.begins(knock_pace_ms="1500").rolls(party.ana, 7)
    in_a_pause(party, lambda: party.ben.does("leave_table"))
    falls_due_after(party, 1500)


def test_bk10_after_a_race_was_opened_again_in_a_pause_who_shouts_comes_later(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave", after_ms=3000).closes()
    challenged = party.events("Challenged")[-1].seq
    in_a_pause(party, lambda: party.ana.does("undo", event=challenged))
    assert ticks(party) == 0
    party.clock.passes(50)
    done(party.others[0].does("shout", call="knave"))
    first, second = party.state.shouts
    assert second.at_ms - first.at_ms == 50


def test_nothing_falls_due_once_a_bout_is_called_off(party: Party):
    party.begins(knock_pace_ms="1000").rolls(party.ana, 7)
    done(party.ana.does("end_bout"))
    party.clock.passes(seconds=60)
    assert ticks(party) == 0


def test_nobody_stops_the_clock_with_a_tap_of_its_name(party: Party):
    """A tap's id is the phone's to choose, so the house's taps must not be within its reach."""
    party.begins(knock_pace_ms="1500").rolls(party.ana, 12)
    party.challenges(party.ben, "knave", 14)
    scene = party.ben.scene
    done(party.ben.does("show_hand", letters="true", tap=f"finger-{scene}-1"))
    party.clock.passes(house.PICKS_WITHIN_MS)
    assert ticks(party) == 1
    assert party.events("FingerGiven")


@pytest.mark.parametrize("seed", range(size(2, 40)))
def test_the_regulars_play_a_whole_bout_through_the_same_door(db, clock, monkeypatch, seed):
    falls = SeededDice(seed)
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", lambda _dice, sides: falls.roll(sides))
    ana = Person("Ana")
    ana.client.post("/try/")
    game = Game.objects.get()
    ana.code, table = game.table.code, game.table
    ana.seat = table.seats.get(role="gm").number
    rng = random.Random(seed)
    for _move in range(1500):
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            break
        state = state_of(game)
        if (state.fingers[0] and state.challenger == 0) or (
            state.phase == "open" and state.roller == 0
        ):
            ana.does("roll")
        elif state.namer == 0 and state.phase == "name":
            ana.does("name", to=rng.choice(state.living(but=0)), call="brave")
        elif state.phase == "award" and state.roller == 0:
            ana.does("award", to=state.shouts[0].seat)
        elif state.phase == "shout" and state.roller == 0 and not state.shouts:
            clock.passes(1000)
            house.play_due(table.pk)
            if not state_of(Game.objects.get()).shouts:
                ana.does("knock")
        clock.passes(200)
        house.play_due(table.pk)
    assert game.status == Game.Status.OVER
    assert len(game.winners) >= 1
    table.refresh_from_db()
    assert seqs(table.events.all()) == list(range(1, table.seq + 1))
    acted = {p.seat.regular for p in game.plays.select_related("seat") if p.seat}
    assert len(acted - {""}) == 3
