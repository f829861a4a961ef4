"""Django's SQLite, but for how a transaction begins: in the right file, and without a trace.

With a journal of the kind WAL, SQLite writes on in files that were moved away or deleted, and what
was answered would be nowhere. So whoever begins looks whether they are still those at their paths,
and whoever reads does, too: by then the index that all share may be that of another journal. The
first to find a journal gone brings home what is in it and leaves it empty. Who still holds it then
reads nothing wrong from it, and puts nothing of it over what was written later when it closes.

A BEGIN that waited in vain for the write lock leaves a cursor behind, in its error's traceback.
The next thread that looks for garbage frees it, and SQLite makes that thread wait for whatever the
cursor's connection does by then. If that is another BEGIN, and the thread that frees holds the very
lock, both stand still until the patience of the one that waits ends (`timeout`); and it leaves the
next cursor.

A file that may only be read is opened all the same, to read, and refuses what is written for ever,
also once its owner has mended that. So whoever was refused opens it anew the next time.

Another program may hold the lock for minutes. Whoever has waited for it in vain once does not do so
again and again, since a thread that waits does nothing else: who comes right after is told at once,
and then a second is tried, until it is free.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3 import base
from django.db.backends.utils import debug_transaction
from django.db.utils import DatabaseError, DatabaseErrorWrapper
from django.utils.functional import cached_property

# After a wait in vain: so long nobody waits, and then so long at most.
KNOWN_LOCKED_S, LOOKS_AGAIN_MS = 5.0, 1000
# Journals that went and are empty by now.
_left: set[tuple[int, int] | None] = set()
_leaving = threading.Lock()


class Errors(DatabaseErrorWrapper):
    """Django's errors. Of a connection that may only read is noted that it is of no more use."""

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == base.Database.SQLITE_READONLY:
            self.wrapper.only_reads = True
        super().__exit__(kind, error, traceback)


class Cursor(base.SQLiteCursorWrapper):
    """Writes a statement as SQLite reads it once, not each time it is executed."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        if param_names is None:
            return _marked(query)
        return str(super().convert_query(query, param_names=param_names))


@lru_cache(maxsize=2000)
def _marked(query: str) -> str:
    return str(base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%"))


class DatabaseWrapper(base.DatabaseWrapper):
    """Begins transactions by a cursor that no traceback can keep, since Python never holds it."""

    _path = ""
    _opened = 0
    _file: tuple[int, int] | None = None
    _journal: tuple[int, int] | None = None
    only_reads = False
    rollbacks = 0
    """How often what this connection had written was taken back."""
    _written = 0
    _debugs = False
    _waited_in_vain_at: float | None = None

    @cached_property
    def wrap_database_errors(self) -> Errors:
        return Errors(self)

    def _rollback(self) -> None:
        if self.connection is not None and self.connection.total_changes != self._written:
            self.rollbacks += 1
        super()._rollback()

    def _savepoint_rollback(self, sid: str) -> None:
        self.rollbacks += 1
        super()._savepoint_rollback(sid)

    @property
    def has_lost_transaction(self) -> bool:
        """Tell whether SQLite has taken back by itself what Django holds for under way.

        After a statement for which the disk had no room, or was broken, it does: the next ones
        would each be committed alone, and the commit at the end, of nothing, would succeed.
        """
        here = self.connection
        return here is None or (here.isolation_level is None and not here.in_transaction)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        (_number, _name, self._path) = connection.execute("PRAGMA database_list").fetchone()
        # Whoever has read holds the journal: from now on nobody takes it away by right.
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        self._file, self._journal = _identity(self._path), _identity(self._path + "-wal")
        self._opened += 1
        self.only_reads = False
        self._debugs = settings.DEBUG
        return connection

    def writes_of_others(self) -> tuple[int, int]:
        """Return what is another once another connection has written, or this one is a new one."""
        if not self.in_atomic_block:
            self.close_if_health_check_failed()
        (version,) = self.ask("PRAGMA data_version").fetchone()
        return self._opened, version

    def close_if_health_check_failed(self) -> None:
        """Let go of a file that is at its path no more, before anything is read of it, and of one
        that could not be written."""
        is_between = self.autocommit and not self.in_atomic_block
        if self.connection is not None and is_between:
            if self.only_reads or self._has_moved():
                self.close()
            elif self._is_without_journal():
                with self.wrap_database_errors:
                    self._leave_journal()
        super().close_if_health_check_failed()

    def close_if_unusable_or_obsolete(self) -> None:
        """Look for the files before each page, too: what it reads goes by `ask`, without a look."""
        with suppress(DatabaseError):  # then what is read next is refused, in words
            self.close_if_health_check_failed()
        super().close_if_unusable_or_obsolete()

    def create_cursor(self, name: str | None = None) -> Cursor:
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        return cursor

    def ask(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Execute a statement by the library itself, and return its cursor.

        Django's way there costs three times what SQLite needs to answer. It is gone where
        somebody is told of each statement, and where there is no connection, or a broken
        transaction, for it to complain of. Wrappers are the caller's to think of.
        """
        if self.connection is None or self.needs_rollback or self._is_watched:
            cursor = self.cursor()
            cursor.execute(query, values)
            return cursor
        try:
            return self.connection.execute(_marked(query), values)
        except base.Database.Error:
            with self.wrap_database_errors:
                raise

    @property
    def _is_watched(self) -> bool:
        """Tell whether statements are noted down, as `queries_logged` does, which takes longer."""
        return self._debugs or self.force_debug_cursor

    def _commit(self) -> None:
        if self.connection is not None and self.has_lost_transaction:
            with self.wrap_database_errors:
                raise base.Database.OperationalError("the transaction was taken back")
        if self.connection is None or self._is_watched:
            super()._commit()
            return
        try:
            self.connection.commit()
        except base.Database.Error:
            with self.wrap_database_errors:
                raise

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        """End a transaction that was committed or taken back without another word to SQLite."""
        here = self.connection
        is_over = here is not None and not (self.in_atomic_block or here.in_transaction)
        if not (autocommit and is_over and here.isolation_level is None):
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
            return
        self.autocommit = True
        if self.run_commit_hooks_on_set_autocommit_on:
            self.run_and_clear_commit_hooks()
            self.run_commit_hooks_on_set_autocommit_on = False

    def _look_for_the_files(self) -> None:
        """Raise OperationalError where another database or journal, or none, stands there by now.

        Somebody may have deleted them, or a program that holds them for nobody's.
        """
        if self._has_moved():
            self.close()
            raise base.Database.OperationalError("unable to open database file: it was moved")
        if self._is_without_journal():
            self._leave_journal()
            raise base.Database.OperationalError("unable to open database file: its journal went")

    def _has_moved(self) -> bool:
        return bool(self._path) and _identity(self._path) != self._file

    def _is_without_journal(self) -> bool:
        return self._journal is not None and _identity(self._path + "-wal") != self._journal

    def _leave_journal(self) -> None:
        """Close. What is in the journal has been answered: it goes where others find it.

        Once, before anybody writes another journal: from then on the index is not of this one.
        """
        with _leaving:
            if self._journal not in _left:
                done = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if done[0]:
                    raise base.Database.OperationalError("database is locked: its journal went")
                _left.add(self._journal)
        self.close()

    def _start_transaction_under_autocommit(self) -> None:
        begin = f"BEGIN {self.transaction_mode or ''}".strip()
        try:
            with debug_transaction(self, begin) if self._is_watched else nullcontext():
                self._look_for_the_files()
                self._begin(begin)
        except base.Database.Error:
            with self.wrap_database_errors:
                raise
        self._written = self.connection.total_changes
        if self._path and self._journal is None:
            # Now that it is locked nobody takes it away by right.
            self._journal = _identity(self._path + "-wal")

    def _begin(self, begin: str) -> None:
        """Begin, as patiently as it makes sense. Raises OperationalError where it is locked."""
        here, now = self.connection, time.monotonic()
        last, looks = self._waited_in_vain_at, True
        try:
            if last is None:
                here.execute(begin)
            else:
                looks = now - last >= KNOWN_LOCKED_S
                (patience,) = here.execute("PRAGMA busy_timeout").fetchone()
                here.execute(f"PRAGMA busy_timeout={LOOKS_AGAIN_MS if looks else 0}")
                try:
                    here.execute(begin)
                finally:
                    here.execute(f"PRAGMA busy_timeout={patience}")
        except base.Database.OperationalError as error:
            if looks and error.sqlite_errorcode & 0xFF == base.Database.SQLITE_BUSY:
                self._waited_in_vain_at = time.monotonic()
            raise
        self._waited_in_vain_at = None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
