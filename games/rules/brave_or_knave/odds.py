"""Exact chances in Brave or Knave, by counting every roll; never by sampling (BK-15 to BK-24).

>>> survival(11, Call.BRAVE)
Fraction(66, 133)
>>> heal()
Healing(whole=Fraction(7, 19), out=Fraction(11, 19), grave=Fraction(1, 19))
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from games.rules.brave_or_knave.model import (
    DIE,
    GRAVE,
    HEALING_NUMBER,
    MAX_NUMBER,
    MIN_NUMBER,
    STAVE,
    Call,
)

_FACES = range(1, DIE + 1)
_FACE = Fraction(1, DIE)


class Healing(NamedTuple):
    """What becomes of a healer (BK-24): a whole hand, every finger lost, or GRAVE."""

    whole: Fraction
    out: Fraction
    grave: Fraction


class Odds(NamedTuple):
    """What a number does to a challenger, under either call (BK-19)."""

    brave: Fraction
    knave: Fraction
    menace: Fraction


@cache
def survival(number: int, call: Call) -> Fraction:
    """Return the exact chance to come through a challenge without losing a finger to it.

    A 20 saves under either call and a 1 never does (BK-16, BK-17). A tie sends
    the die to the other player (BK-15): their 20 costs the challenger a finger,
    their tie brings the die back, and whatever else they roll is no harm.
    """
    if not MIN_NUMBER <= number <= MAX_NUMBER:
        raise ValueError("a number that stands goes from 2 to 19")
    if call is Call.HEAL:
        raise ValueError("healing has chances of its own")
    outright = _FACE * sum(_is_safe(face, number, call) for face in _FACES)
    other_is_harmless = _FACE * sum(face not in (STAVE, number) for face in _FACES)
    tie = _FACE
    return (outright + tie * other_is_harmless) / (1 - tie * tie)


@cache
def menace(number: int) -> Fraction:
    """Return how likely this number costs a challenger a finger under its harsher call (BK-19).

    >>> menace(2) == menace(19)
    True
    """
    return 1 - min(survival(number, call) for call in (Call.BRAVE, Call.KNAVE))


@cache
def heal() -> Healing:
    """Return what a healer may hope for; a 9 is rolled again (BK-24)."""
    settled = [face for face in _FACES if face != HEALING_NUMBER]
    whole = sum(GRAVE < face < HEALING_NUMBER for face in settled)
    out = sum(face > HEALING_NUMBER for face in settled)
    return Healing(
        Fraction(whole, len(settled)), Fraction(out, len(settled)), Fraction(1, len(settled))
    )


@cache
def table() -> dict[int, Odds]:
    """Return the odds of every personal number, from 2 to 19 (BK-3, BK-19)."""
    return {
        number: Odds(survival(number, Call.BRAVE), survival(number, Call.KNAVE), menace(number))
        for number in range(MIN_NUMBER, MAX_NUMBER + 1)
    }


def _is_safe(face: int, number: int, call: Call) -> bool:
    if face in (GRAVE, STAVE):
        return face == STAVE
    return face > number if call is Call.BRAVE else face < number
