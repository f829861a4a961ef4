"""Where nobody of a side stands, no side acts: every screen says so, and what may be done."""

from __future__ import annotations

import re

import pytest

from tests.characters.arena import Arena
from tests.characters.crew import book_of
from tests.games.party import Party, Person, done

PATHS = {"gm": "/t/{code}/gm/", "screen": "/t/{code}/screen/", "phone": "/t/{code}/"}
ACTS = ("The foes act", "You act", "Your side acts", "The party acts", "Who is faster?")


@pytest.fixture
def arena(party: Party) -> Arena:
    done(party.ana.does("turn_table", rules="knave"))
    return Arena(party)


def opens(arena: Arena, page: str) -> str:
    who: Person = {"gm": arena.ana, "screen": arena.cast.tess, "phone": arena.ben}[page]
    return who.client.get(PATHS[page].format(code=arena.table.code)).content.decode()


def title(arena: Arena, page: str) -> tuple[str, str]:
    """Return the fight's title on a page, and what stands right below it."""
    found = opens(arena, page)
    title_of = r'<h2 id="(?:gm-fight|fight|foes-board)-title"[^>]*>(.*?)</h2>(.{0,600})'
    head = re.search(title_of, found, re.S)
    assert head
    below = re.search(r"<p[^>]*>(.*?)</p>", head[2], re.S)
    return head[1].strip(), below[1].strip() if below else ""


@pytest.mark.parametrize("page", PATHS)
@pytest.mark.parametrize("face", [2, 6, None])
def test_kn16_no_side_acts_when_the_whole_party_is_down(arena: Arena, page: str, face: int | None):
    arena.begins(face=face)
    done(arena.ana.does("fight-hurt", on=arena.id, amount=5))
    said, below = title(arena, page)
    assert said == "Nobody in the party is standing"
    assert below == (
        "End the fight, or heal somebody and go on."
        if page == "gm"
        else "The referee ends the fight, or heals somebody and it goes on."
    )
    if page == "phone":
        assert "You are unconscious." in opens(arena, page)
        assert "The foes act first" not in opens(arena, page)
    done(arena.ana.does("fight-heal", on=arena.id, amount=2))
    assert title(arena, page)[0] in ACTS


@pytest.mark.parametrize("page", PATHS)
def test_kn16_nobody_is_told_to_heal_the_dead(arena: Arena, page: str):
    arena.begins(face=6)
    done(arena.ana.does("fight-hurt", on=arena.id, amount=9))
    said, below = title(arena, page)
    assert said == "Nobody in the party is standing"
    assert "heal" not in below
    assert "somebody new" in below


@pytest.mark.parametrize("page", PATHS)
def test_kn20_no_side_acts_when_every_foe_is_down_or_gone(arena: Arena, page: str):
    arena.begins(2, face=6)
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=5))
    assert title(arena, page)[0] in ACTS
    done(arena.ana.does("fight-flee", of="cave-goblin-2"))
    said, below = title(arena, page)
    assert said == "The foes are down or gone"
    assert "more foes" in below
    done(arena.ana.does("fight-flee", of=arena.id))
    assert title(arena, page)[0] == "Nobody is standing"


def test_the_referee_ends_such_a_fight_at_the_top_of_it(arena: Arena):
    """The next step stands where the eye is, and no round is begun by a slip instead."""
    arena.begins(face=6)
    before = opens(arena, "gm")
    assert before.index('id="end-fight"') > before.index('id="foe-cave-goblin-1"')
    done(arena.ana.does("fight-hurt", on=arena.id, amount=9))
    after = opens(arena, "gm")
    assert after.index('id="end-fight"') < after.index('id="foe-cave-goblin-1"')
    assert after.index('id="initiative"') > after.index('id="foe-cave-goblin-1"')
    done(arena.ana.does("end_fight"))


def test_kn12_the_next_round_waits_below_while_the_party_still_acts(arena: Arena):
    """Also where the foes, who went first, are done: a slip would take the party's turn."""
    arena.begins(face=2)
    arena.goblin_strikes(2)
    page = opens(arena, "gm")
    assert title(arena, "gm")[0] == "The party acts"
    assert page.index('id="initiative"') > page.index('id="foe-cave-goblin-1"')


def test_the_shared_screen_does_not_say_that_nobody_has_a_knave_yet(arena: Arena):
    """KN-16: after a death there is a grave, and not a table where nothing has begun."""
    arena.begins(face=6)
    done(arena.ana.does("fight-hurt", on=arena.id, amount=9))
    page = opens(arena, "screen")
    assert "Nobody in the party is left." in page
    assert "No knaves yet." not in page


def test_kn12_the_screen_marks_who_may_still_act(arena: Arena):
    """Only while it is that side's turn, and there is somebody to face."""
    marked = 'is-due">may act<'
    arena.begins(face=6)
    assert marked in opens(arena, "screen")
    done(arena.ana.does("fight-hurt", on=arena.id, amount=5))
    assert marked not in opens(arena, "screen")
    done(arena.ana.does("fight-heal", on=arena.id, amount=2))
    arena.dice.fall(2)
    done(arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker"))
    assert marked not in opens(arena, "screen")


def test_kn12_nobody_is_marked_while_the_foes_act(arena: Arena):
    arena.begins(face=2)
    assert "may act" not in opens(arena, "screen")


TIDINGS = re.compile(r'<p class="last-roll fallen-words">([^<]*)<')


def told_on_the_screen(arena: Arena) -> list[str]:
    return TIDINGS.findall(opens(arena, "screen"))


def test_kn16_the_shared_screen_tells_of_who_falls_by_no_roll(arena: Arena):
    """As it tells what a blow did: the dice of before lay there as if nothing had happened."""
    arena.begins(face=6)
    arena.ash_strikes(2)
    assert told_on_the_screen(arena) == []
    done(arena.ana.does("fight-hurt", on=arena.id, amount=5))
    assert told_on_the_screen(arena) == ["Ash falls unconscious."]
    done(arena.ana.does("fight-heal", on=arena.id, amount=2))
    assert told_on_the_screen(arena) == []
    done(arena.ana.does("hurt_many", amount=9, who=arena.ash.pk, cause="A falling beam"))
    assert told_on_the_screen(arena) == ["Ash is dead: A falling beam."]
    assert 'class="roll-total"' not in opens(arena, "screen")
    arena.rolls_initiative(3)
    assert told_on_the_screen(arena) == []


def test_kn16_a_fall_that_is_taken_back_or_came_of_a_roll_is_no_tiding(arena: Arena):
    arena.begins(face=2)
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=9))
    assert told_on_the_screen(arena) == ["Goblin 1 is dead."]
    arena.undoes("Died")
    assert told_on_the_screen(arena) == []
    arena.goblin_strikes(20, 6, 6)
    assert "is dead" in opens(arena, "screen")
    assert told_on_the_screen(arena) == []


# --- a spell is told there as well (KN-25) -------------------------------------------------------
SPELL = re.compile(r'<p class="spell-read">([^<]*)</p>\s*<p class="roll-text">([^<]*)<')


def spells_on_the_screen(arena: Arena) -> list[tuple[str, str]]:
    return SPELL.findall(opens(arena, "screen"))


def test_kn25_the_shared_screen_tells_of_a_spell_until_the_next_roll(arena: Arena):
    """The log and the caster's phone alone had it: the others looked at the dice of before."""
    arena.begins(face=6)
    done(arena.ben.does("cast_spell", item=book_of(arena.ash).pk))
    ((read, does),) = spells_on_the_screen(arena)
    assert read == "Ash reads aloud: Charm."
    assert does.startswith("Wins over L creatures")
    assert does.endswith("saves with Intelligence: more than 11.")
    assert 'class="roll-total"' not in opens(arena, "screen")
    done(arena.cast.tess.does("speak", language="es"))
    assert spells_on_the_screen(arena)[0][0] == "Ash lee en voz alta: Encantar."
    arena.rolls_initiative(3)
    assert spells_on_the_screen(arena) == []


def test_kn25_a_spell_without_a_fight_stands_there_and_one_taken_back_does_not(arena: Arena):
    done(arena.ben.does("cast_spell", item=book_of(arena.ash).pk))
    assert spells_on_the_screen(arena)
    arena.undoes("spell_cast")
    assert spells_on_the_screen(arena) == []
    assert "no-roll" in opens(arena, "screen")


def test_kn25_the_newer_of_a_spell_and_a_fall_is_told(arena: Arena):
    """Who wakes by a spell takes away that they fell, and not the spell."""
    done(arena.ben.does("change_hp", character=arena.ash.pk, by=-5))
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=2))
    done(arena.ben.does("cast_spell", item=book_of(arena.ash).pk))
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=-2))
    assert told_on_the_screen(arena) == ["Ash falls unconscious."]
    assert spells_on_the_screen(arena) == []
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=2))
    assert told_on_the_screen(arena) == []
    assert spells_on_the_screen(arena)
