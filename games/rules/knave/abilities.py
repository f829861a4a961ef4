"""The six abilities of a knave, each a bonus and a defense ten higher (KN-1)."""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec

FLOOR: Final = 10
"""What an ability defense is above its bonus (KN-1)."""

HIGHEST: Final = 10
"""No ability bonus rises above this: 20/+10 (KN-23)."""


class Ability(Enum):
    """An ability, by the three letters that records write."""

    STRENGTH = "str"
    DEXTERITY = "dex"
    CONSTITUTION = "con"
    INTELLIGENCE = "int"
    WISDOM = "wis"
    CHARISMA = "cha"


# Two of the fields below have the names of types, which hides those inside the class.
_Bonus = int


class Bonuses(msgspec.Struct, frozen=True):
    """Six ability bonuses, by the names of `Ability`'s values.

    >>> Bonuses(str=2).of(Ability.STRENGTH), Bonuses(str=2).defense(Ability.STRENGTH)
    (2, 12)
    """

    str: _Bonus = 0
    dex: _Bonus = 0
    con: _Bonus = 0
    int: _Bonus = 0
    wis: _Bonus = 0
    cha: _Bonus = 0

    def of(self, ability: Ability) -> _Bonus:
        """Return the bonus in an ability."""
        bonus: _Bonus = getattr(self, ability.value)
        return bonus

    def defense(self, ability: Ability) -> _Bonus:
        """Return the defense in an ability: the bonus and ten (KN-1)."""
        return self.of(ability) + FLOOR
