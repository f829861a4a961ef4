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
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
POSTGRES = os.environ.get("TAPROOM_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
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
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as own,
        closing(sqlite3.connect(to)) as copy,
    ):
        own.backup(copy)


@contextmanager
def postgres_database(folder: Path, *, is_migrated: bool = False) -> Iterator[dict[str, str]]:
    """Make a PostgreSQL database, and drop it afterwards.

    One that is migrated is copied: from one that this process keeps for it.
    """
    try:
        house = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        missing("PostgreSQL", POSTGRES, error)
    name = f"taproom_test_{uuid.uuid4().hex[:12]}"
    with house:
        template = f'TEMPLATE "{_migrated()}"' if is_migrated else ""
        house.execute(f'CREATE DATABASE "{name}" {template}')
        try:
            address = POSTGRES.rsplit("/", 1)[0]
            yield {"TAPROOM_DATA": str(folder), "TAPROOM_DATABASE": f"{address}/{name}"}
        finally:
            house.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@cache
def _migrated() -> str:
    """Migrate a database, once; it is dropped when this process ends."""
    kept = ExitStack()
    folder = Path(kept.enter_context(TemporaryDirectory(prefix="taproom-")))
    environment = kept.enter_context(postgres_database(folder))
    atexit.register(kept.close)
    command = [sys.executable, "-m", "django", "migrate", "--verbosity=0"]
    without = {name: value for name, value in os.environ.items() if "TAPROOM_" not in name}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(command, env=without | environment, cwd=ROOT, check=True)
    return environment["TAPROOM_DATABASE"].rsplit("/", 1)[1]


def missing(what: str, where: str, error: Exception) -> None:
    """Skip out loud, or fail where the services are required."""
    text = f"{what} IS NOT THERE ({where}): {error}. NOT TESTED."
    if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
        pytest.fail(text)
    warnings.warn(text, stacklevel=2)
    pytest.skip(text)
