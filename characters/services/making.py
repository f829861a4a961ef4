"""What making a knave needs of the book's rows, and what becomes of a draft (KN-1 to KN-7).

A draft is the rules' own value, kept as JSON in `Character.draft`; beside its
fields stand in `typed` the parts whose real dice a player has entered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from characters.models import Article, Character, Item, Spell, TableRow
from characters.services import goods, traits
from characters.services.finding import party_of
from characters.services.names import random_name
from characters.settings import KnaveSettings
from games.errors import MovedOn
from games.models import Table
from games.rules.engine import learn
from games.rules.knave import creation
from games.services.change import Change
from games.services.ledger import keep
from games.text import folded

HIGHEST_FACE = creation.TABLE_DIE
learn(creation.Draft)


class Row(NamedTuple):
    """A row of a starting table as the rules roll on it."""

    first: int
    last: int
    items: tuple[tuple[str, int], ...]


class Ware(NamedTuple):
    """An article as the rules pack it."""

    kind: str
    slots: int
    bundle: int
    hands: int
    ammunition: str | None


@dataclass(frozen=True)
class Shelf:
    """The book as it stands in this house, with what the host has edited, added and hidden."""

    articles: Mapping[str, Article]
    tables: Mapping[str, Sequence[Row]]
    traits: Mapping[str, Sequence[TableRow]]

    @property
    def weapons(self) -> tuple[str, ...]:
        """Return what a new knave chooses its weapon from. Raises MovedOn when all are hidden."""
        found = tuple(
            a.key
            for a in self.articles.values()
            if a.kind == Article.Kind.WEAPON and not a.is_hidden
        )
        if not found:
            raise MovedOn(
                _("The price list has no weapons: whoever runs this Taproom can show some.")
            )
        return found

    @property
    def wares(self) -> dict[str, Ware]:
        """Return the articles as packing asks for them; a hidden one is given to nobody."""
        return {
            a.key: Ware(
                a.kind,
                a.slots,
                a.bundle,
                a.hands,
                a.ammunition if self.gives(a.ammunition) else None,
            )
            for a in self.articles.values()
        }

    def gives(self, key: str) -> bool:
        """Tell whether the book has an article by this key and the host has not hidden it."""
        return key in self.articles and not self.articles[key].is_hidden

    def text(self, table: str, face: int) -> dict[str, str] | None:
        """Return what a trait's table says for a face in every language, or None for nothing."""
        row = next((r for r in self.traits[table] if r.low <= face <= r.high), None)
        return _texts(row) if row else None

    def named(self, table: str, text: str) -> TableRow | None:
        """Return the row of a trait's table that a text is the name of, in either language."""
        wanted = folded(text)
        return next(
            (r for r in self.traits[table] if wanted in (folded(r.name), folded(r.name_es))), None
        )


def read_shelf() -> Shelf:
    """Read the book's rows that a new knave is made from. Raises MovedOn when there is no book."""
    articles = {a.key: a for a in Article.objects.all()}
    if creation.RATIONS[0] not in articles:
        raise MovedOn(_("The book is not loaded: whoever runs this Taproom runs load_book."))
    rows: dict[str, list[TableRow]] = defaultdict(list)
    for row in TableRow.ranked().filter(is_hidden=False):
        rows[row.table].append(row)
    shelf = Shelf(articles, {}, {key: rows[key] for key in traits.KEYS})
    tables = {key: _covered(rows[key], shelf) for key in set(creation.STARTING_ROLLS)}
    return Shelf(articles, tables, shelf.traits)


def _covered(rows: Iterable[TableRow], shelf: Shelf) -> tuple[Row, ...]:
    """Return a table's rows; a face whose row the host has hidden gives nothing."""
    found = [
        Row(r.low, r.high, tuple((key, n) for key, n in r.items if shelf.gives(key))) for r in rows
    ]
    return (*found, Row(1, HIGHEST_FACE, ()))


def _texts(row: TableRow) -> dict[str, str]:
    return row.names() if row.name_es else {"en": row.name}


def options_of(table: Table) -> creation.Options:
    """Return how a table makes knaves (KN-3, KN-7)."""
    return options_in(party_of(table).settings)


def options_in(how: KnaveSettings) -> creation.Options:
    """Return how knaves are made by a table's settings."""
    return creation.Options(gear=how.gear, spell=how.spell, may_reroll=how.may_reroll)


def draft_of(character: Character) -> creation.Draft:
    """Return a draft as the rules' own value."""
    return msgspec.convert(character.draft, creation.Draft)


def typed_parts(character: Character) -> frozenset[str]:
    """Return the parts of a draft whose real dice have been entered."""
    return frozenset(character.draft.get("typed", ()))


def may_type(character: Character, part: str, options: creation.Options, dice: str) -> bool:
    """Tell whether real dice are taken for a part of a draft (KN-1, KN-3, KN-6).

    Where the dice stand as they fell, a table of real dice still takes them, once.
    """
    if dice == "server" or not creation.dice_of(part, options):
        return False
    return options.may_reroll or (dice == "real" and part not in typed_parts(character))


def write_draft(
    character: Character, draft: creation.Draft, shelf: Shelf, typed: Iterable[str] = ()
) -> None:
    """Put a draft into the sheet: its dice, its figures, and in words the traits that are new.

    `typed` are the parts whose real dice it now has, beside those of before.
    """
    before = {t["table"]: t["face"] for t in character.draft.get("traits", ())}
    all_typed = sorted(typed_parts(character).union(typed))
    character.draft = {**msgspec.to_builtins(draft), "typed": all_typed}
    character.keep_bonuses(draft.bonuses)
    character.hp = character.max_hp = draft.hp
    texts = dict(character.traits)
    for trait in draft.traits:
        if before.get(trait.table) != trait.face:
            texts.pop(trait.table, None)
            text = shelf.text(trait.table, trait.face)
            if text:
                texts[trait.table] = text
    character.traits = texts


def outfit(change: Change, character: Character, draft: creation.Draft, shelf: Shelf) -> None:
    """Hand a new knave all that it owns: worn, carried, or left at home (KN-3, KN-4)."""
    if draft.purse:
        character.copper = draft.purse.copper
    position = 0
    for packed in creation.pack(draft, shelf.wares):
        for item in _items(change.table, packed, shelf):
            position += 1
            item.holder, item.position = character, position
            item.is_home, item.is_equipped = packed.is_home, packed.is_equipped
            keep(change, item)


def _items(table: Table, packed: creation.Packed, shelf: Shelf) -> list[Item]:
    if packed.spell is not None:
        spell = spell_given(packed.spell, Spell.objects.all())
        return [goods.spell_book(table, spell)] if spell else []
    if not shelf.gives(packed.article):
        return []
    return goods.pieces(table, shelf.articles[packed.article], packed.count)


def spell_given(number: int, spells: Iterable[Spell]) -> Spell | None:
    """Return the spell of a d100, or the next one where the host has hidden it (KN-3)."""
    shown = sorted((s for s in spells if not s.is_hidden), key=lambda s: s.number)
    return next((s for s in shown if s.number >= number), shown[0] if shown else None)


def new_name(table: Table) -> str:
    """Return a name that nobody on the table's sheets has."""
    return random_name(set(table.characters.values_list("name", flat=True)))


def story_of(draft: creation.Draft) -> dict[str, Any]:
    """Return a draft's dice for the log, where they stay whatever becomes of it."""
    return {
        "abilities": [list(roll.faces) for roll in draft.abilities],
        "hp": draft.hp,
        "gear": [[roll.table, roll.face] for roll in draft.gear],
        "purse": list(draft.purse.faces) if draft.purse else [],
    }
