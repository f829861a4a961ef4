"""Whose dice fall: the server's, real ones that are typed, or either, as the table says."""

from __future__ import annotations

import inspect

import pytest
from django.utils.datastructures import MultiValueDict

from games import clock
from games.forms import read_tap
from games.rules.dice import SystemDice
from tests.games.party import Party, done, refused


def test_the_servers_dice_are_the_operating_systems():
    assert "secrets.randbelow" in inspect.getsource(SystemDice)
    assert {SystemDice().roll(20) for _ in range(2000)} == set(range(1, 21))


def test_a_tap_without_dice_is_not_asked_for_each_that_there_could_be(
    monkeypatch: pytest.MonkeyPatch,
):
    """Every tap is read: forty questions that a form has no answer to took most of the time."""
    asked: list[str] = []
    get = MultiValueDict.get
    monkeypatch.setattr(
        MultiValueDict, "get", lambda form, name, *how: asked.append(name) or get(form, name, *how)
    )
    read_tap(MultiValueDict({"action": ["knock"], "seat": ["1"], "saw": ["3"], "tap": ["a"]}))
    assert len(asked) < 10


def test_by_default_either_may_fall(party: Party):
    party.begins()
    done(party.ana.does("roll", dice=7))
    assert (party.state.standing, party.last_play.is_real) == (7, True)
    party.challenges(party.ben, "brave", 12)
    assert (party.last_play.faces, party.last_play.is_real) == ([12], False)


def test_typed_dice_are_logged_as_such(party: Party):
    party.begins()
    done(party.ana.does("roll", dice=7))
    play = party.last_play
    assert (play.faces, play.is_real, play.seat.name) == ([7], True, "Ana")


def test_a_table_of_the_servers_dice_takes_no_typed_ones(party: Party):
    party.begins(dice="server")
    assert "app" in refused(party.ana.does("roll", dice=20), 403)
    party.rolls(party.ana, 7)


def test_a_table_of_real_dice_waits_for_a_face(party: Party):
    party.begins(dice="real")
    assert "real dice" in refused(party.ana.does("roll"), 403)
    done(party.ana.does("roll", dice=7))
    party.shouts(party.ben, "brave").closes()
    refused(party.ben.does("roll"), 403)
    done(party.ben.does("roll", dice=12))
    assert party.state.standing == 12


@pytest.mark.parametrize("face", ["0", "21", "-1", "999999999999", "seven", "7.5", "٧", "1" * 40])
def test_a_die_has_twenty_faces(party: Party, face):
    party.begins()
    assert refused(party.ana.does("roll", dice=face), 422)
    assert party.phase == "open"


def test_regulars_roll_the_servers_dice_at_a_table_of_real_ones(party: Party):
    done(party.ana.does("add_regular"))
    done(party.ana.does("configure", setting="dice", value="real"))
    done(party.ana.does("pick_number", number=18))
    done(party.ben.does("take_part", plays="false"))
    regular = party.table.seats.exclude(regular="").get()
    done(party.ana.does("choose_first", who=regular.number))
    done(party.ana.does("start_bout"))
    party.dice.fall(7)
    party.clock.passes(seconds=5)
    clock.play_due(party.table.pk)
    assert party.state.standing == 7
    assert not party.last_play.is_real


def test_bk23_a_real_die_lies_under_the_hand_until_it_is_read(party: Party):
    party.begins(has_shroud="true", dice="real")
    done(party.ben.does("shroud"))
    done(party.ana.does("roll", cupped="true"))
    assert party.state.hidden is None
    done(party.ben.does("blind", call="brave"))
    done(party.ana.does("roll", dice=6))
    assert party.state.standing == 6


def test_bk23_a_real_die_under_the_hand_is_read_and_not_rolled_again_by_the_app(party: Party):
    party.begins(has_shroud="true", dice="either").calls_blind(party.ben, "brave")
    assert "under the hand" in refused(party.ana.does("roll"), 403)
    assert 'id="roll"' not in party.ana.sees()
    done(party.ana.does("roll", dice=6))
    assert (party.state.standing, party.last_play.is_real) == (6, True)


def test_bk23_where_real_dice_were_ruled_out_meanwhile_the_app_rolls(party: Party):
    party.begins(has_shroud="true", dice="either").calls_blind(party.ben, "brave")
    done(party.ana.does("configure", setting="dice", value="server"))
    assert 'id="roll"' in party.ana.sees()
    party.rolls(party.ana, 6)
    assert party.state.standing == 6


def test_bk23_nobody_types_the_die_that_nobody_has_read(party: Party):
    """The roller included: a face that is typed before the blind call is a face that is known."""
    party.begins(has_shroud="true")
    done(party.ben.does("shroud"))
    assert "Under a Shroud" in refused(party.ana.does("roll", dice=6), 409)
    party.rolls(party.ana, 6)


def test_no_real_cup_where_the_server_rolls(party: Party):
    party.begins(has_shroud="true", dice="server")
    done(party.ben.does("shroud"))
    refused(party.ana.does("roll", cupped="true"), 403)


def test_a_face_in_the_cupped_or_at_fields_is_not_smuggled_in(party: Party):
    """Only `dice` types a face; other fields of an action are the server's to fill."""
    party.begins()
    party.dice.fall(9)
    done(party.ana.does("roll", faces=20, face=20, at_ms=0))
    assert party.state.standing == 9
