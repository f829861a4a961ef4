"""Rows by statements that are written once: what every tap reads and writes.

Django puts a query together anew each time it is asked, and each row by a
dozen calls, which takes many times as long as SQLite needs to answer. For the
few rows on the way of a tap the statements are kept. Values are Django's own:
fields convert them, and what comes back are ordinary model instances.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, TypeVar

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.base import ModelState

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.models.touched import Touched
from games.models.undoable import Undoable

M = TypeVar("M", bound=models.Model)
Convert = Callable[[Any], Any]

# Their values go into every database as they are.
AS_THEY_ARE = (
    models.CharField,
    models.TextField,
    models.IntegerField,
    models.BooleanField,
    models.AutoField,
)
# Their values read from a database are the same for the same text.
LASTING = (models.DateTimeField, models.UUIDField, models.ForeignKey)
MOST_READ = 4096
# So many rows go into one statement: SQLite bounds its values.
MOST_AT_ONCE = 50


def fetch(model: type[M], /, *, lock: bool = False, **where: Any) -> list[M]:
    """Return the rows with these values, ordered as the model says.

    `lock` keeps them for this transaction where the database locks rows.
    Names are fields' own (`table_id`, not `table`); None finds nothing.
    """
    db = connections[DEFAULT_DB_ALIAS]
    locks = lock and db.features.has_select_for_update
    vendor = db.vendor
    asked = execute(db, _select(model, tuple(where), locks), _asked(model, where, vendor))
    names, converters = _reading(model, vendor)
    rows = []
    for one in asked.fetchall():
        fields = dict(zip(names, one, strict=True))
        for name, convert in converters:
            if fields[name] is not None:
                fields[name] = convert(fields[name])
        row = _made(model, fields, db.alias)
        if isinstance(row, Undoable):
            row.was = fields
        rows.append(row)
    return rows


def first(model: type[M], /, *, lock: bool = False, **where: Any) -> M | None:
    """Return the first row with these values, or None."""
    return next(iter(fetch(model, lock=lock, **where)), None)


def belonging(those: list[M], **owners: models.Model) -> list[M]:
    """Let rows know whom they belong to, as those of a related manager do; return them."""
    for row in those:
        known = _owners(type(row))
        for name, owner in owners.items():
            row._state.fields_cache[name] = owner
            row.__dict__[known[name]] = owner.pk
    return those


def exists(model: type[models.Model], /, **where: Any) -> bool:
    """Tell whether there is a row with these values."""
    db = connections[DEFAULT_DB_ALIAS]
    asked = execute(db, _test(model, tuple(where)), _asked(model, where, db.vendor))
    return asked.fetchone() is not None


def new(model: type[M], /, **given: Any) -> M:
    """Return a row yet to be inserted: with these values and owners, and else its defaults.

    What the model's own constructor makes, without asking each field in turn what it was given.
    """
    row = _made(model, {model._meta.pk.attname: None})
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


def copy_of(row: M, without: Iterable[str] = ()) -> M:
    """Return a row as a query would give it, with nothing hanging on it but its own fields."""
    names = _columns(type(row)).keys() - set(without)
    fields = {name: value for name, value in row.__dict__.items() if name in names}
    return _made(type(row), fields, row._state.db)


def insert(*rows: models.Model) -> None:
    """Write new rows of one model, and give them their keys."""
    if not rows:
        return
    db, model = connections[DEFAULT_DB_ALIAS], type(rows[0])
    keys = _inserted(db, model, rows)
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, db.alias


def update(row: models.Model, names: Iterable[str]) -> None:
    """Write those of a row's fields that are named."""
    db, model = connections[DEFAULT_DB_ALIAS], type(row)
    writing, given = _writing(model, db.vendor), tuple(names)
    if given:
        values = _values(row, [(name, writing[name]) for name in given])
        execute(db, _update(model, given), [*values, row.pk], model._meta.db_table)


def changed(row: models.Model, was: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields that are no more what they were."""
    now = row.__dict__
    return tuple(f.attname for f in _fields(type(row)) if now[f.attname] != was.get(f.attname))


# --- how -----------------------------------------------------------------------------------------

_here = threading.local()


def execute(db: Any, sql: str, values: Sequence[Any], writes: str = "") -> Any:
    """Execute a statement, and return what it answers by; `writes` names the table it writes to.

    SQLite's library is asked itself, as long as nobody but a play wants to hear of it.
    """
    wrappers = db.execute_wrappers
    if isinstance(db, SQLite) and (
        not wrappers or (len(wrappers) == 1 and isinstance(wrappers[0], Touched))
    ):
        if writes and wrappers:
            wrappers[0].tables.add(writes)
        return db.ask(sql, values)
    cursor = _cursor(db)
    cursor.execute(sql, values)
    return cursor


def _inserted(db: Any, model: type[models.Model], rows: Sequence[models.Model]) -> list[Any]:
    """Write new rows, and return the keys they were given."""
    writing, into = list(_writing(model, db.vendor).items()), model._meta.db_table
    if not isinstance(db, SQLite) or not isinstance(model._meta.pk, models.AutoField):
        sql = _insert(model)
        return [execute(db, sql, _values(row, writing), into).fetchone()[0] for row in rows]
    keys: list[int] = []
    for first_of_some in range(0, len(rows), MOST_AT_ONCE):
        some = rows[first_of_some : first_of_some + MOST_AT_ONCE]
        values = [value for row in some for value in _values(row, writing)]
        last = execute(db, _insert(model, len(some)), values, into).lastrowid
        # One statement's keys follow each other: nobody else writes meanwhile.
        keys += range(last - len(some) + 1, last + 1)
    return keys


def _cursor(db: Any) -> Any:
    """Return this thread's cursor; making one anew takes longer than what it is asked."""
    if db.connection is None or getattr(_here, "connection", None) is not db.connection:
        _here.cursor = db.cursor()
        _here.connection = db.connection
    return _here.cursor


def _made(model: type[M], fields: dict[str, Any], db: str | None = None) -> M:
    """Return a row of these fields: one of a database, or one that is yet to be inserted."""
    row = model.__new__(model)
    row.__dict__.update(fields)
    row._state = ModelState()
    row._state.db, row._state.adding = db, db is None
    return row


def _values(row: models.Model, writing: Iterable[tuple[str, Convert | None]]) -> list[Any]:
    given = row.__dict__
    return [given[name] if prepare is None else prepare(given[name]) for name, prepare in writing]


def _asked(model: type[models.Model], where: dict[str, Any], vendor: str) -> list[Any]:
    """Return values to compare with, as this database has them."""
    how = _comparing(model, vendor)
    return [v if (one := how[name]) is None or v is None else one(v) for name, v in where.items()]


@cache
def _comparing(model: type[models.Model], vendor: str) -> dict[str, Convert | None]:
    """Return what each field's value has to go through on its way into this database."""
    return {f.attname: _preparing(f, vendor) for f in model._meta.concrete_fields}


@cache
def _fields(model: type[models.Model]) -> tuple[Any, ...]:
    """Return the fields but the key, which the database gives."""
    return tuple(f for f in model._meta.concrete_fields if not f.primary_key)


@cache
def _owners(model: type[models.Model]) -> dict[str, str]:
    """Return the names under which rows know others, and those of the keys beside them."""
    return {f.name: f.attname for f in _fields(model) if isinstance(f, models.ForeignKey)}


@cache
def _defaults(model: type[models.Model]) -> tuple[tuple[str, Any], ...]:
    """Return what each field begins with, or a function that makes it."""
    return tuple(
        (f.attname, f.get_default if f.has_default() and callable(f.default) else f.get_default())
        for f in _fields(model)
    )


@cache
def _writing(model: type[models.Model], vendor: str) -> dict[str, Convert | None]:
    """Return what the value of each field that we write has to go through, likewise."""
    how = _comparing(model, vendor)
    return {f.attname: how[f.attname] for f in _fields(model)}


def _preparing(field: Any, vendor: str) -> Convert | None:
    if isinstance(field, models.ForeignKey):
        return _preparing(field.target_field, vendor)
    if isinstance(field, AS_THEY_ARE):
        return None
    if isinstance(field, models.JSONField) and vendor == "sqlite":
        return _as_json
    return partial(_prepared, field)


def _prepared(field: Any, value: Any) -> Any:
    return field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])


def _as_json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


@cache
def _reading(model: type[models.Model], vendor: str) -> tuple[list[str], list[tuple[str, Convert]]]:
    """Return the fields' names, and what turns this database's values into Python's.

    `vendor` only keeps apart what is kept for the house's database and for one that stands in.
    """
    db = connections[DEFAULT_DB_ALIAS]
    converters = []
    for field in model._meta.concrete_fields:
        column = field.get_col(model._meta.db_table)
        for convert in db.ops.get_db_converters(column) + field.get_db_converters(db):
            read = partial(_read, convert, column)
            # The same few come again with each tap, and nothing can change them.
            is_lasting = isinstance(field, LASTING)
            converters.append((field.attname, lru_cache(MOST_READ)(read) if is_lasting else read))
    return [f.attname for f in model._meta.concrete_fields], converters


def _read(convert: Any, column: Any, value: Any) -> Any:
    return convert(value, column, connections[DEFAULT_DB_ALIAS])


@cache
def _columns(model: type[models.Model]) -> dict[str, str]:
    return {f.attname: f'"{f.column}"' for f in model._meta.concrete_fields}


def _where(model: type[models.Model], given: tuple[str, ...]) -> str:
    return " AND ".join(f"{_columns(model)[name]} = %s" for name in given)


@cache
def _select(model: type[models.Model], given: tuple[str, ...], locks: bool) -> str:
    columns = _columns(model)
    by = ", ".join(
        f"{columns[name.lstrip('-')]} {'DESC' if name.startswith('-') else 'ASC'}"
        for name in model._meta.ordering or ["id"]
    )
    return (
        f'SELECT {", ".join(columns.values())} FROM "{model._meta.db_table}" '
        f"WHERE {_where(model, given)} ORDER BY {by}{' FOR UPDATE' if locks else ''}"
    )


@cache
def _test(model: type[models.Model], given: tuple[str, ...]) -> str:
    return f'SELECT 1 FROM "{model._meta.db_table}" WHERE {_where(model, given)} LIMIT 1'


@cache
def _insert(model: type[models.Model], rows: int = 0) -> str:
    """Return how so many rows are written, or one, with its key as the answer."""
    columns = [_columns(model)[f.attname] for f in _fields(model)]
    marks, key = ", ".join("%s" for _column in columns), model._meta.pk.column
    values = ", ".join(f"({marks})" for _row in range(rows or 1))
    answer = "" if rows else f' RETURNING "{key}"'
    return f'INSERT INTO "{model._meta.db_table}" ({", ".join(columns)}) VALUES {values}{answer}'


@cache
def _update(model: type[models.Model], names: tuple[str, ...]) -> str:
    given = ", ".join(f"{_columns(model)[name]} = %s" for name in names)
    return f'UPDATE "{model._meta.db_table}" SET {given} WHERE "{model._meta.pk.column}" = %s'
