"""Which database tables a play has written to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

WRITES = ("INSERT INTO ", "UPDATE ", "DELETE FROM ")


class Touched:
    """Notes which tables are written to, as an execute wrapper of the connection.

    Signals would not do: bulk writes send none. `games.models.rows` writes past the wrappers, and
    adds its tables itself.
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
