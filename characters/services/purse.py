"""Coins: what a purse or a pile has of each metal, paying with them, saying an amount in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypedDict

from characters.models import Character, Pile
from games.errors import MovedOn
from games.rules.knave import prices
from games.said import gettext as _
from games.services.change import Change
from games.services.ledger import keep

COINS = ("gold", "silver", "copper")


class HasCoins(Protocol):
    """A purse, a pile, or an action that names coins."""

    @property
    def gold(self) -> int: ...
    @property
    def silver(self) -> int: ...
    @property
    def copper(self) -> int: ...


def coins_of(owner: HasCoins) -> dict[str, int]:
    """Return what coins somebody or a pile has, or an action names, by their metal."""
    return {metal: getattr(owner, metal) for metal in COINS}


class CoinsTold(TypedDict):
    """Coins of every metal, as an event and a sheet's card hold them."""

    gold: int
    silver: int
    copper: int


def told(coins: Mapping[str, int]) -> CoinsTold:
    """Return coins of every metal as an event is to hold them."""
    return {"gold": coins["gold"], "silver": coins["silver"], "copper": coins["copper"]}


def check_coins(owner: Character | Pile, coins: Mapping[str, int]) -> None:
    """Raise MovedOn, with the metal, where somebody or a pile has not so many coins."""
    for metal, count in coins.items():
        there = getattr(owner, metal)
        if count > there:
            raise MovedOn(_("There are only %(count)s.") % {"count": there}, field=metal)


def hand_over(
    change: Change, giver: Character | Pile, taker: Character, coins: Mapping[str, int]
) -> None:
    """Move coins that are there and fit: both have been checked before."""
    for metal, count in coins.items():
        setattr(giver, metal, getattr(giver, metal) - count)
        setattr(taker, metal, getattr(taker, metal) + count)
    keep(change, giver, taker)


def worth_of(owner: Character | Pile) -> int:
    """Return what somebody's coins are worth in copper."""
    return prices.in_copper(**coins_of(owner))


def take_price(payer: Character, price: int) -> None:
    """Take a price in copper out of a purse, and give change, by the fewest coins; unsaved.

    Raises MovedOn when the purse holds less.
    """
    have = worth_of(payer)
    if have < price:
        # Words of its own for an empty purse: "holds nothing" is not said alike in every language.
        text = _("That costs %(price)s, and the purse holds %(have)s.")
        if have == 0:
            text = _("That costs %(price)s, and the purse is empty.")
        raise MovedOn(text % {"price": money(price), "have": money(have)})
    if price <= payer.copper:
        payer.copper -= price
    else:
        payer.gold, payer.silver, payer.copper = prices.fewest_coins(have - price)


def money(copper: int) -> str:
    """Say an amount of copper as people count it: gold, silver, copper."""
    return coins_said(*prices.fewest_coins(copper)) or _("nothing")


def purse_of(owner: HasCoins) -> str:
    """Say what coins somebody or a pile has as they lie there: by their number they fill slots."""
    return coins_said(**coins_of(owner))


def coins_said(gold: int = 0, silver: int = 0, copper: int = 0) -> str:
    """Say coins by their metal; none is no words."""
    parts = [
        text % {"count": count}
        for count, text in (
            (gold, _("%(count)s gold")),
            (silver, _("%(count)s silver")),
            (copper, _("%(count)s copper")),
        )
        if count
    ]
    return " ".join(parts)
