"""What stands in Knave's book: articles, spells, traits, hirelings, monsters, in two languages."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import field

from games.rules.knave.damage import parse_damage

ArticleKind = Literal[
    "weapon",
    "armor",
    "shield",
    "helmet",
    "ammunition",
    "light",
    "fuel",
    "ration",
    "container",
    "tool",
    "gear",
    "spell_book",
    "coins",
    "animal",
    "transport",
    "service",
    "building",
]
UNCARRIED: Final = frozenset({"animal", "transport", "service", "building"})
"""Kinds of article that nobody puts in a slot."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every entry is: frozen, and without fields nobody knows."""


class Text(Entry, frozen=True):
    """A text in both languages."""

    en: str
    es: str

    def of(self, language: str) -> str:
        """Return the text in a language: Spanish for "es" and its kin, else English."""
        return self.es if language.startswith("es") else self.en


class Term(Entry, frozen=True):
    """A word of the book with a key: a heading of the price list, a kind of damage, a range."""

    key: str
    name: Text


class Article(Entry, frozen=True, kw_only=True):
    """Something that can be had.

    `cost` is copper for `lot` of it; `slots` is what one full `bundle` of it fills (KN-4), 0 for
    what nobody carries. `burns_turns` counts turns of ten minutes that one of it burns (for a
    lantern: with one flask in it), `light_feet` how far the light reaches, `feeds` the lamp that
    a fuel is for. `holds` counts slots, of anything or of `holds_only` that kind. `defense` is
    what body armor sets, `bonus` what shield and helmet add (KN-5). `is_ours`: not in the book.
    """

    key: str
    name: Text
    category: str
    kind: ArticleKind
    cost: int = 0
    lot: int = 1
    is_sold: bool = True
    slots: int = 1
    bundle: int = 1
    die: int | None = None
    hands: int = 0
    is_ranged: bool = False
    quality: int | None = None
    defense: int | None = None
    bonus: int = 0
    damage_kinds: tuple[str, ...] = ()
    ammunition: str | None = None
    burns_turns: int | None = None
    light_feet: int | None = None
    feeds: str | None = None
    holds: int = 0
    holds_only: ArticleKind | None = None
    is_ours: bool = False


class Spell(Entry, frozen=True):
    """A spell without a level; `save` names what its target defends with (KN-25)."""

    number: int
    name: Text
    effect: Text
    range: Term
    duration: Term
    save: Term


class HirelingKind(Entry, frozen=True):
    """People for hire (KN-24): `wage` in copper a day; every other figure is a suggestion.

    What one that `is_ranged` strikes with can't be used in melee (KN-14).
    """

    key: str
    name: Text
    wage: int
    level: int
    hp: int
    armor_defense: int
    attack_bonus: int
    damage: str
    morale: int
    is_ranged: bool = False

    @property
    def die(self) -> int | None:
        """Return the one die that a hit rolls, for a sheet has room for no more."""
        return parse_damage(self.damage).die


class Attack(Entry, frozen=True):
    """One of a monster's attacks: `count` times a turn, with damage as it is written.

    One that `is_ranged` can't be made in melee (KN-14).
    """

    name: Text
    count: int
    damage: str
    is_ranged: bool = False

    @property
    def die(self) -> int | None:
        """Return the one die that comes nearest; a hit rolls the `damage` itself."""
        return parse_damage(self.damage).die


class Speed(Entry, frozen=True):
    """How far it gets in a combat round, in feet; 0 where it cannot."""

    walk: int = 0
    fly: int = 0
    swim: int = 0


class Monster(Entry, frozen=True, kw_only=True):
    """A monster: every ability bonus equals its `level`; it breaks when 2d6 exceed `morale`.

    `hd` is the hit dice as written, `appearing` the dice for one meeting in a dungeon.
    """

    key: str
    name: Text
    kind: str
    hd: str
    level: int
    hp: int
    armor_defense: int
    attack_bonus: int
    attack_mode: Literal["all", "choose_one"]
    attacks: tuple[Attack, ...]
    speed: Speed
    morale: int
    appearing: str
    note: Text


class TraitRow(Entry, frozen=True):
    """What a trait table says from one face of the d20 to another."""

    first: int = field(name="from")
    last: int = field(name="to")
    name: Text


class TraitTable(Entry, frozen=True):
    """A table of traits, for a d20 (KN-7)."""

    key: str
    name: Text
    rows: tuple[TraitRow, ...]


class StartingRow(Entry, frozen=True):
    """What a starting table gives: `items` pairs an article's key with how many."""

    first: int = field(name="from")
    last: int = field(name="to")
    label: Text
    items: tuple[tuple[str, int], ...]


class StartingTable(Entry, frozen=True):
    """A table of starting gear, for a d20, rolled on so many `times` (KN-3)."""

    key: str
    name: Text
    times: int
    rows: tuple[StartingRow, ...]


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the book. `always` is what each new character has besides its rolls."""

    articles: tuple[Article, ...]
    categories: tuple[Term, ...]
    damage_kinds: tuple[Term, ...]
    spells: tuple[Spell, ...]
    hirelings: tuple[HirelingKind, ...]
    monsters: tuple[Monster, ...]
    monster_kinds: tuple[Term, ...]
    traits: tuple[TraitTable, ...]
    starting: tuple[StartingTable, ...]
    always: tuple[tuple[str, int], ...]

    def weapons(self) -> tuple[Article, ...]:
        """Return the weapons a new character may choose from."""
        return tuple(article for article in self.articles if article.kind == "weapon")
