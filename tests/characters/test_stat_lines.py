"""Foes from stat lines that the host pastes into an encounter."""

from __future__ import annotations

import pytest

from tests.characters.arena import Arena, foes_of
from tests.characters.crew import told
from tests.games.party import done, refused


def test_a_stat_line_becomes_a_foe_and_the_host_is_told_how(arena: Arena):
    encounter = arena.prepares()
    line = "Bugbear: AC 5, HD 3+1, #AT 1, D 2d4, MV 90' (30'), ML 9"
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text=line, count=2))
    encounter.refresh_from_db()
    foe = encounter.foes[-1]
    assert (foe["id"], foe["name"], foe["hp"]) == ("bugbear-2", "Bugbear 2", 13)
    assert (foe["armor"], foe["morale"]) == ({"defense": 14}, 9)
    event = arena.last("stat_line_read")
    assert event.to == arena.ana.row
    text = told(event)
    assert "Descending armor class: 19 less 5 is 14." in text
    assert "%(" not in text


def test_an_advanced_line_counts_from_twenty(arena: Arena):
    encounter = arena.prepares()
    line = "Bugbear: AC 5, HD 3+1, D 2d4"
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text=line, is_adnd="true"))
    encounter.refresh_from_db()
    assert encounter.foes[-1]["armor"] == {"defense": 15}


@pytest.mark.parametrize("line", ["a quiet afternoon", "AC", "\u202e\u0000", "x" * 4000])
def test_what_is_no_stat_line_is_refused_with_the_reason(arena: Arena, line: str):
    encounter = arena.prepares()
    answer = arena.ana.does("add_stat_line", encounter=encounter.pk, text=line)
    assert "hit dice" in refused(answer, 422)
    assert len(foes_of(encounter)) == 1


def test_several_stat_lines_bring_every_monster_with_its_own_number(arena: Arena):
    """Nothing typed is lost: what is pasted at once comes at once, and undoes at once."""
    encounter = arena.prepares()
    text = "2 Orcs: AC 6 [13], HD 1, hp 5, 3\nOgre: AC 5 [14], HD 4+1"
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text=text))
    encounter.refresh_from_db()
    assert [(foe["name"], foe["hp"]) for foe in encounter.foes[1:]] == [
        ("Orcs 1", 5),
        ("Orcs 2", 3),
        ("Ogre 1", 17),
    ]
    assert [e.data["name"] for e in arena.events("stat_line_read")] == ["Orcs 1", "Ogre 1"]
    arena.undoes("foes_added")
    assert foes_of(encounter) == ["Goblin 1"]


def test_who_a_stat_line_calls_by_a_name_of_the_books_is_numbered_on_from_those(arena: Arena):
    """KN-14: one name is one foe, in either language, whatever key the book has for it."""
    encounter = arena.prepares()
    arena.monster.refresh_from_db()
    arena.monster.name, arena.monster.name_es = "Cave goblin", "Trasgo de cueva"
    arena.monster.save()
    for name in ("Cave goblin", "Trasgo de cueva"):
        done(arena.ana.does("add_stat_line", encounter=encounter.pk, text=f"{name}: AC 6, HD 1"))
    assert foes_of(encounter)[1:] == ["Cave goblin 2", "Trasgo de cueva 3"]


def test_how_many_is_asked_for_where_a_line_does_not_say(arena: Arena):
    """A number in the field is for those that bring none of their own, or for one that is alone."""
    encounter = arena.prepares()
    text = "Orc (2): HD 1\nOgre: HD 4"
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text=text, count=3))
    names = ["Orc 1", "Orc 2", "Ogre 1", "Ogre 2", "Ogre 3"]
    assert foes_of(encounter)[1:] == names
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Rat (2): HD 1", count=3))
    assert len(foes_of(encounter)) == 1 + len(names) + 3


def test_a_line_that_tells_of_more_than_may_come_is_refused(arena: Arena):
    """None is left out without a word; a number that is typed beside it counts (KN-12)."""
    encounter = arena.prepares()
    for text in ("Orc (400): HD 1", "31 orcs, HD 1", "Rat: HD 1\nOrc (1000): HD 1"):
        answer = arena.ana.does("add_stat_line", encounter=encounter.pk, text=text)
        assert refused(answer, 422).endswith("at once are too many: at most 30.")
    assert foes_of(encounter) == ["Goblin 1"]
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Orc (400): HD 1", count=2))
    assert foes_of(encounter) == ["Goblin 1", "Orc 1", "Orc 2"]


def test_of_several_lines_the_one_that_cannot_be_read_is_named(arena: Arena):
    """What is refused is refused whole, and says which line is to be mended."""
    encounter = arena.prepares()
    text = "Wall: AC 4\nOgre: AC 5, HD 4"
    answer = arena.ana.does("add_stat_line", encounter=encounter.pk, text=text)
    assert refused(answer, 422).startswith("Wall: Neither hit dice")
    assert foes_of(encounter) == ["Goblin 1"]


def test_a_foe_of_a_stat_line_without_a_name_is_a_foe(arena: Arena):
    encounter = arena.prepares()
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="HD 1"))
    assert foes_of(encounter)[-1] == "Foe 1"
