"""What many tests begin with: built once, then put down again row by row.

To gather the cast takes dozens of requests, and hundreds of tests begin with it. The rows that came
of it are kept as the database wrote them, together with a copy of the objects that tests hold.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import connection, transaction

from tests.games.party import Clock, Dice

T = TypeVar("T")
Rows = dict[str, set[tuple[Any, ...]]]


class Standing(Generic[T]):
    """People, a table and things, as `build` leaves them; nothing of it is in the database yet."""

    def __init__(self, build: Callable[[Dice, Clock], T], dice: Dice, clock: Clock) -> None:
        """Build it with dice and a clock in place of the server's, then roll the database back."""
        self._build, self._dice, self._clock = build, dice, clock
        self._ground, before, at_ms = _ground(), _rows(), clock.ms
        with transaction.atomic():
            self._built = build(dice, clock)
            after = _rows()
            transaction.set_rollback(True)
        new = {name: after[name] - before[name] for name in after}
        self._rows = {name: rows for name, rows in new.items() if rows}
        assert all(before[name] <= after[name] for name in after), "a row of the book was changed"
        self.is_down = False
        self._took_ms = clock.ms - at_ms
        assert dice.faces == [], "dice are left"

    def put_down(self, dice: Dice, clock: Clock) -> T:
        """Write the rows; return a copy of what was built, bound to these dice and this clock.

        If a test has emptied the database since, the book has other keys, and PostgreSQL's JSON
        can't be written as it is read: then all is built once more.
        """
        self.is_down = connection.vendor == "sqlite" and self._ground == _ground()
        if not self.is_down:
            return self._build(dice, clock)
        self._write()
        clock.passes(self._took_ms)
        return self._copy(dice, clock)

    def is_followed_by(self, later: Standing[T], dice: Dice, clock: Clock) -> T | None:
        """Put a later standing in this one's place, where nothing was written since.

        None where this one was not put down as rows, or the later one was built on another
        database.
        """
        if not self.is_down or self._ground != later._ground:
            return None
        with transaction.atomic():
            self._erase()
            later._write()
        clock.passes(later._took_ms - self._took_ms)
        self.is_down = False
        return later._copy(dice, clock)

    @contextmanager
    def taken_up(self) -> Iterator[None]:
        """Take the rows away for a while, so that another standing can be built without them."""
        with transaction.atomic():
            if self.is_down:
                self._erase()
                with connection.cursor() as cursor:
                    cursor.execute("DELETE FROM sqlite_sequence")
                    cursor.executemany(
                        "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", self._ground
                    )
            yield
            transaction.set_rollback(True)

    def _erase(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA defer_foreign_keys = ON")
            for table, rows in self._rows.items():
                key = connection.introspection.get_primary_key_column(cursor, table)
                cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
                at = [column[0] for column in cursor.description].index(key)
                asked = f'DELETE FROM "{table}" WHERE "{key}" = %s'
                cursor.executemany(asked, [[row[at]] for row in rows])

    def _write(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("PRAGMA defer_foreign_keys = ON")
            for table, rows in self._rows.items():
                places = ", ".join(["%s"] * len(next(iter(rows))))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({places})', list(rows))

    def _copy(self, dice: Dice, clock: Clock) -> T:
        return copy.deepcopy(self._built, {id(self._dice): dice, id(self._clock): clock})


def rows_written() -> int | None:
    """Return how many rows this connection has ever written, those rolled back included.

    None where the database does not say. The same number twice means that nothing was written.
    """
    if connection.vendor != "sqlite":
        return None
    connection.ensure_connection()
    return int(connection.connection.total_changes)


def _ground() -> list[tuple[Any, ...]]:
    """Return the last key that each table has given: it identifies a database without rows."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name")
        return cursor.fetchall()


def _rows() -> Rows:
    if connection.vendor != "sqlite":
        return {}
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found[table] = set(cursor.fetchall())
    return found
