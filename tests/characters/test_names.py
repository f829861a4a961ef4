"""Names by which people are told apart (KN-16, KN-24)."""

from __future__ import annotations

import pytest

from characters.models import Character, HirelingKind
from characters.services.names import NAMES, random_name
from tests.characters.arena import Arena
from tests.characters.crew import knave, new
from tests.games.party import Party, done, refused


@pytest.fixture
def arena(party: Party) -> Arena:
    return Arena(party, charisma=3)


def hires(arena: Arena, name: str = "Carl") -> Character:
    trade = HirelingKind.objects.first().pk
    done(arena.ben.does("hire", character=arena.ash.pk, trade=trade, name=name))
    return Character.objects.latest("pk")


def test_kn24_two_who_live_at_one_table_are_not_called_the_same(arena: Arena):
    """Nobody could tell two Carls apart in a fight, in its log, or where someone is sent away."""
    carl = hires(arena)
    asked = {"character": arena.ash.pk, "trade": HirelingKind.objects.first().pk}
    for same in ("Carl", " carl ", "ash"):
        answer = arena.ben.does("hire", name=same, **asked)
        assert "called" in refused(answer, 422)
    assert "called" in refused(arena.ana.does("add_npc", name="CARL"), 422)
    told_of = {"gender": "", "notes": "Owes the miller."}
    answer = arena.ben.does("edit_knave", character=arena.ash.pk, name="Carl", **told_of)
    assert "called" in refused(answer, 422)
    done(arena.ben.does("edit_knave", character=carl.pk, name="Carl", **told_of))
    done(arena.ben.does("dismiss", character=carl.pk))
    assert hires(arena).name == "Carl", "whoever has gone keeps no name"


def test_kn16_a_new_knave_may_be_called_like_one_who_is_dead_and_like_nobody_who_lives(
    party: Party,
):
    ash = knave(party.table, party.ana)
    draft = new(party)
    asked = {"character": draft.pk, "name": "Ash"}
    assert "called" in refused(party.ben.does("confirm_knave", **asked), 422)
    done(party.ana.does("change_hp", character=ash.pk, by=-99))
    done(party.ben.does("confirm_knave", **asked))


def test_a_name_tells_no_player_of_somebody_whom_the_table_has_not_met(arena: Arena):
    done(arena.ana.does("add_npc", name="The Shade", is_shown="false"))
    assert "called" in refused(arena.ana.does("add_npc", name="The Shade"), 422)
    assert hires(arena, "The Shade").name == "The Shade"


def test_a_table_that_has_used_up_all_names_of_one_word_gets_each_of_two_words_once():
    names = set(NAMES.split())
    for _each in range(800):
        name = random_name(names)
        assert name not in names
        names.add(name)
