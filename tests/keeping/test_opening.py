"""A house that is open keeps itself: a backup by itself, in a process of its own, if needed."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, IntegrityError, OperationalError, ProgrammingError, connection

from config.command_line import CommandLine
from games.keeping import KeepingError, backups, lock, making, opening, sqlite, tidying
from games.keeping.drilling import drill
from games.keeping.restoring import restore
from games.management.commands import prepare
from tests.keeping.conftest import Lived, Opens, let_go, says


@pytest.fixture
def by_environment(house: Lived, monkeypatch: pytest.MonkeyPatch) -> Lived:
    """Let processes of their own find the house; the log is English, whatever they speak."""
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    monkeypatch.setenv("TAPROOM_DATA", str(house.folder))
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings")
    monkeypatch.delenv("TAPROOM_DATABASE", raising=False)
    return house


def test_what_was_written_is_backed_up_and_what_was_not_is_not(by_environment: Lived):
    """RPO: whatever is older than one round of looking is in a backup."""
    assert opening.back_up_if_changed()
    assert not opening.back_up_if_changed(), "nothing was written since"
    by_environment.writes("UPDATE games_table SET name = name || '!'")
    assert making.has_changed()
    (made,) = backups.backups_in(by_environment.backups)
    assert drill(made).proof.faults == []


def test_a_backup_that_fails_is_said_and_play_goes_on(
    by_environment: Lived, caplog: pytest.LogCaptureFixture
):
    by_environment.backups.write_text("a file where the folder should be")
    assert not opening.back_up_if_changed()
    assert "No backup was made" in caplog.text


@pytest.mark.parametrize(("named", "told"), [("/dev/null", "File exists"), ("/sys", "not write")])
def test_a_folder_for_backups_that_can_have_none_is_told_at_the_start(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch, named: str, told: str
):
    """docs/hosting.md: another disk is better. One that was not there was a line in a log every
    four minutes, and no backup."""
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, how: str(path) != "/sys" and may(path, how))
    settings.BACKUP_DIR, settings.BACKUPS = Path(named), True
    with pytest.raises(KeepingError, match=f"{told}.*TAPROOM_BACKUP_DIR"):
        opening.make_ready()
    settings.BACKUPS = False
    assert opening.make_ready() is None
    settings.BACKUP_DIR, settings.BACKUPS = house.folder / "other" / "disk", True
    assert opening.make_ready() is None
    assert settings.BACKUP_DIR.is_dir()


def test_the_usual_folder_that_another_user_made_is_told_at_the_start(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    """docs/hosting.md: the house does not open while it cannot be written. After one
    `sudo manage.py backup` nobody else could make any, and only a line in the log told."""
    may, usual = os.access, settings.DATA_DIR / "backups"
    settings.BACKUP_DIR, settings.BACKUPS = usual, True
    assert opening.make_ready() is None
    assert not usual.exists(), "it is made with the first backup"
    usual.mkdir()
    assert opening.make_ready() is None
    shut = {usual}
    monkeypatch.setattr(os, "access", lambda path, how: path not in shut and may(path, how))
    with pytest.raises(KeepingError, match=r"backups: this user may not write there\. Let"):
        opening.make_ready()
    shut.add(settings.DATA_DIR)  # of a disk that can only be read the database tells
    assert opening.make_ready() is None
    usual.rmdir()
    usual.write_text("no folder")
    shut.clear()
    with pytest.raises(KeepingError, match="File exists"):
        opening.make_ready()


def test_nothing_is_put_where_a_folder_was_moved_away(
    by_environment: Lived, caplog: pytest.LogCaptureFixture
):
    """A new folder with another key stood in its place, and in the way when it came back."""
    away = by_environment.folder.with_name("away")
    connection.close()
    by_environment.folder.rename(away)
    assert not opening.back_up_if_changed()
    assert "not in its place" in caplog.text
    assert not by_environment.folder.exists()
    away.rename(by_environment.folder)
    assert opening.back_up_if_changed()


def test_it_looks_again_and_again_while_the_house_is_open(
    house: Lived,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """A folder on another machine that had gone left a traceback every few minutes."""
    looked = threading.Semaphore(0)

    def looks() -> None:
        looked.release()
        raise OSError("the third time as well")

    monkeypatch.setattr(opening, "back_up_if_changed", looks)
    settings.BACKUP_SECONDS, settings.BACKUPS = 0.01, True
    opening.back_up_by_itself()
    assert all(looked.acquire(timeout=10) for _time in range(3))
    settings.BACKUP_SECONDS = 86400
    assert "No backup was made: the third time as well" in caplog.text
    assert "Traceback" not in caplog.text


def test_it_can_be_switched_off(house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch):
    begun: list[Any] = []
    monkeypatch.setattr(opening, "Thread", lambda **how: begun.append(how) or threading.Thread())
    settings.BACKUPS = False
    opening.back_up_by_itself()
    assert begun == []
    settings.BACKUPS = True
    opening.back_up_by_itself()
    assert len(begun) == 1


def test_a_server_keeps_its_house_before_an_update(
    house: Lived, capsys: pytest.CaptureFixture[str]
):
    call_command("backup", "--before-update")
    assert "nothing to migrate" in capsys.readouterr().out
    house.forgets_a_migration()
    connection.close()
    call_command("backup", "--before-update")
    (kept,) = backups.backups_in(house.backups)
    assert "-before-" in kept.name
    assert tidying.prune(house.backups) == []


def test_who_asks_for_a_backup_before_an_update_has_one(
    house: Lived, settings: Any, capsys: pytest.CaptureFixture[str]
):
    """docs/hosting.md: TAPROOM_BACKUPS=0 is for those that a house makes by itself. There was
    "nothing to migrate", and whoever then migrated had no backup."""
    settings.BACKUPS = False
    house.forgets_a_migration()
    call_command("backup", "--before-update")
    assert "nothing to migrate" not in capsys.readouterr().out
    assert len(backups.backups_in(house.backups)) == 1


def test_before_an_update_of_a_house_that_nobody_has_used_nothing_is_kept(
    house: Lived, capsys: pytest.CaptureFixture[str]
):
    house.writes("DELETE FROM games_table")
    house.writes("DELETE FROM auth_user")
    house.forgets_a_migration()
    call_command("backup", "--before-update")
    assert "nothing to migrate" not in (said := capsys.readouterr().out)
    assert "Nobody has used this house" in said
    assert not house.backups.exists()


def test_an_empty_house_is_never_begun_where_one_was_taken_away(house: Lived):
    """Whoever moves the file away finds nothing in its place, and can move it back."""
    was = connection.settings_dict["NAME"]
    opening.stay_on_this_file()
    try:
        house.file.rename(house.folder / "away")
        with pytest.raises(Exception, match="unable to open"):
            connection.ensure_connection()
        assert not house.file.exists()
        (house.folder / "away").rename(house.file)
        connection.ensure_connection()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = was
        del connection.settings_dict["HOUSE"]


@pytest.mark.parametrize("step", ["migrate", "collect"])
def test_a_disk_that_fills_up_at_the_start_is_told_in_words(
    house: Lived, monkeypatch: pytest.MonkeyPatch, step: str
):
    """Both ended in a traceback; what was migrated up to there is kept, and goes on from there."""

    def full(*_about: Any, **_more: Any) -> None:
        raise OperationalError("disk is full") if step == "migrate" else OSError(28, "disk is full")

    monkeypatch.setattr(prepare, "call_command" if step == "migrate" else "collect_static", full)
    with pytest.raises(CommandError, match=r"disk is full.* start again"):
        call_command("prepare")


@pytest.mark.parametrize("command", ["prepare", "serve"])
def test_a_disk_that_is_full_at_a_later_start_is_not_called_a_house_to_restore(
    house: Lived, monkeypatch: pytest.MonkeyPatch, command: str
):
    """Nothing is wrong with it, and a restore has no room either; `serve` ended in a traceback."""

    def fails() -> None:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(opening.release, "applied", fails)
    with pytest.raises(KeepingError, match=r"nothing has to be restored.* MB left") as told:
        call_command(command)
    assert "manage.py restore" not in str(told.value)
    monkeypatch.setattr(opening, "connection", Mock(vendor="postgresql"))
    with pytest.raises(KeepingError, match=r"its server runs.*TAPROOM_DATABASE"):
        call_command(command)


def test_a_disk_that_takes_no_more_files_is_not_said_to_have_room(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """176 MB were left, it said, and to make room "if that is little"."""
    seen = os.statvfs(house.folder)
    full = Mock(**{name: getattr(seen, name) for name in dir(seen) if name.startswith("f_")})
    full.f_files, full.f_favail = 400, 0
    monkeypatch.setattr(os, "statvfs", lambda _folder: full)
    monkeypatch.setattr(opening.release, "applied", Mock(side_effect=OperationalError("no file")))
    with pytest.raises(KeepingError, match=r"takes no more files.*delete some there, and start"):
        call_command("prepare")


def test_a_folder_that_is_only_read_is_told_in_words(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    settings.DATA_DIR = house.key  # nothing can be opened in a file
    inside_a_file = house.key / "taproom.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(inside_a_file))
    with pytest.raises(KeepingError, match="cannot be written"):
        lock.open_the_house()
    with pytest.raises(KeepingError, match="cannot be written"), lock.the_house_is_closed():
        pass


@pytest.mark.parametrize(
    "command",
    ["createsuperuser", "changepassword ana", "clearsessions", "dumpdata", "flush --noinput",
     "loaddata some", "load_book", "seat ABCDEF"],
)  # fmt: skip
def test_without_a_house_every_command_says_so_and_makes_none(
    opens: Opens, elsewhere: Path, capsys: pytest.CaptureFixture[str], command: str
):
    """Django's ended in a traceback for a table that is missing, one after it had asked for a
    password, and left an empty house behind."""
    with opens(elsewhere) as house:
        says(command)
        assert "There is no house of this release in" in capsys.readouterr().err
        says("backup")
        assert f"there is no house in {house.file}" in capsys.readouterr().err
        assert not house.file.exists()
        assert not house.backups.exists()


@pytest.fixture
def readied(house: Lived, monkeypatch: pytest.MonkeyPatch) -> Lived:
    """Let `manage.py prepare` make a house ready, without the static files, which are shared."""
    monkeypatch.setattr(prepare, "collect_static", lambda: None)
    return house


def closed() -> None:
    """Give up what this process holds of a house, its database as well."""
    connection.close()
    let_go()


def test_a_damaged_house_is_not_opened_where_it_can_be_restored(
    readied: Lived, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    """It opened, `/readyz` called it ready, and whoever came was to "wait a moment", for ever."""
    making.make()
    readied.spoils("games_event")
    says("serve")
    assert "cannot be read" in capsys.readouterr().err
    says("prepare")
    assert "cannot be read" in (told := capsys.readouterr().err)
    assert "restore --replace brings" in told
    assert "What was in it is all there" not in told
    made = backups.backups_in(readied.backups)[0]
    closed()
    restore(made, replace=True)
    call_command("prepare")
    readied.spoils("games_event")
    made.unlink()
    call_command("prepare")  # there is nothing to restore: what can be read is better
    assert "damaged" in caplog.text


def test_damage_that_only_the_migrations_meet_is_told_as_what_it_is(
    readied: Lived, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A large house is not looked through at its start. "All is there", it was told then."""
    wrong = Mock(side_effect=DatabaseError("database disk image is malformed"))
    monkeypatch.setattr("django.core.management.commands.migrate.MigrationExecutor", wrong)
    says("prepare")
    told = capsys.readouterr().err
    assert "cannot be read" in told
    assert "is all there" not in told


def test_a_large_house_is_looked_at_for_a_moment(house: Lived, monkeypatch: pytest.MonkeyPatch):
    house.spoils("games_event")
    assert sqlite.damage_of(house.file, 2.0)
    monkeypatch.setattr(sqlite, "OPCODES", 1)
    assert not sqlite.damage_of(house.file, 0.0)


def test_a_file_that_cannot_be_opened_is_no_damaged_one(tmp_path: Path):
    """Whoever opens it says in words what helps; a restore would not."""
    assert not sqlite.damage_of(tmp_path, 2.0)


def test_whoever_begins_a_house_where_there_was_one_is_told_of_its_backups(
    readied: Lived, capsys: pytest.CaptureFixture[str]
):
    """A file that was lost or emptied was followed by an empty house, without a word."""
    made = making.make()
    call_command("prepare")
    assert str(made) not in capsys.readouterr().out
    closed()
    readied.file.unlink()
    call_command("prepare")
    assert f"manage.py restore {made}" in capsys.readouterr().out
    closed()
    call_command("restore", str(made))
    assert "is back" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OperationalError("disk I/O error"), "cannot be used just now"),
        (DatabaseError("database disk image is malformed"), "manage.py restore"),
        (IntegrityError("UNIQUE constraint failed"), "nothing was written"),
    ],
)
def test_a_database_in_trouble_is_told_in_words_by_any_command(
    house: Lived,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: DatabaseError,
    told: str,
):
    monkeypatch.setattr(
        "django.core.management.commands.migrate.MigrationExecutor", Mock(side_effect=error)
    )
    says("migrate")
    assert told in capsys.readouterr().err


def test_a_mistake_in_a_query_keeps_its_traceback(house: Lived, monkeypatch: pytest.MonkeyPatch):
    """The control of the one above."""
    wrong = Mock(side_effect=ProgrammingError("near FORM"))
    monkeypatch.setattr("django.core.management.commands.migrate.MigrationExecutor", wrong)
    with pytest.raises(ProgrammingError):
        CommandLine().fetch_command("migrate").run_from_argv(["manage.py", "migrate"])


@pytest.mark.parametrize("name", ["taproom.sqlite3", "other.sqlite3"])
def test_two_data_folders_that_name_one_file_are_one_house(
    house: Lived, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, name: str
):
    """As two copies of the program do, by one TAPROOM_DATABASE: each has its own `var/`. Both
    opened, and a restore by the one put another file under the other."""
    path = making.make()
    there = house.file.rename(house.file.with_name(name))
    monkeypatch.setitem(connection.settings_dict, "NAME", str(there))
    settings.IS_SQLITE = True  # the house is, also where the suite is played on a server
    lock.open_the_house()
    lock.serve_alone(8000)
    for folder in (house.folder, tmp_path):
        settings.DATA_DIR = folder
        with pytest.raises(KeepingError, match="open on this folder already"):
            lock.serve_alone(8000)
        with pytest.raises(KeepingError, match="close it first"):
            restore(path, replace=True)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(there.with_name("third.sqlite3")))
    lock.serve_alone(8000)
