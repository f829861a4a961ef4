"""Things: making them from the price list, weighing what fits, moving them whole or in part.

Coins are weighed here as well; paying with them is `characters.services.purse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from characters.models import Article, Character, Item, Pile, Spell
from characters.services.purse import COINS
from games.errors import MovedOn
from games.models import Table, rows
from games.rules.engine import IllegalAction
from games.rules.knave import slots as rules
from games.rules.knave.numbers import Number, derive
from games.said import gettext as _
from games.services.change import Change
from games.services.ledger import drop, keep, lean
from games.services.refusing import refused
from games.text import set_apart

MOST_OF_A_THING = 9999
# A sheet of more rows than this is nobody's inventory; it would slow every phone at the table.
MOST_ITEMS = 120
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


def _are_read(character: Character) -> bool:
    """Tell whether all that somebody has was read along with them."""
    return "items" in getattr(character, "_prefetched_objects_cache", ())


def items_of(character: Character) -> list[Item]:
    """Return all that somebody has, in the order of the sheet."""
    if _are_read(character):
        return list(character.items.all())
    return rows.belonging(rows.fetch(Item, holder_id=character.pk), holder=character)


def load_of(character: Character, items: Iterable[Item] | None = None) -> rules.Load:
    """Return all that a character has, as the rules know it; `items` saves reading them again."""
    held = items_of(character) if items is None else items
    return rules.Load(
        things=tuple(as_thing(i) for i in held),
        gold=character.gold,
        silver=character.silver,
        copper=character.copper,
    )


def brought(items: Iterable[Item]) -> list[Item]:
    """Return what is not left at home, neither by itself nor in something that is (KN-4).

    `items` are all that somebody has. What an animal carries has come along.
    """
    held = {item.pk: item for item in items}
    return [item for item in held.values() if not is_left(item, held)]


def beside(holder: Character) -> dict[int, Item]:
    """Return all that somebody has, by their keys."""
    return {item.pk: item for item in items_of(holder)}


def is_left(item: Item, held: Mapping[int, Item]) -> bool:
    """Tell whether a thing is at home: what is in a container is where that is (KN-4).

    `held` are all things of its holder, by their keys.
    """
    if item.inside_id is None:  # as most; it is asked of what people in a fight have, at each tap
        return item.is_home
    passed: set[int] = set()
    outer: Item | None = item
    while outer is not None and outer.pk not in passed:
        if outer.is_home:
            return True
        passed.add(outer.pk)
        outer = held.get(outer.inside_id or 0)
    return False


def numbers_of(character: Character, items: Iterable[Item] | None = None) -> Mapping[str, Number]:
    """Return every derived number of a sheet, each with the parts that explain it."""
    return derive(
        character.bonuses,
        load_of(character, items),
        character.level,
        character.xp,
        character.hp,
        character.max_hp,
    )


def defense_of(character: Character, items: Iterable[Item]) -> int:
    """Return the armor defense (KN-5): of what is worn, or what an NPC has by nature."""
    worn = numbers_of(character, items)["armor_defense"].value
    return max(worn, character.natural_defense or 0)


def check_room(character: Character, added: Sequence[Item] = (), coins: int = 0) -> None:
    """Raise MovedOn, with the rule's reason, when more would be carried than KN-4 allows.

    The referee's open override lets everything pass.
    """
    check_rows(character, len(added))
    _check_slots(character, added, coins)


def _check_slots(character: Character, added: Sequence[Item], coins: int) -> None:
    held = items_of(character)
    before = load_of(character, held)
    # What joins a bundle that is begun may need no slot of its own.
    joined = {twin.pk: item.count for item in added if (twin := like(item, held))}
    grown = tuple(replace(t, count=t.count + joined.get(t.key, 0)) for t in before.things)
    single = [as_thing(i) for i in added if not like(i, held)]
    after = replace(before, things=(*grown, *single), copper=before.copper + coins)
    _check_carried(character, before, after)


def _check_carried(character: Character, before: rules.Load, after: rules.Load) -> None:
    if character.may_overload:
        return
    try:
        rules.check_fits(before, after, character.bonuses)
    except IllegalAction as refusal:
        raise refused(refusal) from refusal


def may_carry(character: Character, before: rules.Load, after: rules.Load) -> bool:
    """Tell whether somebody may come to carry another load: by KN-4, or the referee's override."""
    return character.may_overload or rules.fits(before, after, character.bonuses)


def coins_that_fit(character: Character, coins: Mapping[str, int]) -> dict[str, int]:
    """Return as many of these coins as somebody has room for (KN-4), the dearest metal first."""
    room = rules.room_for_coins(load_of(character), character.bonuses)
    fitting = {}
    for metal in COINS:
        fitting[metal] = min(coins[metal], room)
        room -= fitting[metal]
    return fitting


def check_takers_room(taker: Character, added: Sequence[Item] = (), coins: int = 0) -> None:
    """Check as `check_room` does, in words for who hands something to somebody else."""
    check_rows(taker, len(added))
    try:
        _check_slots(taker, added, coins)
    except MovedOn as refusal:
        text = _("%(name)s has no free slots for that, and must drop or leave something first.")
        raise MovedOn(text % {"name": set_apart(taker.name)}, field="to") from refusal


def check_rows(owner: Character | Pile, more: int) -> None:
    """Raise MovedOn when a sheet or a pile would have more rows than anybody keeps track of."""
    if more:
        _check_few(_count_of(owner) + more)


def _count_of(owner: Character | Pile) -> int:
    if isinstance(owner, Pile):
        return rows.count(Item, pile_id=owner.pk)
    # A price list asks this of each article, and has read what the buyer holds.
    return len(items_of(owner)) if _are_read(owner) else rows.count(Item, holder_id=owner.pk)


def _check_few(count: int) -> None:
    if count > MOST_ITEMS:
        raise MovedOn(_("Nobody keeps track of so many things. Bundle some, or leave some."))


def check_rearranged(character: Character, *changed: Item) -> None:
    """Check the room when things of one's own change place, or come apart: see `check_room`.

    `changed` are the things as they would be; one without a key yet comes in addition.
    """
    held = items_of(character)
    before = load_of(character, held)
    moved = {i.pk: i for i in changed if i.pk is not None}
    added = [i for i in changed if i.pk is None]
    after = load_of(character, [*(moved.get(i.pk, i) for i in held), *added])
    _check_carried(character, before, after)


def check_without(character: Character, before: rules.Load, gone: Item) -> None:
    """Check the room once a thing is gone and empty, as `check_room` does.

    `before` is the load from when it was there.
    """
    held = [one for one in items_of(character) if one.pk != gone.pk]
    _check_carried(character, before, load_of(character, held))


def check_traded(before: rules.Load, character: Character, added: Sequence[Item]) -> None:
    """Check the room after a purchase: coins that were paid free slots, change may fill them.

    `before` is the load from before the payment. Raises MovedOn as `check_room` does.
    """
    if not may_carry(character, before, load_of(character)):
        raise MovedOn(_("There is no free slot for the change: 100 coins fill one."))
    check_room(character, added)


def from_article(table: Table, article: Article, count: int = 1) -> Item:
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
    )


def pieces(table: Table, article: Article, count: int) -> list[Item]:
    """Make unsaved items: one bundle, or one by one what has a state of its own, like a sword."""
    bundle = from_article(table, article, count)
    if count == 1 or rules.may_bundle(as_thing(bundle)):
        return [bundle]
    _check_few(count)
    return [from_article(table, article) for _each in range(count)]


def spell_book(table: Table, spell: Spell) -> Item:
    """Make an unsaved spell book: one spell, one slot (KN-25)."""
    return Item(table=table, spell=spell, kind=Article.Kind.SPELL_BOOK)


def add(change: Change, item: Item, to: Character | Pile) -> Item:
    """Put a new or moved item at the end of a sheet or into a pile, joined to its likes there."""
    if isinstance(to, Pile):
        item.holder, item.pile = None, to
        item.is_equipped = item.is_home = item.is_lit = False
        leave_container(change, item)
    else:
        item.holder, item.pile = to, None
        twin = like(item, items_of(to))
        if twin is not None:
            twin.count += item.count
            keep(change, twin)
            if item.pk is not None:
                # As it stood before it was moved: so an undo finds it again.
                drop(change, as_it_stood(item))
            return twin
        item.position = next_position(to)
    keep(change, item)
    return item


def next_position(character: Character) -> int:
    """Return the place after the last thing on a sheet."""
    return max((item.position for item in items_of(character)), default=0) + 1


def like(item: Item, others: Iterable[Item]) -> Item | None:
    """Return a thing that this one can be bundled with, or None."""
    if not rules.may_bundle(as_thing(item)):
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
    taken = as_it_stood(item)
    taken.pk = None
    taken._state.adding = True
    taken.was = {}
    taken.count = count
    return taken


def as_it_stood(item: Item) -> Item:
    """Return a thing as the database has it, whatever has been done to this one meanwhile."""
    found = rows.first(Item, id=item.pk)
    assert found
    return found


def loosen(change: Change, item: Item) -> None:
    """Put out, take off and empty a thing before it changes hands."""
    empty(change, item)
    item.is_equipped = item.is_lit = item.is_home = False
    leave_container(change, item)
    leave_bundle(item)


def empty(change: Change, item: Item) -> None:
    """Take out what is in a thing; it stays with whoever has that.

    An undo puts it back into it, and so needs it there.
    """
    for inner in rows.fetch(Item, inside_id=item.pk):
        lean(change, inner, "holder_id", "pile_id")
        inner.inside = None
        keep(change, inner)


def leave_bundle(item: Item) -> None:
    """Let a torch that was lit out of a bundle take its own slot again: it shared that one's."""
    if not item.slots and item.article is not None:
        item.slots = item.article.slots


def leave_container(change: Change, item: Item) -> None:
    """Take a thing out of what it is in. An undo puts it back there, and so needs that there."""
    if item.inside is not None:
        lean(change, item.inside, "holder_id", "pile_id")
    item.inside = None


def names_of(item: Item) -> dict[str, str]:
    """Return a thing's name in every language, for the log: each reads it in their own."""
    if item.name:
        return {"en": item.name}
    row = item.spell or item.article
    return row.names() if row else {"en": "?"}
