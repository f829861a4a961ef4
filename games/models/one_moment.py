"""Several questions to the database, answered as of one commit, while others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything in the block as of one commit, or in the transaction that is under way.

    Taps go on meanwhile; only on SQLite without WAL who commits waits until the block has ended.
    """
    db: Any = connections[DEFAULT_DB_ALIAS]
    if db.in_atomic_block:
        yield
        return
    db.ensure_connection()  # or what is set here would be set back
    was = getattr(db, "transaction_mode", None)
    db.transaction_mode = "DEFERRED"  # SQLite's: the usual one takes the write lock
    try:
        with transaction.atomic():
            if db.vendor == "postgresql":
                with db.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        db.transaction_mode = was
