"""How others take to the characters: reactions, morale, and whom they may hire."""

from __future__ import annotations

from typing import Final

from games.rules.engine import Dice
from games.rules.words import _

_DIE: Final = 6

REACTIONS: Final = (
    (2, "hostile", _("hostile")),
    (5, "unfriendly", _("unfriendly")),
    (8, "unsure", _("unsure")),
    (11, "talkative", _("talkative")),
    (12, "helpful", _("helpful")),
)
"""The highest sum of 2d6, the key and the word of every reaction (KN-11)."""


def reaction(dice: Dice) -> tuple[tuple[int, int], str]:
    """Roll how a stranger takes to the party; return both faces and the reaction's key (KN-11).

    >>> from games.rules.dice import TypedDice
    >>> reaction(TypedDice([4, 2]))
    ((4, 2), 'unsure')
    """
    faces = (dice.roll(_DIE), dice.roll(_DIE))
    key = next(key for highest, key, word in REACTIONS if sum(faces) <= highest)
    return faces, key


def morale(dice: Dice, rating: int) -> tuple[tuple[int, int], bool]:
    """Roll morale; return both faces and whether they hold: more than the rating breaks (KN-20)."""
    faces = (dice.roll(_DIE), dice.roll(_DIE))
    return faces, sum(faces) <= rating


def hireling_limit(cha_bonus: int) -> int:
    """Return how many hirelings somebody may have: the Charisma bonus, never below none (KN-24)."""
    return max(0, cha_bonus)
