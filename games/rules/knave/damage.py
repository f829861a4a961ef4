"""Damage as books write it, what a hit rolls of it, and the one die that comes nearest to it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

DICE: Final = (2, 3, 4, 6, 8, 10, 12, 20)
"""The dice on a table, from which `Damage.die` picks one."""

MOST_DICE: Final = 20
MOST_SIDES: Final = 100
MOST_PLUS: Final = 99
"""What a weapon can roll: so many dice, of so many sides, with so much added or taken away."""


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
        return self.is_rollable and self.dice == 1 and self.plus == 0

    @property
    def is_rollable(self) -> bool:
        """Tell whether a weapon rolls it just as it is written."""
        has_dice = 1 <= self.dice <= MOST_DICE and 2 <= self.sides <= MOST_SIDES
        return has_dice and abs(self.plus) <= MOST_PLUS and self.most > 0

    @property
    def is_beyond_dice(self) -> bool:
        """Tell whether these are dice that no weapon rolls, so that `die` stands in for them."""
        return self.dice > 0 and self.most > 0 and not self.is_rollable

    @property
    def is_fixed(self) -> bool:
        """Tell whether this is a fixed sum that a weapon can deal."""
        return self.dice == 0 and 0 < self.plus <= MOST_PLUS

    @property
    def rolled(self) -> Damage | None:
        """Return what a hit rolls: this very damage; None when it does none (KN-15).

        A fixed sum is a die with one face and the rest added, so that a further die
        (KN-15, KN-19) is one more. What is beyond a weapon's bounds is rolled as `die`.

        >>> parse_damage("4d8").rolled, parse_damage("1").rolled
        (Damage(dice=4, sides=8, plus=0), Damage(dice=1, sides=1, plus=0))
        """
        if self.is_rollable:
            return self
        if self.is_fixed:
            return Damage(1, 1, self.plus - 1)
        return None if self.die is None else Damage(1, self.die, 0)

    @property
    def die(self) -> int | None:
        """Return the sides of the one die that comes nearest; None when it does no damage.

        A plain die is itself. For anything else it is the die on the table whose highest
        face comes closest to the highest total, and of two as close the larger, because
        several dice fall higher on average.

        >>> [parse_damage(dice).die for dice in ("d7", "d6+1", "2d4", "2d8")]
        [7, 8, 8, 20]
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
