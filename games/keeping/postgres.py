"""PostgreSQL: its own tools where they are installed, a schema to put the old house aside in."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction
from psycopg.conninfo import make_conninfo

from games.keeping import KeepingError
from games.keeping.stand_in import standing_in

PATIENCE_S = 3600
NOT_FOR_LIBPQ = ("cursor_factory", "context", "prepare_threshold", "server_side_binding", "pool")


@contextmanager
def one_moment() -> Iterator[str]:
    """Read everything as of one moment; yields the name by which other programs share it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            name = cursor.fetchone()[0]
        yield name


def mark() -> str:
    """Return what grows with every row written, as the server's own statistics count it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text "
            "FROM pg_stat_user_tables"
        )
        return str(cursor.fetchone()[0])


def dump(to: Path, snapshot: str) -> bool:
    """Write the database with `pg_dump`, as of a moment; False where that cannot be done here."""
    if shutil.which("pg_dump") is None:
        return False
    command = ["pg_dump", "--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
    done = _run([*command, "--schema=public", f"--snapshot={snapshot}", f"--file={to}"])
    return done.returncode == 0


def restore(dumped: Path) -> None:
    """Fill the database with what `pg_dump` wrote; raises KeepingError when it cannot."""
    if shutil.which("pg_restore") is None:
        raise KeepingError("This backup needs PostgreSQL's pg_restore: install its client tools.")
    with connection.cursor() as cursor:
        # The dump brings the schema along.
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
    command = ["pg_restore", "--no-owner", "--no-privileges", "--exit-on-error"]
    done = _run([*command, "--single-transaction", str(dumped)], ["--dbname", _address()])
    if done.returncode:
        raise KeepingError(f"pg_restore says: {done.stderr.strip()[-500:]}")


def _run(command: list[str], where: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run one of PostgreSQL's tools; the password goes by the environment, where nobody looks."""
    secret = str(connection.settings_dict["PASSWORD"] or "")
    return subprocess.run(  # noqa: S603 - the names are ours, the address is the host's own
        [command[0], *(where or ["--dbname", _address()]), *command[1:]],
        env={**os.environ, **({"PGPASSWORD": secret} if secret else {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def _address() -> str:
    asked = connection.get_connection_params()
    return make_conninfo(
        **{k: v for k, v in asked.items() if k not in (*NOT_FOR_LIBPQ, "password")}
    )


def put_aside() -> str:
    """Give the house that is there another name, and make room; return that name."""
    aside = f"before_{uuid.uuid4().hex[:8]}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'ALTER SCHEMA public RENAME TO "{aside}"')
        cursor.execute("CREATE SCHEMA public")
    return aside


def bring_back(aside: str) -> None:
    """Undo `put_aside`: what has come in its place meanwhile is dropped."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
        cursor.execute(f'ALTER SCHEMA "{aside}" RENAME TO public')


@contextmanager
def scratch() -> Iterator[None]:
    """Let an empty database of the same server stand in, and drop it afterwards."""
    name = f"taproom_drill_{uuid.uuid4().hex[:12]}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        with standing_in(NAME=name):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
