"""Things as cards: what each is in a line, and what can be done with it now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from characters.models import Article, Item, Spell
from characters.screens.cards import ItemCard
from characters.screens.room import Room
from characters.sentences.things import has_level, spell_said
from characters.sentences.words import span_of
from characters.services.goods import alike_key, as_thing, is_left
from characters.services.kit import USED_UP
from characters.services.purse import money
from games.grammar import unbroken
from games.rules.knave import days, slots
from games.rules.knave.equipment import EQUIPPED
from games.rules.knave.prices import repair_price
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import Choice

Kind = Article.Kind
# Whoever is not awake reads, eats and lights nothing (KN-16).
NEEDS_WAKING = frozenset({"cast", "use", "light"})


def item_card(item: Item, day: int, room: Room, barred: frozenset[str]) -> ItemCard:
    """Build the card of a thing on somebody's sheet, of all whose things `room` knows.

    `barred` are words of what its holder may do with nothing now. What is in something left at home
    can only be taken out: nobody reaches it (KN-4).
    """
    others = room.items
    inner = [i for i in others if i.inside_id == item.pk]
    peers = [i for i in others if (i.is_home, i.inside_id) == (item.is_home, item.inside_id)]
    parts, boxes = ((), ()) if item.is_home else (room.parts_of(item), room.boxes_for(item))
    may = _deeds(item, day, room) | _moves(item, peers)
    may |= {word for word, where in (("split", parts), ("inside", boxes)) if where}
    if item.inside_id and room.is_left(item):
        may = {"outside"}
    return ItemCard(
        **_basics(item),
        text=spell_words(item.spell) if item.spell else "",
        is_equipped=item.is_equipped,
        is_lit=item.is_lit,
        is_spent=_is_spent(item, day),
        is_inside=item.inside_id is not None,
        use_word=_use_word(item),
        repair_price=money(repair_price(item.cost)) if item.max_quality else "",
        split_counts=parts,
        containers=boxes,
        contents=tuple(item_card(i, day, room, barred) for i in inner),
        may=frozenset(may) - barred,
        no_room=_no_room(item, room),
    )


def _no_room(item: Item, room: Room) -> bool:
    """Tell whether there is no slot for a thing that is at home, or in a container (KN-4)."""
    return bool(item.is_home or item.inside_id) and not room.has_for(item)


def _moves(item: Item, peers: Sequence[Item]) -> set[str]:
    """Return which way a thing can go among those that stand in the same place as it does."""
    if item.is_home or item not in peers:
        return set()
    ways = {"up"} if peers[0] != item else set()
    return ways | ({"down"} if peers[-1] != item else set())


def pile_item_card(item: Item) -> ItemCard:
    """Build the card of a thing that lies where anybody may claim it."""
    return ItemCard(
        **_basics(item),
        text=spell_words(item.spell) if item.spell else "",
        may=frozenset({"claim"}),
    )


def spell_words(spell: Spell) -> str:
    """Say what a spell does, how far and how long, and what the L in it stands for (KN-25)."""
    told = spell_said(*map(spell.said, Spell.TOLD))
    if has_level(" ".join(told)):
        told.append(_("L is the caster's level."))
    return " ".join(told)


class _Basics(TypedDict):
    id: int
    name: str
    kind: str
    detail: str
    count: int
    slots: int
    quality: int | None
    max_quality: int | None
    turns_left: int | None


def _basics(item: Item) -> _Basics:
    return {
        "id": item.pk,
        "name": item.said_name,
        "kind": item.kind,
        "detail": detail(item),
        "count": item.count,
        "slots": slots.slots_of(as_thing(item)),
        "quality": item.quality,
        "max_quality": item.max_quality,
        "turns_left": item.turns_left,
    }


def detail(item: Item) -> str:
    """Say what a thing is worth in play, in a line."""
    parts = []
    if item.die:
        parts.append(f"d{item.die}")
    if item.kind == Kind.WEAPON:
        parts.append(_("ranged") if item.is_ranged else _("melee"))
    if item.hands:
        parts.append(_("two hands") if item.hands > 1 else _("one hand"))
    if item.defense:
        parts.append(_("armor %(number)s") % {"number": item.defense})
    if item.bonus:
        parts.append(_("armor +%(number)s") % {"number": item.bonus})
    if item.max_quality:
        parts.append(
            _("quality %(left)s of %(most)s")
            % {"left": item.quality or 0, "most": item.max_quality}
        )
    if item.turns_left is not None:
        parts.append(span_of(item.turns_left))
    if item.spell:
        parts.append(_("spell book"))
    if item.holds:
        parts.append(
            ngettext("holds %(count)s slot", "holds %(count)s slots", item.holds)
            % {"count": item.holds}
        )
    # A line ends between two of them, and within none.
    return " · ".join(unbroken(part) for part in parts)


def _is_spent(item: Item, day: int) -> bool:
    return item.kind == Kind.SPELL_BOOK and not days.may_cast(item.cast_on, day)


def _use_word(item: Item) -> str:
    return {
        Kind.RATION: _("Eat one"),
        Kind.AMMUNITION: _("Shoot one"),
        Kind.FUEL: _("Burn one"),
    }.get(Kind(item.kind), _("Use up one") if item.count > 1 else _("Use it up"))


def _deeds(item: Item, day: int, room: Room) -> set[str]:
    if item.is_home:
        return {"fetch"}
    may = {"drop", "give", "home"}
    kind = Kind(item.kind)
    if kind == Kind.SPELL_BOOK and item.spell_id and not _is_spent(item, day):
        may.add("cast")
    if kind in USED_UP:
        may.add("use")
    if kind in EQUIPPED and (item.is_equipped or room.has_for(item)):
        may.add("unequip" if item.is_equipped else "equip")
    if kind == Kind.LIGHT and item.burns_turns and (item.is_lit or room.may_light(item)):
        may.add("douse" if item.is_lit else "light")
    if item.quality:
        may.add("break")
    if item.max_quality and (item.quality or 0) < item.max_quality and room.may_mend(item):
        may.add("repair")
    mine = alike_key(item)
    if slots.may_bundle(as_thing(item)) and any(
        o.pk != item.pk and alike_key(o) == mine for o in room.items
    ):
        may.add("merge")
    if item.inside_id:
        may.add("outside")
    return may


def spells_at_hand(items: Sequence[Item], day: int) -> tuple[Choice, ...]:
    """Return the spells that somebody can read aloud today, each with what it says (KN-25)."""
    held = {item.pk: item for item in items}
    return tuple(
        Choice(i.pk, i.said_name, hint=spell_words(i.spell))
        for i in items
        if i.spell and days.may_cast(i.cast_on, day) and not is_left(i, held)
    )
