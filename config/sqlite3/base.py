"""Django's SQLite, but for how a transaction begins.

A BEGIN that waited in vain for the write lock leaves a cursor behind, in its error's traceback.
The next thread that looks for garbage frees it, and SQLite makes that thread wait for whatever the
cursor's connection does by then. If that is another BEGIN, and the thread that frees holds the very
lock, both stand still until the patience of the one that waits ends (`timeout`); and it leaves the
next cursor.
"""

from __future__ import annotations

from django.db.backends.sqlite3 import base
from django.db.backends.utils import debug_transaction


class DatabaseWrapper(base.DatabaseWrapper):
    """Begins transactions by a cursor that no traceback can keep, since Python never holds it."""

    def _start_transaction_under_autocommit(self) -> None:
        begin = f"BEGIN {self.transaction_mode or ''}".strip()
        with debug_transaction(self, begin), self.wrap_database_errors:
            self.connection.execute(begin)
