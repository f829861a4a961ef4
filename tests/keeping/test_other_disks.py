"""A house on a disk that lacks something, or whose files are another's: it says so, in words.

As disks of other machines do, or drivers of other systems' disks, and a file that another user or
another program holds.
"""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError, connection

from config import putting_back
from config.checks import journal_mode
from games import health
from games.keeping import KeepingError, lock, making, opening, place
from games.keeping.drilling import drill
from games.management.commands import prepare
from tests.keeping.conftest import Lived

DRIVE = "network drive, perhaps.*on a disk of this machine with TAPROOM_DATA"


def cannot(number: int) -> Mock:
    return Mock(side_effect=OSError(number, os.strerror(number)))


@pytest.mark.parametrize("number", [errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_disk_that_has_no_locks_is_told_in_words(
    house: Lived, monkeypatch: pytest.MonkeyPatch, number: int
):
    """It was a traceback, and nobody would guess from one that another folder helps."""
    monkeypatch.setattr(fcntl, "flock", cannot(number))
    with pytest.raises(KeepingError, match=f"has no file locks .*{DRIVE}"):
        lock.open_the_house()
    with pytest.raises(KeepingError, match=DRIVE), lock.the_house_is_closed():
        pass
    monkeypatch.setattr(fcntl, "flock", cannot(errno.EIO))
    with pytest.raises(KeepingError, match=r"cannot be locked.*Input/output error"):
        lock.open_the_house()


@pytest.mark.parametrize(
    ("module", "name", "number", "told"),
    [
        (fcntl, "lockf", errno.ENOLCK, "no file locks"),
        (mmap, "mmap", errno.ENODEV, "no shared memory"),
    ],
)
def test_what_a_disk_lacks_is_named_and_not_called_a_lack_of_room(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch,
    module: Any, name: str, number: int, told: str,
):  # fmt: skip
    """SQLite said "disk I/O error" or "database is locked", and we to make room of 82779 MB."""
    settings.SQLITE_JOURNAL = "WAL"
    monkeypatch.setattr(opening.release, "applied", Mock(side_effect=OperationalError("some")))
    with pytest.raises(KeepingError, match="MB left"):
        call_command("prepare")
    monkeypatch.setattr(module, name, cannot(number))
    with pytest.raises(KeepingError, match=f"{told} .*{DRIVE}, and start again"):
        call_command("prepare")
    monkeypatch.setattr(module, name, cannot(errno.ENOSPC))
    with pytest.raises(KeepingError, match="MB left"):
        call_command("prepare")
    monkeypatch.setattr(module, name, cannot(errno.EDQUOT))
    with pytest.raises(KeepingError, match=r"quota in .* is used up: make room there, and start"):
        call_command("prepare")
    assert list(house.folder.glob("tmp*")) == []


def test_a_house_that_another_program_holds_is_told_as_that(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """Somebody has it open in a program for databases. Make room, we said."""
    monkeypatch.setattr(prepare, "collect_static", lambda: None)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    connection.close()
    with closing(sqlite3.connect(house.file)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(KeepingError, match="Another program has this database open"):
            call_command("prepare")
    call_command("prepare")


def test_a_house_that_this_user_may_only_read_is_not_opened(
    house: Lived, monkeypatch: pytest.MonkeyPatch, settings: Any
):
    """After `sudo make play`, say: it opened, and whoever tapped was to wait, for ever."""
    settings.IS_SQLITE = True  # the house is, also where the suite is played on a server
    may = os.access

    def only_read(path: Any, how: int) -> bool:
        return may(path, how) and not (how & os.W_OK and Path(path) == house.file)

    monkeypatch.setattr(os, "access", only_read)
    for command in ("prepare", "serve"):
        with pytest.raises(KeepingError, match=r"this user may not write it\. Let this user"):
            call_command(command)
    monkeypatch.setattr(os, "access", may)
    place.refuse_only_read()


def test_a_restore_that_cannot_be_finished_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It was a traceback of every command, as was a folder that a broken disk does not list."""
    (tmp_path / f"{putting_back.READY}1").mkdir()
    (tmp_path / putting_back.LOCK).mkdir()  # a file that cannot be written
    with pytest.raises(ImproperlyConfigured, match=r"interrupted here.*Nothing is lost"):
        putting_back.go_on(tmp_path / putting_back.USUAL, tmp_path)
    monkeypatch.setattr(Path, "glob", cannot(errno.EIO))
    with pytest.raises(ImproperlyConfigured, match=r"Input/output error\. Nothing is lost"):
        putting_back.go_on(tmp_path / putting_back.USUAL, tmp_path)


def test_a_disk_that_breaks_only_where_it_is_waited_for_is_not_ready(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """docs/hosting.md: `/readyz` answers 503 when people cannot play. It said "ok" while each tap
    was refused: a disk that breaks takes what is written, and fails when that is to arrive."""
    checks = health.Checks()
    assert checks._database() == "ok"
    monkeypatch.setattr(os, "fsync", cannot(errno.EIO))
    assert checks._database() == "cannot be written"


@pytest.mark.skipif(journal_mode() != "WAL", reason="SQLite here is too old for a WAL")
def test_a_file_that_is_cut_short_under_an_open_house_is_not_ready(house: Lived):
    """It was: what was asked for stood in the journal, or in what is left of the file."""
    checks, whole = health.Checks(), house.file.stat().st_size
    with closing(sqlite3.connect(house.file)) as plays:
        plays.execute("PRAGMA journal_mode=WAL")
        with plays:
            plays.execute("UPDATE games_house SET epoch = epoch")
            plays.execute("CREATE TABLE another (number INTEGER)")
        assert checks._database() == "ok"
        with house.file.open("rb+") as file:
            file.seek(whole // 2)
            rest = file.read()
            file.truncate(whole - 8 * 4096)
            assert checks._database() == "damaged"
            file.seek(whole // 2)
            file.write(rest)
        assert checks._database() == "ok"


def test_a_house_that_was_closed_is_backed_up_from_a_disk_that_can_only_be_read(
    house: Lived, tmp_path: Path
):
    """R11: who has to save a house from a broken disk was told that its file cannot be opened."""
    connection.close()
    with closing(sqlite3.connect(house.file)) as db:
        db.execute("PRAGMA journal_mode=WAL")
    beside = house.file.with_name(f"{house.file.name}-shm")
    beside.symlink_to("nowhere")  # so that SQLite cannot make it, as there
    try:
        assert drill(making.make(tmp_path / "elsewhere")).proof.faults == []
        journal = house.file.with_name(f"{house.file.name}-wal")
        journal.touch()  # it has perhaps what is nowhere else
        with pytest.raises(KeepingError, match="unable to open"):
            making.make(tmp_path / "elsewhere")
        journal.unlink()
    finally:
        beside.unlink()


@pytest.mark.parametrize("knows_it", [True, False], ids=["its own", "a drive of another kind"])
def test_on_a_mac_what_is_kept_is_on_the_disk_and_not_in_its_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows_it: bool
):
    """R1, R11: fsync does not wait for the disk there, and a power loss would take the newest."""
    waits, hands_over = Mock() if knows_it else cannot(errno.ENOTTY), Mock()
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", waits)
    monkeypatch.setattr(os, "fsync", hands_over)
    putting_back.to_disk(tmp_path)
    assert [asked.args[1] for asked in waits.call_args_list] == [51]
    assert hands_over.called is not knows_it
