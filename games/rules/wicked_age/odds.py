"""Exact chances of a roll, by counting every roll; never by sampling (WA-46 to 50).

A roll is read as a rank: the total, and after it the lower base dice from the largest down.
Pips move the total only, so dice and pips are counted apart and put together once; two
sides are compared by walking up both lists of ranks, never roll against roll.

>>> answer(Hand((6,)), Standing(3))
Chances(win_outright=Fraction(1, 6), win_advantage=Fraction(1, 2), lose_advantage=Fraction(1, 6), \
lose_outright=Fraction(1, 6))
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from typing import Final

import msgspec

_PIP_DIE: Final = 6
_BASE: Final = 13
"""More than a die shows: lower dice are written as digits of this base."""

_REMEMBERED: Final = 512


class Hand(msgspec.Struct, frozen=True):
    """Dice about to be rolled: sizes of the base dice, and how many advantage dice."""

    dice: tuple[int, ...]
    pips: int = 0


class Standing(msgspec.Struct, frozen=True):
    """A roll that stands: its total with all pips, and its lower base dice in any order."""

    total: int
    lower: tuple[int, ...] = ()


class Chances(msgspec.Struct, frozen=True):
    """What a comparison may come to, for the one who asks (WA-49, WA-50). They add up to 1."""

    win_outright: Fraction
    win_advantage: Fraction
    lose_advantage: Fraction
    lose_outright: Fraction


class Opening(msgspec.Struct, frozen=True):
    """What the first roll may come to (WA-51, WA-52).

    `first`: she alone stands highest; `tied`: somebody equals her at the top; `behind`:
    somebody is higher. With one opponent, `exchange` is the comparison that follows,
    whichever of the two stands, if nobody is tied: its four chances and `tied` add up to 1.
    """

    first: Fraction
    tied: Fraction
    behind: Fraction
    exchange: Chances | None = None


class _Ranks(msgspec.Struct, frozen=True):
    """A hand's ranks as numbers, from the lowest up, and the ways up to each of them.

    `ways[i]` belong to `ranks[i]`, `below[i]` to all before it. The ranks with `totals[j]`
    are those from `starts[j]` to `starts[j + 1]`.
    """

    ranks: tuple[int, ...]
    ways: tuple[int, ...]
    below: tuple[int, ...]
    totals: tuple[int, ...]
    starts: tuple[int, ...]

    @property
    def all(self) -> int:
        """The number of rolls."""
        return self.below[-1]


def answer(hand: Hand, standing: Standing, *, is_third_round: bool = False) -> Chances:
    """Return the chances of an answer to a roll that stands (WA-49; in the last round WA-50).

    Raises ValueError without a base die (WA-44).
    """
    if not _in_hand(hand):
        raise ValueError("a roll takes a die")
    wins, won, lost, losses = _answers(hand, standing)
    if is_third_round:
        wins, won, lost, losses = wins + won, 0, 0, lost + losses
    every = wins + won + lost + losses
    return Chances(*(Fraction(count, every) for count in (wins, won, lost, losses)))


def opening(hand: Hand, opponents: Sequence[Hand]) -> Opening:
    """Return the chances of a first roll against opponents whose dice are known.

    Raises ValueError without opponents, and where somebody has no base die (WA-44).
    """
    hands = [hand, *opponents]
    if not opponents or not all(map(_in_hand, hands)):
        raise ValueError("a first roll takes a die on either side")
    width = max(len(_in_hand(one)) for one in hands) - 1
    mine, *others = (_ranks(_in_hand(one), one.pips, width) for one in hands)
    places = [_places(mine, other) for other in others]
    first, level = mine.ways, mine.ways
    for below, up_to in places:
        first = tuple(map(mul, first, below))
        level = tuple(map(mul, level, up_to))
    every = mine.all
    for other in others:
        every *= other.all
    beaten, not_above = sum(first), sum(level)
    return Opening(
        first=Fraction(beaten, every),
        tied=Fraction(not_above - beaten, every),
        behind=Fraction(every - not_above, every),
        exchange=_exchange(mine, others[0], places[0][0]) if len(others) == 1 else None,
    )


def _in_hand(hand: Hand) -> tuple[int, ...]:
    return tuple(sorted((die for die in hand.dice if die), reverse=True))


def _answers(hand: Hand, standing: Standing) -> tuple[int, int, int, int]:
    """Count an answer's four results (WA-49), by the highest base die and the sum of pips."""
    lower = tuple(sorted(filter(None, standing.lower), reverse=True))
    by_high: defaultdict[int, int] = defaultdict(int)
    match_lower: defaultdict[int, int] = defaultdict(int)
    for (high, *rest), ways in _sorted_rolls(_in_hand(hand)).items():
        by_high[high] += ways
        match_lower[high] += ways * (tuple(rest) >= lower)
    counts = [0, 0, 0, 0]
    for high, ways in by_high.items():
        for pips, ways_of_pips in _pip_sums(hand.pips).items():
            total = high + pips
            level = match_lower[high] if total == standing.total else 0
            up = ways if total > standing.total else level
            if total >= 2 * standing.total:
                counts[0] += ways * ways_of_pips
            elif 2 * total <= standing.total:
                counts[3] += ways * ways_of_pips
            else:
                counts[1] += up * ways_of_pips
                counts[2] += (ways - up) * ways_of_pips
    return counts[0], counts[1], counts[2], counts[3]


@lru_cache(_REMEMBERED)
def _ranks(dice: tuple[int, ...], pips: int, width: int) -> _Ranks:
    """Write every roll as a number: its total, and `width` lower dice; a missing one counts 0."""
    places = [_BASE ** (width - place) for place in range(width + 1)]
    shift = places[0]
    steps = [(total * shift, ways) for total, ways in _pip_sums(pips).items()]
    counted: defaultdict[int, int] = defaultdict(int)
    for values, ways in _sorted_rolls(dice).items():
        rank = sum(map(mul, values, places))
        for step, ways_of_step in steps:
            counted[rank + step] += ways * ways_of_step
    ranks = sorted(counted)
    ways_to = [counted[rank] for rank in ranks]
    totals = range(ranks[0] // shift, ranks[-1] // shift + 1)
    return _Ranks(
        ranks=tuple(ranks),
        ways=tuple(ways_to),
        below=tuple(accumulate(ways_to, initial=0)),
        totals=tuple(totals),
        starts=tuple(bisect_left(ranks, total * shift) for total in (*totals, totals[-1] + 1)),
    )


@lru_cache(_REMEMBERED)
def _sorted_rolls(dice: tuple[int, ...]) -> Mapping[tuple[int, ...], int]:
    """Count how often base dice show which values, the largest value first."""
    if not dice:
        return {(): 1}
    counted: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for values, ways in _sorted_rolls(dice[1:]).items():
        for face in range(1, dice[0] + 1):
            counted[tuple(sorted((*values, face), reverse=True))] += ways
    return counted


@lru_cache(_REMEMBERED)
def _pip_sums(pips: int) -> Mapping[int, int]:
    """Count how often advantage dice come to which sum."""
    counted = {0: 1}
    for _die in range(pips):
        after: defaultdict[int, int] = defaultdict(int)
        for total, ways in counted.items():
            for face in range(1, _PIP_DIE + 1):
                after[total + face] += ways
        counted = after
    return counted


def _places(mine: _Ranks, other: _Ranks) -> tuple[list[int], list[int]]:
    """Return, for each of my ranks, how many of the other's rolls are below it, and not above."""
    below, up_to = [], []
    at, end = 0, len(other.ranks)
    for rank in mine.ranks:
        while at < end and other.ranks[at] < rank:
            at += 1
        is_level = at < end and other.ranks[at] == rank
        below.append(other.below[at])
        up_to.append(other.below[at + is_level])
    return below, up_to


def _exchange(mine: _Ranks, other: _Ranks, below: list[int]) -> Chances:
    """Return my chances in the first comparison of two, whoever stands (WA-51, WA-57).

    `below` has the other's rolls below each of my ranks.
    """
    i_answer = _answered(other, mine, _places(other, mine)[0])
    wins, won, lost, losses = _answered(mine, other, below)
    i_stand = (losses, lost, won, wins)
    return Chances(
        *(
            Fraction(standing * mine.all + answering * other.all, (mine.all * other.all) ** 2)
            for standing, answering in zip(i_stand, i_answer, strict=True)
        )
    )


def _answered(standing: _Ranks, answering: _Ranks, below: list[int]) -> tuple[int, int, int, int]:
    """Count the answers to every rank that stood because the answerer had first rolled less.

    To one rank the answers below it are as many as those first rolls; a total says which
    answers double it and which are half of it or less (WA-48).
    """
    cases = list(map(mul, standing.ways, below))
    lesser = list(map(mul, cases, below))
    wins = won = lost = losses = 0
    bounds = pairwise(standing.starts)
    for total, (start, end) in zip(standing.totals, bounds, strict=True):
        stood, less = sum(cases[start:end]), sum(lesser[start:end])
        doubles = answering.all - _under(answering, 2 * total)
        halves = _under(answering, total // 2 + 1)
        wins += stood * doubles
        won += stood * (answering.all - doubles) - less
        lost += less - stood * halves
        losses += stood * halves
    return wins, won, lost, losses


def _under(ranks: _Ranks, total: int) -> int:
    """Count the rolls with a smaller total."""
    at = min(max(0, total - ranks.totals[0]), len(ranks.totals))
    return ranks.below[ranks.starts[at]]
