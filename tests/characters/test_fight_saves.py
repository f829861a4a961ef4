"""Saves that the host rolls in a fight: a foe's against a spell above all (KN-8, KN-9, KN-25)."""

from __future__ import annotations

import pytest

from tests.characters.arena import Arena
from tests.games.party import Party, done, refused
from tests.security.shown import Form, Shown

GOBLIN = "cave-goblin-1"


@pytest.fixture
def arena(party: Party) -> Arena:
    """Ash reads with Intelligence +3; a goblin of +1 stands before her."""
    arena = Arena(party, intelligence=3)
    arena.monster.level = 1
    arena.monster.save()
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins()
    return arena


def form_of(arena: Arena) -> Form:
    forms = Shown(arena.ana.sees("gm/")).forms
    (form,) = (f for f in forms if "fight-save" in [one.value for one in f.fields])
    return form


def choices(arena: Arena, name: str) -> list[str]:
    return [f.value for f in form_of(arena).fields if f.name == name]


@pytest.mark.parametrize(("face", "total", "is_saved"), [(12, 13, False), (13, 14, True)])
def test_kn9_a_foe_saves_against_the_intelligence_of_who_has_read_a_spell(
    arena: Arena, face: int, total: int, is_saved: bool
):
    """The worked case 4: as much as the defense is not enough."""
    arena.dice.fall(face)
    done(arena.ana.does("fight-save", by=GOBLIN, ability="dex", who=arena.id, against="int"))
    told = arena.last("Saved").data
    assert (told["total"], told["target"], told["success"]) == (total, 13, is_saved)


def test_kn9_or_who_has_read_it_rolls_against_the_foe(arena: Arena):
    """The worked case 5: either side may be the one that rolls."""
    arena.dice.fall(9)
    done(arena.ana.does("fight-save", by=arena.id, ability="int", who=GOBLIN, against="dex"))
    told = arena.last("Saved").data
    assert (told["total"], told["success"]) == (12, True)
    page = arena.ben.sees()
    assert "Ash saves against Goblin 1, Intelligence against Dexterity: 12." in page


def test_kn8_kn10_against_a_danger_with_an_edge_or_real_dice(arena: Arena):
    """More than 15 is needed where nobody opposes; it costs nobody a turn."""
    given = {"by": GOBLIN, "ability": "con", "who": "", "against": "int", "modifier": "2"}
    arena.dice.fall(3, 12)
    done(arena.ana.does("fight-save", **given, rolls="advantage"))
    done(arena.ana.does("fight-save", **given, **{"dice-alone": "13"}))
    saved = [(e.data["faces"], e.data["total"], e.data["success"]) for e in arena.events("Saved")]
    assert saved == [([3, 12], 15, False), ([13], 16, True)]
    arena.ash_strikes(2)


def test_who_stands_is_offered_to_save_and_to_be_saved_against(arena: Arena):
    assert choices(arena, "by") == [GOBLIN, arena.id]
    assert choices(arena, "who") == ["", GOBLIN, arena.id]
    names = {name for name, _value in form_of(arena).buttons}
    assert names == {"rolls", "dice-alone", "typed"}
    done(arena.ana.does("fight-flee", of=GOBLIN))
    assert choices(arena, "by") == [arena.id]
    words = refused(arena.ana.does("fight-save", by=GOBLIN, ability="dex"), 409)
    assert "Goblin 1 has fled" in words


def test_a_save_is_the_hosts_to_roll_and_to_take_back(arena: Arena):
    """A player rolls on their own sheet, as ever."""
    refused(arena.ben.does("fight-save", by=arena.id, ability="dex"), 403)
    before = arena.state
    arena.dice.fall(2)
    done(arena.ana.does("fight-save", by=GOBLIN, ability="dex"))
    assert arena.state != before
    arena.undoes("Saved")
    assert arena.state == before


def test_a_foes_defense_stays_the_hosts_where_the_table_hides_it(arena: Arena):
    done(arena.ana.does("configure_knave", setting="foes_shown", value="false"))
    arena.dice.fall(9)
    done(arena.ana.does("fight-save", by=arena.id, ability="int", who=GOBLIN, against="dex"))
    assert arena.last("Saved").data.get("target") is None
