"""Experience and new levels (KN-22, KN-23)."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.dice import SeededDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.abilities import Ability, Bonuses
from games.rules.knave.growth import (
    ACCOMPLISHMENTS,
    RaiseRoll,
    climb,
    coin_xp,
    is_due,
    level_for,
    raise_by_dice,
    raise_three,
    roll_max_hp,
)

LETTERS = tuple(ability.value for ability in Ability)
bonuses = st.builds(Bonuses, **{letters: st.integers(0, 10) for letters in LETTERS})


def values(them: Bonuses) -> tuple[int, ...]:
    return msgspec.structs.astuple(them)


def gains(before: Bonuses, after: Bonuses) -> list[int]:
    return [new - old for old, new in zip(values(before), values(after), strict=True)]


class Fixed:
    """Dice that always show the same face."""

    def __init__(self, face: int) -> None:
        self.face = face

    def roll(self, sides: int) -> int:
        return self.face


def test_case_14_950_and_100_make_a_level_and_50_count_towards_the_next():
    assert not is_due(1, 950)
    total = 950 + ACCOMPLISHMENTS["moderate"]
    assert is_due(1, total)
    assert not is_due(2, total)
    assert (level_for(total), total - 1000) == (2, 50)


@pytest.mark.parametrize(
    ("xp", "level"),
    [(0, 1), (999, 1), (1000, 2), (1999, 2), (9000, 10), (-50, 1), (10**9, 1_000_001)],
)
def test_kn22_every_1000_is_a_level(xp, level):
    assert level_for(xp) == level


def test_kn22_accomplishments_are_worth_50_100_and_200():
    assert ACCOMPLISHMENTS == {"low": 50, "moderate": 100, "high": 200}


def test_kn22_a_gold_piece_is_100_copper_and_a_silver_piece_10():
    assert coin_xp(gold=3, silver=5, copper=7) == 357


@pytest.mark.parametrize("coins", [(-1, 0, 500), (0, -1, 0), (0, 0, -1)])
def test_kn22_no_experience_for_a_negative_number_of_coins(coins):
    with pytest.raises(IllegalAction, match="KN-22"):
        coin_xp(*coins)


@pytest.mark.parametrize(
    ("faces", "new"), [((1, 4), 7), ((2, 4), 6), ((3, 4), 7), ((8, 8), 16), ((1, 1), 7)]
)
def test_cases_11_and_12_less_than_the_old_maximum_is_one_more_and_equal_stays(faces, new):
    assert roll_max_hp(TypedDice(faces), 2, old_max=6) == (faces, new)


@given(st.integers(0), st.integers(1, 100), st.integers(0, 10**6))
def test_kn23_the_maximum_never_falls_and_every_level_is_a_die(seed, level, old):
    faces, new = roll_max_hp(SeededDice(seed), level, old)
    assert len(faces) == level
    assert new == max(sum(faces), old) + (sum(faces) < old)


@pytest.mark.parametrize("level", [0, -1, 101, 10**9])
def test_kn23_a_level_nobody_has_is_refused_before_anything_is_rolled(level):
    with pytest.raises(IllegalAction, match="KN-23"):
        roll_max_hp(TypedDice(()), level, 6)


def test_kn23_three_different_abilities_rise_by_one_defense_and_bonus_together():
    after = raise_three(Bonuses(str=2, con=9), ["str", Ability.CONSTITUTION, "cha"])
    assert after == Bonuses(str=3, con=10, cha=1)
    assert after.defense(Ability.CONSTITUTION) == 20


def test_case_13_an_ability_at_the_top_is_refused_with_the_reason():
    with pytest.raises(IllegalAction) as refused:
        raise_three(Bonuses(str=10), ["str", "dex", "con"])
    assert (refused.value.why, refused.value.rule) == (
        "an ability never rises above 20/+10",
        "KN-23",
    )


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        (["str", "str", "dex"], "different"),
        (["str", "dex"], "three"),
        ([], "three"),
        (["str", "dex", "con", "int"], "three"),
        (["str", "dex", "luck"], "no such ability"),
    ],
)
def test_kn23_anything_but_three_different_abilities_is_refused(chosen, why):
    with pytest.raises(IllegalAction, match=why):
        raise_three(Bonuses(), chosen)


def test_kn23_when_fewer_than_three_can_rise_those_rise():
    nearly = Bonuses(10, 10, 10, 10, 9, 8)
    assert raise_three(nearly, ["cha", "wis"]) == Bonuses(10, 10, 10, 10, 10, 9)
    with pytest.raises(IllegalAction, match="three"):
        raise_three(nearly, ["cha"])
    assert raise_three(Bonuses(*[10] * 6), []) == Bonuses(*[10] * 6)


def test_kn23_by_dice_a_roll_below_the_defense_raises_and_the_third_ends_it():
    dice = TypedDice([12, 11, 10, 9, 8])
    rolls, after = raise_by_dice(dice, Bonuses(2, 2, 0, 1, 5, 5), LETTERS)
    assert rolls == (
        RaiseRoll("str", 12, has_risen=False),
        RaiseRoll("dex", 11, has_risen=True),
        RaiseRoll("con", 10, has_risen=False),
        RaiseRoll("int", 9, has_risen=True),
        RaiseRoll("wis", 8, has_risen=True),
    )
    assert after == Bonuses(2, 3, 0, 2, 6, 5)


def test_kn23_by_dice_the_next_round_passes_over_the_risen_and_those_at_the_top():
    dice = TypedDice([1, 20, 20, 20, 20, 1, 20, 1])
    rolls, after = raise_by_dice(dice, Bonuses(cha=10), ["cha", "wis", "int", "con", "dex", "str"])
    asked = [roll.ability for roll in rolls]
    assert asked == ["wis", "int", "con", "dex", "str", "int", "con", "dex"]
    assert after == Bonuses(str=0, dex=1, con=0, int=1, wis=1, cha=10)
    assert dice.unused == 0


@given(bonuses, st.permutations(LETTERS), st.integers(0))
def test_kn23_by_dice_three_different_ones_rise_or_all_that_can(before, order, seed):
    rolls, after = raise_by_dice(SeededDice(seed), before, order)
    able = sum(bonus < 10 for bonus in values(before))
    risen = [roll.ability for roll in rolls if roll.has_risen]
    assert sorted(set(risen)) == sorted(risen)
    assert len(risen) == min(3, able) == sum(gains(before, after))
    assert set(gains(before, after)) <= {0, 1}
    assert max(values(after)) <= 10


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ([], "KN-23"),
        (["str"], "KN-23"),
        ([*LETTERS, "str"], "KN-23"),
        (["str", *LETTERS[:5]], "KN-23"),
        ([*LETTERS[:5], "luck"], "no such ability"),
    ],
)
def test_kn23_by_dice_the_order_names_every_ability_once(order, why):
    with pytest.raises(IllegalAction, match=why):
        raise_by_dice(TypedDice(()), Bonuses(), order)


def test_kn23_by_dice_passes_over_what_no_face_could_raise():
    before = Bonuses(str=-9, dex=-40, con=10, int=10, wis=0, cha=10)
    rolls, after = raise_by_dice(TypedDice([10, 9]), before)
    assert [roll.ability for roll in rolls] == ["wis", "wis"]
    assert gains(before, after) == [0, 0, 0, 0, 1, 0]


def test_kn23_by_dice_the_talented_rise_first():
    """The chance of a single roll is the defense less one in twenty."""
    for bonus in range(10):
        before = Bonuses(str=bonus)
        risen = sum(
            raise_by_dice(TypedDice([face, *[1] * 3]), before)[0][0].has_risen
            for face in range(1, 21)
        )
        assert Fraction(risen, 20) == Fraction(bonus + 9, 20)


@given(bonuses, st.integers(1, 12), st.integers(1, 100), st.integers(0))
def test_kn23_climbing_goes_level_by_level(before, max_hp, level, seed):
    veteran = climb(SeededDice(seed), before, max_hp, level)
    assert [step.level for step in veteran.steps] == list(range(2, level + 1))
    assert [len(step.faces) for step in veteran.steps] == list(range(2, level + 1))
    maxima = [max_hp, *(step.max_hp for step in veteran.steps)]
    assert maxima == sorted(maxima)
    room = sum(10 - bonus for bonus in values(before))
    assert sum(gains(before, veteran.bonuses)) <= min(room, 3 * (level - 1))
    assert level_for(veteran.xp) == level
    assert not is_due(level, veteran.xp)


def test_kn23_climbing_by_choice_raises_the_first_three_that_can():
    order = ["con", "dex", "str", "int", "wis", "cha"]
    veteran = climb(Fixed(4), Bonuses(con=9), 8, 3, raises="chosen", order=order)
    assert veteran.bonuses == Bonuses(str=2, dex=2, con=10, int=1)
    assert veteran.max_hp == 12
    assert all(step.rolls == () for step in veteran.steps)


def test_kn23_climbing_to_the_first_level_changes_nothing():
    veteran = climb(TypedDice(()), Bonuses(str=3), 5, 1)
    assert (veteran.bonuses, veteran.max_hp, veteran.steps) == (Bonuses(str=3), 5, ())


@pytest.mark.parametrize("level", [0, 101, 10**9])
def test_kn23_climbing_to_a_level_nobody_has_is_refused(level):
    with pytest.raises(IllegalAction, match="KN-23"):
        climb(SeededDice(1), Bonuses(), 5, level)


def test_kn23_the_dice_that_choose_are_d20s_and_those_of_hit_points_d8s():
    """KN-23: a level rolls d8s, and a d20 for each ability that may rise."""
    asked: list[int] = []

    class Lowest:
        def roll(self, sides: int) -> int:
            asked.append(sides)
            return 1

    raise_by_dice(Lowest(), Bonuses(1, 1, 1, 1, 1, 1))
    roll_max_hp(Lowest(), 2, 6)
    assert asked == [20, 20, 20, 8, 8]
