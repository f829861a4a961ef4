"""What the house's own thread was answered by SQLite, kept from one act to the next.

A tap asks for the same few rows as the tap before it, and almost none of them have changed. One
thread plays all tables, by one connection; so what it was answered holds for as long as nobody
writes but itself, by the statements of `games.models.rows`. Each act finds out, with the write
lock in its hands, whether that is so: `PRAGMA data_version` is another when any other connection
has committed, `total_changes` of this one when anything else of this thread has written, and the
connection counts what it has rolled back. Then all is forgotten. Our own writes are written into
what is kept, or drop what they may change.

Only an act uses it. All of it may be lost at any moment: it is then read again, and comes out alike
(`tests/games/test_kept_answers.py`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.models.shapes import Part, Shape
from games.models.values import plain

Model = type[models.Model]
# Some sixty tables' worth. What was not asked for the longest goes first.
MOST_ROWS = 20_000


class Depends(NamedTuple):
    """What an answer follows from, beside the fields that it holds.

    A row of one of these models that is new, or has another value in one of these fields, may
    come into it, leave it or stand elsewhere in it.
    """

    models: frozenset[Model]
    fields: frozenset[tuple[Model, str]]


class Answer(NamedTuple):
    parts: list[Part]
    shape: Shape
    depends: Depends
    rows: int


class Kept:
    """The answers of one connection, by what was asked."""

    def __init__(self) -> None:
        self.connection: Any = None
        self._version = (-1, -1)
        self._explained = self._rollbacks = -1
        self._written_at_first = -1
        self.forget()

    def forget(self) -> None:
        """Drop everything."""
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        # Where a row's fields are held, by its model and key, and by the answer.
        self._held: dict[tuple[Model, Any], dict[Hashable, list[dict[str, Any]]]] = {}
        self._of_model: dict[Model, set[Hashable]] = {}
        self._counts: set[tuple[Model, str]] = set()
        self._rows = 0

    def begin(self, db: SQLite) -> None:
        """Find out, in a transaction that has the write lock, what still holds."""
        version, connection = db.writes_of_others(), db.connection
        if connection is not self.connection or version != self._version:
            self.forget()
        self.connection, self._version = connection, version
        self.look(db)
        self._written_at_first = connection.total_changes

    def end(self, db: SQLite, *, failed: bool) -> None:
        """What failed leaves nothing behind; what was only refused has written nothing."""
        if failed and (
            db.connection is not self.connection
            or db.connection.total_changes != self._written_at_first
        ):
            self.forget()

    def look(self, db: SQLite) -> None:
        """Forget everything when this thread has written in another way, or rolled back."""
        written = self.connection.total_changes
        if written != self._explained or db.rollbacks != self._rollbacks:
            self.forget()
            self._explained, self._rollbacks = written, db.rollbacks

    def get(self, key: Hashable) -> list[Part] | None:
        """Return what was answered, if it holds."""
        found = self._answers.get(key)
        if found is None:
            return None
        self._answers.move_to_end(key)
        return found.parts

    def put(self, key: Hashable, parts: list[Part], shape: Shape, depends: Depends) -> None:
        """Keep what was answered."""
        rows = [one for part in parts for one in shape.parts(part)]
        self._answers[key] = Answer(parts, shape, depends, len(rows) + 1)
        self._rows += len(rows) + 1
        self._counts |= depends.fields
        for model in depends.models:
            self._of_model.setdefault(model, set()).add(key)
        for model, pk, fields in rows:
            self._held.setdefault((model, pk), {}).setdefault(key, []).append(fields)
        while self._rows > MOST_ROWS:
            self._drop(next(iter(self._answers)))

    def inserted(self, model: Model) -> None:
        """Note that rows of this model have been written, and explain that."""
        for key in list(self._of_model.get(model, ())):
            self._drop(key)
        self._explained = self.connection.total_changes

    def updated(self, model: Model, pk: Any, values: Iterable[tuple[str, Any]]) -> None:
        """Note that a row has these values in the database now, and explain that."""
        here = (model, pk)
        for name, value in values:
            if (model, name) in self._counts:
                for key in list(self._of_model.get(model, ())):
                    if (model, name) in self._answers[key].depends.fields:
                        self._drop(key)
            if value is not None and type(value) is not plain(model).get(name):
                # As it is read it may be something else.
                for key in list(self._held.get(here, ())):
                    self._drop(key)
            for held in self._held.get(here, {}).values():
                for fields in held:
                    if name in fields:
                        fields[name] = value
        self._explained = self.connection.total_changes

    def _drop(self, key: Hashable) -> None:
        answer = self._answers.pop(key)
        self._rows -= answer.rows
        for model in answer.depends.models:
            self._of_model[model].discard(key)
        for part in answer.parts:
            for model, pk, _fields in answer.shape.parts(part):
                holding = self._held.get((model, pk))
                if holding is not None:
                    holding.pop(key, None)
                    if not holding:
                        del self._held[model, pk]


class _Here(threading.local):
    kept: Kept | None = None
    db: Any = None
    """The connection of the act that is under way."""
    shares = False
    """Several acts of this thread are one transaction, which somebody else begins and ends."""


_here = _Here()


def database() -> Any:
    """Return this thread's connection. An act asks Django for it once: that takes its time."""
    return _here.db or connections[DEFAULT_DB_ALIAS]


def keep_here() -> None:
    """Let the acts of this thread keep what they are answered: it is the one that plays tables."""
    _here.kept = Kept()


@contextmanager
def sharing() -> Iterator[None]:
    """Let acts of this thread be parts of one transaction, which this is.

    On SQLite none has a savepoint. What was refused before it wrote has nothing to take back; where
    anything else went wrong `needs_rollback` is set at the end, and all has to be done anew.
    """
    with transaction.atomic():
        _here.shares = isinstance(connections[DEFAULT_DB_ALIAS], SQLite)
        try:
            yield
        finally:
            _here.shares = False


@contextmanager
def acting() -> Iterator[Any]:
    """Do all of an act, or nothing of it; what is asked may be answered by what is kept."""
    db = connections[DEFAULT_DB_ALIAS]
    with _part(db) if _here.shares else transaction.atomic():
        kept = _here.kept if isinstance(db, SQLite) else None
        if kept is not None:
            kept.begin(db)
        _here.db = db
        has_failed = True
        try:
            yield db
            has_failed = False
        finally:
            _here.db = None
            if kept is not None:
                kept.end(db, failed=has_failed)


@contextmanager
def _part(db: SQLite) -> Iterator[None]:
    """Be one act of several in a transaction."""
    written, hooks = db.connection.total_changes, len(db.run_on_commit)
    try:
        yield
    except BaseException:
        del db.run_on_commit[hooks:]
        if db.has_lost_transaction or db.connection.total_changes != written:
            db.needs_rollback = True
        raise


def kept_for(db: Any) -> Kept | None:
    """Return what is kept of a database, if this is in an act: what it holds is so."""
    kept = _here.kept
    if kept is None or db is not _here.db or db.connection is not kept.connection:
        return None
    kept.look(db)
    return kept
