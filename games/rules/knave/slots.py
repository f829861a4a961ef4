"""Item slots: what a character carries, and what still fits (KN-4).

Rulings, where the book leaves it to the referee:

- Tiny things (no slots) take none until there are a hundred of them, like
  coins; from then on every full hundred takes one.
- What is at home, or inside something at home, is not carried. What is inside
  a sack that is carried still takes its own slots.
- Ammunition in a quiver, a carried container that `holds_only` ammunition,
  takes none of its owner's slots as far as the quiver `holds` them.
- Animals, carts and what is on them are not carried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from games.rules.engine import IllegalAction
from games.rules.knave.abilities import Ability, Bonuses
from games.rules.knave.entries import UNCARRIED
from games.rules.words import _

COINS_A_SLOT: Final = 100
MANY: Final = 100
"""How many tiny things are enough to fill a slot: as many as coins."""

SHOWN_RUNGS: Final = 60
"""No ladder is drawn longer than this; its last rung says how many more there are."""

_ALWAYS_SINGLE: Final = frozenset(
    {"weapon", "armor", "shield", "helmet", "container", "spell_book"}
)
"""Kinds of which each piece has a state of its own: quality, content, the day it was read."""


class Thing(msgspec.Struct, frozen=True):
    """Something that a character owns: one or several identical pieces.

    `slots` is what a full bundle takes (0: tiny), `bundle` how many pieces
    share those slots, `cost` the copper for one unit as priced. `inside` is the
    key of the container it is in. `holds` is a container's room in slots, for
    the one kind in `holds_only` or for anything. `article` says what it is, so
    that two ropes are alike and a rope and a crowbar are not.
    """

    key: int
    kind: str
    count: int = 1
    slots: int = 1
    bundle: int = 1
    cost: int = 0
    is_home: bool = False
    inside: int | None = None
    is_equipped: bool = False
    die: int | None = None
    hands: int = 0
    is_ranged: bool = False
    defense: int | None = None
    bonus: int = 0
    quality: int | None = None
    max_quality: int | None = None
    holds: int = 0
    holds_only: str | None = None
    article: str = ""


class Load(msgspec.Struct, frozen=True):
    """Everything a character owns, and the coins in the purse."""

    things: tuple[Thing, ...] = ()
    gold: int = 0
    silver: int = 0
    copper: int = 0

    @property
    def coins(self) -> int:
        """How many coins there are, whatever their metal."""
        return max(0, self.gold) + max(0, self.silver) + max(0, self.copper)


class Rung(msgspec.Struct, frozen=True):
    """One slot on the sheet, from the first at 1, and what is in it.

    `thing` is the key of the thing there, or None; `coins` tells a slot of
    coins. It is the `part`th of the `of` slots that the thing takes (0 of 0
    when empty). `is_over` marks a slot beyond what the character has. `more`,
    on the last rung of a ladder that was cut, counts the slots left out.
    """

    number: int
    thing: int | None
    coins: bool
    part: int
    of: int
    is_over: bool
    more: int = 0


def slots_of(thing: Thing) -> int:
    """Return how many slots a thing takes by itself, wherever it is (KN-4)."""
    count = max(0, thing.count)
    if thing.slots <= 0:
        return count // MANY
    return _ceil(count, max(1, thing.bundle)) * thing.slots


def coin_slots(load: Load) -> int:
    """Return how many slots the coins take: 100 fill one, and a begun one counts (KN-4)."""
    return coin_slots_for(load.coins)


def coin_slots_for(coins: int) -> int:
    """Return how many slots a number of coins takes (KN-4).

    >>> coin_slots_for(0), coin_slots_for(1), coin_slots_for(100), coin_slots_for(101)
    (0, 1, 1, 2)
    """
    return _ceil(coins, COINS_A_SLOT)


def slots_taken(load: Load) -> tuple[int, ...]:
    """Return what each thing of a load takes of its owner's slots, in the load's order (KN-4).

    Nothing for what is not carried, nor for arrows as far as their quiver holds them.
    """
    carried = are_carried(load)
    room = {
        thing.key: max(0, thing.holds * thing.count)
        for thing in load.things
        if thing.holds_only == "ammunition"
    }
    taken = []
    for thing, is_carried in zip(load.things, carried, strict=True):
        slots = slots_of(thing) if is_carried else 0
        if thing.kind == "ammunition" and thing.inside in room:
            in_quiver = min(slots, room[thing.inside])
            room[thing.inside] -= in_quiver
            slots -= in_quiver
        taken.append(slots)
    return tuple(taken)


def are_carried(load: Load) -> tuple[bool, ...]:
    """Tell for each thing of a load whether it is on its owner, in the load's order (KN-4)."""
    by_key = {thing.key: thing for thing in load.things}
    known: dict[int, bool] = {}
    return tuple(_is_carried(thing, by_key, known) for thing in load.things)


def used(load: Load) -> int:
    """Return how many slots everything carried takes, coins included (KN-4)."""
    return sum(slots_taken(load)) + coin_slots(load)


def capacity(bonuses: Bonuses) -> int:
    """Return how many slots a character has: the Constitution defense (KN-4)."""
    defense: int = bonuses.defense(Ability.CONSTITUTION)
    return max(0, defense)


def fits(before: Load, after: Load, bonuses: Bonuses) -> bool:
    """Tell whether somebody may come to carry another load than before (KN-4).

    Somebody over the limit by the referee's leave may still take what needs no
    further slot, such as a coin into a begun hundred.
    """
    return used(after) <= max(capacity(bonuses), used(before))


def check_fits(before: Load, after: Load, bonuses: Bonuses) -> None:
    """Refuse a load for which there are no slots: IllegalAction, KN-4."""
    if not fits(before, after, bonuses):
        raise IllegalAction(_refusal(before, after, bonuses), "KN-4")


def room_for_coins(load: Load, bonuses: Bonuses) -> int:
    """Return how many more coins fit: into a begun hundred, and into the free slots (KN-4)."""
    free = max(0, capacity(bonuses) - used(load))
    return free * COINS_A_SLOT + -load.coins % COINS_A_SLOT


def ladder(load: Load, bonuses: Bonuses) -> tuple[Rung, ...]:
    """Return the sheet's slots from the first: things in order, coins, then empty ones (KN-4).

    At least as many as the character has, and those beyond when over the limit;
    no more than SHOWN_RUNGS, of which the last then stands for the rest.
    """
    limit = capacity(bonuses)
    length = max(limit, used(load))
    rungs: list[Rung] = []
    for thing, coins, part, of in _filled(load):
        if len(rungs) == SHOWN_RUNGS:
            break
        number = len(rungs) + 1
        rungs.append(Rung(number, thing, coins, part, of, is_over=number > limit))
    for number in range(len(rungs) + 1, min(length, SHOWN_RUNGS) + 1):
        rungs.append(Rung(number, None, coins=False, part=0, of=0, is_over=False))
    if length > SHOWN_RUNGS:
        rungs[-1] = replace(rungs[-1], more=length - SHOWN_RUNGS)
    return tuple(rungs)


def may_bundle(thing: Thing) -> bool:
    """Tell whether identical pieces of this may be counted together (KN-4).

    Not what has a quality, a content or a day of its own: a mule has its load as a chest has its.
    """
    return thing.kind not in _ALWAYS_SINGLE and thing.quality is None and not thing.holds


def merge(a: Thing, b: Thing) -> Thing:
    """Put two lots of the same thing together, under the first one's key.

    Raises IllegalAction (KN-4) when they may not be bundled, are not alike or
    not in one place, or when the second is in use, as a lit torch is.
    """
    if not (may_bundle(a) and may_bundle(b)):
        raise IllegalAction(_("each of these is counted by itself"), "KN-4")
    if b.is_equipped:
        raise IllegalAction(_("what is in use cannot be bundled"), "KN-4")
    if replace(b, key=a.key, count=a.count, is_equipped=a.is_equipped) != a:
        raise IllegalAction(_("only identical things in one place can be bundled"), "KN-4")
    return replace(a, count=a.count + b.count)


def split(thing: Thing, count: int) -> tuple[Thing, Thing]:
    """Take some pieces off; return what stays and what was taken, which is not in use.

    Both carry the thing's key: whoever keeps them gives the second a new one.
    Raises IllegalAction (KN-4) unless at least one piece moves and one stays.
    """
    if not 1 <= count < thing.count:
        raise IllegalAction(_("take at least one and leave at least one"), "KN-4")
    stays = replace(thing, count=thing.count - count)
    return stays, replace(thing, count=count, is_equipped=False)


def _ceil(number: int, by: int) -> int:
    return -(-number // by)


def _is_carried(thing: Thing, by_key: dict[int, Thing], known: dict[int, bool]) -> bool:
    """Follow the containers outwards; `known` keeps the answer for each one on the way.

    Things that are inside one another in a circle are carried: somebody has the lot.
    """
    if _is_away(thing):
        return False
    passed: set[int] = set()
    answer = True
    outer = _container(thing, by_key)
    while answer and outer is not None and outer.key not in passed:
        passed.add(outer.key)
        answer = known.get(outer.key, not _is_away(outer))
        outer = None if outer.key in known else _container(outer, by_key)
    known |= dict.fromkeys(passed, answer)
    return answer


def _is_away(thing: Thing) -> bool:
    return thing.is_home or thing.kind in UNCARRIED


def _container(thing: Thing, by_key: dict[int, Thing]) -> Thing | None:
    return None if thing.inside is None else by_key.get(thing.inside)


def _refusal(before: Load, after: Load, bonuses: Bonuses) -> str:
    if used(before) >= capacity(bonuses):
        return _("every slot is full: drop something or leave it at home first")
    if sum(slots_taken(after)) <= sum(slots_taken(before)):
        return _("there are not enough free slots for so many coins: 100 fill one")
    return _("there are not enough free slots for this: drop something or leave it at home first")


def _filled(load: Load) -> Iterator[tuple[int | None, bool, int, int]]:
    """Yield thing, coins, part and of for every slot that is in use."""
    for thing, of in zip(load.things, slots_taken(load), strict=True):
        for part in range(1, of + 1):
            yield thing.key, False, part, of
    of = coin_slots(load)
    for part in range(1, of + 1):
        yield None, True, part, of
