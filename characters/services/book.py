"""The book's rows, filled from the reviewed YAML of `games.rules.knave` at every upgrade.

What a host has edited or added stays, and what a host has hidden stays hidden: the loader only adds
what is missing and renews rows that nobody has touched. These rows belong to no table, so no log
and no undo knows of them; this module and the admin are the only places that write them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.apps import AppConfig
from django.db import connections, transaction

from characters.models import Article, HirelingKind, Monster, Spell, TableRow
from characters.models.book import Shipped
from games.rules.knave import book as rules

Values = dict[str, Any]
MODELS: tuple[type[Shipped], ...] = (Article, Spell, Monster, HirelingKind, TableRow)
# A hireling's blow where the book gives no die that can be rolled.
USUAL_DIE = 6


class Loaded(msgspec.Struct, frozen=True):
    """How many rows were added, renewed, and left alone because the host has edited them."""

    added: int = 0
    renewed: int = 0
    left: int = 0


def load_book(using: str = "default") -> Loaded:
    """Bring the book's rows up to what the program ships. Doing it again changes nothing."""
    book = rules.read_book()
    counts = Loaded()
    with transaction.atomic(using=using):
        for model, wanted in _shipped(book):
            one = _fill(model, wanted, using)
            counts = Loaded(
                counts.added + one.added, counts.renewed + one.renewed, counts.left + one.left
            )
    return counts


def load_after_migrate(sender: AppConfig, using: str, **told: Any) -> None:
    """Load the book once all of its tables have been migrated to what this program knows."""
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for model in MODELS:
            table = model._meta.db_table
            if table not in tables:
                return
            columns = connection.introspection.get_table_description(cursor, table)
            if not {f.column for f in model._meta.concrete_fields} <= {c.name for c in columns}:
                return
    load_book(using)


def _shipped(book: rules.Book) -> Iterable[tuple[type[Shipped], list[Values]]]:
    yield Article, [_article(a) for a in book.articles]
    yield Spell, [_spell(s) for s in book.spells]
    yield Monster, [_monster(m) for m in book.monsters]
    yield HirelingKind, [_hireling(h) for h in book.hirelings]
    yield TableRow, list(_table_rows(book))


def _fill(model: type[Shipped], wanted: list[Values], using: str) -> Loaded:
    there = {row.key: row for row in model._default_manager.using(using)}
    # A number is one spell's alone: what the host has put there goes before what is shipped.
    own = (row for row in there.values() if row.is_own)
    taken = {row.number for row in own if isinstance(row, Spell)}
    new, renewed, left = [], [], 0
    for values in wanted:
        row = there.get(values["key"])
        if row is None:
            if values.get("number") not in taken:
                new.append(model(**values))
        elif row.is_own or row.edited_at is not None:
            left += 1
        elif any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            renewed.append(row)
    rows = model._default_manager.using(using)
    rows.bulk_create(new)
    if renewed:
        rows.bulk_update(renewed, [name for name in wanted[0] if name != "key"], batch_size=50)
    return Loaded(len(new), len(renewed), left)


def _named(key: str, name: rules.Text) -> Values:
    return {"key": key, "name": name.en, "name_es": name.es}


def _article(one: rules.Article) -> Values:
    same = ["category", "kind", "cost", "lot", "is_sold", "slots", "bundle", "die", "hands"]
    same += ["is_ranged", "quality", "defense", "bonus", "burns_turns", "light_feet", "holds"]
    return {
        **_named(one.key, one.name),
        **{name: getattr(one, name) for name in same},
        "holds_only": one.holds_only or "",
        "damage_kinds": list(one.damage_kinds),
        "feeds": one.feeds or "",
        "ammunition": one.ammunition or "",
    }


def _spell(one: rules.Spell) -> Values:
    return {
        **_named(f"spell-{one.number}", one.name),
        "number": one.number,
        "effect": one.effect.en,
        "effect_es": one.effect.es,
        "reach": one.range.name.en,
        "reach_es": one.range.name.es,
        "duration": one.duration.name.en,
        "duration_es": one.duration.name.es,
        "save_with": one.save.key,
    }


def _monster(one: rules.Monster) -> Values:
    same = ("kind", "level", "hd", "hp", "armor_defense", "attack_bonus", "morale", "appearing")
    feet = msgspec.to_builtins(one.speed)
    return {
        **_named(one.key, one.name),
        **{name: getattr(one, name) for name in same},
        "attacks": [
            {
                "name": a.name.en,
                "name_es": a.name.es,
                "count": a.count,
                "damage": a.damage,
                "die": a.die,
                "is_ranged": a.is_ranged,
            }
            for a in one.attacks
        ],
        "attacks_all": one.attack_mode == "all",
        "speed": ", ".join(f"{how} {far}" for how, far in feet.items() if far),
        "note": one.note.en,
        "note_es": one.note.es,
    }


def _hireling(one: rules.HirelingKind) -> Values:
    same = ("wage", "level", "hp", "armor_defense", "attack_bonus", "morale", "is_ranged")
    return {
        **_named(one.key, one.name),
        **{name: getattr(one, name) for name in same},
        "die": one.die or USUAL_DIE,
    }


def _table_rows(book: rules.Book) -> Iterable[Values]:
    for starting in book.starting:
        for row in starting.rows:
            items = [list(pair) for pair in row.items]
            yield _table_row(starting.key, row.first, row.last, row.label, items)
    for traits in book.traits:
        for trait in traits.rows:
            yield _table_row(traits.key, trait.first, trait.last, trait.name, [])


def _table_row(table: str, low: int, high: int, name: rules.Text, items: list[Any]) -> Values:
    span = {"table": table, "low": low, "high": high, "items": items}
    return {**_named(f"{table}-{low}", name), **span}
