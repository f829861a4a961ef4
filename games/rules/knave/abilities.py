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


class Bonuses(msgspec.Struct, frozen=True):
    """Six ability bonuses, by the names of `Ability`'s values.

    >>> Bonuses(str=2).of(Ability.STRENGTH), Bonuses(str=2).defense(Ability.STRENGTH)
    (2, 12)
    """

    str: int = 0
    dex: int = 0
    con: int = 0
    int: int = 0  # type: ignore[valid-type]
    wis: int = 0  # type: ignore[valid-type]
    cha: int = 0  # type: ignore[valid-type]

    def of(self, ability: Ability) -> int:  # type: ignore[valid-type]
        """Return the bonus in an ability."""
        return getattr(self, ability.value)  # type: ignore[no-any-return]

    def defense(self, ability: Ability) -> int:  # type: ignore[valid-type]
        """Return the defense in an ability: the bonus and ten (KN-1)."""
        return self.of(ability) + FLOOR
