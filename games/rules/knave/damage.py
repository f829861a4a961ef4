"""Damage as books write it, and the one die of the table that comes nearest to it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

DICE: Final = (2, 3, 4, 6, 8, 10, 12, 20)
"""The dice on a table, from which `Damage.die` picks one."""

_LARGEST_DIE: Final = 100


class Damage(NamedTuple):
    """So many `dice` of `sides`, and `plus`; a fixed sum has 0 dice."""

    dice: int
    sides: int
    plus: int

    @property
    def most(self) -> int:
        """Return the highest total there is."""
        return self.dice * self.sides + self.plus

    @property
    def is_one_die(self) -> bool:
        """Tell whether this is one plain die, so that `die` is exact."""
        return self.dice == 1 and self.plus == 0 and 2 <= self.sides <= _LARGEST_DIE

    @property
    def die(self) -> int | None:
        """Return the sides of the one die that a hit rolls; None when it does no damage.

        A plain die is itself. For anything else it is the die on the table whose highest
        face comes closest to the highest total, and of two as close the larger, because
        several dice fall higher on average.

        >>> parse_damage("d8").die, parse_damage("2d4").die, parse_damage("2d8").die
        (8, 8, 20)
        """
        if self.is_one_die:
            return self.sides
        if self.most <= 0:
            return None
        return min(DICE, key=lambda die: (abs(die - self.most), -die))


_DAMAGE: Final = re.compile(r"([0-9]{0,3})d([0-9]{1,4})([+-][0-9]{1,4})?", re.ASCII)


def parse_damage(text: str) -> Damage:
    """Read damage: dice with or without a plus, a fixed sum, or "none".

    Raises ValueError for anything else.

    >>> parse_damage("2d4+1")
    Damage(dice=2, sides=4, plus=1)
    >>> parse_damage("none").die is None
    True
    """
    if text == "none":
        return Damage(0, 0, 0)
    if text.isascii() and text.isdigit() and len(text) <= 4:
        return Damage(0, 0, int(text))
    found = _DAMAGE.fullmatch(text)
    if not found or not int(found[1] or 1) or not int(found[2]):
        raise ValueError(f"{text!r} is no damage")
    return Damage(int(found[1] or 1), int(found[2]), int(found[3] or 0))
