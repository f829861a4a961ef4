"""Reactions, morale and hirelings (KN-11, KN-20, KN-24)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.people import (
    REACTIONS,
    hireling_limit,
    morale,
    reaction,
)

ALL_2D6 = list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize(
    ("total", "key"),
    [
        (2, "hostile"),
        (3, "unfriendly"),
        (5, "unfriendly"),
        (6, "unsure"),
        (8, "unsure"),
        (9, "talkative"),
        (11, "talkative"),
        (12, "helpful"),
    ],
)
def test_kn11_the_sum_of_2d6_is_the_reaction(total, key):
    faces = (total // 2, total - total // 2)
    assert reaction(TypedDice(faces)) == (faces, key)


def test_kn11_every_roll_has_a_reaction_and_the_extremes_are_rare():
    counted = Counter(reaction(TypedDice(faces))[1] for faces in ALL_2D6)
    assert counted == {
        "hostile": 1, "unfriendly": 9, "unsure": 16, "talkative": 9, "helpful": 1
    }  # fmt: skip
    assert set(counted) == {key for _highest, key, _word in REACTIONS}


@pytest.mark.parametrize(("faces", "holds"), [((3, 4), True), ((4, 4), False)])
def test_case_16_morale_7_holds_on_7_and_breaks_on_8(faces, holds):
    assert morale(TypedDice(faces), rating=7) == (faces, holds)


@pytest.mark.parametrize(("rating", "breaks"), [(1, 36), (2, 35), (7, 15), (11, 1), (12, 0)])
def test_kn20_only_more_than_the_rating_breaks(rating, breaks):
    assert sum(not morale(TypedDice(faces), rating)[1] for faces in ALL_2D6) == breaks


def test_kn20_morale_takes_two_dice():
    with pytest.raises(IllegalAction, match="a die is missing"):
        morale(TypedDice([6]), rating=7)


@pytest.mark.parametrize(("bonus", "limit"), [(0, 0), (1, 1), (10, 10), (-3, 0)])
def test_kn24_hirelings_number_at_most_the_charisma_bonus(bonus, limit):
    assert hireling_limit(bonus) == limit
