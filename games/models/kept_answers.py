"""What SQLite answered the thread that plays all tables, kept from one act to the next.

A tap asks for the same few rows as the tap before it, and almost none of them have changed. One
thread plays all tables over one connection, so its answers hold as long as nobody writes except
this thread by the statements of `games.models.rows`. Each act checks that, holding the write lock:

- `PRAGMA data_version` changes when another connection has committed;
- the connection's `total_changes` tells whether this thread has written in some other way;
- the connection counts its rollbacks.

If any of them differs, everything is forgotten. Our own writes update what is kept, or drop what
they may change.

Only an act uses this (`games.models.acts`). All of it may be dropped at any moment: it is then read
again, with the same result (`tests/games/test_kept_answers.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from django.db import models

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.models.shapes import Part, Shape
from games.models.values import plain

Model = type[models.Model]
# Enough for some sixty tables; the answers not asked for the longest are dropped first.
MOST_ROWS = 20_000


class Depends(NamedTuple):
    """What can change an answer, apart from the fields of its own rows.

    A row of one of these models that is new, or whose value in one of these fields changes, may
    enter the answer, leave it, or take another place in it.
    """

    models: frozenset[Model]
    fields: frozenset[tuple[Model, str]]


class Answer(NamedTuple):
    """One kept answer; `rows` is what it takes of the room, itself included."""

    parts: list[Part]
    shape: Shape
    depends: Depends
    rows: int


class Kept:
    """The answers of one connection, by what was asked."""

    def __init__(self) -> None:
        self.connection: Any = None
        self._version = (-1, -1)
        # The connection's `total_changes` as far as our own statements explain them.
        self._explained = self._rollbacks = -1
        self.forget()

    def forget(self) -> None:
        """Drop everything."""
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        # Every place where a row's fields are kept: by its model and key, then by the answer.
        self._held: dict[tuple[Model, Any], dict[Hashable, list[dict[str, Any]]]] = {}
        self._of_model: dict[Model, set[Hashable]] = {}
        # Every field by which some answer was found or ordered; those dropped since are left in it.
        self._counts: set[tuple[Model, str]] = set()
        self._rows = 0

    def begin(self, db: SQLite) -> None:
        """Find out what still holds, in a transaction that has the write lock."""
        version = db.writes_of_others()  # another one where the connection is
        if version != self._version:
            self.forget()
        self.connection, self._version = db.connection, version
        self.look(db)

    def look(self, db: SQLite) -> None:
        """Forget everything if this thread has written in some other way, or rolled back."""
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
        """Note that this thread has inserted rows; drop the answers they may belong to."""
        for key in list(self._of_model.get(model, ())):
            self._drop(key)
        self._explained = self.connection.total_changes

    def updated(self, model: Model, pk: Any, values: Iterable[tuple[str, Any]]) -> None:
        """Note that this thread has written these values to a row; update what is kept of it."""
        here = (model, pk)
        for name, value in values:
            if (model, name) in self._counts:
                for key in list(self._of_model.get(model, ())):
                    if (model, name) in self._answers[key].depends.fields:
                        self._drop(key)
            if value is not None and type(value) is not plain(model).get(name):
                # Read back from the database, such a value may be another than the one written.
                for key in list(self._held.get(here, ())):
                    self._drop(key)
            for held in self._held.get(here, {}).values():
                for fields in held:
                    if name in fields:
                        fields[name] = value
        self._explained = self.connection.total_changes

    def _drop(self, key: Hashable) -> None:
        """Drop one answer, and what was noted of where its rows are kept."""
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
