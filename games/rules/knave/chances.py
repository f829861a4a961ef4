"""Exact chances of saves and attacks, by counting every roll; never by sampling.

>>> save_chance(bonus=1)
Fraction(3, 10)
>>> attack_chance(bonus=2, armor_defense=11)
Fraction(11, 20)
"""

from __future__ import annotations

from fractions import Fraction

from games.rules.knave.saves import DIE, SAVE_TARGET, Edge


def save_chance(bonus: int, edge: Edge | None = None, modifier: int = 0) -> Fraction:
    """Return the chance that a save which nobody opposes succeeds (KN-8)."""
    return _exceeds(bonus + modifier, SAVE_TARGET, edge)


def opposed_chance(
    bonus: int, defense: int, edge: Edge | None = None, modifier: int = 0
) -> Fraction:
    """Return the chance of whoever rolls an opposed save (KN-9).

    The other side, rolling instead against the bonus and ten, fails exactly as
    often; an edge turns into its contrary and a modifier changes its sign.
    """
    return _exceeds(bonus + modifier, defense, edge)


def attack_chance(bonus: int, armor_defense: int, edge: Edge | None = None) -> Fraction:
    """Return the chance that an attack hits when the attacker rolls (KN-14).

    Where the defender rolls instead, their armor's bonus against the attacker's
    defense, they fail exactly as often.
    """
    return _exceeds(bonus, armor_defense, edge)


def _exceeds(added: int, target: int, edge: Edge | None) -> Fraction:
    hits = sum(face + added > target for face in range(1, DIE + 1))
    misses = DIE - hits
    match edge:
        case Edge.ADVANTAGE:
            return 1 - Fraction(misses * misses, DIE * DIE)
        case Edge.DISADVANTAGE:
            return Fraction(hits * hits, DIE * DIE)
        case None:
            return Fraction(hits, DIE)
