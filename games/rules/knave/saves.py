"""Saves, opposed saves, advantage and disadvantage (KN-8, KN-9, KN-10)."""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec

from games.rules.engine import Dice

DIE: Final = 20

SAVE_TARGET: Final = 15
"""What the total of a save must exceed when nobody opposes it (KN-8)."""


class Edge(Enum):
    """How many d20 a save takes, and which of them counts; both edges at once are none (KN-10)."""

    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class Rolled(msgspec.Struct, frozen=True):
    """A save after its roll.

    `faces` are all d20 as they fell, `natural` the one that counts; `total`
    has the bonus and the modifier in it and must exceed `target`.
    """

    total: int
    target: int
    natural: int
    faces: tuple[int, ...]
    success: bool


def save(dice: Dice, bonus: int, edge: Edge = Edge.NONE, modifier: int = 0) -> Rolled:
    """Roll a save that nobody opposes: more than 15 succeeds (KN-8).

    >>> from games.rules.dice import TypedDice
    >>> save(TypedDice([14]), bonus=1).success, save(TypedDice([15]), bonus=1).success
    (False, True)
    """
    return _roll(dice, bonus, SAVE_TARGET, edge, modifier)


def opposed(
    dice: Dice, bonus: int, against_defense: int, edge: Edge = Edge.NONE, modifier: int = 0
) -> Rolled:
    """Roll a save against somebody's defense in the ability that opposes it (KN-9).

    A total that only equals the defense is the opponent's. Edge and modifier
    belong to whoever rolls.
    """
    return _roll(dice, bonus, against_defense, edge, modifier)


def _roll(dice: Dice, bonus: int, target: int, edge: Edge, modifier: int) -> Rolled:
    faces = tuple(dice.roll(DIE) for _ in range(1 if edge is Edge.NONE else 2))
    natural = min(faces) if edge is Edge.DISADVANTAGE else max(faces)
    total = natural + bonus + modifier
    return Rolled(total, target, natural, faces, success=total > target)
