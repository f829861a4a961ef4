"""Buying: what the price list sells to whom, before and when it is paid for (KN-3, KN-4)."""

from __future__ import annotations

from collections.abc import Sequence

from characters.models import Article, Character, Item
from characters.services import goods, purse
from games.errors import MovedOn
from games.services.change import Change
from games.services.ledger import keep


def bought(buyer: Character, article: Article, lots: int) -> list[Item]:
    """Return the unsaved items of so many lots; a service has none."""
    if article.kind == Article.Kind.SERVICE:
        return []
    return goods.pieces(buyer.table, article, lots * article.lot)


def pay(change: Change, payer: Character, price: int, items: Sequence[Item] = ()) -> None:
    """Pay a price in copper; what it buys, and the change, need their room (KN-4).

    Raises MovedOn where the purse holds less, or where there is no room.
    """
    before = goods.load_of(payer)
    purse.take_price(payer, price)
    keep(change, payer)
    goods.check_traded(before, payer, items)


def fits(buyer: Character, article: Article, lots: int) -> bool:
    """Tell whether so many lots fit once they are paid for; the purse must hold that much."""
    before, coins = goods.load_of(buyer), purse.coins_of(buyer)
    purse.take_price(buyer, article.cost * lots)
    try:
        goods.check_traded(before, buyer, bought(buyer, article, lots))
    except MovedOn:
        return False
    finally:
        for metal, count in coins.items():
            setattr(buyer, metal, count)
    return True
