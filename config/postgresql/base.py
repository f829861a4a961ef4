"""Django's PostgreSQL, different in four things.

Who waits while the server is away: a table's worker does one thing after the other. If each action
waited for a connection as long as the pool does, the tenth phone would be refused after most of a
minute. So after one wait in vain the next are refused at once.

A server that stands still: its machine takes whatever is said and answers nothing, for as long as
that lasts. Where people play, it is given up after a while, as a server that is gone.

What every tap asks is prepared: PostgreSQL parses and plans those few statements once for each
connection, which is nearly half of what they cost it.

A server that only reads: after a failover a connection may lead to the former first server, which
lives but refuses every write. Such a connection is closed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg.abc import PQGen
from psycopg.errors import OperationalError, ReadOnlySqlTransaction, _WaitTimeout
from psycopg_pool import ConnectionPool

# After one wait in vain nobody waits for this long.
KNOWN_GONE_S = 1.0
# How many dead connections are passed over at most: more than a pool has.
MOST_DEAD = 20
# How many statements a connection keeps prepared; sizes of parameters count as further statements.
MOST_PREPARED = 400
# How often psycopg looks whether it was interrupted; its own default.
LOOKS_EVERY_S = 0.1

T = TypeVar("T")


class Silent(OperationalError):
    """The server did not answer for as long as somebody waits for it."""


class PatientConnection(psycopg.Connection[Any]):
    """A connection that waits no longer than `patience`, in seconds, where that is set.

    Commands have none: a backup or a migration may take its time.
    """

    patience: ClassVar[float | None] = None

    def wait(
        self, gen: PQGen[T], interval: float = LOOKS_EVERY_S, timeout: float | None = None
    ) -> T:
        """Wait for what was asked. Raises Silent, and hangs up: an answer would come too late."""
        if timeout is not None or self.patience is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience)
        except _WaitTimeout as error:
            self.pgconn.finish()
            DatabaseWrapper.note_gone()
            raise Silent("the database does not answer") from error


class Errors(DatabaseErrorWrapper):
    """Django's errors; closes a connection that can only read, since another may lead elsewhere."""

    wrapper: DatabaseWrapper

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, ReadOnlySqlTransaction) and self.wrapper.connection is not None:
            self.wrapper.connection.close()
        super().__exit__(kind, error, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL with the four differences of this module."""

    _gone_at: ClassVar[float] = -KNOWN_GONE_S
    _asks: Any = None

    @classmethod
    def note_gone(cls) -> None:
        """Note that somebody waited in vain: for a moment nobody else does."""
        DatabaseWrapper._gone_at = time.monotonic()

    @property
    def pool(self) -> Any:
        """Return the pool of all threads, whose connections are ours."""
        options = self.settings_dict["OPTIONS"].get("pool")
        if isinstance(options, dict):
            options.setdefault("connection_class", PatientConnection)
        return super().pool

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open a connection. Raises OperationalError: at once after another's wait in vain."""
        if time.monotonic() - DatabaseWrapper._gone_at < KNOWN_GONE_S:
            raise OperationalError("the database was gone a moment ago")
        try:
            return self._living_connection(conn_params)
        except OperationalError:
            self.note_gone()
            raise

    def _living_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a working connection of the pool.

        After a restart of the server all connections in the pool are dead. The pool's own check
        waits one second after the first of them and two after the next, so nobody would get past
        the third.
        """
        for _dead in range(MOST_DEAD):
            connection = super().get_new_connection(conn_params)
            try:
                ConnectionPool.check_connection(connection)
            except OperationalError as error:
                self.pool.putconn(connection)  # the pool opens another in its place
                if isinstance(error, Silent):
                    raise  # the next one would be as silent, after another wait
            else:
                return connection
        raise OperationalError("every connection to the database breaks at once")

    @property
    def is_wanted(self) -> bool:
        """Tell whether another thread waits for a connection, as where the server gives no more."""
        return self.connection is not None and self.pool.get_stats()["requests_waiting"] > 0

    @cached_property
    def wrap_database_errors(self) -> Errors:
        """Return the wrapper that every error of the database goes through."""
        return Errors(self)

    def ask(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Execute a statement that comes again and again, and return its cursor.

        The next call uses the same cursor, so fetch the answer before that. Django's own way is
        taken where statements are watched, where there is no connection yet, and where a broken
        transaction must be refused. Execute wrappers are left to the caller.
        """
        is_watched = settings.DEBUG or self.force_debug_cursor
        if self.connection is None or self.needs_rollback or is_watched:
            cursor = self.cursor()
            cursor.execute(query, values)
            return cursor
        if self._asks is None or self._asks.connection is not self.connection:
            self.connection.prepared_max = MOST_PREPARED
            # A cursor of psycopg's, which its types leave out.
            self._asks = base.ServerBindingCursor(self.connection)  # type: ignore[call-arg]
        try:
            return self._asks.execute(query, values)
        except psycopg.Error as error:
            if isinstance(error, psycopg.NotSupportedError):
                # A migration has changed the columns it returns: prepared, it would be refused
                # again and again.
                self.connection.prepare_threshold = None
            with self.wrap_database_errors:
                raise
