"""Rows read and written by prepared SQL: what every tap needs.

Django puts a query together anew each time, and each row by a dozen calls, which takes many times
as long as SQLite needs to answer. For the few rows that a tap touches the SQL is kept. Values are
converted by Django's own fields, and the results are ordinary model instances.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import models

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.models import wording
from games.models.acts import database, kept_for
from games.models.kept_answers import Depends
from games.models.shapes import Part, Shape, made, shape_of
from games.models.touched import Touched
from games.models.values import Convert, preparing

M = TypeVar("M", bound=models.Model)
# How many rows go into one statement: SQLite limits its parameters.
MOST_AT_ONCE = 50
HIGHEST = 2**63 - 1
"""The highest number that both databases can compare with."""


def fetch(model: type[M], /, *, lock: bool = False, waits: bool = True, **where: Any) -> list[M]:
    """Return the rows with these values, in the model's order.

    `lock` locks them for this transaction, where the database locks rows; with `waits` off it
    raises OperationalError at once if somebody else holds one. Names are those of columns
    (`table_id`, not `table`); None finds nothing.
    """
    db, names = database(), tuple(where)

    def ask() -> list[Any]:
        if are_beyond(where.values()):
            return []
        locks = ""
        if lock and db.features.has_select_for_update:
            locks = " FOR UPDATE" if waits else " FOR UPDATE NOWAIT"
        sql = wording.select(model, names, locks)
        found: list[Any] = execute(db, sql, _asked(model, where, db.vendor)).fetchall()
        return found

    key = (model, names, tuple(where.values()))
    return answered(db, key, shape_of(model, db.vendor), _depends(model, names), ask)


def are_beyond(values: Iterable[Any]) -> bool:
    """Tell whether a number among these is higher than any database's: somebody has typed it."""
    return any(type(value) is int and value > HIGHEST for value in values)


def answered(
    db: Any, key: Hashable, shape: Shape, depends: Depends | None, ask: Callable[[], Iterable[Any]]
) -> list[Any]:
    """Return rows from a kept answer that still holds; otherwise ask."""
    kept = kept_for(db) if depends is not None else None
    parts: list[Part] | None = None if kept is None else kept.get(key)
    if parts is None:
        parts = [shape.read(values) for values in ask()]
        if kept is not None and depends is not None:
            kept.put(key, parts, shape, depends)
    return [shape.row(part, db.alias) for part in parts]


def first(model: type[M], /, *, lock: bool = False, waits: bool = True, **where: Any) -> M | None:
    """Return the first row with these values, or None."""
    return next(iter(fetch(model, lock=lock, waits=waits, **where)), None)


def belonging(those: list[M], **owners: models.Model) -> list[M]:
    """Set the owners of rows, as Django's related managers do; return the rows."""
    for row in those:
        known = _owners(type(row))
        for name, owner in owners.items():
            row._state.fields_cache[name] = owner
            row.__dict__[known[name]] = owner.pk
    return those


def exists(model: type[models.Model], /, **where: Any) -> bool:
    """Tell whether there is a row with these values."""
    db = database()
    asked = execute(db, wording.test(model, tuple(where)), _asked(model, where, db.vendor))
    return asked.fetchone() is not None


def count(model: type[models.Model], /, **where: Any) -> int:
    """Return how many rows have these values."""
    db = database()
    asked = execute(db, wording.count(model, tuple(where)), _asked(model, where, db.vendor))
    found: int = asked.fetchone()[0]
    return found


def new(model: type[M], /, **given: Any) -> M:
    """Return a row yet to be inserted: with these values and owners, else with its defaults.

    It is what the model's constructor makes, without asking each field what it was given.
    """
    row = made(model, {model._meta.pk.attname: None})
    fields, owners = row.__dict__, _owners(model)
    for name, default in _defaults(model):
        fields[name] = default() if callable(default) else default
    for name, value in given.items():
        if name in owners:
            row._state.fields_cache[name] = value
            fields[owners[name]] = None if value is None else value.pk
        else:
            fields[name] = value
    return row


def knows_its_owners(row: models.Model) -> bool:
    """Tell whether a row has the keys of all its owners, so that it can be written."""
    fields, owners = row.__dict__, _owners(type(row))
    return all(
        owner is None or (owner.pk is not None and fields.get(owners.get(name, "")) == owner.pk)
        for name, owner in row._state.fields_cache.items()
        if name in owners
    )


def learn_owners(row: models.Model) -> None:
    """Give a row the keys of owners that had none yet when they were assigned."""
    owners = _owners(type(row))
    for name, owner in row._state.fields_cache.items():
        if owner is not None:
            row.__dict__[owners[name]] = owner.pk


def copy_of(row: M, without: Iterable[str] = ()) -> M:
    """Return a row as a query would give it: its own fields, and no related objects."""
    names = wording.columns_of(type(row)).keys() - set(without)
    fields = {name: value for name, value in row.__dict__.items() if name in names}
    return made(type(row), fields, row._state.db)


def insert(*rows: models.Model) -> None:
    """Write new rows of one model, and give them their keys."""
    if not rows:
        return
    db, model = database(), type(rows[0])
    kept = kept_for(db)
    keys = _inserted(db, model, rows)
    if kept is not None:
        kept.inserted(model)
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, db.alias


def update(row: models.Model, names: Iterable[str]) -> None:
    """Write those of a row's fields that are named."""
    db, model, given = database(), type(row), tuple(names)
    if not given:
        return
    kept, how = kept_for(db), preparing(model, db.vendor)
    values = _values(row, [(name, how[name]) for name in given])
    execute(db, wording.update(model, given), [*values, row.pk], model._meta.db_table)
    if kept is not None:
        kept.updated(model, row.pk, zip(given, values, strict=True))


def changed(row: models.Model, was: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields that differ from what they were."""
    now = row.__dict__
    return tuple(
        f.attname for f in wording.fields_of(type(row)) if now[f.attname] != was.get(f.attname)
    )


# --- how -----------------------------------------------------------------------------------------


def execute(db: Any, sql: str, values: Sequence[Any], writes: str = "") -> Any:
    """Execute a statement and return a cursor with its answer; `writes` names the table it changes.

    Asks the database's library directly as long as nobody but a play wants to be told of
    statements.
    """
    # A database that stands in (a backup being proved) has only Django's own way.
    wrappers, ask = db.execute_wrappers, getattr(db, "ask", None)
    if ask and (not wrappers or (len(wrappers) == 1 and isinstance(wrappers[0], Touched))):
        if writes and wrappers:
            wrappers[0].tables.add(writes)
        return ask(sql, values)
    cursor = db.cursor()
    cursor.execute(sql, values)
    return cursor


def _inserted(db: Any, model: type[models.Model], rows: Sequence[models.Model]) -> list[Any]:
    """Write new rows, and return the keys they were given."""
    writing, into = _writing(model, db.vendor), model._meta.db_table
    answers = not isinstance(db, SQLite)
    keys: list[Any] = []
    for first_of_some in range(0, len(rows), MOST_AT_ONCE):
        some = rows[first_of_some : first_of_some + MOST_AT_ONCE]
        values = [value for row in some for value in _values(row, writing)]
        done = execute(db, wording.insert(model, len(some), answers=answers), values, into)
        if answers:
            keys += [key for (key,) in done.fetchall()]
        else:
            # Keys given within one statement are consecutive: nobody else writes meanwhile.
            keys += range(done.lastrowid - len(some) + 1, done.lastrowid + 1)
    return keys


def _values(row: models.Model, writing: Iterable[tuple[str, Convert | None]]) -> list[Any]:
    given = row.__dict__
    return [given[name] if prepare is None else prepare(given[name]) for name, prepare in writing]


def _asked(model: type[models.Model], where: dict[str, Any], vendor: str) -> list[Any]:
    """Return values to compare with, in the form that this database has them."""
    how = preparing(model, vendor)
    return [v if (one := how[name]) is None else one(v) for name, v in where.items()]


@cache
def _owners(model: type[models.Model]) -> dict[str, str]:
    """Return the foreign keys of a model: field name and column attribute."""
    return {f.name: f.attname for f in wording.fields_of(model) if isinstance(f, models.ForeignKey)}


@cache
def _defaults(model: type[models.Model]) -> tuple[tuple[str, Any], ...]:
    """Return what each field begins with, or a function that makes it."""
    return tuple(
        (f.attname, f.get_default if f.has_default() and callable(f.default) else f.get_default())
        for f in wording.fields_of(model)
    )


@cache
def _writing(model: type[models.Model], vendor: str) -> list[tuple[str, Convert | None]]:
    """Return the fields of a new row, with what their values have to go through."""
    how = preparing(model, vendor)
    return [(f.attname, how[f.attname]) for f in wording.fields_of(model)]


@cache
def _depends(model: type[models.Model], names: tuple[str, ...]) -> Depends:
    """Return what can change the answer: the fields that rows are selected and ordered by."""
    fields = {*names, *(name for name, _is_down in wording.ordering_of(model))}
    return Depends(frozenset([model]), frozenset((model, name) for name in fields))
