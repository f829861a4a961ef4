"""Databases of their own for tests with several processes, and what is said when one is missing."""

from __future__ import annotations

import atexit
import os
import sqlite3
import subprocess
import sys
import uuid
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
POSTGRES = os.environ.get("TAPROOM_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
MIGRATED = f"taproom_test_{RUN[:12]}_migrated"
REDIS = os.environ.get("TAPROOM_TEST_REDIS", "redis://127.0.0.1:6379/0")


def file_database(folder: Path) -> dict[str, str]:
    """Return the environment of a SQLite file, copied from the tests' own when that is one."""
    if connection.vendor == "sqlite":
        connection.close()
        copy_own_database(folder / "taproom.sqlite3")
    return {"TAPROOM_DATA": str(folder)}


def copy_own_database(to: Path) -> None:
    """Copy the tests' own SQLite database with what stands in its journal as yet.

    It does for as long as anybody else has the file open, and the file alone is then an older one.
    """
    copy_database(connection.settings_dict["NAME"], to)


def copy_database(source: Path | str, to: Path) -> None:
    """Copy a SQLite database over another, as SQLite itself reads it."""
    with closing(sqlite3.connect(source)) as ours, closing(sqlite3.connect(to)) as copy:
        ours.backup(copy)


@contextmanager
def postgres_database(folder: Path, *, is_migrated: bool = False) -> Iterator[dict[str, str]]:
    """Make a PostgreSQL database, and drop it afterwards.

    One that is migrated is copied: from one that all workers of a run share.
    """
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        missing("PostgreSQL", POSTGRES, error)
    name = f"taproom_test_{uuid.uuid4().hex[:12]}"
    with server:
        if is_migrated:
            _copy_the_migrated(server, name)
        else:
            server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield {"TAPROOM_DATA": str(folder), "TAPROOM_DATABASE": _address(name)}
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _address(name: str) -> str:
    return f"{POSTGRES.rsplit('/', 1)[0]}/{name}"


def _copy_the_migrated(server: psycopg.Connection, name: str) -> None:
    with _alone(server):
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [MIGRATED]).rowcount:
            _make_the_migrated(server)
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{MIGRATED}"')


def _make_the_migrated(server: psycopg.Connection) -> None:
    """Migrate a database; it is dropped when this process ends, and made again by who needs it."""
    server.execute(f'CREATE DATABASE "{MIGRATED}"')
    atexit.register(_drop_the_migrated)
    command = [sys.executable, "-m", "django", "migrate", "--verbosity=0"]
    without = {name: value for name, value in os.environ.items() if "TAPROOM_" not in name}
    with TemporaryDirectory(prefix="taproom-") as folder:
        environment = {
            "TAPROOM_DATA": folder,
            "TAPROOM_DATABASE": _address(MIGRATED),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        try:
            subprocess.run(command, env=without | environment, cwd=ROOT, check=True)
        except subprocess.CalledProcessError:
            server.execute(f'DROP DATABASE "{MIGRATED}"')
            raise


def _drop_the_migrated() -> None:
    with psycopg.connect(POSTGRES, autocommit=True) as server, _alone(server):
        server.execute(f'DROP DATABASE IF EXISTS "{MIGRATED}"')


@contextmanager
def _alone(server: psycopg.Connection) -> Iterator[None]:
    """Keep the run's other workers away: who copies a database can't have it dropped."""
    server.execute("SELECT pg_advisory_lock(hashtext(%s))", [MIGRATED])
    try:
        yield
    finally:
        server.execute("SELECT pg_advisory_unlock(hashtext(%s))", [MIGRATED])


def missing(what: str, where: str, error: Exception) -> None:
    """Skip out loud, or fail where the services are required."""
    text = f"{what} IS NOT THERE ({where}): {error}. NOT TESTED."
    if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
        pytest.fail(text)
    warnings.warn(text, stacklevel=2)
    pytest.skip(text)


def runs(code: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    """Run code in a process of its own, by the settings of a house and this environment."""
    without = {name: value for name, value in os.environ.items() if "TAPROOM_" not in name}
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **environment}
    return subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        env=without | environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
