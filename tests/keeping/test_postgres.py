"""On PostgreSQL: backups and drills with its own tools, and what a start asks of the server."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from games import health
from games.keeping import KeepingError, making, opening, postgres
from games.keeping.restoring import restore
from games.management.commands import prepare
from tests.keeping.cluster import Cluster
from tests.keeping.conftest import another_line, kind_of, standing_on

pytestmark = pytest.mark.services


def test_a_user_who_may_make_no_database_is_told_what_helps(on_server: Path):
    """`createuser` gives no such right, and every week's drill was mailed as a traceback."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE plain")
        cursor.execute("SET ROLE plain")
    with pytest.raises(KeepingError, match="CREATEDB"), postgres.scratch():
        pass


def test_a_backup_may_take_longer_than_an_action(on_server: Path):
    """R11: its transaction stands still while `pg_dump` reads; an action's would be ended."""
    connection.settings_dict["OPTIONS"] = {"options": "-c idle_in_transaction_session_timeout=50ms"}
    with postgres.one_moment(), connection.cursor() as cursor:
        time.sleep(0.2)
        cursor.execute("SELECT 1")


def test_a_migration_may_take_longer_than_an_action(on_server: Path, monkeypatch: Any):
    """R12: on a busy machine `prepare` was ended between two of a migration's statements."""

    def migrates(*_args: Any, **_options: Any) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            time.sleep(0.2)
            cursor.execute("SELECT 1")

    connection.settings_dict["OPTIONS"] = {"options": "-c idle_in_transaction_session_timeout=50ms"}
    monkeypatch.setattr(prepare, "call_command", migrates)
    monkeypatch.setattr(prepare, "collect_static", Mock())
    prepare.Command().handle()
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone()[0] == "50ms", "for `play`, which serves with it"


def test_a_server_that_can_write_no_file_is_not_called_ready(on_server: Path):
    """docs/hosting.md: `/readyz` answers 503 when people cannot play. With a full disk each tap was
    refused, and it said "ok" by a row that fits into memory."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE games_house (id bigint, epoch text)")
    health._try_to_write()
    with connection.cursor() as cursor:
        cursor.execute("SET temp_file_limit = 0")  # stands for a disk without room
    with pytest.raises(DatabaseError):
        health._try_to_write()


def test_an_evening_on_a_server_s_database_is_backed_up_by_itself(
    on_server: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """docs/hosting.md: `make play` makes a backup every four minutes if something was written. With
    PostgreSQL it made none, and did not say so."""
    ran, begun = Mock(return_value=Mock(returncode=0, stderr="")), Mock()
    monkeypatch.setattr(opening.subprocess, "run", ran)
    marks = iter([True, False])
    monkeypatch.setattr(making, "has_changed", lambda: next(marks))
    assert (opening.back_up_if_changed(), opening.back_up_if_changed()) == (True, False)
    assert ran.call_args.args[0][-2:] == ["backup", "--gently"]
    monkeypatch.setattr(opening, "Thread", begun)
    settings.BACKUPS = True
    opening.back_up_by_itself()
    assert begun.call_count == 1
    _looks_once(OperationalError("the server is away"), monkeypatch)
    assert "No backup was made: the server is away" in caplog.text
    assert "Traceback" not in caplog.text


def _looks_once(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what makes backups by itself meet a fault, once."""
    monkeypatch.setattr(making, "has_changed", Mock(side_effect=fault))
    monkeypatch.setattr(opening.time, "sleep", Mock(side_effect=[None, InterruptedError]))
    with pytest.raises(InterruptedError):
        opening._tend()


def _fake_tool(folder: Path, does: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = folder / "pg_dump"
    tool.write_text(f"#!/bin/sh\n{does}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.mark.parametrize(
    ("does", "patience_s", "why"),
    [
        (
            "echo aborting >&2; echo 'server version: 16; pg_dump version: 15' >&2; exit 1",
            60,
            "pg_dump failed: aborting; server version: 16; pg_dump version: 15",
        ),
        ("exec sleep 20", 0.2, "pg_dump had not ended after"),
    ],
    ids=["fails", "stands still"],
)
def test_a_backup_that_has_rows_instead_of_a_dump_says_why(
    on_server: Path,
    tmp_path: Path,
    monkeypatch: Any,
    caplog: Any,
    does: str,
    patience_s: float,
    why: str,
):
    """R11: a `pg_dump` that fails, or never ends, is no reason for no backup; nobody was told."""
    _fake_tool(tmp_path, does, monkeypatch)
    monkeypatch.setattr(postgres, "PATIENCE_S", patience_s)
    assert kind_of(making.make()) == "rows"
    (said,) = caplog.messages
    assert said.startswith(f"This backup has rows instead of PostgreSQL's own dump: {why}")


@pytest.mark.parametrize("path", ["bar", "nowhere"])
def test_a_house_in_another_schema_is_refused_in_words(packed: Path, on_server: Path, path: str):
    """R11: `pg_dump` of `public` made whole backups without a row of it, and all was well."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA bar")
    connection.close()
    connection.settings_dict["OPTIONS"] = {"options": f"-c search_path={path}"}
    match = "the schema bar" if path == "bar" else "no schema"
    with pytest.raises(KeepingError, match=match):
        restore(packed)
    with pytest.raises(KeepingError, match=match), opening.beside_the_house():
        pass
    with pytest.raises(KeepingError, match=match):
        opening.make_ready()


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def other_letters(server: Cluster, on_server: Path, request: Any) -> Iterator[str]:
    """A database as a server without a language, or an old one, makes it; yields its encoding."""
    how = f"TEMPLATE template0 ENCODING '{request.param}' LC_COLLATE 'C' LC_CTYPE 'C'"
    with standing_on(server, server.new_database(how)):
        yield request.param


def test_a_database_that_cannot_keep_every_name_is_refused(packed: Path, other_letters: str):
    """The start was a traceback there, or a name from elsewhere was answered 500."""
    with pytest.raises(KeepingError, match=f"encoding {other_letters}.*--encoding UTF8"):
        restore(packed)
    with pytest.raises(KeepingError, match=f"encoding {other_letters}.*--encoding UTF8"):
        opening.make_ready()


def test_a_drill_keeps_letters_as_the_house_does(other_letters: str):
    """It was tried in whatever the server makes otherwise: a house of long names did not fit."""
    with postgres.scratch(), connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        assert cursor.fetchone() == (other_letters,)


def test_a_user_who_may_make_no_tables_is_told_what_helps(on_server: Path):
    """Since PostgreSQL 15 only a database's owner may, and the start was a traceback."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE guest LOGIN")
    connection.close()
    with another_line("guest"), pytest.raises(KeepingError, match="GRANT"):
        opening.make_ready()
