"""Django's PostgreSQL, but for three things: who waits when it is away, what every tap asks, and a
server that only reads.

A table's worker does one thing after the other. If each of them waited for a connection as long
as the pool does, the tenth phone would hear after most of a minute that nothing can be written.
And the few statements that come with each tap are prepared: PostgreSQL reads and plans them once
for a connection, which is nearly half of what they cost it. After a failover a connection may lead
to the server that was the first and is none any more, or be told to only read: it lives, and would
refuse what is written for ever.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg.errors import ReadOnlySqlTransaction
from psycopg_pool import ConnectionPool

# So long nobody waits once somebody has waited in vain.
KNOWN_GONE_S = 1.0
# So many dead ones are passed over at most, which is more than a pool has.
MOST_DEAD = 20
# So many statements a connection keeps prepared: the same one counts anew for keys of other sizes.
MOST_PREPARED = 400


class Errors(DatabaseErrorWrapper):
    """Django's errors. A connection that may only read is hung up: another may lead elsewhere."""

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, ReadOnlySqlTransaction) and self.wrapper.connection is not None:
            self.wrapper.connection.close()
        super().__exit__(kind, error, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """Refuses a connection at once where another was waited for in vain just now."""

    _gone_at: ClassVar[float] = -KNOWN_GONE_S
    _asks: Any = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open a connection. Raises OperationalError, at once if that is known to be in vain."""
        if time.monotonic() - DatabaseWrapper._gone_at < KNOWN_GONE_S:
            raise base.Database.OperationalError("the database was gone a moment ago")
        try:
            return self._living_connection(conn_params)
        except base.Database.OperationalError:
            DatabaseWrapper._gone_at = time.monotonic()
            raise

    def _living_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection of the pool that works.

        After a restart of the server all that lie there are dead. The pool's own check rests a
        second after the first of them and two after the next: so nobody would come past three.
        """
        for _dead in range(MOST_DEAD):
            connection = super().get_new_connection(conn_params)
            try:
                ConnectionPool.check_connection(connection)
            except base.Database.OperationalError:
                self.pool.putconn(connection)  # which makes another for it
            else:
                return connection
        raise base.Database.OperationalError("every connection to the database breaks at once")

    @cached_property
    def wrap_database_errors(self) -> Errors:
        """Return what every error of the database goes through on its way to us."""
        return Errors(self)

    def ask(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Execute a statement that comes again and again, and return its cursor.

        The next one takes the same cursor: what this one answers is fetched before. Django's own
        way is gone where somebody is told of each statement, and where there is no connection, or
        a broken transaction, for it to complain of. Wrappers are the caller's to think of.
        """
        is_watched = settings.DEBUG or self.force_debug_cursor
        if self.connection is None or self.needs_rollback or is_watched:
            cursor = self.cursor()
            cursor.execute(query, values)
            return cursor
        if self._asks is None or self._asks.connection is not self.connection:
            self.connection.prepared_max = MOST_PREPARED
            self._asks = base.ServerBindingCursor(self.connection)
        try:
            return self._asks.execute(query, values)
        except base.Database.Error as error:
            if isinstance(error, base.Database.NotSupportedError):
                # A migration has changed what it answers: it would be refused again and again.
                self.connection.prepare_threshold = None
            with self.wrap_database_errors:
                raise
