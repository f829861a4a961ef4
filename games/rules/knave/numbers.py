"""The numbers on a sheet, each with the parts it is made of (KN-1, 4, 5, 6, 22, 24)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import msgspec

from games.rules.knave.abilities import FLOOR, Ability, Bonuses
from games.rules.knave.growth import next_level_xp
from games.rules.knave.slots import Load, are_carried, coin_slots, slots_taken
from games.rules.words import _

UNARMORED: Final = 11
"""The armor defense of somebody without body armor (KN-5)."""

SPEED_EXPLORATION: Final = 120
"""Feet a turn of ten minutes (KN-6)."""

SPEED_COMBAT: Final = 40
"""Feet a round (KN-6)."""


class Part(msgspec.Struct, frozen=True):
    """One summand of a number: what it is, how much, and the rule that gives it.

    `label` is a text to translate. `params` may name the `thing` by its key and
    `count` its pieces or the coins, or the `level` that counts.
    """

    label: str
    amount: int
    rule: str
    params: dict[str, int] = {}


class Number(msgspec.Struct, frozen=True):
    """A number of the sheet; its value is the sum of its parts."""

    key: str
    value: int
    parts: tuple[Part, ...]


@lru_cache(maxsize=1024)  # a table's taps change one sheet, and every one is asked for again
def derive(  # noqa: PLR0917 - what a sheet has written on it, in its order
    bonuses: Bonuses, load: Load, level: int, xp: int, hp: int, max_hp: int
) -> Mapping[str, Number]:
    """Return every number that follows from what is written on a sheet, by its key.

    An ability's letters have its bonus, with `_defense` behind them its
    defense. `healing` is what a night adds to the d8, `next_level_xp` the total
    at which the next level is due, `missing_xp` how far it is to there,
    `missing_hp` how many hit points are lost.
    """
    armor = _armor(load)
    constitution = bonuses.of(Ability.CONSTITUTION)
    next_level = Part(
        _("1000 for each level"), next_level_xp(level), "KN-22", {"level": max(1, level)}
    )
    numbers = [
        *_abilities(bonuses),
        _sum("armor_defense", armor),
        _sum("armor_bonus", (*armor, Part(_("the bonus is ten less"), -FLOOR, "KN-5"))),
        _at_least_none("slots", _slots(constitution), "KN-4"),
        _sum("slots_used", _carried(load)),
        _at_least_none(
            "hirelings",
            (Part(_("Charisma bonus"), bonuses.of(Ability.CHARISMA), "KN-24"),),
            "KN-24",
        ),
        _sum("healing", (Part(_("Constitution bonus"), constitution, "KN-6"),)),
        _sum("speed_exploration", (Part(_("feet for everybody"), SPEED_EXPLORATION, "KN-6"),)),
        _sum("speed_combat", (Part(_("feet for everybody"), SPEED_COMBAT, "KN-6"),)),
        _sum("next_level_xp", (next_level,)),
        _at_least_none(
            "missing_xp", (next_level, Part(_("experience so far"), -xp, "KN-22")), "KN-22"
        ),
        _at_least_none(
            "missing_hp",
            (Part(_("maximum"), max_hp, "KN-6"), Part(_("hit points now"), -hp, "KN-6")),
            "KN-6",
        ),
    ]
    return MappingProxyType({number.key: number for number in numbers})


def _abilities(bonuses: Bonuses) -> Iterable[Number]:
    for ability in Ability:
        bonus = bonuses.of(ability)
        yield _sum(ability.value, (Part(_("lowest die and later levels"), bonus, "KN-1"),))
        parts = Part(_("bonus"), bonus, "KN-1"), Part(_("plus ten"), FLOOR, "KN-1")
        yield _sum(f"{ability.value}_defense", parts)


def _slots(constitution: int) -> tuple[Part, ...]:
    """Return what the slots are made of: as many as the Constitution defense (KN-4)."""
    return (
        Part(_("to begin with"), FLOOR, "KN-4"),
        Part(_("Constitution bonus"), constitution, "KN-4"),
    )


def _armor(load: Load) -> tuple[Part, ...]:
    """Return what protects: the best body armor that is worn, one shield, one helmet (KN-5).

    A piece that is at home or broken is not worn. One without a quality never
    breaks.
    """
    worn = [
        thing
        for thing, is_carried in zip(load.things, are_carried(load), strict=True)
        if is_carried and thing.is_equipped and (thing.quality is None or thing.quality > 0)
    ]
    suits = [thing for thing in worn if thing.kind == "armor" and thing.defense]
    best = max(suits, key=lambda thing: thing.defense or 0, default=None)
    parts = [Part(_("without body armor"), UNARMORED, "KN-5")]
    if best is not None:
        parts = [Part(_("body armor"), best.defense or 0, "KN-5", {"thing": best.key})]
    for kind, label in (("shield", _("shield")), ("helmet", _("helmet"))):
        piece = next((thing for thing in worn if thing.kind == kind), None)
        if piece is not None:
            parts.append(Part(label, 1, "KN-5", {"thing": piece.key}))
    return tuple(parts)


def _carried(load: Load) -> tuple[Part, ...]:
    parts = [
        Part(_("thing"), slots, "KN-4", {"thing": thing.key, "count": thing.count})
        for thing, slots in zip(load.things, slots_taken(load), strict=True)
        if slots
    ]
    coins = coin_slots(load)
    if coins:
        parts.append(Part(_("coins"), coins, "KN-4", {"count": load.coins}))
    return tuple(parts)


def _sum(key: str, parts: Iterable[Part]) -> Number:
    parts = tuple(parts)
    return Number(key, sum(part.amount for part in parts), parts)


def _at_least_none(key: str, parts: tuple[Part, ...], rule: str) -> Number:
    """Return a number that is never negative; a part says so where the others would make it."""
    below = sum(part.amount for part in parts)
    if below < 0:
        parts = (*parts, Part(_("never below none"), -below, rule))
    return _sum(key, parts)
