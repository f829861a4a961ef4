"""Real dice of which one was left out: who typed is told in words, and the app rolls nothing."""

from __future__ import annotations

import re

import pytest

from tests.characters.arena import Arena
from tests.games.party import Party, done, refused
from tests.security.shown import Form, Shown

MISSING = "A die is missing: choose the face of each one that you rolled."
BLOW = {"by": "cave-goblin-1", "rolled_by": "attacker"}
SAVE = {"by": "cave-goblin-1", "ability": "dex"}
SHOVE = {"by": "cave-goblin-1", "ability": "str", "against": "dex"}


@pytest.fixture
def arena(party: Party) -> Arena:
    arena = Arena(party, hp=40, max_hp=40)
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(face=1)
    return arena


def told_to_type(arena: Arena, action: str, **asked: str) -> str:
    """Insist that nothing was rolled; return which row the words stand at."""
    before = arena.table.events.count()
    answer = arena.ana.does(action, **asked)
    assert refused(answer, 422) == MISSING
    assert arena.table.events.count() == before
    return re.findall('data-field="([^"]*)"', answer.content.decode())[0]


@pytest.mark.parametrize("how", ["edge", "typed"])
@pytest.mark.parametrize(
    ("typed", "row"),
    [
        ({"dice-1": "14"}, "dice-0"),
        ({"dice-0": "14"}, "dice-1"),
        ({"dice-0": "14", "dice-2": "3"}, "dice-1"),
        ({"dice-2": "3"}, "dice-0"),
    ],
    ids=["first", "second", "second before damage", "both before damage"],
)
def test_kn10_a_die_of_two_that_was_left_out_is_asked_for(arena: Arena, how: str, typed, row: str):
    """The app rolled both where the first was missing; damage was taken for the second d20."""
    asked = {**BLOW, "on": arena.id, how: "advantage", **typed}
    assert told_to_type(arena, "fight-attack", **asked) == row


@pytest.mark.parametrize(
    ("action", "asked"),
    [("fight-attack", BLOW), ("fight-save", SAVE), ("fight-stunt", SHOVE)],
    ids=["attack", "save", "stunt"],
)
def test_kn10_the_button_of_two_real_dice_rolls_none_of_the_apps(arena: Arena, action: str, asked):
    """ "I rolled two: the better counts", with no face chosen: the app rolled them."""
    on = {} if action == "fight-save" else {"on": arena.id}
    assert told_to_type(arena, action, **asked, **on, typed="advantage") == "dice-0"
    faces = {"dice-0": "3", "dice-1": "2"}
    done(arena.ana.does(action, **asked, **on, **faces, typed="advantage"))
    kind = {"fight-attack": "Attacked", "fight-save": "Saved", "fight-stunt": "Stunted"}[action]
    event = arena.last(kind).data
    assert (event["faces"], event["edge"], event["is_real"]) == ([3, 2], "advantage", True)


def test_kn20_one_die_of_a_morale_is_not_the_apps_either(arena: Arena):
    morale = {"of": "cave-goblin-1"}
    assert told_to_type(arena, "fight-morale", **morale, **{"dice-1": "4"}) == "dice-0"
    assert told_to_type(arena, "fight-morale", **morale, typed="dice") == "dice-0"
    done(arena.ana.does("fight-morale", **morale, typed="dice", **{"dice-0": "1", "dice-1": "4"}))
    assert arena.last("MoraleRolled").data["faces"] == [1, 4]


def test_kn23_a_die_of_a_level_that_was_left_out_is_not_another_ones(arena: Arena):
    """A d20 was moved up and read as hit points where a d8 was missing."""
    type(arena.ash).objects.filter(pk=arena.ash.pk).update(xp=1000)
    up = {"character": arena.ash.pk, "abilities": "str,dex,con"}
    for typed in ({"dice-1": "8"}, {"dice-0": "8", "dice-2": "3"}):
        answer = arena.ben.does("level_up", **up, **typed)
        assert refused(answer, 422) == MISSING


def rows_of(form: Form) -> set[str]:
    return {f.name for f in form.fields if f.name.startswith("dice-")}


def test_every_button_beside_rows_of_faces_says_whose_dice_it_means(arena: Arena):
    """Else a press with no face chosen could not be told from one that asks the app to roll."""
    type(arena.ash).objects.filter(pk=arena.ash.pk).update(xp=1000)
    done(arena.ana.does("ask_saves", ability="wis", edge="advantage"))
    pages = [arena.ana.sees("gm/"), arena.ben.sees(), arena.ben.sees(f"knave/{arena.ash.pk}/")]
    forms = [form for page in pages for form in Shown(page).forms if rows_of(form)]
    assert len(forms) > 5
    for form in forms:
        assert {name for name, _value in form.buttons} <= {"rolls", "typed", "dice-alone"}
