"""Fields' values on their way into and out of a database: as Django converts them, but quicker."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from typing import Any

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections, models

Convert = Callable[[Any], Any]

# Fields whose values go into every database unchanged, with the values' type.
AS_THEY_ARE: dict[type[models.Field[Any, Any]], type] = {
    models.CharField: str,
    models.TextField: str,
    models.IntegerField: int,
    models.BooleanField: bool,
    models.AutoField: int,
}
# Fields whose converted values are immutable and depend on nothing else, so that they can be kept.
LASTING = (models.DateTimeField, models.UUIDField, models.ForeignKey, models.BooleanField)
MOST_READ = 4096


@cache
def preparing(model: type[models.Model], vendor: str) -> dict[str, Convert | None]:
    """Return the conversion that each field's value needs on its way into this database."""
    return {f.attname: _preparing(f, vendor) for f in model._meta.concrete_fields}


@cache
def plain(model: type[models.Model]) -> dict[str, type]:
    """Return the type that a field's value has in SQLite, for fields that read back as written."""
    found = {f.attname: _plain(f) for f in model._meta.concrete_fields}
    return {name: kind for name, kind in found.items() if kind is not None}


def reading(field: Any, vendor: str) -> Convert | None:
    """Return what converts this database's values of a field to Python's, or None."""
    if isinstance(field, models.JSONField) and vendor == "sqlite" and field.decoder is None:
        return _from_json
    db = connections[DEFAULT_DB_ALIAS]
    column = field.get_col(field.model._meta.db_table)
    converters = [*db.ops.get_db_converters(column), *field.get_db_converters(db)]
    if not converters:
        return None
    read = partial(_read, converters, column)
    # Every tap reads the same few values again.
    return lru_cache(MOST_READ)(read) if isinstance(field, LASTING) else read


def is_mutable(field: Any) -> bool:
    """Tell whether a value of this field, once read, can be changed in place."""
    return isinstance(field, models.JSONField)


def _plain(field: Any) -> type | None:
    if isinstance(field, models.ForeignKey):
        return _plain(field.target_field)
    if isinstance(field, models.JSONField):
        return str  # its text
    return next((kind for one, kind in AS_THEY_ARE.items() if isinstance(field, one)), None)


def _preparing(field: Any, vendor: str) -> Convert | None:
    if isinstance(field, models.ForeignKey):
        return _preparing(field.target_field, vendor)
    if isinstance(field, tuple(AS_THEY_ARE)):
        return None
    if isinstance(field, models.JSONField) and vendor == "sqlite":
        return _as_json
    prepared = partial(_prepared, field)
    is_instant = isinstance(field, models.DateTimeField)
    if is_instant and vendor == "sqlite" and connections[DEFAULT_DB_ALIAS].timezone is UTC:
        return partial(_as_instant, prepared)
    return prepared


def _prepared(field: Any, value: Any) -> Any:
    return field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])


def _as_instant(prepared: Convert, value: Any) -> Any:
    if type(value) is datetime and value.tzinfo is UTC:
        return str(value.replace(tzinfo=None))
    return prepared(value)


def _as_json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _from_json(text: str) -> Any:
    return {} if text == "{}" else [] if text == "[]" else json.loads(text)


def _read(converters: list[Any], column: Any, value: Any) -> Any:
    db = connections[DEFAULT_DB_ALIAS]
    for convert in converters:
        value = convert(value, column, db)
    return value
