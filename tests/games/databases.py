"""Databases of their own for tests with several processes, and what is said when one is missing."""

from __future__ import annotations

import os
import shutil
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection

POSTGRES = os.environ.get("TAPROOM_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TAPROOM_TEST_REDIS", "redis://127.0.0.1:6379/0")


def file_database(folder: Path) -> dict[str, str]:
    """Return the environment of a SQLite file, copied from the tests' own when that is one."""
    if connection.vendor == "sqlite":
        connection.close()
        shutil.copy(connection.settings_dict["NAME"], folder / "taproom.sqlite3")
    return {"TAPROOM_DATA": str(folder)}


@contextmanager
def postgres_database(folder: Path) -> Iterator[dict[str, str]]:
    """Make a PostgreSQL database, and drop it afterwards."""
    try:
        house = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        missing("PostgreSQL", POSTGRES, error)
    name = f"taproom_test_{uuid.uuid4().hex[:12]}"
    with house:
        house.execute(f'CREATE DATABASE "{name}"')
        try:
            address = POSTGRES.rsplit("/", 1)[0]
            yield {"TAPROOM_DATA": str(folder), "TAPROOM_DATABASE": f"{address}/{name}"}
        finally:
            house.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def missing(what: str, where: str, error: Exception) -> None:
    """Skip out loud, or fail where the services are required."""
    text = f"{what} IS NOT THERE ({where}): {error}. NOT TESTED."
    if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
        pytest.fail(text)
    warnings.warn(text, stacklevel=2)
    pytest.skip(text)
