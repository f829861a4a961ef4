"""Buying: what the price list sells to whom, before and when it is paid for (KN-3, KN-4)."""

from __future__ import annotations

from characters.models import Article, Character, Item
from characters.services import goods, purse
from games.errors import MovedOn


def bought(buyer: Character, article: Article, lots: int) -> list[Item]:
    """Return the unsaved items of so many lots; a service has none."""
    if article.kind == Article.Kind.SERVICE:
        return []
    return goods.pieces(buyer.table, article, lots * article.lot)


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
