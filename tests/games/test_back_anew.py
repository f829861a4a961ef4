"""Who had got up and sits down anew: an undo brings them back where they sit now, once."""

from __future__ import annotations

import pytest

from games.models import Seat
from games.stored import play_again, plays_that_count, state_of
from tests.games.party import Party, Person, done, refused


def gets_up(party: Party, who: Person) -> int:
    """Get up in the middle of a bout; return the event that an undo brings them back by."""
    done(who.does("leave_table"))
    return party.events("Out")[-1].seq


def named(party: Party, name: str) -> list[Seat]:
    return list(party.table.seats.filter(name=name).exclude(standing="gone"))


@pytest.fixture
def playing(party: Party) -> Party:
    """Ben begins, has rolled, and somebody else could go on without him."""
    party.welcomes("Dora")
    party.begins(first=party.ben).rolls(party.ben, 7)
    return party


def test_who_sits_there_again_plays_on_from_where_they_sit(playing: Party):
    """Two of one name sat there, one on the host's phone, and the one who had come back watched."""
    out = gets_up(playing, playing.ben)
    was = playing.ben.seat
    playing.ben.joins(playing.table)
    assert playing.ben.seat != was
    done(playing.ana.does("undo", event=out))
    assert [seat.number for seat in named(playing, "Ben")] == [playing.ben.seat]
    done(playing.ana.does("undo", event=playing.events("Rolled")[0].seq))
    playing.rolls(playing.ben, 9)


def test_the_moves_from_the_seat_of_before_are_still_theirs(playing: Party):
    """Whose a move was is found by its seat, when the bout is played again from the start."""
    out = gets_up(playing, playing.ben)
    playing.ben.joins(playing.table)
    done(playing.ana.does("undo", event=out))
    assert play_again(playing.game, plays_that_count(playing.game)) == state_of(playing.game)


def test_who_has_become_the_host_meanwhile_plays_on_as_the_host(playing: Party):
    out = gets_up(playing, playing.ben)
    playing.ben.joins(playing.table)
    done(playing.ana.does("hand_host", who=playing.ben.seat))
    done(playing.ben.does("undo", event=out))
    assert [seat.is_gm for seat in named(playing, "Ben")] == [True]
    done(playing.ben.does("undo", event=playing.events("Rolled")[0].seq))
    playing.rolls(playing.ben, 9)


def test_a_regular_who_was_called_again_is_one(party: Party):
    done(party.ana.does("add_regular"))
    party.begins()
    regular = party.table.seats.get(regular__gt="")
    done(party.ana.does("remove", who=regular.number))
    out = party.events("Out")[-1].seq
    done(party.ana.does("add_regular"))
    done(party.ana.does("undo", event=out))
    assert len(named(party, regular.name)) == 1


def test_who_knocks_again_is_let_in_or_turned_away_first(playing: Party):
    out = gets_up(playing, playing.ben)
    done(playing.ana.does("set_door", door="ask"))
    playing.ben.joins(playing.table)
    assert "Ben knocks at the door" in refused(playing.ana.does("undo", event=out), 409)
    done(playing.ana.does("admit", who=playing.ben.seat))
    done(playing.ana.does("undo", event=out))
    assert len(named(playing, "Ben")) == 1


def test_a_shared_screen_is_nobody_who_plays_whatever_they_are_called(party: Party):
    name = party.tess.row.name
    done(party.ana.does("remove", who=party.tess.seat))
    (namesake,) = party.welcomes(name)
    party.begins()
    out = gets_up(party, namesake)
    Person("Tess").joins(party.table, role="screen")
    done(party.ana.does("undo", event=out))
    assert {seat.role for seat in named(party, name)} == {"player", "screen"}
