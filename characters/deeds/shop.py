"""Where things come from: bought from the price list, or written onto a sheet or into a pile."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters import actions
from characters.deeds.loot import called, readers_of
from characters.deeds.things import tell_thing
from characters.models import Article, Character, Item, Pile, Spell
from characters.models.sheet import NAME_LENGTH
from characters.services import finding, goods, kit, telling, trade
from games.errors import Forbidden, Malformed, MovedOn
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.text import clean_name

Kind = Article.Kind


@deed(actions.BuyItem, may="seat")
def buy_item(change: Change, action: actions.BuyItem, tap: Tap) -> None:
    """Buy so many lots for ready money, if there is room for them (KN-3, KN-4)."""
    buyer = finding.living_sheet_named(change, action.character)
    if not (finding.party_of(change.table).settings.shop_open or is_gm(change)):
        raise MovedOn(_("The shop is closed."))
    article = kit.article_of(action.article, is_sold=True)
    count = action.count * article.lot
    if count > goods.MOST_OF_A_THING:
        raise Malformed(_("That is more than anybody sells."), field="count")
    items = trade.bought(buyer, article, action.count)
    finding.check_room_for_things(change.table, len(items))
    price = article.cost * action.count
    trade.pay(change, buyer, price, items)
    for item in items:
        goods.add(change, item, buyer)
    names = article.names()
    telling.tell_of(change, "item_bought", buyer, item=names, count=count, price=price)


@deed(actions.AddItem, may="seat")
def add_item(change: Change, action: actions.AddItem, tap: Tap) -> None:
    """Write a thing onto a sheet or into a pile: players on their own, if the table lets them."""
    if (action.character is None) == (action.pile is None):
        raise Malformed(_("Say where it goes: onto a sheet, or into a pile."), field="character")
    items = _new_items(change, action)
    finding.check_room_for_things(change.table, len(items))
    if action.pile is not None:
        _lay_into(change, action.pile, items, action.count)
        return
    owner = finding.living_sheet_named(change, action.character or 0)
    if not (is_gm(change) or finding.party_of(change.table).settings.may_add):
        raise Forbidden(_("At this table only the referee adds things."))
    goods.check_room(owner, items)
    _put(change, owner, items)
    tell_thing(change, "item_added", items[0], owner, count=action.count)


def _lay_into(change: Change, key: int, items: list[Item], count: int) -> None:
    if not is_gm(change):
        raise Forbidden(_("Only the referee lays out loot."))
    pile = finding.pile_named(change, key)
    goods.check_rows(pile, len(items))
    _put(change, pile, items)
    told = {"item": goods.names_of(items[0]), "count": count, **called(pile)}
    telling.tell(change, "loot_added", to=readers_of(change, pile), **told)


def _put(change: Change, owner: Character | Pile, items: list[Item]) -> None:
    for item in items:
        goods.add(change, item, owner)


def _new_items(change: Change, action: actions.AddItem) -> list[Item]:
    """Return what is to be added: from the list or a spell, where one is chosen, else by its name.

    Raises Malformed when nothing is named, or both a thing and a spell.
    """
    article = kit.article_of(action.article, is_sold=False) if action.article else None
    if article and article.kind == Kind.SPELL_BOOK:
        if action.spell is None:
            raise Malformed(_("Choose which spell the book holds."), field="spell")
        return _spell_books(change, action.spell, action.count)
    if article and action.spell is not None:
        raise Malformed(_("Say what it is: from the list, a spell, or a name."), field="article")
    if article:
        if article.kind == Kind.COINS:
            raise Malformed(_("Coins go into the purse."), field="article")
        return goods.pieces(change.table, article, action.count)
    if action.spell is not None:
        return _spell_books(change, action.spell, action.count)
    if not action.name.strip():
        raise Malformed(_("Say what it is: from the list, a spell, or a name."), field="name")
    name = clean_name(action.name, longest=NAME_LENGTH)
    slots = {"slots": action.slots, "count": action.count}
    return [Item(table=change.table, name=name, kind=Kind.GEAR, **slots)]


def _spell_books(change: Change, key: int, count: int) -> list[Item]:
    """Return so many books of one spell (KN-25)."""
    spell = Spell.objects.filter(pk=key, is_hidden=False).first()
    if spell is None:
        raise MovedOn(_("There is no such spell."), field="spell")
    if count > goods.MOST_ITEMS:
        raise Malformed(_("That is more than anybody reads."), field="count")
    return [goods.spell_book(change.table, spell) for _each in range(count)]
