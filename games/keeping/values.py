"""Checks that each value in a SQLite database is of its column's type: SQLite takes any value.

A table whose name is bytes, or whose moment is a word, comes back without a complaint, and each
page that shows it then breaks.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, connection, models
from django.utils.translation import gettext as _

from games.keeping import KeepingError

AT_ONCE: Final = 2000  # rows
WHOLE: Final = "typeof({0}) = 'integer'"
WORDS: Final = "typeof({0}) = 'text'"
FITS: Final = {
    "AutoField": WHOLE,
    "BigAutoField": WHOLE,
    "BigIntegerField": WHOLE,
    "BinaryField": "typeof({0}) = 'blob'",
    "BooleanField": f"{WHOLE} AND {{0}} IN (0, 1)",
    "CharField": WORDS,
    "DateTimeField": f"{WORDS} AND {{0}} GLOB '[0-9][0-9][0-9][0-9]-*' AND julianday({{0}}) > 0",
    "FloatField": "typeof({0}) IN ('real', 'integer')",
    "JSONField": f"{WORDS} AND json_valid({{0}})",
    "PositiveBigIntegerField": WHOLE,
    "PositiveIntegerField": WHOLE,
    "PositiveSmallIntegerField": WHOLE,
    "SlugField": WORDS,
    "SmallIntegerField": WHOLE,
    "TextField": WORDS,
    "UUIDField": "length({0}) = 32 AND {0} NOT GLOB '*[^0-9a-f]*'",
}
"""By what a field is: what holds of each of its values, as SQLite asks for it."""
LETTERS: Final = ("CharField", "JSONField", "SlugField", "TextField")
"""What is read as well: only that shows letters that are none."""


def refuse_spoilt() -> None:
    """Raise KeepingError where a row has a value that its field never has, and say where.

    PostgreSQL holds every value to its column by itself.
    """
    if connection.vendor != "sqlite":
        return
    for model in apps.get_models(include_auto_created=True):
        _read_through(model)


def _read_through(model: type[models.Model]) -> None:
    table, fields = model._meta.db_table, model._meta.concrete_fields
    unfit = " ".join(f"WHEN NOT ({_asked_of(f)}) THEN '{f.column}'" for f in fields)
    read = [_column_of(f) for f in fields if f.get_internal_type() in LETTERS]
    columns = ", ".join([f"CASE {unfit} END", *read])
    sql = f"SELECT {columns} FROM {_quoted(table)}"  # noqa: S608 - our own names
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            rows = chain.from_iterable(iter(lambda: cursor.fetchmany(AT_ONCE), []))
            found = next((row[0] for row in rows if row[0] is not None), None)
    except DatabaseError as error:
        text = _("%(table)s of this backup cannot be read: %(why)s")
        raise KeepingError(text % {"table": table, "why": error}) from error
    if found is not None:
        text = _("%(table)s of this backup has a value in %(column)s that is none of its.")
        raise KeepingError(text % {"table": table, "column": found})


def _asked_of(field: models.Field[Any, Any]) -> str:
    """Return what holds of each value in a field's column; a key's are those of what it names."""
    column, kind = _column_of(field), field
    while isinstance(kind, models.ForeignKey):
        kind = kind.target_field
    fits = FITS[kind.get_internal_type()].format(column)
    return f"{column} IS NULL OR ({fits})" if field.null else fits


def _column_of(field: models.Field[Any, Any]) -> str:
    assert field.column  # it is a concrete one
    return _quoted(field.column)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
