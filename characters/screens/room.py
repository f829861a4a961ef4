"""What somebody's things can still be moved to, lit and mended: as their deeds ask (KN-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from characters.models import Article, Character, Item
from characters.services import kept_book
from characters.services.goods import as_thing, brought, is_left, load_of, may_carry
from characters.services.kit import holding_fault
from characters.services.purse import worth_of
from games.rules.knave import slots
from games.rules.knave.prices import repair_price
from games.said import gettext as _
from games.screens.cards import Choice

# One, a handful, and half of a bundle.
HANDFUL = 5


@dataclass(frozen=True)
class Room:
    """The things of one sheet, and whether one of them may go where it is wished."""

    one: Character
    items: Sequence[Item]

    @cached_property
    def _load(self) -> slots.Load:
        return load_of(self.one, self.items)

    @cached_property
    def _free(self) -> int:
        return slots.capacity(self.one.bonuses) - slots.used(self._load)

    @cached_property
    def _carried(self) -> frozenset[int]:
        told = zip(self._load.things, slots.are_carried(self._load), strict=True)
        return frozenset(thing.key for thing, is_carried in told if is_carried)

    @cached_property
    def _feeds(self) -> frozenset[str]:
        """Return what is fed by something that is at hand, such as oil (KN-4)."""
        return frozenset(i.article.feeds for i in brought(self.items) if i.article)

    @cached_property
    def _by_key(self) -> dict[int, Item]:
        return {item.pk: item for item in self.items}

    def is_left(self, item: Item) -> bool:
        """Tell whether a thing is at home, by itself or in something that is (KN-4)."""
        return is_left(item, self._by_key)

    def has_for(self, item: Item, *, inside: int | None = None) -> bool:
        """Tell whether there are slots for a thing in another place: taken out, fetched, put in."""
        # What is carried takes as many wherever on somebody it is, but for arrows in a quiver. To
        # count all slots anew for each thing and place would take longer than the rest of a sheet.
        if item.pk in self._carried and item.kind != Article.Kind.AMMUNITION:
            return True
        moved = replace(as_thing(item), is_home=False, inside=inside)
        things = tuple(moved if t.key == item.pk else t for t in self._load.things)
        return may_carry(self.one, self._load, replace(self._load, things=things))

    def parts_of(self, item: Item) -> tuple[int, ...]:
        """Return how many may be taken off a bundle: one, a handful, half; as far as they fit."""
        if item.count < 2:
            return ()
        wished = {1, *(n for n in (HANDFUL, item.count // 2) if 1 <= n < item.count)}
        return tuple(n for n in sorted(wished) if self._part_fits(item, n))

    def _part_fits(self, item: Item, count: int) -> bool:
        """Tell whether there is a slot for what is taken off, where it needs one of its own."""
        stays, taken = slots.split(as_thing(item), count)
        if slots.slots_of(taken) <= self._free:
            return True
        things = tuple(stays if t.key == item.pk else t for t in self._load.things)
        before = replace(self._load, things=things)
        after = replace(before, things=(*things, replace(taken, key=0)))
        return may_carry(self.one, before, after)

    def boxes_for(self, item: Item) -> tuple[Choice, ...]:
        """Return what a thing can be put into; what is full is named, and off."""
        boxes = (box for box in self.items if box.holds)
        stays = self.is_left(item)
        others = (b for b in boxes if self.is_left(b) == stays and b.pk != item.inside_id)
        found = []
        for box in others:
            fault = holding_fault(box, item, self.items)
            if fault is None or fault.is_full:
                is_full = fault is not None or not self.has_for(item, inside=box.pk)
                hint = _("full") if is_full else ""
                found.append(Choice(box.pk, box.said_name, hint=hint, is_off=is_full))
        return tuple(found)

    def may_light(self, item: Item) -> bool:
        """Tell whether a light has something left to burn: of its own, or oil at hand.

        Off a mule it also needs room of its own; one out of a bundle shares that one's (KN-4).
        """
        if not (item.count > 1 and item.bundle > 1) and not self.has_for(item):
            return False
        if item.turns_left:
            return True
        key = item.article.key if item.article else ""
        if any(a.feeds == key for a in kept_book.articles() if key):
            return key in self._feeds
        return item.turns_left is None

    def may_mend(self, item: Item) -> bool:
        """Tell whether the purse holds the price of a point of quality (KN-19)."""
        return worth_of(self.one) >= repair_price(item.cost) * item.count
