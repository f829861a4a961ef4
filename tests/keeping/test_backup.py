"""R11: a backup has all of the house, and nothing half-made stays."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
import stat
import zipfile
from contextlib import closing
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.db import connection

import campaigns.keeping
from campaigns.models import Campaign
from games.keeping import KeepingError, archive, backups, making, sqlite
from games.keeping.drilling import drill
from games.keeping.restoring import restore
from games.models import Event
from tests.keeping.conftest import Lived, Opens

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


def manifest_of(path: Path) -> archive.Manifest:
    with archive.opened(path) as (_whole, manifest):
        return manifest


# --- what is in it -------------------------------------------------------------------------------
def test_a_backup_counts_every_row_and_names_every_log(house: Lived):
    manifest = manifest_of(making.make())
    tables = [r[0] for r in house.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert set(manifest.rows) == set(tables) - {"sqlite_sequence"}
    for table in tables:
        counted = house.rows(f'SELECT COUNT(*) FROM "{table}"')[0][0]
        assert manifest.rows.get(table, counted) == counted
    assert manifest.heads == dict(house.rows("SELECT code, seq FROM games_table"))
    assert len(manifest.heads) == 3
    assert ("campaigns", "0003_what_was_said") in manifest.migrations


def test_a_backup_can_be_opened_and_read_without_us(house: Lived):
    path = making.make()
    with zipfile.ZipFile(path) as whole:
        assert whole.testzip() is None
        campaigns = [n for n in whole.namelist() if n.startswith("campaigns/")]
        told = [msgspec.json.decode(whole.read(name))["campaign"]["name"] for name in campaigns]
    assert sorted(told) == ["The Old War", "The Salt Road"]


def test_before_an_update_no_campaign_is_read_by_what_does_not_know_its_tables_yet(house: Lived):
    """R12: this release on the tables of another one writes what never was, or a traceback."""
    house.forgets_a_migration()
    connection.close()
    assert manifest_of(making.make()).exports == []


def test_no_backup_is_made_of_a_house_that_was_emptied(house: Lived):
    """It was the newest: what a restore or the next start offered was a house without a table."""
    made = making.make()
    house.file.write_bytes(b"")
    with pytest.raises(KeepingError, match=r"those that there are stay: there is no house in"):
        making.make()
    assert backups.backups_in(house.backups) == [made]


def test_only_who_owns_the_house_can_read_its_backups(house: Lived):
    assert stat.S_IMODE(making.make().stat().st_mode) == 0o600


def test_a_backup_is_on_the_disk_before_it_bears_its_name(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: a power cut leaves no backup that is named and not whole; nor one that nobody finds."""
    done: list[str] = []
    sync, rename = os.fsync, Path.rename

    def synced(number: int) -> None:
        done.append(f"{Path(os.readlink(f'/proc/self/fd/{number}')).name} on the disk")
        sync(number)

    def renamed(path: Path, target: Path) -> Path:
        with zipfile.ZipFile(path) as whole:
            assert whole.testzip() is None
        done.append(f"{path.name} named")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "rename", renamed)
    making.make()
    assert done == ["whole.zip on the disk", "whole.zip named", f"{house.backups.name} on the disk"]


def test_the_secret_goes_along_unless_it_is_left_out(house: Lived):
    with zipfile.ZipFile(making.make()) as whole:
        assert whole.read(archive.KEY) == b"key of house"
    with zipfile.ZipFile(making.make(with_key=False)) as whole:
        assert archive.KEY not in whole.namelist()


def test_an_export_that_fails_keeps_no_backup_from_being_made(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    def breaks() -> None:
        raise ValueError("a campaign that no file can have")

    broken = making.EXPORTS[0].__class__(breaks, breaks)
    monkeypatch.setattr(making, "EXPORTS", [broken, *making.EXPORTS])
    assert len(manifest_of(making.make()).exports) == 2


def test_exports_are_not_held_in_memory_together(house: Lived, monkeypatch: pytest.MonkeyPatch):
    """A campaign's file may have 30 MB, and whoever opens a table may have some of them."""
    there, most = 0, 0

    class Content(bytes):
        def __del__(self) -> None:
            nonlocal there
            there -= 1

    def content() -> bytes:
        nonlocal there, most
        there, most = there + 1, max(most, there + 1)
        return Content(b"{}")

    many = making.EXPORTS[0].__class__(
        lambda: iter([(f"{n}.json", content) for n in range(5)]), lambda data: data
    )
    monkeypatch.setattr(making, "EXPORTS", [many])
    with archive.opened(making.make()) as (whole, manifest):
        found = [archive.content(whole, name) for name in manifest.exports]
    assert found == [b"{}"] * 5
    assert most <= 2  # the one that is being written, and the next


def test_a_campaign_whose_file_can_not_be_written_takes_no_other_ones_along(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: beside the database a backup has every campaign that can be read without us."""
    whole, written = sorted(manifest_of(making.make()).exports), campaigns.keeping.file_of
    broken = Campaign.objects.earliest("pk")

    def breaks(campaign: Campaign) -> bytes:
        if campaign == broken:
            raise ValueError("a campaign that no file can have")
        return written(campaign)

    monkeypatch.setattr(campaigns.keeping, "file_of", breaks)
    assert sorted(manifest_of(making.make()).exports) == [
        name for name in whole if not name.endswith(f"-{broken.pk}.json")
    ]
    assert len(whole) > 1


def stands(patch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Let the clock stand still for whoever makes a backup, and for Python's zip files."""

    class Stands(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return moment

    patch.setattr(making, "datetime", Stands)
    patch.setattr(zipfile.time, "time", moment.timestamp)  # type: ignore[attr-defined]


def test_two_of_one_second_are_two(house: Lived, monkeypatch: pytest.MonkeyPatch):
    """R11: the second would have taken the first one's name, and its place."""
    stands(monkeypatch, NOW)
    first, second = making.make(), making.make()
    assert first.exists()
    assert backups.moment_of(second) > backups.moment_of(first)


@pytest.mark.parametrize("year", [1970, 2150])
def test_a_clock_of_another_century_keeps_no_backup_from_being_made(
    house: Lived, year: int, monkeypatch: pytest.MonkeyPatch
):
    """R10, R11: a zip file knows no such year. It was a traceback, every four minutes."""
    moment = datetime(year, 1, 2, tzinfo=UTC)
    copy = sqlite.copy

    def copied_then(source: Path, target: Path) -> None:
        copy(source, target)
        os.utime(target, (moment.timestamp(), moment.timestamp()))

    monkeypatch.setattr(sqlite, "copy", copied_then)
    with monkeypatch.context() as patch:
        stands(patch, moment)
        path = making.make()
    assert manifest_of(path).made_at == moment
    drill(path)


# --- whether one is needed -----------------------------------------------------------------------
def test_no_second_backup_of_what_nobody_changed(house: Lived, capsys: pytest.CaptureFixture[str]):
    assert making.has_changed()
    making.make()
    assert not making.has_changed()
    call_command("backup", "--if-changed")
    assert "Nothing has changed" in capsys.readouterr().out
    house.writes("UPDATE games_table SET name = name || '!'")
    assert making.has_changed()
    call_command("backup", "--if-changed")
    assert len(backups.backups_in(house.backups)) == 2


def test_a_house_behind_a_link_is_seen_to_change_as_any_other(house: Lived, elsewhere: Path):
    """R11: SQLite puts the journal beside the file itself. Who looked beside the link saw nothing
    of what was played; and `make play`, which knows the file, saw a change each time."""
    elsewhere.mkdir()
    connection.close()
    real = house.file.rename(elsewhere / "kept-here")
    house.file.symlink_to(real)
    with closing(sqlite3.connect(real)) as player:
        player.execute("PRAGMA journal_mode=WAL")
        with player:
            player.execute("UPDATE games_table SET name = name || '!'")
        making.make()
        assert not making.has_changed()
        assert making.mark() == sqlite.mark_of(real)
        with player:
            player.execute("UPDATE games_table SET name = name || '?'")
        assert making.has_changed()


def test_a_damaged_backup_counts_for_nothing(house: Lived):
    making.make().write_bytes(b"PK nothing")
    assert making.has_changed()


# --- when it fails -------------------------------------------------------------------------------
def test_a_full_disk_leaves_nothing_half_made_and_keeps_what_was_there(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    good = making.make()

    def full(*_about: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archive.zipfile.ZipFile, "write", full)
    with pytest.raises(KeepingError, match="No space left"):
        making.make()
    with pytest.raises(KeepingError, match="No backup was made"):
        call_command("backup")
    assert [p.name for p in house.backups.iterdir() if p.name != ".lock"] == [good.name]


def test_a_copy_that_finds_no_room_or_no_house_is_told_in_words(house: Lived):
    """SQLite's own errors are none of Django's: they ended in a traceback."""
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, was[1]))
    try:
        with pytest.raises(KeepingError, match="No backup was made"):
            making.make()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)
    house.file.write_bytes(b"none of ours" * 1000)
    with pytest.raises(KeepingError, match="not a database"):
        making.make()
    assert [path.name for path in house.backups.iterdir()] == [".lock"]


def test_a_folder_that_can_only_be_read_all_at_once_is_told_in_words(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """Tidying up after it called itself without end, and its traceback hid what was the matter."""

    def refused(*_about: object, **_more: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    good = making.make()
    with monkeypatch.context() as patch:
        for way in ("rename", "rmdir", "unlink"):
            patch.setattr(os, way, refused)
        with pytest.raises(KeepingError, match=r"No backup was made in .*Permission denied"):
            making.make()
    assert backups.backups_in(house.backups) == [good]
    assert len(list(house.backups.glob(".making-*"))) == 1
    making.make()
    assert not list(house.backups.glob(".making-*"))


def test_a_folder_that_is_moved_away_meanwhile_is_what_is_told(house: Lived):
    """A disk that was pulled out: "unable to open database file" sounded like the house's own."""
    away = house.folder / "moved-away"
    with pytest.raises(KeepingError, match=f"^{house.backups} was moved or emptied meanwhile"):
        making.make(after_copy=lambda: house.backups.rename(away))
    assert not house.backups.exists()
    assert making.make().exists()


def test_rows_of_a_newer_house_are_refused_in_words(house: Lived):
    """R12: which columns those have this release cannot know; it was a traceback."""
    house.writes(
        "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2026')"
    )
    with pytest.raises(KeepingError, match=r"newer Taproom \(games\.9999_later\)"):
        making.make(portable=True)
    assert making.make().exists(), "its file is whole, whoever has written it"


def test_what_a_killed_one_left_is_cleared_away(house: Lived):
    left = house.backups / ".making-killed"
    left.mkdir(parents=True)
    (left / "database").write_text("half")
    making.make()
    assert not left.exists()


def test_two_at_once_do_not_mix(house: Lived):
    with backups.only_one(house.backups), pytest.raises(KeepingError, match="Another backup"):
        making.make()
    assert making.make().exists()


def test_a_lock_that_another_user_left_keeps_no_backup_from_being_made(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: after one `sudo manage.py backup` the house opened, and had no backup any more."""
    opened = Path.open

    def may_not_write(path: Path, mode: str = "r", *how: Any, **more: Any) -> Any:
        if path.name == ".lock" and mode != "r":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, mode, *how, **more)

    house.backups.mkdir()
    (house.backups / ".lock").touch()
    monkeypatch.setattr(Path, "open", may_not_write)
    assert making.make().exists()
    with backups.only_one(house.backups), pytest.raises(KeepingError, match="Another backup"):
        making.make()


def test_a_copy_that_is_damaged_is_no_backup(house: Lived):
    """The house's file itself is bad: that must be said now, and not when it is needed."""
    house.spoils("games_event")
    with pytest.raises(KeepingError, match=r"house is damaged.*manage.py restore --replace"):
        making.make()
    assert backups.backups_in(house.backups) == []


def test_a_backup_brings_no_key_where_the_host_has_set_it_and_comes_back_without(
    house: Lived, elsewhere: Path, opens: Opens, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setenv("TAPROOM_SECRET_KEY", "set by the host")
        path = making.make()
    with opens(elsewhere) as there:
        before = there.key.read_text()
        restored = restore(path)
        assert there.key.read_text() == before != "key of house"
        assert [one.newest for one in restored.tables] == [
            Event.objects.filter(table__code=one.code, seq=one.seq).get().at
            for one in restored.tables
        ]
