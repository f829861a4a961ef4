"""Things: making them from the price list, weighing what fits, moving them whole or in part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from characters.models import Article, Character, Item, Pile, Spell
from games.errors import MovedOn
from games.models import Table
from games.rules.engine import IllegalAction
from games.rules.knave import slots as rules
from games.services.change import Change
from games.services.ledger import drop, keep
from games.text import as_sentence

MOST_OF_A_THING = 9999
# A sheet of more rows than this is nobody's inventory; it would slow every phone at the table.
MOST_ITEMS = 120
COINS = ("gold", "silver", "copper")
WORTH = {"gold": 100, "silver": 10, "copper": 1}
COPIED = ("kind", "slots", "bundle", "cost", "die", "hands", "is_ranged", "defense", "bonus")


def as_thing(item: Item) -> rules.Thing:
    """Return an item as the rules know it."""
    return rules.Thing(
        key=item.pk or 0,
        kind=item.kind,
        count=item.count,
        slots=item.slots,
        bundle=item.bundle,
        cost=item.cost,
        is_home=item.is_home,
        inside=item.inside_id,
        is_equipped=item.is_equipped,
        die=item.die,
        hands=item.hands,
        is_ranged=item.is_ranged,
        defense=item.defense,
        bonus=item.bonus,
        quality=item.quality,
        max_quality=item.max_quality,
        holds=item.holds,
        holds_only=item.holds_only or None,
        article=str(item.article_id or item.name),
    )


def load_of(character: Character, items: Iterable[Item] | None = None) -> rules.Load:
    """Return all that a character has, as the rules know it; `items` saves reading them again."""
    held = character.items.all() if items is None else items
    return rules.Load(
        things=tuple(as_thing(i) for i in held),
        gold=character.gold,
        silver=character.silver,
        copper=character.copper,
    )


def check_room(character: Character, added: Sequence[Item] = (), coins: int = 0) -> None:
    """Raise MovedOn, with the rule's reason, when more would be carried than KN-4 allows.

    The referee's open override lets everything pass.
    """
    if character.items.count() + len(added) > MOST_ITEMS:
        raise MovedOn(_("Nobody keeps track of so many things. Bundle some, or leave some."))
    if character.may_overload:
        return
    try:
        rules.check_fits(load_of(character), character.bonuses, [as_thing(i) for i in added], coins)
    except IllegalAction as refusal:
        raise refused(refusal) from refusal


def refused(refusal: IllegalAction) -> MovedOn:
    """Return a rule's refusal as words in the active language."""
    return MovedOn(as_sentence(_(refusal.why)))


def from_article(table: Table, article: Article, count: int = 1, **more: Any) -> Item:
    """Make an unsaved item of the price list, `count` single ones of it."""
    return Item(
        table=table,
        article=article,
        count=count,
        quality=article.quality,
        max_quality=article.quality,
        burns_turns=article.burns_turns,
        holds=article.holds,
        holds_only=article.holds_only,
        **{name: getattr(article, name) for name in COPIED},
        **more,
    )


def spell_book(table: Table, spell: Spell, **more: Any) -> Item:
    """Make an unsaved spell book: one spell, one slot (KN-25)."""
    return Item(table=table, spell=spell, kind=Article.Kind.SPELL_BOOK, **more)


def add(change: Change, item: Item, to: Character | Pile) -> Item:
    """Put a new or moved item at the end of a sheet or into a pile, joined to its likes there."""
    if isinstance(to, Pile):
        item.holder, item.pile = None, to
        item.is_equipped = item.is_home = item.is_lit = False
        item.inside = None
    else:
        item.holder, item.pile = to, None
        twin = like(item, to.items.all())
        if twin is not None:
            twin.count += item.count
            keep(change, twin)
            if item.pk is not None:
                drop(change, item)
            return twin
        last = to.items.aggregate(last=Max("position"))["last"]
        item.position = (last or 0) + 1
    keep(change, item)
    return item


def like(item: Item, others: Iterable[Item]) -> Item | None:
    """Return a thing that this one can be bundled with, or None."""
    if item.bundle <= 1 and item.slots:
        return None
    mine = alike_key(item)
    return next((o for o in others if o.pk != item.pk and alike_key(o) == mine), None)


def alike_key(item: Item) -> tuple[Any, ...]:
    """Return what two things must share to be one bundle."""
    return (
        item.kind,
        item.article_id,
        item.spell_id,
        item.name,
        item.slots,
        item.bundle,
        item.quality,
        item.turns_left,
        item.is_lit,
        item.is_home,
        item.is_equipped,
        item.inside_id,
    )


def part(change: Change, item: Item, count: int | None) -> Item:
    """Return an unsaved part of an item, taken from it, or the item itself when all is meant.

    Raises MovedOn when there are not so many.
    """
    if count is None or count == item.count:
        return item
    if count > item.count:
        raise MovedOn(_("There are only %(count)s.") % {"count": item.count}, field="count")
    item.count -= count
    keep(change, item)
    taken = Item.objects.get(pk=item.pk)
    taken.pk = None
    taken._state.adding = True
    taken.was = {}
    taken.count = count
    return taken


def loosen(change: Change, item: Item) -> None:
    """Put out, take off and empty a thing before it changes hands."""
    for inner in Item.objects.filter(inside=item):
        inner.inside = None
        keep(change, inner)
    item.is_equipped = item.is_lit = item.is_home = False
    item.inside = None


def names_of(item: Item) -> dict[str, str]:
    """Return a thing's name in every language, for the log: each reads it in their own."""
    if item.name:
        return {"en": item.name}
    row = item.spell or item.article
    return {"en": row.name, "es": row.name_es} if row else {"en": "?"}


def coins_of(owner: Character | Pile) -> dict[str, int]:
    return {name: getattr(owner, name) for name in COINS}


def worth_of(owner: Character | Pile) -> int:
    """Return what somebody's coins are worth in copper."""
    return sum(getattr(owner, name) * WORTH[name] for name in COINS)


def pay(change: Change, payer: Character, price: int) -> None:
    """Take a price in copper out of a purse, and give change, by the fewest coins.

    Raises MovedOn when the purse holds less.
    """
    have = worth_of(payer)
    if have < price:
        raise MovedOn(
            _("That costs %(price)s, and the purse holds %(have)s.")
            % {"price": money(price), "have": money(have)}
        )
    left = have - price
    if price <= payer.copper:
        payer.copper -= price
    else:
        payer.gold, rest = divmod(left, WORTH["gold"])
        payer.silver, payer.copper = divmod(rest, WORTH["silver"])
    keep(change, payer)


def money(copper: int) -> str:
    """Say an amount of copper as people count it: gold, silver, copper."""
    gold, rest = divmod(copper, WORTH["gold"])
    silver, coppers = divmod(rest, WORTH["silver"])
    parts = [
        text % {"count": count}
        for count, text in (
            (gold, _("%(count)s gold")),
            (silver, _("%(count)s silver")),
            (coppers, _("%(count)s copper")),
        )
        if count
    ]
    return " ".join(parts) or _("nothing")
