"""The lock of a table's row, and which tables somebody else is known to hold.

A process that stands still in the middle of an action holds its table's row until the database ends
its transaction. Whoever taps there waits as long as the database lets them (`lock_timeout` in the
settings), and all other work of that thread waits with them. The phones and the clock of that table
try again and again; so one of them waits, and the others are refused at once.
"""

from __future__ import annotations

import time

from django.db import OperationalError

from games.models import Table, rows

# After one wait in vain nobody waits for that table for this long; phones try again sooner.
KNOWN_HELD_S = 5.0
# PostgreSQL's code for a lock that was not to be had (lock_not_available).
NOT_TO_BE_HAD = "55P03"
_held: dict[int, float] = {}


def locked(table_id: int) -> Table | None:
    """Return a table, locked for this transaction, or None where there is none of this number.

    Raises OperationalError when somebody else holds it: at once where that is known already.
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
    """Tell whether an error means that somebody holds the row, not that the database is away."""
    return getattr(error.__cause__, "sqlstate", None) == NOT_TO_BE_HAD
