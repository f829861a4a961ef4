"""R11: a backup comes back by one command, into an empty folder or beside the former house."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection

from config.sessions import SessionStore
from games.keeping import KeepingError, archive, facts, lock, making, release, rows
from games.keeping.drilling import drill
from games.keeping.proving import prove
from games.keeping.restoring import restore
from games.keeping.stand_in import file_standing_in
from games.models import Event, House, Play, SeatPass, Table
from tests.keeping.altering import altered, manifest_with
from tests.keeping.conftest import Lived, Opens, everything, let_go

pytestmark = pytest.mark.usefixtures("migrated_once")
ROOT = Path(__file__).resolve().parents[2]
# What a restore changes on purpose: the epoch, and passes that were on their way.
CHANGED = {"games_house", "games_seatpass"}


# --- what comes back -----------------------------------------------------------------------------
def test_everything_comes_back_into_an_empty_folder(house: Lived, elsewhere: Path, opens: Opens):
    path, before = making.make(), everything(house.file)
    with opens(elsewhere) as there:
        restore(path)
        after = everything(there.file)
        assert prove().faults == []
        assert there.key.read_text() == "key of house"
        assert not list(elsewhere.glob("*.before-*")), "no house had the key that was here"
    assert {t for t in before if before[t] != after[t]} - {"sqlite_sequence"} == CHANGED
    assert sorted(after) == sorted(before)


def test_phones_redraw_and_passes_on_their_way_are_void(
    house: Lived, elsewhere: Path, opens: Opens
):
    """A phone that knows later numbers, or a QR code that was used since, must not mix in."""
    was = House.current_epoch()
    assert SeatPass.objects.filter(used_at=None).exists()
    path = making.make()
    with opens(elsewhere):
        restore(path)
        assert House.current_epoch() != was
        assert not SeatPass.objects.filter(used_at=None).exists()


def test_it_is_one_command_and_says_what_came_back(house: Lived, elsewhere: Path):
    """A process of its own, in a folder where nothing is yet, as a host would do it."""
    path = making.make()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
    done = subprocess.run(
        [sys.executable, "manage.py", "restore", str(path)],
        cwd=ROOT, env={**environment, "TAPROOM_DATA": str(elsewhere)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "is back, as the house was" in done.stdout
    assert done.stdout.count("The Swan (") == 3
    assert "seats" in done.stdout
    assert "last played" in done.stdout
    assert (elsewhere / "secret_key").read_text() == "key of house"
    assert len(everything(elsewhere / "taproom.sqlite3")["games_table"]) == 3


def test_what_somebody_tried_out_alone_is_not_told_among_the_tables(
    house: Lived, elsewhere: Path, opens: Opens
):
    """The newest of a house are often trials, and it tells of twenty tables."""
    house.writes("UPDATE games_table SET is_trial = 1 WHERE id = (SELECT max(id) FROM games_table)")
    path, told = making.make(), house.rows("SELECT code FROM games_table WHERE NOT is_trial")
    with opens(elsewhere):
        assert {(table.code,) for table in restore(path).tables} == set(told)


@pytest.mark.parametrize(
    ("key", "is_other"), [("", False), ("key of house", False), ("k" * 60, True)]
)
def test_a_host_is_told_when_phones_will_not_find_their_seats(
    house: Lived, elsewhere: Path, opens: Opens, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], key: str, is_other: bool,
):  # fmt: skip
    """On the way from a laptop to a server another key is set, and it was promised all the same."""
    path = making.make()
    monkeypatch.setenv("TAPROOM_SECRET_KEY", key)
    with opens(elsewhere) as there:
        call_command("restore", path)
    said = capsys.readouterr().out
    assert there.key.read_text() == f"key of {'elsewhere' if key else 'house'}"
    assert ("no phone finds its seat" in said) is is_other
    assert ("find their seats again" in said) is not is_other


def test_a_key_that_signs_nothing_any_more_is_in_no_backup(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """Put back, it would stand where the one that signs belongs."""
    monkeypatch.setenv("TAPROOM_SECRET_KEY", "k" * 60)
    with archive.opened(making.make()) as (whole, _manifest):
        assert archive.KEY not in whole.namelist()


@pytest.mark.parametrize("has_same", [True, False])
def test_a_host_is_told_so_of_a_backup_without_a_key(
    house: Lived, elsewhere: Path, opens: Opens, capsys: pytest.CaptureFixture[str], has_same: bool
):
    """Of one that was made `--without-key`, or on a server whose key is set, it was promised that
    phones find their seats, whatever they are signed with."""
    if has_same:
        ours = SessionStore().encode({})
        house.writes("UPDATE django_session SET session_data = ? WHERE rowid % 2", ours)
    path = making.make(with_key=False)
    with opens(elsewhere):
        call_command("restore", path)
    said = capsys.readouterr().out
    assert ("find their seats again" in said) is has_same
    assert ("no phone finds its seat" in said) is not has_same


def test_a_folder_stands_for_the_newest_backup_in_it(
    house: Lived, elsewhere: Path, opens: Opens, capsys: pytest.CaptureFixture[str]
):
    making.make()
    newest = making.make(why="kept")
    with opens(elsewhere):
        call_command("restore", str(house.backups))
    assert newest.name in capsys.readouterr().out


# --- what was there before -----------------------------------------------------------------------
def test_a_house_that_is_lived_in_is_not_overwritten(house: Lived):
    path, before = making.make(), everything(house.file)
    with pytest.raises(KeepingError, match="There is a house here already"):
        call_command("restore", str(path))
    assert everything(house.file) == before


@pytest.mark.parametrize("table", ["games_table", "auth_user"])
def test_a_table_or_an_account_alone_makes_a_house_lived_in(house: Lived, table: str):
    """docs/hosting.md: a house in which people have played is not replaced without a word."""
    house.writes("INSERT INTO auth_user (password, is_superuser, username, last_name, email, "
                 "is_staff, is_active, date_joined, first_name) "
                 "VALUES ('', 0, 'ana', '', '', 0, 1, '2026-01-01', '')")  # fmt: skip
    assert facts.is_lived_in()
    for other in {"games_table", "auth_user"} - {table}:
        house.writes(f"DELETE FROM {other}")
    assert facts.is_lived_in()
    house.writes(f"DELETE FROM {table}")
    assert not facts.is_lived_in()


def test_with_replace_the_former_house_is_kept_aside_with_its_journal(house: Lived):
    path = making.make()
    house.writes("UPDATE games_table SET name = 'Played since'")
    assert Table.objects.filter(name="Played since").exists()
    journal = house.file.with_name("taproom.sqlite3-journal")
    journal.write_bytes(b"")
    restored = restore(path, replace=True)
    assert not Table.objects.filter(name="Played since").exists(), "the line to it is given up"
    aside = Path(restored.aside)
    assert everything(aside)["games_table"][0] != everything(house.file)["games_table"][0]
    assert "Played since" in str(everything(aside)["games_table"])
    assert "Played since" not in str(everything(house.file)["games_table"])
    assert Path(restored.aside_key).read_text() == "key of house"
    assert aside.with_name(aside.name + "-journal").exists()
    assert not journal.exists()


def test_a_house_that_is_only_busy_is_not_said_to_be_one_to_replace(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """Whoever followed "--replace" put away a house that was sound."""
    path = making.make()
    busy = Mock(side_effect=OperationalError("database is locked"))
    monkeypatch.setattr(facts, "is_lived_in", busy)
    with pytest.raises(KeepingError, match=r"^Nothing was restored: database is locked$"):
        restore(path)


def test_a_house_that_cannot_be_read_is_replaced_as_well(house: Lived):
    """Who followed "manage.py restore brings a backup back" was told that nothing was restored."""
    path = making.make()
    connection.close()
    house.file.write_bytes(b"not a database, but all that is left of one" * 100)
    with pytest.raises(KeepingError, match=r"not a database.*--replace"):
        restore(path)
    restore(path, replace=True)
    assert prove().faults == []


def test_not_into_a_house_that_is_open(house: Lived):
    path = making.make()
    lock.open_the_house()
    for replace, ends in ((True, "first.$"), (False, "first. There is a house here already")):
        with pytest.raises(KeepingError, match=f"Taproom is open on this folder: .*{ends}"):
            restore(path, replace=replace)
    let_go()
    restore(path, replace=True)


# --- rows, to move to another kind of database ---------------------------------------------------
def test_rows_bring_everything_back_as_well(house: Lived, elsewhere: Path, opens: Opens):
    path, before = making.make(portable=True), everything(house.file)
    with opens(elsewhere) as there:
        restore(path)
        after = everything(there.file)
        assert prove().faults == []
    # Each database keeps its own list of what was migrated when.
    own = {"sqlite_sequence", "django_migrations"}
    assert {t for t in before if before[t] != after[t]} - own == CHANGED


def test_tables_of_another_program_keep_no_house_from_moving(
    house: Lived, elsewhere: Path, opens: Opens
):
    """R11: ANALYZE leaves one, litestream two. They were counted, and no row of theirs was written:
    a backup that was made to move the house could never be put back."""
    house.writes("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    house.writes("INSERT INTO _litestream_seq VALUES (1, 1)")
    house.writes("ANALYZE")
    path, tables = making.make(portable=True), Table.objects.count()
    with opens(elsewhere):
        assert drill(path).proof.faults == []
        assert len(restore(path).tables) == tables
        assert prove().faults == []


def test_a_table_of_ours_that_rows_lack_is_missed(house: Lived, elsewhere: Path, opens: Opens):
    """The control: what stands in the manifest and is ours came, or the restore says that it did
    not."""
    path = altered(making.make(portable=True), _without_house_rules)
    with opens(elsewhere), pytest.raises(KeepingError, match="games_houserule has 0 rows instead"):
        restore(path)


def _without_house_rules(members: dict[str, bytes]) -> None:
    lines = members["rows.jsonl"].splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"games.HouseRule"' in line)
    while not lines[at + 1].startswith(b"{"):
        del lines[at + 1]
    members["rows.jsonl"] = whole = b"".join(lines)
    manifest_with(sha256=hashlib.sha256(whole).hexdigest(), size=len(whole))(members)


def test_rows_that_lead_nowhere_are_refused(house: Lived, tmp_path: Path):
    """R12: while they come no key is looked at, and a drill looks at none afterwards."""
    migrations, written = release.applied(), io.BytesIO()
    rows.write(migrations, written)
    left = written.getvalue().splitlines(keepends=True)
    at = next(n for n, line in enumerate(left) if b'"games.Device"' in line)
    while not left[at + 1].startswith(b"{"):
        del left[at + 1]
    file = tmp_path / "filled"
    file.touch()
    with file_standing_in(file, writes=True), pytest.raises(DatabaseError, match="foreign key"):
        rows.read(migrations, io.BytesIO(b"".join(left)))


def test_rows_that_are_cut_short_are_refused(house: Lived, elsewhere: Path, opens: Opens):
    def shorten(members: dict[str, bytes]) -> None:
        lines = members["rows.jsonl"].splitlines(keepends=True)
        members["rows.jsonl"] = b"".join(lines[: len(lines) // 2])

    short = altered(making.make(portable=True), shorten)
    with opens(elsewhere) as there:
        with pytest.raises(KeepingError, match="not what was written"):
            restore(short)
        assert not there.file.exists()


def test_rows_of_a_long_log_are_not_looked_through_for_each_of_its_plays(
    house: Lived, tmp_path: Path
):
    """R11: a restore takes seconds, and twice as long for twice as much.

    Counted are SQLite's own steps: for a house as it is, and with 1,000 plays more, and 2,000.
    What only a process's first does beside them is not counted.
    """
    steps_of_a_fill(tmp_path / "first")
    takes = []
    for more in range(3):
        if more:
            plays(1000)
        takes.append(steps_of_a_fill(tmp_path / f"filled-{more}"))
    assert takes[2] - takes[1] < 1.5 * (takes[1] - takes[0]), takes


def plays(count: int) -> None:
    """Write so many plays into a table's log, with an event each."""
    table = Table.objects.latest("pk")
    seqs = range(table.seq + 1, table.seq + count + 1)
    made = Play.objects.bulk_create(
        [Play(table=table, tap=f"more-{seq}", action={}, seq=seq) for seq in seqs]
    )
    Event.objects.bulk_create([Event(table=table, seq=p.seq, play=p, kind="told") for p in made])
    Table.objects.filter(pk=table.pk).update(seq=seqs[-1])


def steps_of_a_fill(file: Path) -> int:
    """Move this house to another file by its rows; return how many steps SQLite took for it."""
    migrations, lines, steps = release.applied(), io.BytesIO(), itertools.count()
    rows.write(migrations, lines)
    lines.seek(0)
    file.touch()
    with file_standing_in(file, writes=True):
        connection.ensure_connection()
        connection.connection.set_progress_handler(lambda: next(steps) * 0, 1000)
        rows.read(migrations, lines)
    return next(steps)


def test_a_disk_that_fills_up_while_restoring_leaves_the_house_as_it_was(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    path, before = making.make(), everything(house.file)

    def full(*_about: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "_copied", full)
    with pytest.raises(KeepingError, match="No space left"):
        restore(path, replace=True)
    assert everything(house.file) == before


def test_a_copy_of_the_database_alone_is_enough(house: Lived, elsewhere: Path, opens: Opens):
    """Whoever has only the file out of the zip has a house."""
    with zipfile.ZipFile(making.make()) as whole, opens(elsewhere) as there:
        there.file.write_bytes(whole.read("taproom.sqlite3"))
        assert prove().faults == []
        with closing(connection.cursor()) as cursor:
            assert cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",)
