"""Knave's book, read from YAML: the price list, spells, traits, hirelings and monsters.

The files stand in `data/` beside this module, each with its attribution. They are read once,
strictly: a field too many, one of another type or a key written twice stops the reading with a
`BookError`. What a single entry cannot show to be wrong, `check` finds.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import yaml

from games.rules.knave.checking import check
from games.rules.knave.damage import Damage, parse_damage
from games.rules.knave.entries import (
    Article,
    ArticleKind,
    Attack,
    Book,
    Entry,
    HirelingKind,
    Monster,
    Speed,
    Spell,
    StartingRow,
    StartingTable,
    Term,
    Text,
    TraitRow,
    TraitTable,
)

__all__ = [
    "Article",
    "ArticleKind",
    "Attack",
    "Book",
    "BookError",
    "Damage",
    "HirelingKind",
    "Monster",
    "Speed",
    "Spell",
    "StartingRow",
    "StartingTable",
    "Term",
    "Text",
    "TraitRow",
    "TraitTable",
    "check",
    "parse_damage",
    "read_book",
    "read_folder",
]

DATA: Final = Path(__file__).parent / "data"

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Read = TypeVar("_Read")


class BookError(Exception):
    """An entry of the book that cannot be read: in which file, which entry, and why."""

    def __init__(self, file: str, entry: str, why: str) -> None:
        super().__init__(f"{file}, {entry}: {why}")
        self.file = file
        self.entry = entry
        self.why = why


def _parse(text: str) -> Any:
    """Parse YAML safely; refuses a key that stands twice, where the later would win unseen."""
    loader = _LOADER(text)
    try:
        node = loader.get_single_node()
        _refuse_twins(node)
        return loader.construct_document(node) if node else None
    finally:
        loader.dispose()


def _refuse_twins(node: Any) -> None:
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _value in node.value if isinstance(key, yaml.ScalarNode)]
        twins = sorted({key for key in keys if keys.count(key) > 1})
        if twins:
            line = node.start_mark.line + 1
            raise yaml.YAMLError(f"{twins[0]} stands twice in the entry of line {line}")
        for _key, value in node.value:
            _refuse_twins(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_twins(value)


class _File:
    """One file of the book, whose lists are turned into structs entry by entry."""

    def __init__(self, folder: Path, name: str, sections: frozenset[str]) -> None:
        self.name = name
        try:
            content = _parse((folder / name).read_text(encoding="utf-8"))
        except OSError as error:
            raise BookError(name, "file", "it cannot be read") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise BookError(name, "file", f"it is no YAML: {error}") from error
        if not isinstance(content, dict) or set(content) != sections:
            raise BookError(name, "file", f"its sections should be {', '.join(sorted(sections))}")
        self._content = content

    def one(self, section: str, shape: Any) -> Any:
        """Read a whole section as one value."""
        return self._convert(self._content[section], shape, section)

    def many(self, section: str, shape: type[_Read]) -> tuple[_Read, ...]:
        """Read a section that is a list of entries."""
        rows = self._content[section]
        if not isinstance(rows, list):
            raise BookError(self.name, section, "it should be a list")
        return tuple(
            self._convert(row, shape, _label(section, number, row))
            for number, row in enumerate(rows, 1)
        )

    def _convert(self, value: Any, shape: Any, entry: str) -> Any:
        try:
            return msgspec.convert(value, shape, strict=True)
        except msgspec.ValidationError as error:
            raise BookError(self.name, entry, str(error)) from error


def _label(section: str, number: int, row: Any) -> str:
    """Name an entry as its author would look for it: by its key, or else by its place."""
    if isinstance(row, dict):
        return f"{section} {row.get('key', row.get('number', number))}"
    return f"{section} {number}"


class _SpellEntry(Entry, frozen=True):
    """A spell as its file writes it, the book's general rule left out."""

    number: int
    name: Text
    effect: Text
    range: str = "near"
    duration: str = "tens"
    save: str = "none"


def _read_spells(folder: Path) -> tuple[Spell, ...]:
    file = _File(folder, "spells.yaml", frozenset({"ranges", "durations", "saves", "spells"}))
    words = {
        section: {term.key: term for term in file.many(section, Term)}
        for section in ("ranges", "durations", "saves")
    }
    spells = []
    for entry in file.many("spells", _SpellEntry):
        try:
            terms = (
                words["ranges"][entry.range],
                words["durations"][entry.duration],
                words["saves"][entry.save],
            )
        except KeyError as error:
            why = f"{error.args[0]!r} is not among the file's words"
            raise BookError(file.name, f"spells {entry.number}", why) from error
        spells.append(Spell(entry.number, entry.name, entry.effect, *terms))
    return tuple(spells)


def read_folder(folder: Path) -> Book:
    """Read a book from a folder of YAML files.

    Raises BookError at the first file or entry that does not read.
    """
    weapons = _File(folder, "weapons.yaml", frozenset({"damage_kinds", "articles"}))
    armor = _File(folder, "armor.yaml", frozenset({"articles"}))
    gear = _File(folder, "gear.yaml", frozenset({"categories", "articles"}))
    hirelings = _File(folder, "hirelings.yaml", frozenset({"hirelings"}))
    monsters = _File(folder, "monsters.yaml", frozenset({"kinds", "monsters"}))
    traits = _File(folder, "traits.yaml", frozenset({"traits"}))
    starting = _File(folder, "starting.yaml", frozenset({"always", "starting"}))
    return Book(
        articles=tuple(
            article for file in (weapons, armor, gear) for article in file.many("articles", Article)
        ),
        categories=gear.many("categories", Term),
        damage_kinds=weapons.many("damage_kinds", Term),
        spells=_read_spells(folder),
        hirelings=hirelings.many("hirelings", HirelingKind),
        monsters=monsters.many("monsters", Monster),
        monster_kinds=monsters.many("kinds", Term),
        traits=traits.many("traits", TraitTable),
        starting=starting.many("starting", StartingTable),
        always=starting.one("always", tuple[tuple[str, int], ...]),
    )


@cache
def read_book() -> Book:
    """Read the book that comes with the program, once."""
    return read_folder(DATA)
