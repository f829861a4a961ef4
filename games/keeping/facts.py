"""What is counted in a database: by SQL alone, so that it works for every release's tables."""

from __future__ import annotations

from django.db import connection

# SQLite's own counters, which PostgreSQL has not.
NOT_COUNTED = ("sqlite_sequence",)


def rows() -> dict[str, int]:
    """Count the rows of every table."""
    with connection.cursor() as cursor:
        counted = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            if table not in NOT_COUNTED:
                cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
                counted[table] = cursor.fetchone()[0]
    return counted


def heads() -> dict[str, int]:
    """Return the last number of each table's log, by its code; empty for an empty database."""
    with connection.cursor() as cursor:
        if "games_table" not in connection.introspection.table_names(cursor):
            return {}
        cursor.execute("SELECT code, seq FROM games_table ORDER BY code")
        return dict(cursor.fetchall())


def is_lived_in() -> bool:
    """Tell whether anybody has used this database: a table at which people sat, or an account."""
    counted = rows()
    return bool(counted.get("games_table") or counted.get("auth_user"))
