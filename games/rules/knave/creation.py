"""Creating a player character: one tap rolls it all, each part can be had anew (KN-1 to 7).

The tables come from the book's data as arguments. Every face that fell stays in
the draft until the character is confirmed; rerolling a part with typed dice is
how a table sets it to what lies on the table.

Rulings:

- What does not fit into the slots at the start is left at home: rations,
  weapon, ammunition and spell book are packed first, then the gear as it was
  rolled; a smaller thing may still fit after a bigger one did not (`pack`).
- Rations, weapon and ammunition come free where gear is bought for money too.
- Where a spell book stands in for armor, the armor table is not rolled.
- A shield is not on the arm at the start when the weapon needs both hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from games.rules.engine import Dice, IllegalAction
from games.rules.knave.abilities import FLOOR, Ability, Bonuses
from games.rules.knave.equipment import EQUIPPED, HANDS
from games.rules.knave.growth import HP_DIE, Veteran, ability_named, climb
from games.rules.knave.slots import Thing, capacity, coin_slots_for, slots_of
from games.rules.words import _

TABLE_DIE: Final = 20
SPELL_DIE: Final = 100
PURSE_TIMES: Final = 20
"""What 3d6 is multiplied by for the copper to begin with (KN-3)."""

ARMOR_TABLE: Final = "armor"
STARTING_ROLLS: Final = (
    ARMOR_TABLE,
    "helmets-and-shields",
    "dungeoneering-gear",
    "dungeoneering-gear",
    "general-gear-1",
    "general-gear-2",
)
"""The starting tables in the order they are rolled on (KN-3)."""

RATIONS: Final = ("travel-rations", 2)
SPELL_BOOK: Final = "spell-book"
STARTING_AMMUNITION: Final = 20
LARGEST_PARTY: Final = 30


class Row(Protocol):
    """A row of a starting table: the faces it covers and the articles it gives."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def items(self) -> Sequence[tuple[str, int]]: ...


class Article(Protocol):
    """What packing asks of an article; `ammunition` is the key of what a weapon shoots."""

    @property
    def kind(self) -> str: ...
    @property
    def slots(self) -> int: ...
    @property
    def bundle(self) -> int: ...
    @property
    def hands(self) -> int: ...
    @property
    def ammunition(self) -> str | None: ...


class Options(msgspec.Struct, frozen=True):
    """How a table creates characters (KN-3, KN-7).

    `gear` is rolled on the tables or bought for money; `spell` gives a random
    spell book instead of body armor or beside it. Without `may_reroll` what the
    dice gave stands; weapon and traits are the player's to choose either way.
    """

    gear: Literal["tables", "money"] = "tables"
    spell: Literal["none", "instead_of_armor", "extra"] = "none"
    may_reroll: bool = True


BY_THE_BOOK: Final = Options()


class AbilityRoll(msgspec.Struct, frozen=True):
    """3d6 for an ability; the lowest die is the bonus (KN-1).

    >>> AbilityRoll((2, 2, 6)).bonus, AbilityRoll((2, 2, 6)).defense
    (2, 12)
    """

    faces: tuple[int, int, int]

    @property
    def bonus(self) -> int:
        """The lowest of the three dice."""
        return min(self.faces)

    @property
    def defense(self) -> int:
        """The bonus and ten."""
        return self.bonus + FLOOR


class GearRoll(msgspec.Struct, frozen=True):
    """A roll on a starting table: the face, and the articles it gave with their numbers."""

    table: str
    face: int
    items: tuple[tuple[str, int], ...]


class TraitRoll(msgspec.Struct, frozen=True):
    """A roll on, or a choice from, a table of traits."""

    table: str
    face: int


class Purse(NamedTuple):
    """Money to begin with: the 3d6, and the copper that is left to spend."""

    faces: tuple[int, ...]
    copper: int


class Draft(msgspec.Struct, frozen=True):
    """A character that is not yet confirmed.

    `abilities` are in the book's order as they stand, after the swap of the two
    in `swapped`, if any. `spell_book` is the number of its spell. There is a
    purse where gear is bought, and `gear` where it is rolled.
    """

    abilities: tuple[AbilityRoll, ...]
    swapped: tuple[str, str] | None
    hp: int
    gear: tuple[GearRoll, ...]
    weapon: str
    purse: Purse | None
    spell_book: int | None
    traits: tuple[TraitRoll, ...]

    @property
    def bonuses(self) -> Bonuses:
        """The six bonuses as they stand."""
        return Bonuses(*(roll.bonus for roll in self.abilities))


class Packed(msgspec.Struct, frozen=True):
    """Something a new character owns; `spell` is the number of a spell book's spell."""

    article: str
    count: int
    is_home: bool
    is_equipped: bool
    spell: int | None = None


def create(
    dice: Dice,
    tables: Mapping[str, Sequence[Row]],
    trait_tables: Collection[str],
    weapons: Collection[str],
    options: Options = BY_THE_BOOK,
    *,
    weapon: str | None = None,
) -> Draft:
    """Roll a whole character at once (KN-7).

    `trait_tables` and `weapons` are keys; every weapon is as likely as another
    when none is chosen. Raises IllegalAction for a weapon that is not among them.
    """
    abilities = roll_abilities(dice)
    hp = dice.roll(HP_DIE)
    gear, purse = _roll_gear(dice, tables, options)
    return Draft(
        abilities=abilities,
        swapped=None,
        hp=hp,
        gear=gear,
        purse=purse,
        spell_book=None if options.spell == "none" else dice.roll(SPELL_DIE),
        weapon=_roll_weapon(dice, weapons) if weapon is None else _known(weapon, weapons),
        traits=tuple(TraitRoll(table, dice.roll(TABLE_DIE)) for table in trait_tables),
    )


def party(
    size: int,
    dice: Dice,
    tables: Mapping[str, Sequence[Row]],
    trait_tables: Collection[str],
    weapons: Collection[str],
    *,
    options: Options = BY_THE_BOOK,
) -> tuple[Draft, ...]:
    """Roll as many characters as asked (KN-7). Raises IllegalAction for none or a crowd."""
    if not 1 <= size <= LARGEST_PARTY:
        raise IllegalAction(_("a party has 1 to 30 characters"), "KN-7")
    return tuple(create(dice, tables, trait_tables, weapons, options) for each in range(size))


def roll_abilities(dice: Dice) -> tuple[AbilityRoll, ...]:
    """Roll 3d6 for each ability in the book's order (KN-1)."""
    return tuple(AbilityRoll((dice.roll(6), dice.roll(6), dice.roll(6))) for each in Ability)


def swap(
    rolls: Sequence[AbilityRoll], a: Ability | str, b: Ability | str
) -> tuple[AbilityRoll, ...]:
    """Exchange the scores of two abilities (KN-2). Raises IllegalAction unless they are two."""
    first, second = ability_named(a), ability_named(b)
    if first is second:
        raise IllegalAction(_("a swap takes two different abilities"), "KN-2")
    by_ability = dict(zip(Ability, rolls, strict=True))
    by_ability[first], by_ability[second] = by_ability[second], by_ability[first]
    return tuple(by_ability.values())


def with_swap(draft: Draft, pair: tuple[str, str] | None) -> Draft:
    """Choose which two abilities are swapped, or none (KN-2).

    Another choice takes the place of the one before, so that a confirmed
    character has had one swap at most, whatever was tried.
    """
    rolled = swap(draft.abilities, *draft.swapped) if draft.swapped else draft.abilities
    if pair is None:
        return replace(draft, abilities=rolled, swapped=None)
    return replace(draft, abilities=swap(rolled, *pair), swapped=pair)


def with_weapon(draft: Draft, weapon: str, weapons: Collection[str]) -> Draft:
    """Choose the weapon (KN-3). Raises IllegalAction when it is not one of them."""
    return replace(draft, weapon=_known(weapon, weapons))


def with_trait(draft: Draft, table: str, face: int) -> Draft:
    """Choose a trait by its face on its table (KN-7). Raises IllegalAction when there is none."""
    if not 1 <= face <= TABLE_DIE or table not in {trait.table for trait in draft.traits}:
        raise IllegalAction(_("there is no such trait"), "KN-7")
    return replace(
        draft,
        traits=tuple(TraitRoll(table, face) if t.table == table else t for t in draft.traits),
    )


def reroll(
    draft: Draft,
    part: str,
    dice: Dice,
    *,
    tables: Mapping[str, Sequence[Row]],
    trait_tables: Collection[str],
    weapons: Collection[str],
    options: Options = BY_THE_BOOK,
) -> Draft:
    """Roll a part of a draft anew (KN-7).

    Parts are "abilities" (which undoes the swap), "hp", "gear" (the tables or
    the purse), "spell", "weapon", "traits", "trait:<table>" and "all". Raises
    IllegalAction for another part, or when the table lets the dice stand.
    """
    kind, _colon, table = part.partition(":")
    if not options.may_reroll and kind not in ("weapon", "trait", "traits"):
        raise IllegalAction(_("at this table the dice stand as they fell"), "KN-7")
    match kind, table:
        case "all", "":
            return create(dice, tables, trait_tables, weapons, options)
        case "abilities", "":
            return replace(draft, abilities=roll_abilities(dice), swapped=None)
        case "hp", "":
            return replace(draft, hp=dice.roll(HP_DIE))
        case "gear", "":
            gear, purse = _roll_gear(dice, tables, options)
            return replace(draft, gear=gear, purse=purse)
        case "spell", "" if options.spell != "none":
            return replace(draft, spell_book=dice.roll(SPELL_DIE))
        case "weapon", "":
            return replace(draft, weapon=_roll_weapon(dice, weapons))
        case "traits", "":
            traits = tuple(TraitRoll(key, dice.roll(TABLE_DIE)) for key in trait_tables)
            return replace(draft, traits=traits)
        case "trait", _any if table in trait_tables:
            return with_trait(draft, table, dice.roll(TABLE_DIE))
    raise IllegalAction(_("there is no such part to roll"), "KN-7")


def dice_of(part: str, options: Options) -> tuple[int, ...]:
    """Return the sides of a part's dice, for who has real ones; none for what is chosen (KN-7)."""
    sides: dict[str, tuple[int, ...]] = {
        "abilities": (6,) * 3 * len(Ability),
        "hp": (HP_DIE,),
        "gear": (TABLE_DIE,) * len(tables_rolled(options)) or (6, 6, 6),
        "spell": () if options.spell == "none" else (SPELL_DIE,),
        "trait": (TABLE_DIE,),
    }
    return sides.get(part, ())


def tables_rolled(options: Options) -> tuple[str, ...]:
    """Return the starting tables that a table's knaves roll on, in order (KN-3)."""
    if options.gear == "money":
        return ()
    has_armor = options.spell != "instead_of_armor"
    return tuple(key for key in STARTING_ROLLS if has_armor or key != ARMOR_TABLE)


def pack(draft: Draft, articles: Mapping[str, Article]) -> tuple[Packed, ...]:
    """Return what a new character owns, and where: worn, carried or left at home (KN-3, KN-4)."""
    free = capacity(draft.bonuses) - coin_slots_for(draft.purse.copper if draft.purse else 0)
    in_both_hands = articles[draft.weapon].hands >= HANDS
    packed = []
    for key, count, spell in _belongings(draft, articles):
        article = articles[key]
        kind = article.kind
        slots = slots_of(Thing(0, kind, count, slots=article.slots, bundle=article.bundle))
        fits = slots <= free
        free -= slots if fits else 0
        is_worn = kind in EQUIPPED and not (kind == "shield" and in_both_hands)
        packed.append(Packed(key, count, not fits, is_equipped=fits and is_worn, spell=spell))
    return tuple(packed)


def of_level(
    draft: Draft, level: int, dice: Dice, *, raises: Literal["dice", "chosen"] = "dice"
) -> Veteran:
    """Take a new character up to a level, one level after the other (KN-23); see `growth.climb`."""
    return climb(dice, draft.bonuses, draft.hp, level, raises=raises)


def _roll_gear(
    dice: Dice, tables: Mapping[str, Sequence[Row]], options: Options
) -> tuple[tuple[GearRoll, ...], Purse | None]:
    if options.gear == "money":
        faces = (dice.roll(6), dice.roll(6), dice.roll(6))
        return (), Purse(faces, sum(faces) * PURSE_TIMES)
    return tuple(_roll_on(dice, key, tables[key]) for key in tables_rolled(options)), None


def _roll_on(dice: Dice, key: str, rows: Sequence[Row]) -> GearRoll:
    face = dice.roll(TABLE_DIE)
    row = next(row for row in rows if row.first <= face <= row.last)
    return GearRoll(key, face, tuple(row.items))


def _roll_weapon(dice: Dice, weapons: Collection[str]) -> str:
    return tuple(weapons)[dice.roll(len(weapons)) - 1]


def _known(weapon: str, weapons: Collection[str]) -> str:
    if weapon not in weapons:
        raise IllegalAction(_("there is no such weapon"), "KN-3")
    return weapon


def _belongings(
    draft: Draft, articles: Mapping[str, Article]
) -> Iterable[tuple[str, int, int | None]]:
    """Yield article, number and spell of everything, in the order of packing."""
    yield (*RATIONS, None)
    yield draft.weapon, 1, None
    ammunition = articles[draft.weapon].ammunition
    if ammunition is not None:
        yield ammunition, STARTING_AMMUNITION, None
    if draft.spell_book is not None:
        yield SPELL_BOOK, 1, draft.spell_book
    for roll in draft.gear:
        for key, count in roll.items:
            yield key, count, None
