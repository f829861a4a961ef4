"""Handling what somebody carries: taking it out of the pack, putting it on, filling containers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from characters.models import Article, Character, Item, Pile
from characters.services import goods, purse
from games.errors import MovedOn
from games.models import rows
from games.rules.knave import slots as rules
from games.rules.knave.entries import UNCARRIED
from games.rules.knave.equipment import put_away_for
from games.said import gettext as _
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import drop, keep

Kind = Article.Kind
USED_UP = (Kind.RATION, Kind.AMMUNITION, Kind.FUEL, Kind.GEAR, Kind.TOOL)
"""What is gone once it was used. A light is not: it burns down, turn by turn."""


def check_at_hand(item: Item) -> None:
    """Raise MovedOn for a thing that its holder has left at home, or in something left there."""
    assert item.holder
    # What nobody puts in a slot, such as a mule, is led along with what it carries.
    if goods.is_left(item, goods.beside(item.holder)):
        raise MovedOn(_("%(item)s is at home.") % {"item": item.said_name})


def check_awake(change: Change, character: Character) -> None:
    """Raise MovedOn when somebody lies unconscious (KN-16), unless the referee acts for them."""
    if character.state != Character.State.UP and not is_gm(change):
        raise MovedOn(_("%(name)s lies unconscious.") % {"name": character.name})


def take(change: Change, item: Item, count: int | None) -> Item:
    """Take a thing, or some of it, out of where it is: put out, taken off, emptied.

    Returns it unsaved, for whoever gets it. Raises MovedOn when there are not so many, or where its
    holder has no room for what a mule had on it (KN-4).
    """
    taken = goods.part(change, item, count)
    if taken.pk is None:
        taken.is_equipped = taken.is_lit = taken.is_home = False
        taken.inside = None
        return taken
    holder = item.holder if item.kind in UNCARRIED else None
    before = goods.load_of(holder) if holder else None
    goods.loosen(change, taken)
    if holder and before:
        goods.check_without(holder, before, taken)
    return taken


def spend(change: Change, item: Item, count: int = 1) -> None:
    """Use up some of a thing. Raises MovedOn when there are not so many."""
    if count > item.count:
        raise MovedOn(_("There are only %(count)s.") % {"count": item.count}, field="count")
    if count == item.count:
        destroy(change, item)
    else:
        item.count -= count
        keep(change, item)


def destroy(change: Change, item: Item) -> None:
    """Take a thing out of the world; what was in it stays with its holder."""
    goods.empty(change, item)
    gone = goods.as_it_stood(item)
    goods.leave_container(change, item)
    drop(change, gone)


def ground(change: Change) -> Pile:
    """Return the pile of what lies on the ground, begun if there is none yet."""
    shown = change.table.piles.filter(name="", of=None, is_shown=True, is_open=True)
    pile = shown.first()
    if pile is None:
        pile = Pile(table=change.table, name="")
        keep(change, pile)
    return pile


def close_if_empty(change: Change, pile: Pile) -> None:
    """Put a pile away from which the last thing has been taken."""
    if not rows.exists(Item, pile_id=pile.pk) and not purse.worth_of(pile):
        pile.is_open = False
        keep(change, pile)


def put_on(change: Change, item: Item) -> list[Item]:
    """Wear or wield a thing, and return what had to be put away for it (KN-5)."""
    assert item.holder
    others = {o.pk: o for o in goods.items_of(item.holder) if o.is_equipped and o.pk != item.pk}
    newest_first = sorted(others.values(), key=lambda o: -o.position)
    away = put_away_for(goods.as_thing(item), [goods.as_thing(o) for o in newest_first])
    off = [others[thing.key] for thing in away]
    for other in off:
        other.is_equipped = False
    take_in_hand(change, item)
    item.is_equipped = True
    keep(change, *off, item)
    return off


def take_in_hand(change: Change, item: Item) -> None:
    """Take a thing out of what it is in: off a mule it needs room of its own (KN-4)."""
    if item.inside is None:
        return
    goods.leave_container(change, item)
    assert item.holder
    goods.check_rearranged(item.holder, item)


class Fault(NamedTuple):
    """Why a container does not take a thing; `is_full` where it would, were there room in it."""

    text: str
    is_full: bool = False


def check_holds(container: Item, item: Item) -> None:
    """Raise MovedOn when a container does not take a thing: its kind, its slots, itself."""
    assert item.holder
    fault = holding_fault(container, item, goods.items_of(item.holder))
    if fault is not None:
        raise MovedOn(fault.text, field="container")


def holding_fault(container: Item, item: Item, others: Iterable[Item]) -> Fault | None:
    """Return why a container does not take a thing, or None; `others` are its holder's things."""
    held = {i.pk: i for i in others}
    if container.pk not in held or not container.holds:
        return Fault(_("Nothing can be put into that."))
    if item.kind in UNCARRIED:
        return Fault(_("%(item)s fits into nothing.") % {"item": item.said_name})
    outer: Item | None = container
    while outer is not None:
        if outer.pk == item.pk:
            return Fault(_("Nothing fits into itself."))
        outer = held.get(outer.inside_id or 0)
    if container.holds_only and container.holds_only != item.kind:
        only = Kind(container.holds_only).label
        return Fault(_("That takes nothing but %(kind)s.") % {"kind": only})
    inside = [i for i in held.values() if i.inside_id == container.pk and i.pk != item.pk]
    full = sum(rules.slots_of(goods.as_thing(i)) for i in (*inside, item))
    if full > container.holds * container.count:
        return Fault(_("%(item)s is full.") % {"item": container.said_name}, is_full=True)
    return None


def fuel_for(item: Item) -> Item | None:
    """Return a carried fuel that this light burns, or None."""
    if item.article is None or item.holder is None:
        return None
    held = goods.brought(item.holder.items.select_related("article"))
    found = [one for one in held if one.article and one.article.feeds == item.article.key]
    return next((one for one in found if one.inside_id is None), next(iter(found), None))


def needs_fuel(item: Item) -> bool:
    """Tell whether a light burns nothing by itself: a lantern."""
    return item.article is not None and rows.exists(Article, feeds=item.article.key)


def article_of(key: int, *, is_sold: bool) -> Article:
    """Return an article that the host has not hidden. Raises MovedOn when there is none."""
    shown = Article.objects.filter(is_hidden=False, pk=key)
    found = shown.filter(is_sold=True).first() if is_sold else shown.first()
    if found is None:
        raise MovedOn(_("That is not on the price list."), field="article")
    return found
