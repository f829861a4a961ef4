"""Coins, and what things cost in them (KN-3, KN-19)."""

from __future__ import annotations

from typing import Final, NamedTuple

COPPER_A_SILVER: Final = 10
COPPER_A_GOLD: Final = 100

_MENDING: Final = 10
"""A point of quality costs this part of the price (KN-19)."""


class Coins(NamedTuple):
    """So many pieces of each metal."""

    gold: int
    silver: int
    copper: int


def in_copper(gold: int, silver: int, copper: int) -> int:
    """Return what coins are worth in copper."""
    return gold * COPPER_A_GOLD + silver * COPPER_A_SILVER + copper


def fewest_coins(copper: int) -> Coins:
    """Return the fewest coins that are worth so much copper.

    >>> fewest_coins(234)
    Coins(gold=2, silver=3, copper=4)
    """
    gold, rest = divmod(copper, COPPER_A_GOLD)
    return Coins(gold, *divmod(rest, COPPER_A_SILVER))


def repair_price(cost: int) -> int:
    """Return what mending one point of quality costs: a tenth, a begun copper whole (KN-19).

    >>> repair_price(50), repair_price(51)
    (5, 6)
    """
    return -(-cost // _MENDING)
