"""Another database in the place of the default one, for this thread and for a while.

Exports, replays and migrations read and write through the models, which know one database only. So
a copy stands in for it, and nothing else notices.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.utils import load_backend

SQLITE = "django.db.backends.sqlite3"


@contextmanager
def standing_in(**settings: Any) -> Iterator[None]:
    """Let a database stand in for the default one; `settings` are those that differ.

    Pools belong to a name, not to a database: the one that stands in must not ask for one.
    """
    was = connections["default"]
    whole = {**was.settings_dict, "OPTIONS": {}, **settings}
    connections["default"] = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, "default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = was


@contextmanager
def file_standing_in(path: Path, *, writes: bool = False) -> Iterator[None]:
    """Let a SQLite file stand in; only a copy may be written, for a crash would spoil it."""
    how = "rw" if writes else "ro"
    options = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE" if writes else "DEFERRED",
        "init_command": "PRAGMA synchronous=OFF;",
    }
    with standing_in(ENGINE=SQLITE, NAME=f"{path.resolve().as_uri()}?mode={how}", OPTIONS=options):
        yield
