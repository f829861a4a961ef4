"""Saves, opposed saves, advantage and disadvantage (KN-8, KN-9, KN-10)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from games.rules.engine import Dice

DIE: Final = 20

SAVE_TARGET: Final = 15
"""What the total of a save must exceed when nobody opposes it (KN-8)."""


class Edge(StrEnum):
    """Two d20 instead of one: the better or the worse counts; both at once are none (KN-10)."""

    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class Rolled(msgspec.Struct, frozen=True):
    """A d20 after its roll against a target.

    `faces` are all d20 as they fell, `natural` the one that counts; `total`
    has the bonus and the modifier in it and must exceed `target`.
    """

    total: int
    target: int
    natural: int
    faces: tuple[int, ...]
    success: bool


def save(dice: Dice, bonus: int, edge: Edge | None = None, modifier: int = 0) -> Rolled:
    """Roll a save that nobody opposes: more than 15 succeeds (KN-8).

    >>> from games.rules.dice import TypedDice
    >>> save(TypedDice([14]), bonus=1).success, save(TypedDice([15]), bonus=1).success
    (False, True)
    """
    return roll(dice, bonus + modifier, SAVE_TARGET, edge)


def opposed(
    dice: Dice, bonus: int, against_defense: int, edge: Edge | None = None, modifier: int = 0
) -> Rolled:
    """Roll a save against somebody's defense in the ability that opposes it (KN-9).

    A total that only equals the defense is the opponent's. Edge and modifier
    belong to whoever rolls.
    """
    return roll(dice, bonus + modifier, against_defense, edge)


def roll(dice: Dice, added: int, target: int, edge: Edge | None) -> Rolled:
    """Roll a d20, or two where there is an edge, and succeed by more than the target (KN-8)."""
    faces = tuple(dice.roll(DIE) for _ in range(1 if edge is None else 2))
    natural = min(faces) if edge is Edge.DISADVANTAGE else max(faces)
    total = natural + added
    return Rolled(total, target, natural, faces, success=total > target)
