"""Dice as people write them: "2d6+1d4-1"."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.errors import Malformed
from games.rules.engine import Dice

MOST_DICE = 100
MOST_SIDES = 1000
_TERM = re.compile(r"([+-])(?:(\d{0,3})d(\d{1,4}|%)|(\d{1,4}))", re.ASCII)


class Term(NamedTuple):
    """So many dice of so many sides, added or taken away; a plain number has 0 sides."""

    sign: int
    number: int
    sides: int


def read_dice(text: str) -> list[Term]:
    """Read dice with sums and numbers around them.

    Raises Malformed for anything else, for none and for more than a hand holds:
    100 dice, of at most 1000 sides.
    """
    tight = "".join(text.lower().replace("−", "-").split())
    signed = tight if tight[:1] in ("+", "-") else f"+{tight}"
    terms = [_term(found) for found in _TERM.finditer(signed)]
    is_whole = "".join(found[0] for found in _TERM.finditer(signed)) == signed
    dice = [term for term in terms if term.sides]
    is_sane = all(t.number and 2 <= t.sides <= MOST_SIDES for t in dice)
    if not (is_whole and dice and is_sane) or sum(t.number for t in dice) > MOST_DICE:
        text = _("Write dice like 2d6+1: at most %(count)s of them, with 2 to %(sides)s sides.")
        raise Malformed(text % {"count": MOST_DICE, "sides": MOST_SIDES}, field="dice")
    return terms


def _term(found: re.Match[str]) -> Term:
    sign = -1 if found[1] == "-" else 1
    if found[4]:
        return Term(sign, int(found[4]), 0)
    return Term(sign, int(found[2] or 1), 100 if found[3] == "%" else int(found[3]))


def roll_terms(dice: Dice, terms: list[Term]) -> tuple[list[int], int]:
    """Roll the terms from left to right; return all faces and the total."""
    faces: list[int] = []
    total = 0
    for sign, number, sides in terms:
        fallen = [dice.roll(sides) for _each in range(number)] if sides else []
        faces += fallen
        total += sign * (sum(fallen) if sides else number)
    return faces, total
