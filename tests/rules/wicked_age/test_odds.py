"""Exact chances: every roll counted again by brute force, and once more by icepool."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.wicked_age.odds import (
    Chances,
    Hand,
    Standing,
    answer,
    opening,
)
from tests.sizes import size

RESULTS = ("win_outright", "win_advantage", "lose_advantage", "lose_outright")

small_hands = st.builds(
    Hand,
    st.lists(st.sampled_from((4, 6, 8)), min_size=1, max_size=3).map(tuple),
    st.integers(0, 1),
)


def read(values: tuple[int, ...], pips: tuple[int, ...]) -> tuple[int, ...]:
    """Read a roll as WA-46 says: the high die with all pips, then the lower ones."""
    high, *lower = sorted(values, reverse=True)
    return (high + sum(pips), *lower, *[0] * (4 - len(values)))


def rolls(hand: Hand) -> Counter[tuple[int, ...]]:
    faces = [range(1, die + 1) for die in hand.dice]
    pips = [range(1, 7)] * hand.pips
    return Counter(read(roll[: len(faces)], roll[len(faces) :]) for roll in product(*faces, *pips))


def result(mine: tuple[int, ...], stands: tuple[int, ...]) -> str:
    """Compare an answer with a standing roll in the order of WA-49."""
    if mine[0] >= 2 * stands[0]:
        return "win_outright"
    if 2 * mine[0] <= stands[0]:
        return "lose_outright"
    return "win_advantage" if mine >= stands else "lose_advantage"


MIRRORED = dict(zip(RESULTS, reversed(RESULTS), strict=True))


def as_chances(counts: Counter[str], every: int) -> Chances:
    return Chances(*(Fraction(counts[name], every) for name in RESULTS))


def added(chances: Chances) -> Fraction:
    return sum((getattr(chances, name) for name in RESULTS), Fraction())


@settings(deadline=None, max_examples=size(30, 1000))
@given(small_hands, st.integers(1, 24), st.lists(st.integers(1, 8), max_size=3))
def test_wa49_every_answer_is_counted(hand: Hand, total: int, lower: list[int]):
    standing = (total, *sorted(lower, reverse=True), *[0] * (3 - len(lower)))
    counts: Counter[str] = Counter()
    for roll, ways in rolls(hand).items():
        counts[result(roll, standing)] += ways
    counted = as_chances(counts, rolls(hand).total())
    assert answer(hand, Standing(total, tuple(lower))) == counted


@pytest.mark.parametrize("dice", [(12, 10), (8, 8), (12, 10, 8), (6, 12, 4)])
@pytest.mark.parametrize("pips", [0, 2])
@pytest.mark.parametrize("standing", [(4, 1), (11, 7), (11, 7, 3), (19, 5)])
def test_wa49_icepool_counts_the_same(dice, pips, standing):
    padded = (*standing, *[0] * (4 - len(standing)))
    thrown = icepool.map(
        lambda *faces: result(read(faces[: len(dice)], faces[len(dice) :]), padded),
        *(icepool.d(die) for die in dice),
        *[icepool.d(6)] * pips,
    )
    chances = answer(Hand(dice, pips), Standing(standing[0], standing[1:]))
    for name in RESULTS:
        assert getattr(chances, name) == thrown.probability(name), name


def test_wa50_in_the_third_round_nothing_is_left_in_the_middle():
    hand, standing = Hand((10, 8), 1), Standing(9, (6,))
    early, late = answer(hand, standing), answer(hand, standing, is_third_round=True)
    assert late.win_outright == early.win_outright + early.win_advantage
    assert late.lose_outright == early.lose_outright + early.lose_advantage
    assert (late.win_advantage, late.lose_advantage) == (0, 0)


def test_wa48_exactly_half_loses_and_exactly_double_wins():
    assert answer(Hand((4,)), Standing(2)).lose_outright == Fraction(1, 4)
    assert answer(Hand((4,)), Standing(2)).win_outright == Fraction(1, 4)
    assert answer(Hand((4,)), Standing(3)).lose_outright == Fraction(1, 4)


def test_wa49_an_identical_roll_wins_the_advantage():
    assert answer(Hand((4,)), Standing(3)).win_advantage == Fraction(2, 4)


def test_wa46_pips_never_change_which_base_die_is_highest():
    """A six with a pip of one has the total of a seven, and the lower die stays the lower."""
    assert answer(Hand((6, 4), 1), Standing(12, (4,))).win_advantage == Fraction(1, 6 * 4 * 6)


def brute_opening(hand: Hand, others: list[Hand]) -> tuple[Fraction, Fraction, Fraction]:
    counts: Counter[str] = Counter()
    for combined in product(*(rolls(one).items() for one in (hand, *others))):
        ways = 1
        for _roll, of_one in combined:
            ways *= of_one
        (mine, _ways), *theirs = combined
        best = max(roll for roll, _ways in theirs)
        counts["first" if mine > best else "tied" if mine == best else "behind"] += ways
    every = counts.total()
    return tuple(Fraction(counts[name], every) for name in ("first", "tied", "behind"))


def brute_exchange(hand: Hand, other: Hand) -> Chances:
    mine, theirs = rolls(hand), rolls(other)
    every = mine.total() * theirs.total()
    counts: Counter[str] = Counter()
    for (my_roll, my_ways), (their_roll, their_ways) in product(mine.items(), theirs.items()):
        ways = my_ways * their_ways
        if my_roll > their_roll:
            for roll, ways_to_answer in theirs.items():
                counts[MIRRORED[result(roll, my_roll)]] += ways * ways_to_answer * mine.total()
        elif my_roll < their_roll:
            for roll, ways_to_answer in mine.items():
                counts[result(roll, their_roll)] += ways * ways_to_answer * theirs.total()
    return as_chances(counts, every * every)


tiny_hands = st.builds(
    Hand,
    st.lists(st.sampled_from((4, 6)), min_size=1, max_size=2).map(tuple),
    st.integers(0, 1),
)


@settings(deadline=None, max_examples=size(30, 1000))
@given(tiny_hands, tiny_hands)
def test_wa51_the_first_roll_and_the_exchange_after_it_are_counted(hand: Hand, other: Hand):
    chances = opening(hand, [other])
    assert (chances.first, chances.tied, chances.behind) == brute_opening(hand, [other])
    assert chances.exchange == brute_exchange(hand, other)


@pytest.mark.parametrize(
    ("hand", "other"),
    [
        (Hand((12, 8)), Hand((10, 6))),
        (Hand((12, 10)), Hand((6, 4))),
        (Hand((8, 6, 6)), Hand((12,), 1)),
        (Hand((4,)), Hand((4,))),
    ],
)
def test_wa51_bigger_hands_are_counted_too(hand: Hand, other: Hand):
    assert opening(hand, [other]).exchange == brute_exchange(hand, other)


@settings(deadline=None, max_examples=size(30, 1000))
@given(st.lists(tiny_hands, min_size=3, max_size=3))
def test_wa52_with_two_opponents_a_tie_is_a_tie_at_the_top(hands: list[Hand]):
    chances = opening(hands[0], hands[1:])
    counted = brute_opening(hands[0], hands[1:])
    assert (chances.first, chances.tied, chances.behind) == counted
    assert chances.exchange is None


def test_wa51_icepool_counts_the_same_with_strengths_and_pips_on_both_sides():
    hand, other = Hand((10, 8, 8), 1), Hand((12, 8), 2)

    def die(one: Hand):
        sides = [icepool.d(side) for side in one.dice] + [icepool.d(6)] * one.pips
        return icepool.map(lambda *f: read(f[: len(one.dice)], f[len(one.dice) :]), *sides)

    mine, theirs = die(hand), die(other)
    order = icepool.map(lambda a, b: (a > b) - (a < b), mine, theirs, star=False)
    chances = opening(hand, [other])
    assert chances.first == order.probability(1)
    assert chances.tied == order.probability(0)
    assert chances.behind == order.probability(-1)


worst = Hand((12, 12, 10, 10), 3)


def test_the_worst_hands_come_to_one_and_mirror_each_other():
    other = Hand((12, 10, 8, 8), 3)
    mine, theirs = opening(worst, [other]), opening(other, [worst])
    assert mine.first + mine.tied + mine.behind == 1
    assert (mine.first, mine.tied) == (theirs.behind, theirs.tied)
    assert mine.exchange
    assert theirs.exchange
    assert added(mine.exchange) + mine.tied == 1
    for name in RESULTS:
        assert getattr(mine.exchange, name) == getattr(theirs.exchange, MIRRORED[name])


@given(st.permutations((12, 10, 8, 0)))
def test_wa44_dice_at_0_and_the_order_of_dice_do_not_matter(dice: list[int]):
    standing = Standing(11, (7, 2))
    assert answer(Hand(tuple(dice), 1), standing) == answer(Hand((12, 10, 8), 1), standing)


def test_wa44_a_roll_takes_a_base_die():
    with pytest.raises(ValueError):
        answer(Hand((0,), 2), Standing(5))
    with pytest.raises(ValueError):
        opening(Hand((6,)), [Hand(())])
    with pytest.raises(ValueError):
        opening(Hand((6,)), [])
