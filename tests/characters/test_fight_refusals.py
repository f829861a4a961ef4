"""What a fight refuses is told of somebody by name, and of nobody whom the table does not see."""

from __future__ import annotations

import pytest

from characters.models import Character
from characters.services.fight_refusals import ABOUT_ACTOR, ABOUT_BOTH, ABOUT_TARGET
from games.rules.knave_fight import refusals
from games.rules.words import Reason
from tests.characters.arena import Arena, knave
from tests.games.party import done, refused


def strike(by: str, on: str) -> dict[str, str]:
    return {"by": by, "on": on, "rolled_by": "attacker"}


def test_kn13_who_has_used_the_round_is_named(arena: Arena):
    arena.begins(2, face=6)
    arena.ash_strikes(2)
    answer = arena.ben.does("fight-attack", **strike(arena.id, "cave-goblin-2"))
    assert refused(answer, 409) == "Ash has made all the attacks for this round."
    arena.goblin_strikes(2, by="cave-goblin-2")
    answer = arena.ana.does("fight-attack", **strike("cave-goblin-2", arena.id))
    assert refused(answer, 409) == "Goblin 2 has made all the attacks for this round."
    asked = {"by": "cave-goblin-2", "on": arena.id, "ability": "str", "against": "str"}
    assert "Goblin 2 has used" in refused(arena.ana.does("fight-stunt", **asked), 409)


def test_kn16_who_is_down_or_gone_is_named(arena: Arena):
    arena.begins(4, face=6)
    for foe, amount in (("cave-goblin-1", 10), ("cave-goblin-2", 4)):
        done(arena.ana.does("fight-hurt", on=foe, amount=amount))
    done(arena.ana.does("fight-flee", of="cave-goblin-3"))
    for action, fields, told in (
        ("fight-attack", strike(arena.id, "cave-goblin-1"), "Goblin 1 is dead already."),
        ("fight-attack", strike(arena.id, "cave-goblin-3"), "Goblin 3 has fled."),
        ("fight-engage", {"by": arena.id, "on": "cave-goblin-2"}, "Goblin 2 is unconscious."),
        ("fight-disengage", {"by": arena.id}, "Ash is not in melee."),
    ):
        assert refused(arena.ben.does(action, **fields), 409) == told
    for action, fields, told in (
        ("fight-heal", {"on": "cave-goblin-1", "amount": 1}, "nothing heals the dead"),
        ("fight-attack", strike("cave-goblin-2", arena.id), "Goblin 2 is unconscious, and does"),
        ("fight-flee", {"of": "cave-goblin-1"}, "Goblin 1 is dead, and does nothing."),
        ("fight-morale", {"of": arena.id}, "Ash has no morale rating."),
    ):
        assert told in refused(arena.ana.does(action, **fields), 409)


def test_kn14_a_foe_without_the_attack_that_was_chosen_is_named(arena: Arena):
    """The host chooses who strikes and with which attack apart, among foes of several kinds."""
    arena.begins(face=2)
    blow = strike("cave-goblin-1", arena.id)
    told = refused(arena.ana.does("fight-attack", **blow, **{"with": "1"}), 409)
    assert told == "Goblin 1 has no such attack."


def test_kn14_the_two_who_are_in_melee_are_named_as_they_are_written(arena: Arena):
    Character.objects.filter(pk=arena.ash.pk).update(name="ash of 100%(name)s")
    arena.begins(face=6)
    engage = {"by": arena.id, "on": "cave-goblin-1"}
    done(arena.ben.does("fight-engage", **engage))
    told = refused(arena.ben.does("fight-engage", **engage), 409)
    assert told == "ash of 100%(name)s and Goblin 1 are in melee already."


def test_a_hireling_who_has_acted_is_named_on_the_phone_of_its_employer(arena: Arena):
    """The phone speaks to the player as "you" only of the player's own knave."""
    done(arena.ana.does("turn_table", rules="knave"))
    hired = {"kind": "hireling", "employer": arena.ash, "natural_die": 6, "natural_defense": 12}
    carl = knave(arena.ana, "Carl", **hired, morale=6)
    Character.objects.filter(pk=carl.pk).update(seat=None)
    arena.begins(face=6)
    arena.dice.fall(2)
    done(arena.ben.does("fight-attack", **strike(f"k{carl.pk}", "cave-goblin-1")))
    page = arena.ben.client.get(f"/t/{arena.table.code}/").content.decode()
    assert "Carl has made all the attacks for this round." in page


def test_nobody_is_named_whom_the_table_does_not_see(arena: Arena):
    """A guessed id tells nothing: neither of who waits in the dark, nor of a hidden sheet."""
    shade = knave(arena.ana, "Vorgash the Unseen", kind="npc", is_hidden=True)
    Character.objects.filter(pk=shade.pk).update(seat=None)
    arena.begins(face=6)
    done(arena.ana.does("prepare_encounter", name="Later"))
    done(arena.ana.does("add_foes", encounter=0, monster=arena.monster.pk, count=3))
    waiting = arena.table.encounters.first().foes[-1]
    for who in (f"k{shade.pk}", waiting["id"]):
        for action in ("fight-attack", "fight-engage"):
            told = refused(arena.ben.does(action, **strike(arena.id, who)), 409)
            assert "Vorgash" not in told
            assert waiting["name"] not in told
            assert "nobody in this fight" in told.lower()


def test_no_reason_of_a_fight_leaves_open_whom_it_means():
    """UX: with many on the screen a notice says who; "that combatant" is no answer."""
    named = {*ABOUT_ACTOR, *ABOUT_TARGET, *ABOUT_BOTH}
    every = {reason for reason in vars(refusals).values() if isinstance(reason, Reason)}
    assert named <= every
    pointing = ("that combatant", "that one", "these two")
    left = [r for r in every - named if any(word in r[0] for word in pointing)]
    assert left == []


@pytest.mark.parametrize(
    "nonsense",
    [
        {"modifier": "21"},
        {"modifier": "9" * 30},
        {"edge": "both"},
        {"rolled_by": "me"},
        {"on": ""},
        {"with": "-1"},
        {"with": "x"},
    ],
)
def test_a_malformed_blow_is_refused(arena: Arena, nonsense: dict[str, str]):
    arena.begins(face=6)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker", **nonsense}
    refused(arena.ben.does("fight-attack", **asked), 422)


def test_a_blow_with_a_weapon_or_on_a_foe_that_is_not_there_is_refused(arena: Arena):
    arena.begins(face=6)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker", "with": 3}
    assert "no such attack" in refused(arena.ben.does("fight-attack", **asked), 409)
    on_nobody = arena.ben.does("fight-attack", **{**asked, "on": "nobody"})
    assert "has that id" in refused(on_nobody, 409)


def test_a_program_s_blow_is_too_late_while_another_game_is_in_front(arena: Arena):
    """docs/programs.md: it says what it `saw`, and the game has moved on. Its blow fell in a fight
    at which nobody looked."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(2, face=6)
    path = f"/api/tables/{arena.table.code}/"
    saw = arena.ben.client.get(path).json()["scene"]
    blow = {"action": "fight-attack", **strike(arena.id, "cave-goblin-1")}
    sent = {"seat": arena.ben.seat, "action": blow, "saw": saw, "tap": "one"}
    done(arena.ana.does("turn_table", rules="brave_or_knave"))
    before = arena.table.seq
    answer = arena.ben.client.post(f"{path}actions/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["error"][:8]) == (409, "Too late")
    assert arena.table.seq == before
    done(arena.ana.does("turn_table", rules="knave"))
    arena.dice.fall(2)
    answer = arena.ben.client.post(f"{path}actions/", sent, content_type="application/json")
    assert answer.status_code == 200
