"""Django's SQLite, with four dangers met where a transaction begins or a page reads.

A file that went. In WAL mode SQLite writes on in files that were moved away or deleted, and what
was answered would be lost. So every transaction first checks that database and journal are still
the files at their paths, and so does every page that reads: the index that all connections share
may by then belong to another journal. The first to find a journal gone moves its contents into the
database and leaves it empty. Whoever still has it open then reads nothing wrong from it, and
overwrites nothing with it when closing. The first to find another database in its place, and its
journal left behind, does the same: that would be taken for the other one's.

A cursor that is freed late. A BEGIN that waited in vain for the write lock leaves a cursor behind
in its error's traceback. The next thread to collect garbage frees that cursor, and SQLite makes it
wait for whatever the cursor's connection is doing. If that is another BEGIN, and the freeing thread
holds the very lock it waits for, both stand still until `timeout`, and the next cursor is left
behind. So Python never holds the cursor of a BEGIN.

A file that can only be read. SQLite opens it nevertheless, to read, and the connection refuses
writes for ever, even once the file's owner has mended that. So after a refused write the file is
opened anew.

A lock that another program holds for minutes: the write lock, or without WAL any, since there who
reads keeps commits waiting and who commits keeps readers waiting. After one wait in vain whoever
comes next is refused at once, on every connection, since a waiting thread does nothing else; after
a few seconds one second is tried, until something is committed.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from typing import Any, ClassVar

from django.conf import settings
from django.db.backends.sqlite3 import base
from django.db.backends.utils import debug_transaction
from django.db.utils import DatabaseError, DatabaseErrorWrapper
from django.utils.functional import cached_property

from config.sqlite3.ours import (
    Ours,
    identity,
    is_somewhere,
    note_own,
    note_waiting,
    settle_journals,
    take_away,
    whose,
)
from config.sqlite3.schema import SchemaEditor

# After a wait in vain nobody waits for KNOWN_LOCKED_S; the next one then waits LOOKS_AGAIN_MS.
KNOWN_LOCKED_S, LOOKS_AGAIN_MS = 5.0, 1000
SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)
# Python's own, where settings name none.
USUAL_WAIT_S = 5.0
# Journals that are gone from their paths and have been emptied.
_left: set[tuple[int, int] | None] = set()
_leaving = threading.Lock()


class Errors(DatabaseErrorWrapper):
    """Django's errors; notes a wait in vain, and a connection that has to be opened anew.

    One can only read. Another may keep what it read in a file that was emptied or half written.
    """

    wrapper: DatabaseWrapper

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_READONLY:
            self.wrapper.only_reads = True
        elif code in SPOILT:
            self.wrapper.is_spoilt = True
        elif code == sqlite3.SQLITE_BUSY:
            self.wrapper.note_lock()
        super().__exit__(kind, error, traceback)


class Cursor(base.SQLiteCursorWrapper):
    """Rewrites each statement for SQLite once, not each time it is executed."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        if param_names is None:
            return _marked(query)
        return str(super().convert_query(query, param_names=param_names))


@lru_cache(maxsize=2000)
def _marked(query: str) -> str:
    return str(base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%"))


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite with the checks and shortcuts of this module."""

    SchemaEditorClass = SchemaEditor
    transaction_mode: str | None
    _path = ""
    _opened = 0
    _file: tuple[int, int] | None = None
    _journal: tuple[int, int] | None = None
    only_reads = is_spoilt = False
    rollbacks = 0
    """How often what this connection had written was taken back."""
    _written = 0
    _debugs = False
    _waits_ms = 0
    _waited_in_vain_at: ClassVar[dict[str, float]] = {}
    """By file: others' locks are in every connection's way."""

    @cached_property
    def wrap_database_errors(self) -> Errors:
        return Errors(self)

    def _rollback(self) -> None:
        if self.connection is not None and self.connection.total_changes != self._written:
            self.rollbacks += 1
        super()._rollback()  # type: ignore[misc]  # kept to itself, as below

    def _savepoint_rollback(self, sid: str) -> None:
        self.rollbacks += 1
        super()._savepoint_rollback(sid)  # type: ignore[misc]

    @property
    def has_lost_transaction(self) -> bool:
        """Tell whether SQLite has rolled back a transaction that Django believes to be under way.

        It does so after a statement for which the disk was full or broken. Later statements would
        then be committed one by one, and the commit at the end, of nothing, would succeed.
        """
        here = self.connection
        return here is None or (here.isolation_level is None and not here.in_transaction)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self._house is not None:
            self._house.refuse_another()
        settle_journals()
        self._waits_ms = self._sensible_wait()
        connection = super().get_new_connection(conn_params | {"timeout": self._waits_ms / 1000})
        (_number, _name, self._path) = connection.execute("PRAGMA database_list").fetchone()
        # A connection that has read holds a lock on the journal: from now on nobody removes it
        # rightly.
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        self._file = identity(self._path)
        self._note_journal()
        self._opened += 1
        self.only_reads = self.is_spoilt = False
        self._debugs = settings.DEBUG
        return connection

    @property
    def _house(self) -> Ours | None:
        ours: Ours | None = self.settings_dict.get("HOUSE")
        return ours

    def writes_of_others(self) -> tuple[int, int]:
        """Return a value that changes when another connection has written, or this one is new."""
        if not self.in_atomic_block:
            self.close_if_health_check_failed()
        (version,) = self.ask("PRAGMA data_version").fetchone()
        return self._opened, version

    def close_if_health_check_failed(self) -> None:
        """Close before reading where the file has left its path, or could not be used."""
        is_between = self.autocommit and not self.in_atomic_block
        if self.connection is not None and is_between:
            with self.wrap_database_errors:
                self._refuse_emptied()
            if self.only_reads or self.is_spoilt:
                self.close()
            elif self._has_moved():
                with self.wrap_database_errors:
                    self._leave_file()
            elif self._is_without_journal():
                with self.wrap_database_errors:
                    self._leave_journal()
            else:
                self._wait_sensibly()
        super().close_if_health_check_failed()

    def close_if_unusable_or_obsolete(self) -> None:
        """Check the files before each page as well: what it reads goes through `ask`, unchecked."""
        with suppress(DatabaseError):  # the next read is then refused, in words
            self.close_if_health_check_failed()
        super().close_if_unusable_or_obsolete()

    def create_cursor(self, name: str | None = None) -> Cursor:
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        return cursor

    def ask(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Execute a statement by the library itself, and return its cursor.

        Django's way takes three times as long as SQLite itself. It is taken all the same where
        statements are watched, where there is no connection yet, and where a broken transaction
        must be refused. Execute wrappers are left to the caller.
        """
        if self.connection is None or self.needs_rollback or self._is_watched:
            cursor = self.cursor()
            cursor.execute(query, values)
            return cursor
        try:
            return self.connection.execute(_marked(query), values)
        except sqlite3.Error:
            with self.wrap_database_errors:
                raise

    @property
    def _is_watched(self) -> bool:
        """Tell whether statements are recorded; `queries_logged` says the same, more slowly."""
        return self._debugs or self.force_debug_cursor

    def _commit(self) -> None:
        if self.connection is not None and self.has_lost_transaction:
            with self.wrap_database_errors:
                raise sqlite3.OperationalError("the transaction was taken back")
        if self.connection is None or self._is_watched:
            super()._commit()  # type: ignore[misc]
        else:
            try:
                self.connection.commit()
            except sqlite3.Error:
                with self.wrap_database_errors:
                    raise
        self._waited_in_vain_at.pop(self._name, None)

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        """End a transaction that is over already without another statement to SQLite."""
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
        """Raise OperationalError where the database or its journal is no longer at its path.

        Somebody may have deleted or replaced them, or a program took them for unused.
        """
        self._refuse_emptied()
        if self._has_moved():
            self._leave_file()
            raise sqlite3.OperationalError("unable to open database file: it was moved")
        if self._is_without_journal():
            self._leave_journal()
            raise sqlite3.OperationalError("unable to open database file: its journal went")

    def _refuse_emptied(self) -> None:
        """Raise OperationalError where the file was emptied; once it is back, all goes on."""
        if self._house is not None:
            self._house.refuse_emptied()

    def _has_moved(self) -> bool:
        return bool(self._path) and identity(self._path) != self._file

    def _is_without_journal(self) -> bool:
        return self._journal is not None and identity(self._path + "-wal") != self._journal

    def _note_journal(self) -> None:
        self._journal = identity(self._path + "-wal")
        note_own(self._journal, self._file)
        # What stands at its path was never left: the system gives a new file the number of one that
        # is gone.
        _left.discard(self._journal)

    def _leave_file(self) -> None:
        """Close a database that is not at its path; one that is elsewhere has its journal in it.

        One that was deleted cannot keep a journal: what comes to its place may be its copy, which
        takes that up (`settle_journals`).
        """
        stayed = self._journal is not None and not self._is_without_journal()
        is_own = stayed and whose(self._journal) == self._file
        if is_own and not self.only_reads and is_somewhere(self._file):
            is_replaced = identity(self._path) is not None
            self._leave_journal(takes_along=("-wal", "-shm") if is_replaced else ())
        else:
            if is_own:
                note_waiting(self._path, self._journal, self._file)
            self.close()

    def _leave_journal(self, takes_along: Sequence[str] = ()) -> None:
        """Move what is in a journal that is gone into the database, and close.

        Only once, and before anybody writes another journal: the shared index then belongs to that
        one. `takes_along` are files beside the database that nobody is to find there any more.
        """
        with _leaving:
            if self._journal not in _left:
                done = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if done[0]:
                    raise sqlite3.OperationalError("database is locked: its journal went")
                _left.add(self._journal)
                take_away(self._path, *takes_along)  # a journal that has to stay is empty
        self.close()

    def _start_transaction_under_autocommit(self) -> None:
        begin = f"BEGIN {self.transaction_mode or ''}".strip()
        try:
            with debug_transaction(self, begin) if self._is_watched else nullcontext():
                self._look_for_the_files()
                self._wait_sensibly()
                self.connection.execute(begin)
        except sqlite3.Error:
            with self.wrap_database_errors:
                raise
        self._written = self.connection.total_changes
        _left.discard(self._journal)  # by who found the file away; it is back, and goes on with it
        if self._path and self._journal is None:
            # With the lock held nobody removes it rightly.
            self._note_journal()

    # --- locks of others --------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return str(self.settings_dict["NAME"])

    def note_lock(self) -> None:
        """Hear that somebody else's lock was met; who did not wait for it has learnt nothing."""
        if self._waits_ms:
            self._waited_in_vain_at[self._name] = time.monotonic()

    def _sensible_wait(self) -> int:
        """Return for how many milliseconds it makes sense to wait for a lock now."""
        last = self._waited_in_vain_at.get(self._name)
        if last is None:
            timeout: float = self.settings_dict["OPTIONS"].get("timeout", USUAL_WAIT_S)
            return round(timeout * 1000)
        return LOOKS_AGAIN_MS if time.monotonic() - last >= KNOWN_LOCKED_S else 0

    def _wait_sensibly(self) -> None:
        waits = self._sensible_wait()
        if waits != self._waits_ms:
            self.connection.execute(f"PRAGMA busy_timeout={waits}")
            self._waits_ms = waits
