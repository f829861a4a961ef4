"""Saves and their chances, proved by counting every roll (KN-8, KN-9, KN-10, KN-14)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.dice import RecordedDice, SeededDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.chances import (
    attack_chance,
    opposed_chance,
    save_chance,
)
from games.rules.knave.saves import Edge, Rolled, opposed, save

ADVANTAGE, DISADVANTAGE = Edge.ADVANTAGE, Edge.DISADVANTAGE
EDGES = (None, ADVANTAGE, DISADVANTAGE)
CONTRARY = {None: None, ADVANTAGE: DISADVANTAGE, DISADVANTAGE: ADVANTAGE}
ABILITY_BONUSES = range(0, 11)
ARMOR_BONUSES = range(1, 9)
MODIFIERS = (-20, -3, 0, 2, 20)


def rolls_of(edge: Edge | None) -> list[tuple[int, ...]]:
    return list(product(range(1, 21), repeat=1 if edge is None else 2))


@pytest.mark.parametrize(
    ("face", "total", "success"), [(14, 15, False), (15, 16, True), (20, 21, True)]
)
def test_cases_2_and_3_a_save_needs_more_than_15(face, total, success):
    assert save(TypedDice([face]), bonus=1) == Rolled(total, 15, face, (face,), success)


def test_case_4_a_goblin_that_only_equals_the_wizards_defense_is_caught_by_the_spell():
    rolled = opposed(TypedDice([12]), bonus=1, against_defense=13)
    assert (rolled.total, rolled.success) == (13, False)


def test_case_5_the_wizard_may_roll_instead():
    rolled = opposed(TypedDice([9]), bonus=3, against_defense=11)
    assert (rolled.total, rolled.target, rolled.success) == (12, 11, True)


def test_case_6_an_unarmored_target_is_hit_by_more_than_11_only():
    assert not opposed(TypedDice([9]), bonus=2, against_defense=11).success


def test_kn8_a_natural_20_alone_does_not_save_anybody():
    assert not save(TypedDice([20]), bonus=0, modifier=-5).success


@pytest.mark.parametrize(
    ("edge", "faces", "natural"),
    [(ADVANTAGE, (4, 17), 17), (DISADVANTAGE, (4, 17), 4), (ADVANTAGE, (17, 4), 17)],
)
def test_kn10_the_better_or_the_worse_of_two_dice_counts(edge, faces, natural):
    rolled = save(TypedDice(faces), bonus=0, edge=edge)
    assert (rolled.natural, rolled.faces) == (natural, faces)


@pytest.mark.parametrize(("edge", "dice"), [(None, 1), (ADVANTAGE, 2), (DISADVANTAGE, 2)])
def test_kn10_only_an_edge_takes_a_second_die(edge, dice):
    recorded = RecordedDice(SeededDice(3))
    save(recorded, bonus=2, edge=edge)
    assert len(recorded.faces) == dice


def test_kn10_a_die_that_was_not_typed_is_missed():
    with pytest.raises(IllegalAction, match="a die is missing"):
        save(TypedDice([12]), bonus=0, edge=ADVANTAGE)


def test_kn10_the_referees_modifier_counts_in_the_total():
    assert save(TypedDice([10]), bonus=1, modifier=5) == Rolled(16, 15, 10, (10,), True)
    assert save(TypedDice([18]), bonus=1, modifier=-4).success is False
    assert opposed(TypedDice([10]), 1, 13, modifier=3) == Rolled(14, 13, 10, (10,), True)


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("modifier", MODIFIERS)
@pytest.mark.parametrize("bonus", ABILITY_BONUSES)
def test_kn9_either_side_of_an_opposed_save_may_roll_with_the_same_odds(bonus, modifier, edge):
    for against in ABILITY_BONUSES:
        acting = opposed_chance(bonus, against + 10, edge, modifier)
        resisting = opposed_chance(against, bonus + 10, CONTRARY[edge], -modifier)
        assert acting + resisting == 1


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("armor_bonus", ARMOR_BONUSES)
@pytest.mark.parametrize("bonus", ABILITY_BONUSES)
def test_kn14_attacker_and_defender_roll_with_the_same_odds(bonus, armor_bonus, edge):
    hits = attack_chance(bonus, armor_bonus + 10, edge)
    misses = attack_chance(armor_bonus, bonus + 10, CONTRARY[edge])
    assert hits + misses == 1


@given(
    bonus=st.integers(-50, 50),
    against=st.integers(-50, 50),
    modifier=st.integers(-50, 50),
    edge=st.sampled_from(EDGES),
)
def test_kn9_holds_for_numbers_no_character_has(bonus, against, modifier, edge):
    acting = opposed_chance(bonus, against + 10, edge, modifier)
    assert 0 <= acting <= 1
    assert acting == 1 - opposed_chance(against, bonus + 10, CONTRARY[edge], -modifier)


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("modifier", MODIFIERS)
@pytest.mark.parametrize("bonus", ABILITY_BONUSES)
def test_kn8_the_chance_of_a_save_agrees_with_every_roll(bonus, modifier, edge):
    rolls = rolls_of(edge)
    successes = sum(save(TypedDice(roll), bonus, edge, modifier).success for roll in rolls)
    assert save_chance(bonus, edge, modifier) == Fraction(successes, len(rolls))


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("bonus", ABILITY_BONUSES)
def test_kn9_the_chance_of_an_opposed_save_agrees_with_every_roll(bonus, edge):
    rolls = rolls_of(edge)
    for defense in (10, 13, 20):
        successes = sum(opposed(TypedDice(r), bonus, defense, edge).success for r in rolls)
        assert opposed_chance(bonus, defense, edge) == Fraction(successes, len(rolls))


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("modifier", MODIFIERS)
def test_kn10_the_referees_modifier_counts_in_the_chance_of_an_opposed_save(modifier, edge):
    """That both sides have the same odds holds without it as well."""
    assert opposed_chance(3, 13, edge, modifier) == opposed_chance(3 + modifier, 13, edge)


@pytest.mark.parametrize("target", range(5, 36))
def test_the_chances_agree_with_icepool(target):
    dice = {
        None: icepool.d20,
        ADVANTAGE: icepool.highest(icepool.d20, icepool.d20),
        DISADVANTAGE: icepool.lowest(icepool.d20, icepool.d20),
    }
    for edge, die in dice.items():
        assert opposed_chance(3, target, edge) == (die + 3).probability(">", target)


def test_a_new_character_saves_about_one_time_in_four_and_a_great_one_three_in_four():
    assert save_chance(bonus=0) == Fraction(1, 4)
    assert save_chance(bonus=10) == Fraction(3, 4)
