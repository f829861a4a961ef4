"""On PostgreSQL: restores into a server, over a house on one, and beside whoever is connected."""

from __future__ import annotations

import time
from pathlib import Path
from unittest.mock import Mock

import psycopg
import pytest
from django.db import connection

from games.keeping import KeepingError, archive, backups, making, opening, postgres, restoring
from games.keeping.drilling import drill
from games.keeping.proving import prove
from games.keeping.restoring import Restored, restore
from games.models import Event, Table
from tests.keeping.cluster import Cluster
from tests.keeping.conftest import Moved, another_line, counted, kind_of, let_go, standing_on

pytestmark = pytest.mark.services


def schemas() -> list[str]:
    """Return the names of the schemas into which a former house was put aside."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before%'")
        return [row[0] for row in cursor.fetchall()]


def rows_known() -> float:
    """Return how many lines of the log the server's planner knows of: -1 if it never counted."""
    return postgres.answer("SELECT reltuples FROM pg_class WHERE oid = 'games_event'::regclass")[0]


def test_a_laptops_house_moves_to_a_server_and_is_kept_there(
    packed: Path, moved: Moved, on_moved: Path, monkeypatch: pytest.MonkeyPatch
):
    """SQLite → PostgreSQL → its own dump → restored: every row, and every game comes again.

    One test for all, since filling a server takes seconds.
    """
    assert "What was here before" not in moved.said.stdout, "there was no house before it"
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
    restored = _replaces(dumped, on_moved / archive.KEY)
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


def _replaces(dumped: Path, key: Path) -> Restored:
    """Restore over a house with another key, which that one needs if anybody wants it back."""
    key.write_text("key since")
    restored = restore(dumped, replace=True)
    # R8: uncounted, a log of 70,000 lines was read whole for each page, in 140 ms.
    assert rows_known() == Event.objects.count()
    assert key.read_text() == "key of house"
    assert Path(restored.aside_key).read_text() == "key since"
    return restored


def _fails_to_restore(dumped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore what turns out, when all of it is there, to lack something."""

    def fails(manifest: archive.Manifest) -> None:
        raise KeepingError("Not all came back: nothing did.")

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "_compare", fails)
        with pytest.raises(KeepingError, match="Not all came back"):
            restore(dumped, replace=True)


def test_a_restore_that_was_killed_leaves_the_old_house(packed: Path, on_moved: Path):
    """An empty one was begun in its place by the next start, and the old one was a schema aside."""
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


def test_a_disk_without_room_for_a_key_leaves_the_house_and_its_key(
    on_moved: Path, monkeypatch: pytest.MonkeyPatch
):
    """R11: the key was written when the backup was the house already, and "nothing was restored"
    was said of it: no phone found its seat there."""
    made = making.make()
    Table.objects.update(name="Played since")
    key = on_moved / archive.KEY
    key.write_text("key since")
    writes = Mock(side_effect=OSError(28, "No space left on device"))
    with monkeypatch.context() as full:
        full.setattr(restoring, "_write_key", writes)
        with pytest.raises(KeepingError, match=r"Nothing was restored: .*No space left"):
            restore(made, replace=True)
    assert writes.called
    assert {table.name for table in Table.objects.all()} == {"Played since"}
    assert key.read_text() == "key since"
    assert schemas() == postgres.under_way() == []


def test_no_backup_is_made_in_the_middle_of_a_restore(on_moved: Path):
    """R11: a timer goes on, and what a restore had begun, or a killed one had left, was an empty
    house: the newest of its backups, by one every four minutes."""
    made = making.make()
    aside = postgres.put_aside()
    with pytest.raises(KeepingError, match=r"No backup was made.*being put back.*Start Taproom"):
        making.make()
    assert backups.backups_in(made.parent) == [made]
    postgres.bring_back(aside)
    assert making.make() != made


def test_a_house_that_is_open_on_another_machine_is_not_replaced(
    packed: Path, on_moved: Path, server: Cluster, monkeypatch: pytest.MonkeyPatch
):
    """R11: its data folder is another one, and a tap in the middle met half a house."""
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


def test_a_restore_by_the_command_line_is_nobody_else(moved: Moved):
    """It refused itself, always: the settings' pool opens a second line to the database."""
    assert moved.said.returncode == 0, moved.said.stderr
    assert " is back, as the house was " in moved.said.stdout


def test_what_a_process_of_the_house_ends_behind_a_pool_locks_nobody_out(
    on_moved: Path, monkeypatch: pytest.MonkeyPatch
):
    """R11: PgBouncer gives a statement to whichever session is free, and one kept the lock."""
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


def test_a_user_who_owns_nothing_is_told_what_a_restore_takes(on_moved: Path, server: Cluster):
    """R11: GRANT CREATE, as the start asks for, makes a house that can be backed up and never put
    back: "must be owner of schema public", it said, on the day it was needed."""
    made = making.make()
    with standing_on(server, server.new_database()):
        with connection.cursor() as cursor:
            cursor.execute('CREATE ROLE "a Guest" LOGIN')
            cursor.execute('GRANT CREATE ON SCHEMA public TO "a Guest"')
        connection.close()
        with another_line("a Guest"), pytest.raises(KeepingError, match="the house aside") as told:
            restore(made)
        helps = str(told.value).partition("in this database: ")[2]
        with connection.cursor() as cursor:
            cursor.execute(helps)
        connection.close()
        with another_line("a Guest"):
            assert restore(made).tables
