"""Which database tables a play has written to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

WRITES = ("INSERT INTO ", "UPDATE ", "DELETE FROM ")


class Touched:
    """Notes which database tables are written to while it wraps the connection's statements.

    Signals would not do: bulk writes send none. What `games.models.rows` writes past the
    wrappers it puts into `tables` itself.
    """

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        written = _written(sql)
        if written:
            self.tables.add(written)
        return execute(sql, params, many, context)


@lru_cache(maxsize=1000)
def _written(sql: str) -> str:
    """Return the table that a statement writes to, or nothing. Names are quoted."""
    return sql.split('"', 2)[1] if sql.startswith(WRITES) else ""
