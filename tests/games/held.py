"""Checks every kept answer against the database, each time that one is given."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import pytest
from django.db import connection, models, transaction

from games.models import acts, rows


class Held:
    """Counts the answers that came from what is kept, and how many of them were wrong."""

    def __init__(self) -> None:
        self.hits = 0
        self.wrong: list[str] = []
        self._real = rows.answered

    def answered(self, db: Any, key: Any, shape: Any, depends: Any, ask: Any) -> list[Any]:
        here = acts.kept_for(db)
        found = None if here is None else here.get(key)
        if found is not None:
            self.hits += 1
            asked = [shape.read(values) for values in ask()]
            if repr(asked) != repr(found):
                self.wrong.append(f"{key}: {found}, not {asked}")
        return self._real(db, key, shape, depends, ask)


@contextmanager
def held() -> Iterator[Held]:
    """Keep what the acts of this thread are answered, as the worker's thread does."""
    one = Held()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "answered", one.answered)
        acts.keep_here()
        yield one
        acts._here.kept = None


class TakenBack(Exception):
    pass


def meddles(luck: random.Random, row: models.Model, field: str, value: Any) -> None:
    """Write a field of a row, in one of the ways in which somebody other than an act might."""
    model, table = type(row), row._meta.db_table

    def by_queryset() -> None:
        model._default_manager.filter(pk=row.pk).update(**{field: value})

    def by_row() -> None:
        setattr(row, field, value)
        row.save(update_fields=[field])

    def by_statement() -> None:
        setattr(row, field, value)
        rows.update(row, [field])

    def taken_back() -> None:
        with suppress(TakenBack), transaction.atomic():
            by_queryset()
            raise TakenBack

    def by_another_thread() -> None:
        def writes() -> None:
            by_queryset()
            connection.close()

        other = threading.Thread(target=writes)
        other.start()
        other.join()

    def by_another_program() -> None:
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other, other:
            other.execute(f'UPDATE "{table}" SET "{field}" = ? WHERE id = ?', (value, row.pk))

    ways: list[Callable[[], None]] = [by_queryset, by_row, by_statement, taken_back]
    if not connection.in_atomic_block:
        ways += [by_another_thread, by_another_program]
    luck.choice(ways)()
