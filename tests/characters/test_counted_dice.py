"""Of two dice the one that counts is marked, wherever a roll is shown big (KN-10)."""

from __future__ import annotations

import re

import pytest

from tests.characters.arena import Arena
from tests.characters.company import Company
from tests.games.party import Party, done


@pytest.fixture
def arena(party: Party) -> Arena:
    arena = Arena(party, hp=40, max_hp=40)
    done(arena.ana.does("turn_table", rules="knave"))
    return arena


def bright(page: str) -> list[int]:
    """Return the dice that the shared screen does not dim."""
    return [int(n) for n in re.findall(r'<span class="rolled counts">(\d+)</span>', page)]


@pytest.mark.parametrize(
    ("edge", "faces", "counts"),
    [
        ("", [7], 7),
        ("advantage", [3, 14], 14),
        ("advantage", [14, 3], 14),
        ("disadvantage", [14, 3], 3),
    ],
)
def test_kn10_the_better_or_the_worse_is_marked_whichever_fell_first(
    arena: Arena, edge: str, faces: list[int], counts: int
):
    """The shared screen always marked the first, and the phones none."""
    arena.dice.fall(*faces)
    done(arena.ben.does("roll_save", character=arena.ash.pk, ability="dex", edge=edge))
    assert bright(arena.cast.tess.sees("screen/")) == [counts]
    for page in (arena.ben.sees(), arena.ana.sees("")):
        kept = re.findall(r'small-die is-kept">.*?<b>(\d+)</b>', page)
        out = re.findall(r'small-die is-out">.*?<b>(\d+)</b>', page)
        assert set(map(int, kept)) == ({counts} if edge else set())
        assert set(map(int, out)) == set(faces) - {counts}


def test_kn10_of_a_blow_with_advantage_as_well(arena: Arena):
    arena.begins()
    arena.ash_strikes(3, 12, 5, edge="advantage")
    assert bright(arena.cast.tess.sees("screen/")) == [12]


def test_kn20_both_dice_of_a_morale_count(company: Company):
    company.cast.dice.fall(2, 4)
    done(company.ana.does("roll_morale", character=company.tib.pk))
    assert bright(company.tess.sees("screen/")) == [2, 4]
    assert "small-die is-out" not in company.ben.sees()
