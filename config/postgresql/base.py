"""Django's PostgreSQL, but for whom waits when it is away: one in each thread, and not one by one.

A table's worker does one thing after the other. If each of them waited for a connection as long
as the pool does, the tenth phone would hear after most of a minute that nothing can be written.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar

from django.db.backends.postgresql import base

# So long nobody waits once somebody has waited in vain.
KNOWN_GONE_S = 1.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Refuses a connection at once where another was waited for in vain just now."""

    _gone_at: ClassVar[float] = -KNOWN_GONE_S

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open a connection. Raises OperationalError, at once if that is known to be in vain."""
        if time.monotonic() - DatabaseWrapper._gone_at < KNOWN_GONE_S:
            raise base.Database.OperationalError("the database was gone a moment ago")
        try:
            return super().get_new_connection(conn_params)
        except base.Database.OperationalError:
            DatabaseWrapper._gone_at = time.monotonic()
            raise
