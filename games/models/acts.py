"""The transaction of an act: alone or shared with other acts of this thread, on one connection.

In the thread that plays all tables on SQLite an act's questions may be answered by what is kept
(`games.models.kept_answers`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.models.kept_answers import Kept


class _Here(threading.local):
    kept: Kept | None = None
    db: Any = None
    """The connection of the act that is under way."""
    shares = False
    """Several acts of this thread are one transaction, which somebody else begins and ends."""


_here = _Here()


def database() -> Any:
    """Return this thread's connection; an act asks Django for it only once, since that is slow."""
    return _here.db or connections[DEFAULT_DB_ALIAS]


def keep_here() -> None:
    """Keep the answers to this thread's acts: it is the thread that plays tables."""
    _here.kept = Kept()


@contextmanager
def sharing() -> Iterator[None]:
    """Make this a transaction that several acts of this thread share.

    On SQLite no act has a savepoint. One that is refused before it wrote leaves nothing to roll
    back; after any other failure `needs_rollback` is set at the end, and all acts have to be done
    anew.
    """
    with transaction.atomic():
        _here.shares = isinstance(connections[DEFAULT_DB_ALIAS], SQLite)
        try:
            yield
        finally:
            _here.shares = False


@contextmanager
def acting() -> Iterator[Any]:
    """Run an act as a whole or not at all; its questions may be answered by what is kept."""
    db = connections[DEFAULT_DB_ALIAS]
    lite = db if isinstance(db, SQLite) else None
    with transaction.atomic() if lite is None or not _here.shares else _part(lite):
        if lite is not None and (kept := _here.kept) is not None:
            kept.begin(lite)
        _here.db = db
        try:
            yield db
        finally:
            _here.db = None


@contextmanager
def _part(db: SQLite) -> Iterator[None]:
    """Run one act of several in a shared transaction."""
    written = db.connection.total_changes
    try:
        yield
    except BaseException:
        if db.has_lost_transaction or db.connection.total_changes != written:
            db.needs_rollback = True
        raise


def kept_for(db: Any) -> Kept | None:
    """Return what is kept for a connection, checked, if an act is under way on it; else None."""
    kept = _here.kept
    if kept is None or db is not _here.db or db.connection is not kept.connection:
        return None
    kept.look(db)
    return kept
