"""PostgreSQL: its own tools where they are installed, a schema to put the old house aside in."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _
from psycopg.conninfo import make_conninfo

from games.keeping import KeepingError
from games.keeping.stand_in import standing_in

PATIENCE_S = 3600
MOST_SAID = 500  # the last letters of what a tool says when it fails
GONE_WITHIN_S = 3
# The name of the lock that a restore holds, and how a schema begins that one has put aside.
RESTORES, UNDER_WAY = 7_382_911_604, "restoring_"
NOT_FOR_LIBPQ = ("cursor_factory", "context", "prepare_threshold", "server_side_binding", "pool")


@contextmanager
def one_moment() -> Iterator[str]:
    """Read everything as of one moment; yields the name by which other programs share it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # This transaction stands still while `pg_dump` reads, in a large house for long.
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_export_snapshot()")
            name = cursor.fetchone()[0]
        yield name


@contextmanager
def taking_time() -> Iterator[None]:
    """Let transactions of the block stand still between statements, as a table's actions may not.

    A step of a migration may work that long by itself, on a busy machine or in a large house.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = 0")
    yield
    # `play` goes on to serve with this connection.
    with connection.cursor() as cursor:
        cursor.execute("RESET idle_in_transaction_session_timeout")


def mark() -> str:
    """Return a number that grows with every row written, as the server's statistics count it."""
    (count,) = answer(
        "SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text FROM pg_stat_user_tables"
    )
    return str(count)


def answer(sql: str) -> tuple[Any, ...]:
    """Return the one row that the server answers a question with."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        found: tuple[Any, ...] = cursor.fetchone()
    return found


def dump(to: Path, snapshot: str) -> str:
    """Write the database with `pg_dump`, as of a moment; return why that cannot be done, if so."""
    if shutil.which("pg_dump") is None:
        return "pg_dump is not installed"
    command = ["pg_dump", "--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
    why = _run([*command, "--schema=public", f"--snapshot={snapshot}", f"--file={to}"])
    if why:
        to.unlink(missing_ok=True)  # the rows that come instead need its room
    return why


def restore(dumped: Path) -> None:
    """Fill the database with what `pg_dump` wrote; raises KeepingError when it cannot."""
    if shutil.which("pg_restore") is None:
        text = _("This backup needs PostgreSQL's %(tool)s: install its client tools.")
        raise KeepingError(text % {"tool": "pg_restore"})
    with connection.cursor() as cursor:
        # The dump brings the schema along.
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
    command = ["pg_restore", "--no-owner", "--no-privileges", "--exit-on-error"]
    if why := _run([*command, "--single-transaction", str(dumped)]):
        raise KeepingError(_("Nothing came back: %(why)s") % {"why": why})


def count_anew() -> None:
    """Let the server's planner count what has just been filled in.

    Until it does by itself, after a minute or never, it takes the log for short: each page then
    reads a table's log of years from its beginning.
    """
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _run(command: list[str]) -> str:
    """Run one of PostgreSQL's tools; return what it says when it fails.

    The password goes by the environment, where nobody looks.
    """
    tool, *rest = command
    secret = str(connection.settings_dict["PASSWORD"] or "")
    try:
        done = subprocess.run(  # noqa: S603 - the names are ours, the address is the host's own
            [tool, "--dbname", _address(), *rest],
            env={**os.environ, **({"PGPASSWORD": secret} if secret else {})},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{tool} had not ended after {PATIENCE_S // 60} minutes"
    if not done.returncode:
        return ""
    said = "; ".join(done.stderr.strip().splitlines())
    return f"{tool} failed: {said[-MOST_SAID:]}"


def _address() -> str:
    asked = connection.get_connection_params()
    return make_conninfo(
        **{k: v for k, v in asked.items() if k not in (*NOT_FOR_LIBPQ, "password")}
    )


@contextmanager
def only_restore() -> Iterator[None]:
    """Be the only one that puts schemas aside; raises KeepingError while another one is at it."""
    _lock("pg_try_advisory_lock")
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [RESTORES])


def _lock(way: str) -> None:
    (has_it,) = answer(f"SELECT {way}({RESTORES})")
    if not has_it:
        raise KeepingError(_("A backup is being put back into this database just now."))


def others_connected() -> list[str]:
    """Return a sentence where other programs are connected to this database, else nothing.

    The lock in the data folder tells of no process on another machine. Taps of one of those, in the
    middle of a restore, would meet tables that come and go.
    """
    if connection.vendor != "postgresql":
        return []
    # Our own pool has a second line open, which is nobody else; ours stays until it is given back.
    connection.close_pool()  # type: ignore[attr-defined]
    until = time.monotonic() + GONE_WITHIN_S  # the server takes a moment to see a line closed
    while (told := _connected()) and time.monotonic() < until:
        time.sleep(0.1)
    if not told:
        return []
    text = _(
        "Others are connected to this database: %(programs)s. Stop Taproom on every machine that "
        "serves it, and whatever else that is; a pooler keeps its lines until it is restarted."
    )
    return [text % {"programs": told}]


def _connected() -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT concat_ws(' ', usename, nullif(application_name, ''),"
            " 'from ' || coalesce(host(client_addr), 'this machine')), count(*)"
            " FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid() GROUP BY 1 ORDER BY 1"
        )
        return ", ".join(f"{who} ({count})" for who, count in cursor.fetchall())


def put_aside() -> str:
    """Rename the schema of the house that is there, and return its new name.

    The name says that a restore is under way, until `keep_aside` changes it.
    """
    aside = f"{UNDER_WAY}{uuid.uuid4().hex[:8]}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'ALTER SCHEMA public RENAME TO "{aside}"')
        cursor.execute("CREATE SCHEMA public")
    return aside


def kept_as(aside: str) -> str:
    """Return the name that a house which was put aside has once another is in its place."""
    return aside.replace(UNDER_WAY, "before_", 1)


def keep_aside(aside: str) -> str:
    """Make what came in its place the house; return the name under which the former is kept."""
    kept = kept_as(aside)
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER SCHEMA "{aside}" RENAME TO "{kept}"')
    return kept


def unless_empty(kept: str) -> str:
    """Return the schema of a house that is worth keeping; one without even tables is dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass"
            " AND refobjid = %s::regnamespace LIMIT 1",
            [kept],
        )
        if cursor.fetchone():
            return f"schema {kept}, in which nobody had played"
        cursor.execute(f'DROP SCHEMA "{kept}"')
    return ""


def bring_back(aside: str) -> None:
    """Undo `put_aside`: what has come in its place meanwhile is dropped."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
        cursor.execute(f'ALTER SCHEMA "{aside}" RENAME TO public')


def end_restores() -> None:
    """Put back the house that an interrupted restore was replacing.

    For a file the settings do that. Raises KeepingError while a restore is under way.
    """
    if connection.vendor != "postgresql" or not under_way():
        return
    with transaction.atomic():
        # For this transaction, not for the session as a restore: `serve` comes here too, and behind
        # a PgBouncer the unlocking may reach another session than the locking.
        _lock("pg_try_advisory_xact_lock")
        for aside in under_way():
            bring_back(aside)


def under_way() -> list[str]:
    """Return the schemas that a restore has put aside and is, or was, about to replace."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", [UNDER_WAY]
        )
        return [name for (name,) in cursor.fetchall()]


def refuse_half_restored() -> None:
    """Raise KeepingError where there is only what a restore has begun, or a killed one has left."""
    if under_way():
        text = _(
            "No backup was made: one is being put back into this database just now, or was when "
            "that was broken off. Start Taproom, which ends what was begun."
        )
        raise KeepingError(text)


def _letters() -> str:
    """Return how a further database keeps letters as this one does, whatever is usual there."""
    (letters,) = answer(
        "SELECT format('TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L',"
        " pg_encoding_to_char(encoding), datcollate, datctype)"
        " FROM pg_database WHERE datname = current_database()"
    )
    return str(letters)


@contextmanager
def scratch() -> Iterator[None]:
    """Let an empty database of the same server stand in, and drop it afterwards.

    Raises KeepingError where the server's user may not make one.
    """
    name = f"taproom_drill_{uuid.uuid4().hex[:12]}"
    try:
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}" {_letters()}')
    except DatabaseError as error:
        text = _(
            "The drill needs a database to try it in: %(why)s. Let this user make some (ALTER USER "
            "… CREATEDB), or drill a backup that was made with --portable."
        )
        raise KeepingError(text % {"why": error}) from error
    try:
        with standing_in(NAME=name):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
