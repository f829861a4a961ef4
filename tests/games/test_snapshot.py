"""What a snapshot tells of a table apart from its rows (`games.snapshot`)."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from games import snapshot
from games.models import Entrant, Event, Game, Seat
from tests.games.party import Party


def test_a_phone_holds_the_seats_at_which_it_sits(party: Party):
    """Not one that knocks at the door, and nobody's are nobody's."""
    now, phone = snapshot.load(party.table.pk), uuid4()
    knocks = Seat(number=7, device_id=phone, standing=Seat.Standing.KNOCKING)
    sits, regular = Seat(number=8, device_id=phone), Seat(number=9)
    assert replace(now, seats=(knocks, sits, regular)).held_by == {phone: (sits,)}


@pytest.mark.parametrize(("status", "called"), [("playing", {"Ben": "Heron"}), ("over", {})])
def test_people_are_called_by_their_guild_names_while_they_play(
    party: Party, status: str, called: dict[str, str]
):
    """BK-2: and not after that, in what another evening tells of them."""
    now, game = snapshot.load(party.table.pk), Game(status=status)
    names = (("Ben", "Heron"), ("Ana", "Ana"))
    parts = tuple(Entrant(seat=Seat(name=name), guild_name=guild) for name, guild in names)
    assert replace(now, game=game, entrants=parts).called == called


def test_the_story_of_a_bout_is_what_everybody_was_told_up_to_then(party: Party):
    """S2: what one seat alone was told of it stands in no story, and nothing before its time."""
    game, play = Game.objects.get(table=party.table), party.last_play
    for seq, to in ((900, None), (901, party.ben.row), (902, None)):
        told = {"play": play, "game": game, "kind": "Grave", "data": {}}
        Event.objects.create(table=party.table, seq=seq, to=to, **told)
    assert [one.seq for one in snapshot.course_of(game)] == [900, 902]
    assert [one.seq for one in snapshot.course_of(game, 901)] == [900]


def test_where_nothing_was_told_there_is_no_last_play(party: Party):
    now = replace(snapshot.load(party.table.pk), events=())
    assert now.latest == ()
