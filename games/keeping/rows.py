"""Every row as a line of JSON: the form that any database of any kind can be made from.

The models are those of the database's own release, so that an older one is
written and read as it was, and brought forward by its migrations afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec
from django.apps.registry import Apps
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from games.keeping import KeepingError
from games.keeping.release import Migration, heads

BATCH = 500
# In bytes: a row with a portrait has a hundredth of it.
LONGEST_LINE = AT_ONCE = 16 << 20
Row = list[Any]


class Header(msgspec.Struct):
    """Begins a model: its label, and the fields that its rows list."""

    model: str
    fields: list[str]


def _apps(migrations: list[Migration]) -> Apps:
    loader = MigrationExecutor(connection).loader
    return loader.project_state(heads(migrations)).apps


def _models(apps: Apps) -> list[type[models.Model]]:
    found = apps.get_models(include_auto_created=True)
    return sorted((m for m in found if m._meta.managed), key=lambda m: m._meta.label_lower)


def tables(migrations: list[Migration]) -> set[str]:
    """Return the names of all tables whose rows are written: this program's own."""
    return {model._meta.db_table for model in _models(_apps(migrations))}


def write(migrations: list[Migration], out: BinaryIO) -> None:
    """Write every row of the database, model by model, without holding more than a few."""
    encode = msgspec.json.Encoder().encode
    for model in _models(_apps(migrations)):
        fields = [f.attname for f in model._meta.concrete_fields]
        header = Header(model._meta.label, fields)
        out.write(encode(header) + b"\n")
        for row in model._base_manager.order_by("pk").values_list(*fields).iterator(BATCH):
            out.write(encode(row) + b"\n")


def read(migrations: list[Migration], lines: BinaryIO) -> None:
    """Fill an empty database with what `write` wrote; all of it, or nothing.

    Raises KeepingError where lines are missing or are of another release.
    """
    # Without the signals: what they would put in is among the lines, with its own numbers.
    MigrationExecutor(connection).migrate(heads(migrations))
    try:
        _fill(_apps(migrations), _lines(lines))
    except (LookupError, ValueError, TypeError, OverflowError, ValidationError) as error:
        text = _("The rows of this backup are not what was written: %(why)s")
        raise KeepingError(text % {"why": error}) from error


def _fill(apps: Apps, lines: Iterable[bytes]) -> None:
    # Events come before the plays that they name: with keys checked row by row, SQLite would look
    # through all of them again for each play. Nor can they be switched off inside a transaction.
    with connection.constraint_checks_disabled(), transaction.atomic():
        for header, rows in _by_model(lines):
            model = apps.get_model(header.model)
            fields = [_field(model, name) for name in header.fields]
            for batch in _batches(rows):
                model._base_manager.bulk_create(
                    model(**{f.attname: f.to_python(v) for f, v in zip(fields, row, strict=True)})
                    for row in batch
                )
        with connection.cursor() as cursor:
            for sql in connection.ops.sequence_reset_sql(no_style(), _models(apps)):
                cursor.execute(sql)
        connection.check_constraints()


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise ValueError("a line is longer than any of Taproom's")
        yield line


def _batches(rows: Iterable[tuple[int, Row]]) -> Iterator[list[Row]]:
    """Yield as many rows at a time as are quick to write, and fit into the memory."""
    batch: list[Row] = []
    size = 0
    for length, row in rows:
        batch.append(row)
        size += length
        if len(batch) == BATCH or size > AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _field(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    for field in model._meta.concrete_fields:
        if field.attname == name:
            return field
    text = _("%(table)s has no %(column)s: this backup is of another release.")
    raise KeepingError(text % {"table": model._meta.label, "column": name})


def _by_model(lines: Iterable[bytes]) -> Iterator[tuple[Header, Iterator[tuple[int, Row]]]]:
    """Yield each model with its rows and their lengths; all rows are read before the next."""
    rest = iter(lines)
    following: list[Header] = []

    def rows() -> Iterator[tuple[int, Row]]:
        for line in rest:
            if line.startswith(b"{"):
                following.append(msgspec.json.decode(line, type=Header))
                return
            yield len(line), msgspec.json.decode(line)

    for _before_the_first in rows():
        raise KeepingError(_("This backup does not begin with a model."))
    while following:
        yield following.pop(), rows()
