"""Combatants for a fight: from sheets with their gear, from the book, from stat lines.

Words of things stand in the table's language, because a record has one name for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext as _
from msgspec.structs import replace

from characters.models import Article, Character, Item, Monster
from characters.services import kept_book
from characters.services.goods import numbers_of
from games.models import Table
from games.rules import knave_fight as kf
from games.rules.knave.abilities import Ability
from games.rules.knave.damage import MOST_SIDES, Damage, parse_damage
from games.rules.knave.stat_parts import Pasted
from games.rules.knave_fight.model import MOST_ATTACKS
from games.said import language

LONGEST_KEY = 40
# No database is asked for a number that its column could not hold.
MOST_DIGITS = 18
MOST_BLOWS = 10


class Blow(NamedTuple):
    """One of a foe's attacks: what with, what a hit rolls, how often a round, from afar or not."""

    name: str
    damage: Damage
    times: int
    is_ranged: bool = False


def fighter_id(character: Character) -> str:
    """Return a sheet's id in fights and their records."""
    return f"k{character.pk}"


def key_of(who: str) -> int:
    """Return the key of the sheet that has this id in fights, or 0: that of a foe, or none."""
    digits = who[1:]
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
    return int(digits) if who[:1] == "k" and is_number else 0


def kind_of(foe: str) -> str:
    """Return the kind of foe that an id is of: it is the kind and a number."""
    return foe.rpartition("-")[0]


def band_of(foe: str, *, is_led: bool) -> str:
    """Return the group a foe wavers with: all under a leader, else those of its kind (KN-20)."""
    return "" if is_led else kind_of(foe)


class Arms(NamedTuple):
    """What somebody fights in and with, and the armor defense that follows from it."""

    gear: dict[str, Item]
    defense: int


def arms_of(character: Character, items: Sequence[Item]) -> Arms:
    """Return armor, shield, helmet (KN-5) and weapon of somebody."""
    by_key = {item.pk: item for item in items}
    number = numbers_of(character, items)["armor_defense"]
    worn = [by_key[part.params["thing"]] for part in number.parts if "thing" in part.params]
    gear = {item.kind: item for item in worn}
    weapon = next((item for item in items if is_wielded(item)), None)
    return Arms({**gear, "weapon": weapon} if weapon else gear, number.value)


def is_wielded(item: Item) -> bool:
    """Tell whether an item is the weapon in somebody's hand."""
    is_at_hand = item.is_equipped and not item.is_home
    return item.kind == Article.Kind.WEAPON and is_at_hand and bool(item.die) and item.quality != 0


def combatant_of(
    character: Character, items: Sequence[Item], arms: Arms | None = None
) -> kf.Combatant:
    """Return a sheet as the fight's rules know it; nature stands in where there is no gear."""
    gear, defense = arms or arms_of(character, items)
    is_bare = (character.natural_defense or 0) > defense
    bonuses = character.bonuses
    return kf.Combatant(
        id=fighter_id(character),
        name=character.name,
        level=character.level,
        bonus=kf.Abilities(**{a.value: bonuses.of(a) for a in Ability}),
        hp=min(character.hp, character.max_hp),
        max_hp=character.max_hp,
        armor=_armor(character, None if is_bare else gear.get("armor"), is_bare=is_bare),
        shield=None if is_bare else _guard(gear.get("shield")),
        helmet=None if is_bare else _guard(gear.get("helmet")),
        weapon=_weapon(character, gear.get("weapon")),
        morale=character.morale,
        attack=character.natural_attack,
    )


def _armor(character: Character, item: Item | None, *, is_bare: bool) -> kf.Armor | None:
    if is_bare and character.natural_defense:
        return kf.Armor(character.natural_defense)
    return kf.Armor(item.defense, item.quality) if item and item.defense else None


def _guard(item: Item | None) -> kf.Guard | None:
    return kf.Guard(item.quality) if item else None


def _weapon(character: Character, item: Item | None) -> kf.Weapon | None:
    if item and item.die:
        with translation.override(character.table.language):
            name = item.said_name
        return kf.Weapon(item.die, item.quality, ranged=item.is_ranged, name=name)
    if not character.natural_die:
        return None
    return kf.Weapon(character.natural_die, ranged=character.natural_is_ranged)


def of_monster(table: Table, monster: Monster, count: int, taken: set[str]) -> list[kf.Combatant]:
    """Return so many of a monster from the book, numbered on from the ids that are `taken`."""
    with translation.override(table.language):
        name = monster.said("name")
        blows = _blows_of(monster.attacks)
    counts = [max(1, blow.times) for blow in blows[:MOST_BLOWS]] or [1]
    one = _foe(
        name=name,
        level=monster.level,
        hp=monster.hp,
        defense=monster.armor_defense,
        attack=monster.attack_bonus,
        morale=monster.morale,
        blows=blows,
        a_turn=sum(counts) if monster.attacks_all else max(counts),
    )
    return _numbered(one, monster.key, name, count, taken)


def of_stat_line(table: Table, pasted: Pasted, count: int, taken: set[str]) -> list[kf.Combatant]:
    """Return so many of what a stat line tells of; one without a name is a foe.

    One of the book's by name is numbered on from those, because both are called the same. Where
    the line gives hit points one by one, they go round.
    """
    read = pasted.read
    with translation.override(table.language):
        name = read.name[:80] or _("Foe")
    one = _foe(
        name=name,
        level=read.level,
        hp=read.hp,
        defense=read.armor_defense,
        attack=read.attack_bonus,
        morale=read.morale,
        blows=[Blow(a.name, a.rolled, a.count) for a in read.attacks if a.rolled],
        a_turn=read.attacks_a_turn,
    )
    known = kept_book.monsters_by_name().get(name)
    key = known.key if known else slugify(name, allow_unicode=True) or "foe"
    foes = _numbered(one, key, name, count, taken)
    each = pasted.each_hp or (read.hp,)
    return [replace(f, hp=hp, max_hp=hp) for f, hp in zip(foes, cycle(each), strict=False)]


def attack_rows(attacks: Any) -> list[dict[str, Any]]:
    """Return the rows of a monster's attacks, which the host's admin may have written anyhow."""
    return [row for row in attacks if isinstance(row, dict)] if isinstance(attacks, list) else []


def attack_name(row: dict[str, Any]) -> str:
    """Return what an attack is called in the active language; nothing where it has no name."""
    return str((language() == "es" and row.get("name_es")) or row.get("name") or "")


def attack_times(row: dict[str, Any]) -> int:
    """Return how often a round an attack is made; once where nothing, or no number, stands."""
    times = row.get("count", 1)
    return times if isinstance(times, int) else 1


def _blows_of(attacks: Any) -> list[Blow]:
    return [
        Blow(attack_name(row), damage, attack_times(row), row.get("is_ranged") is True)
        for row in attack_rows(attacks)
        if (damage := _rolled_of(row)) is not None
    ]


def _rolled_of(row: dict[str, Any]) -> Damage | None:
    """Return what a hit rolls (KN-15): the damage as written, or the row's die where none is."""
    try:
        return parse_damage(str(row["damage"])).rolled
    except (KeyError, ValueError):
        die = row.get("die")
        return Damage(1, die, 0) if isinstance(die, int) and 1 <= die <= MOST_SIDES else None


def _weapon_of(blow: Blow) -> kf.Weapon:
    dice, die, plus = blow.damage
    return kf.Weapon(die, ranged=blow.is_ranged, name=blow.name[:120], dice=dice, plus=plus)


def _foe(
    *,
    name: str,
    level: int,
    hp: int,
    defense: int,
    attack: int,
    morale: int,
    blows: Sequence[Blow],
    a_turn: int,
) -> kf.Combatant:
    """Return a foe: every ability bonus is its level, as the book converts monsters."""
    weapons = [_weapon_of(blow) for blow in blows[:MOST_BLOWS]]
    return kf.Combatant(
        id="foe",
        name=name,
        level=level,
        bonus=kf.Abilities(**{a.value: level for a in Ability}),
        hp=hp,
        max_hp=hp,
        armor=kf.Armor(defense),
        weapon=weapons[0] if weapons else None,
        weapons=tuple(weapons[1:]),
        attack=attack,
        attacks=max(1, min(MOST_ATTACKS, a_turn)),
        morale=morale,
    )


def _numbered(
    one: kf.Combatant, key: str, name: str, count: int, taken: Iterable[str]
) -> list[kf.Combatant]:
    """Number several of a kind; who is of one kind is a group, for its morale (KN-20)."""
    key = key[:LONGEST_KEY]
    numbers = [int(n) for who in taken if (n := who.removeprefix(f"{key}-")).isdecimal()]
    first = max(numbers, default=0) + 1
    return [
        replace(one, id=f"{key}-{n}", name=f"{name} {n}", group=key)
        for n in range(first, first + count)
    ]
