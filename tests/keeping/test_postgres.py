"""On PostgreSQL: backups, restores and drills with its own tools, and a server that is killed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from games.keeping import KeepingError, archive, making, opening, postgres, restoring
from games.keeping.proving import prove
from games.keeping.restoring import drill, restore
from games.keeping.stand_in import standing_in
from games.live.workers import UNUSED_S
from games.management.commands import prepare
from games.models import Table
from tests.keeping.cluster import Cluster, cluster
from tests.keeping.conftest import Lived, in_full, let_go
from tests.keeping.machine import Machine, Phone
from tests.test_settings import starts

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as one:
        yield one


@pytest.fixture
def on_server(
    server: Cluster, settings: Any, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Path]:
    """An empty database of the server stands in; yields its data folder."""
    name = _new_database(server)
    folder = tmp_path / "served"
    folder.mkdir()
    settings.DATA_DIR, settings.BACKUP_DIR = folder, folder / "backups"
    with django_db_blocker.unblock(), _standing(server, name):
        yield folder


def _new_database(server: Cluster) -> str:
    name = f"house_{time.monotonic_ns()}"
    with psycopg.connect(server.address, autocommit=True) as line:
        line.execute(f'CREATE DATABASE "{name}"')
    return name


@contextmanager
def _standing(server: Cluster, name: str) -> Iterator[None]:
    where = urlsplit(server.address)
    with standing_in(
        ENGINE="django.db.backends.postgresql", NAME=name, USER="postgres", PASSWORD="",
        HOST=where.hostname, PORT=str(where.port), OPTIONS={},
    ):  # fmt: skip
        yield


@pytest.fixture
def packed(house: Lived) -> Path:
    """A backup of the house that was played in on SQLite."""
    return making.make()


def schemas() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before%'")
        return [row[0] for row in cursor.fetchall()]


def kind_of(path: Path) -> str:
    with archive.opened(path) as (_whole, manifest):
        return manifest.kind


def counted(path: Path) -> dict[str, int]:
    """Return how many rows a backup has, but for what a restore writes itself."""
    with archive.opened(path) as (_whole, manifest):
        own = ("django_migrations", "games_house")
        return {t: n for t, n in manifest.rows.items() if t not in own}


def test_a_laptops_house_moves_to_a_server_and_is_kept_there(
    packed: Path, on_server: Path, monkeypatch: pytest.MonkeyPatch
):
    """SQLite → PostgreSQL → its own dump → restored: every row, and every game comes again.

    One test for all, since filling a server takes seconds.
    """
    assert restore(packed).aside == "", "there was no house before it"
    assert schemas() == []
    assert prove() == (3, 5, [])
    connection.close()  # the server counts what a line has written when that is at rest
    dumped = making.make()
    assert not making.has_changed()
    assert kind_of(dumped) == "pg_dump"
    assert counted(dumped) == counted(packed)
    assert drill(dumped).proof == (3, 5, [])
    was = Table.objects.order_by("pk").first()
    assert was
    Table.objects.update(name="Played since")
    connection.close()
    until = time.monotonic() + 10
    while not making.has_changed():
        assert time.monotonic() < until
        time.sleep(0.2)
    with pytest.raises(KeepingError, match="There is a house here already"):
        restore(dumped)
    _fails_to_restore(dumped, monkeypatch)
    assert set(Table.objects.values_list("name", flat=True)) == {"Played since"}
    restored = restore(dumped, replace=True)
    assert prove() == (3, 5, [])
    assert Table.objects.get(pk=was.pk).name == was.name
    assert restored.aside in [f"schema {name}" for name in schemas()]
    # Rows are written as before: the numbers go on where they were.
    Table.objects.create(name="New", door_closes_at=was.door_closes_at).delete()
    with monkeypatch.context() as without_tools:
        without_tools.setattr(postgres.shutil, "which", lambda name: None)
        rows = making.make()
    assert kind_of(rows) == "rows"
    assert counted(rows) == counted(packed)


def _fails_to_restore(dumped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore what turns out, when all of it is there, to lack something."""

    def fails(manifest: archive.Manifest) -> None:
        raise KeepingError("Not all came back: nothing did.")

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "_compare", fails)
        with pytest.raises(KeepingError, match="Not all came back"):
            restore(dumped, replace=True)


@in_full
def test_a_server_that_is_killed_is_told_of_in_words_and_play_goes_on_after(
    server: Cluster, tmp_path: Path
):
    """Must come last: it kills the server. The same house goes on when that is there again."""
    folder = tmp_path / "machine"
    folder.mkdir()
    machine = Machine(folder, TAPROOM_DATABASE=server.address, TAPROOM_BACKUPS="0")
    try:
        ana = Phone(machine.opens())
        assert ana.taps("before", 7).status == 204
        server.is_killed()
        try:
            _everybody_is_told(machine, ana)
        finally:
            server.starts()
        until = time.monotonic() + 20
        while ana.taps("meanwhile", 8).status != 204:
            assert time.monotonic() < until, machine.log()[-1500:]
            time.sleep(0.3)
        ana.hears(lambda said: any("number 8" in t["text"] for t in said.get("told", ())))
        with psycopg.connect(server.address) as line:
            query = "SELECT count(*) FROM games_play WHERE tap LIKE %s"
            for tap in ("%:before", "%:meanwhile"):
                assert line.execute(query, (tap,)).fetchone() == (1,)
        assert machine.readiness()["ready"]
        # A restart that nobody noticed, since nobody played meanwhile.
        server.is_killed()
        server.starts()
        time.sleep(UNUSED_S)
        assert ana.taps("after", 9).status == 204, machine.log()[-1500:]
    finally:
        machine.closes()


def _everybody_is_told(machine: Machine, ana: Phone) -> None:
    begun = time.monotonic()
    answer = ana.taps("meanwhile", 8)
    took = time.monotonic() - begun
    assert answer.status == 503, machine.log()[-1500:]
    assert "this phone sends it again by itself" in answer.words
    assert took < 8, "a phone waits eight seconds for an answer"
    with ThreadPoolExecutor(12) as crowd:
        begun = time.monotonic()
        heard = crowd.map(lambda n: ana.taps(f"crowd-{n}", 8).status, range(12))
        assert set(heard) == {503}
    assert time.monotonic() - begun < 8, "the last of many waits for all before it"
    assert ana.is_answered(), "the socket stays up"
    assert machine.get("/healthz").status == 200
    assert machine.readiness()["database"] in ("gone", "does not answer")


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
    name = f"house_{time.monotonic_ns()}"
    with psycopg.connect(server.address, autocommit=True) as line:
        line.execute(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{request.param}'"
            " LC_COLLATE 'C' LC_CTYPE 'C'"
        )
    with _standing(server, name):
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
    with standing_in(**{**_here(), "USER": "guest"}), pytest.raises(KeepingError, match="GRANT"):
        opening.make_ready()


def test_a_restore_that_was_killed_leaves_the_old_house(packed: Path, on_server: Path):
    """An empty one was begun in its place by the next start, and the old one was a schema aside."""
    restore(packed)
    Table.objects.update(name="Played since")
    postgres.put_aside()  # and that was the last it did
    with postgres.only_restore(), another_line(), pytest.raises(KeepingError, match="just now"):
        postgres.end_restores()
    opening.make_ready()
    assert {table.name for table in Table.objects.all()} == {"Played since"}
    assert postgres.under_way() == []
    let_go()
    Table.objects.update(name="Played on")
    postgres.put_aside()
    with pytest.raises(KeepingError, match="There is a house here already"):
        restore(packed)


def test_a_house_that_is_open_on_another_machine_is_not_replaced(
    packed: Path, on_server: Path, server: Cluster, monkeypatch: pytest.MonkeyPatch
):
    """R11: its data folder is another one, and a tap in the middle met half a house."""
    restore(packed)
    Table.objects.update(name="Played since")
    monkeypatch.setattr(postgres, "GONE_WITHIN_S", 0.2)  # nobody goes, however long one waits
    where = f"{server.address.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    who = r"postgres elsewhere from 127\.0\.0\.1 \(1\)"
    with psycopg.connect(where, application_name="elsewhere"):
        with pytest.raises(KeepingError, match=f"^Others are connected to this database: {who}"):
            restore(packed, replace=True)
        with pytest.raises(KeepingError, match=f"^There is a house here already.*{who}"):
            restore(packed)
    assert {table.name for table in Table.objects.all()} == {"Played since"}
    assert schemas() == []
    assert postgres.under_way() == []


def test_a_restore_by_the_command_line_is_nobody_else(
    packed: Path, server: Cluster, tmp_path: Path
):
    """It refused itself, always: the settings' pool opens a second line to the database."""
    address = urlsplit(server.address)._replace(path=f"/{_new_database(server)}").geturl()
    done = starts(tmp_path, "restore", str(packed), TAPROOM_DATABASE=address)
    assert done.returncode == 0, done.stderr
    assert " is back, as the house was " in done.stdout


def test_what_a_process_of_the_house_ends_behind_a_pool_locks_nobody_out(
    packed: Path, on_server: Path, monkeypatch: pytest.MonkeyPatch
):
    """R11: PgBouncer gives a statement to whichever session is free, and one kept the lock."""
    restore(packed)
    postgres.put_aside()
    session = connection.connection

    def bring_back(aside: str) -> None:
        real(aside)
        if not connection.in_atomic_block:
            connection.connection = None  # somebody else has it, and the next statement another one

    real = postgres.bring_back
    monkeypatch.setattr(postgres, "bring_back", bring_back)
    postgres.end_restores()
    try:
        with another_line(), postgres.only_restore():
            assert postgres.under_way() == []
    finally:
        session.close()


@contextmanager
def another_line() -> Iterator[None]:
    """Let this thread be somebody else at the server."""
    with standing_in(**_here()):
        yield


def _here() -> dict[str, Any]:
    here = connection.settings_dict
    return {k: here[k] for k in ("ENGINE", "NAME", "USER", "HOST", "PORT")}
