"""The lock of a table's row, and what is known of those that somebody else holds.

A process that stands still in the middle of an action holds its table's row until the database
gives it up. Whoever taps there waits as long as the database lets them (`lock_timeout` in the
settings), and with them all else that their worker has to do. The phones of that table come again
and again, and its clock does; so one of them waits, and the others are told at once.
"""

from __future__ import annotations

import time

from django.db import OperationalError

from games.models import Table, rows

# So long nobody waits for a table for which somebody has waited in vain. Phones come again sooner.
KNOWN_HELD_S = 5.0
# PostgreSQL's code for a lock that was not to be had (lock_not_available).
NOT_TO_BE_HAD = "55P03"
_held: dict[int, float] = {}


def locked(table_id: int) -> Table | None:
    """Return a table, kept for this transaction, or None where there is none of this number.

    Raises OperationalError when somebody else holds it, at once if that is known.
    """
    waits = time.monotonic() - _held.get(table_id, -KNOWN_HELD_S) >= KNOWN_HELD_S
    try:
        table = rows.first(Table, lock=True, waits=waits, id=table_id)
    except OperationalError as error:
        if waits and _is_held(error):
            _held[table_id] = time.monotonic()
        raise
    _held.pop(table_id, None)
    return table


def _is_held(error: OperationalError) -> bool:
    """Tell a row that somebody holds from a database that is away."""
    return getattr(error.__cause__, "sqlstate", None) == NOT_TO_BE_HAD
