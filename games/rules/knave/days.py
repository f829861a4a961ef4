"""Nights, light, the clock of a dungeon, and books that are read once a day.

A turn is ten minutes; a day has 144 of them and begins at midnight. Healing is
KN-21, casting KN-25.
"""

from __future__ import annotations

from typing import Final

import msgspec

from games.rules.engine import Dice, IllegalAction
from games.rules.words import _

HEALING_DIE: Final = 8
TURN_MINUTES: Final = 10
TURNS_A_DAY: Final = 24 * 60 // TURN_MINUTES

_TURNS_AN_HOUR: Final = 60 // TURN_MINUTES
_TIMES: Final = (
    (5, _("night")),
    (12, _("morning")),
    (18, _("afternoon")),
    (22, _("evening")),
    (24, _("night")),
)
"""The hour at which each time of day ends, and its word."""


def night(dice: Dice, con_bonus: int, hp: int, max_hp: int) -> tuple[int, int]:
    """Sleep a full night after a meal; return the d8's face and the new hit points (KN-21).

    Nobody wakes with fewer than before or is healed above the maximum; an
    unconscious sleeper heals like the others. Raises IllegalAction for the dead
    (KN-16), before any die is rolled.
    """
    _check_lives(hp)
    face = dice.roll(HEALING_DIE)
    return face, max(hp, min(max_hp, hp + face + con_bonus))


def haven(hp: int, max_hp: int) -> int:
    """Rest in a safe haven, which restores all; return the new hit points (KN-21).

    Raises IllegalAction for the dead (KN-16).
    """
    _check_lives(hp)
    return max(hp, max_hp)


def burn(turns_left: int, turns: int) -> int:
    """Return how many turns of light are left after some have passed; at 0 it is dark."""
    return max(0, turns_left - max(0, turns))


class Clock(msgspec.Struct, frozen=True):
    """When it is: the day, counted from 1, and the ten-minute turn of that day, 0 to 143.

    >>> Clock(day=1, turn=143).advance(1)
    Clock(day=2, turn=0)
    """

    day: int = 1
    turn: int = 0

    def advance(self, turns: int) -> Clock:
        """Return the time some turns later. Raises IllegalAction for a negative number."""
        if turns < 0:
            raise IllegalAction(_("time does not run backwards"))
        days, turn = divmod(self.turn + turns, TURNS_A_DAY)
        return Clock(self.day + days, turn)

    def turned_back(self, turns: int) -> Clock:
        """Return the time some turns earlier, but never before the first day.

        >>> Clock(day=2, turn=3).turned_back(4), Clock(day=1, turn=3).turned_back(4)
        (Clock(day=1, turn=143), Clock(day=1, turn=0))
        """
        gone = (self.day - 1) * TURNS_A_DAY + self.turn
        return Clock().advance(max(0, gone - turns))

    @property
    def hour(self) -> int:
        """The hour, 0 to 23."""
        return self.turn // _TURNS_AN_HOUR

    @property
    def minute(self) -> int:
        """The minute at which the turn begins: 0, 10, 20, 30, 40 or 50."""
        return self.turn % _TURNS_AN_HOUR * TURN_MINUTES

    @property
    def time_of_day(self) -> str:
        """The word for the hour, for screens to translate."""
        return next(word for ends, word in _TIMES if self.hour < ends)


def may_cast(cast_on: int | None, day: int) -> bool:
    """Tell whether a book may be read on a day, having last been read on another (KN-25).

    **Ruling:** a full night's rest refreshes the books, not midnight, so days
    here are counted by such rests, or `cast_on` is cleared at the rest.
    """
    return cast_on is None or cast_on < day


def may_cast_level(spell_level: int | None, caster_level: int) -> bool:
    """Tell whether a spell is within the caster's reach; one without a level always is (KN-25)."""
    return spell_level is None or spell_level <= caster_level


def check_cast(
    cast_on: int | None, day: int, spell_level: int | None = None, caster_level: int = 1
) -> None:
    """Refuse a book that is spent for the day or beyond the caster: IllegalAction, KN-25."""
    if not may_cast_level(spell_level, caster_level):
        raise IllegalAction(_("the spell's level is higher than the caster's"), "KN-25")
    if not may_cast(cast_on, day):
        raise IllegalAction(_("each spell book works once a day"), "KN-25")


def _check_lives(hp: int) -> None:
    if hp < 0:
        raise IllegalAction(_("the dead do not heal"), "KN-16")
