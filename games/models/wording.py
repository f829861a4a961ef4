"""The SQL of the statements that every tap needs, put together once for each model and filter."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import models

Model = type[models.Model]


@cache
def fields_of(model: Model) -> tuple[Any, ...]:
    """Return the fields but the key, which the database gives."""
    return tuple(f for f in model._meta.concrete_fields if not f.primary_key)


@cache
def columns_of(model: Model) -> dict[str, str]:
    """Return the columns of all fields, quoted, by the fields' attributes."""
    return {f.attname: f'"{f.column}"' for f in model._meta.concrete_fields}


@cache
def ordering_of(model: Model) -> tuple[tuple[str, bool], ...]:
    """Return the fields by which rows are ordered, each with whether it is downwards."""
    ordering: Any = model._meta.ordering or [model._meta.pk.attname]
    return tuple((name.lstrip("-"), name.startswith("-")) for name in ordering)


def _where(model: Model, given: tuple[str, ...]) -> str:
    return " AND ".join(f"{columns_of(model)[name]} = %s" for name in given)


@cache
def select(model: Model, given: tuple[str, ...], locks: str = "") -> str:
    """Return the SQL that reads the rows with these fields given, in the model's order."""
    columns = columns_of(model)
    by = ", ".join(
        f"{columns[name]} {'DESC' if is_down else 'ASC'}" for name, is_down in ordering_of(model)
    )
    return (
        f'SELECT {", ".join(columns.values())} FROM "{model._meta.db_table}" '
        f"WHERE {_where(model, given)} ORDER BY {by}{locks}"
    )


@cache
def test(model: Model, given: tuple[str, ...]) -> str:
    """Return the SQL that finds out whether there is a row with these fields given."""
    return f'SELECT 1 FROM "{model._meta.db_table}" WHERE {_where(model, given)} LIMIT 1'


@cache
def count(model: Model, given: tuple[str, ...]) -> str:
    """Return the SQL that counts the rows with these fields given."""
    return f'SELECT COUNT(*) FROM "{model._meta.db_table}" WHERE {_where(model, given)}'


@cache
def insert(model: Model, rows: int, *, answers: bool) -> str:
    """Return the SQL that inserts so many rows; it `answers` with their keys, in order."""
    columns = [columns_of(model)[f.attname] for f in fields_of(model)]
    marks, key = ", ".join("%s" for _column in columns), model._meta.pk.column
    values = ", ".join(f"({marks})" for _row in range(rows))
    answer = f' RETURNING "{key}"' if answers else ""
    return f'INSERT INTO "{model._meta.db_table}" ({", ".join(columns)}) VALUES {values}{answer}'


@cache
def update(model: Model, names: tuple[str, ...]) -> str:
    """Return the SQL that writes these fields of the row whose key comes last."""
    given = ", ".join(f"{columns_of(model)[name]} = %s" for name in names)
    return f'UPDATE "{model._meta.db_table}" SET {given} WHERE "{model._meta.pk.column}" = %s'
