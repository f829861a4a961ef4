"""The rows that an undo sets back: as they are, as they must be, and in what they differ."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import QuerySet

from games.models import Game, Play
from games.models.undoable import Undoable

Rows = dict[str, dict[int, dict[str, Any]]]


def rows() -> Rows:
    """Return every row that an undo can set back, by its key."""
    return {name: {row["id"]: row for row in kept} for name, kept in kept_rows().items()}


def kept_rows() -> dict[str, list[dict[str, Any]]]:
    """Return every row that an undo must set back, by its model (two apps have a `Character`).

    Django takes many times as long as the database to read rows, so a model's are read again only
    where the database answers differently than last time. Nobody may change what is returned.
    """
    found = {}
    with connection.cursor() as cursor:
        for label, (rows, asked, values) in _undoables().items():
            cursor.execute(asked, values)
            now = cursor.fetchall()
            if label not in _read or _read[label][0] != now:
                _read[label] = (now, list(rows.all()))
            found[label] = _read[label][1]
    return found


_read: dict[str, tuple[list[Any], list[dict[str, Any]]]] = {}


@cache
def _undoables() -> dict[str, tuple[QuerySet[Any], str, Any]]:
    """Return, by model, what asks for all its rows, and the statement for that."""
    models = [m for m in apps.get_models() if issubclass(m, Undoable)]
    asked = {m._meta.label: m._default_manager.order_by("pk").values() for m in models}
    return {label: (rows, *rows.query.sql_with_params()) for label, rows in asked.items()}


def is_left_over(name: str, row: dict[str, Any] | None) -> bool:
    """Tell whether a row is what a fight leaves whose beginning was taken back.

    It is empty and called off, and stays: the log hangs on it, and a log is never deleted.
    """
    ended = Game.Status.ENDED
    return (
        row is not None and name == Game._meta.label and not row["setup"] and row["status"] == ended
    )


def expected(before: Rows, chain: list[Play]) -> Rows:
    """Return the rows as they must be once these plays are taken back, the newest first."""
    wanted = {name: {key: dict(row) for key, row in kept.items()} for name, kept in before.items()}
    for play in reversed(chain):
        for name, key, was, now in reversed(play.ledger):
            if was is None:
                wanted[name].pop(key, None)
            elif now is None:
                wanted[name][key] = was
            else:
                wanted[name].setdefault(key, {}).update(was)
    return wanted


def difference(found: Rows, wanted: Rows) -> dict[str, Any]:
    """Return, by row, the fields that differ; instants are compared as the ledger writes them."""
    apart: dict[str, Any] = {}
    for name in found:
        for key in found[name].keys() | wanted[name].keys():
            one, other = found[name].get(key), wanted[name].get(key)
            if one is None or other is None:
                if not is_left_over(name, one):
                    apart[f"{name} {key}"] = (one, other)
                continue
            fields = {
                f: (one[f], other.get(f)) for f in one if _plain(one[f]) != _plain(other.get(f))
            }
            if fields:
                apart[f"{name} {key}"] = fields
    return apart


def _plain(value: Any) -> Any:
    return value.isoformat()[:19] if hasattr(value, "isoformat") else _cut(value)


def _cut(value: Any) -> Any:
    is_instant = isinstance(value, str) and value[4:5] == value[7:8] == "-" and value[10:11] == "T"
    return value[:19] if is_instant else value
