"""SQLite's journal is put in its place beside the taps (docs/decisions/0024)."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from games.keeping import opening
from games.live import checkpoints, workers
from games.live.checkpoints import Checkpoints
from games.models import House

PATIENCE = 10.0


@pytest.fixture
def house(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Return a database whose commits leave all they write in the journal."""
    with closing(sqlite3.connect(tmp_path / "house.sqlite3", isolation_level=None)) as line:
        assert line.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
        line.execute("PRAGMA wal_autocheckpoint=10000")
        line.execute("CREATE TABLE log (number INTEGER)")
        yield line


def path_of(house: sqlite3.Connection) -> Path:
    return Path(house.execute("PRAGMA database_list").fetchone()[2])


def write(house: sqlite3.Connection, beside: Checkpoints | None, times: int = 1) -> None:
    for number in range(times):
        house.execute("INSERT INTO log VALUES (?)", (number,))
        if beside:
            beside.note_commit()


class Place:
    """The file as it is now: a commit changes its journal, a checkpoint the file itself.

    It is looked at, never opened: whoever closes a file gives up its process's locks on it.
    """

    def __init__(self, house: sqlite3.Connection) -> None:
        self.path = path_of(house)
        self.written_ns = self.path.stat().st_mtime_ns

    def is_taken(self, patience: float) -> bool:
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.path.stat().st_mtime_ns != self.written_ns:
                return True
            time.sleep(0.02)
        return False


def test_a_commit_is_put_in_its_place_a_while_later(house, monkeypatch):
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.3)
    beside = Checkpoints(path_of(house))
    for _time in range(2):
        place = Place(house)
        write(house, beside)
        assert place.is_taken(PATIENCE)
        time.sleep(0.1)
    beside.close()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the house is SQLite's")
def test_so_are_those_of_a_house_that_serves(house, monkeypatch):
    """It names its file by an address from then on, which makes none where there is none."""
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.1)
    monkeypatch.setattr(settings, "SQLITE_JOURNAL", "WAL")
    monkeypatch.setitem(connection.settings_dict, "NAME", str(path_of(house)))
    monkeypatch.setitem(connection.settings_dict, "HOUSE", None)
    monkeypatch.setattr(House, "current_epoch", lambda: "of the log alone")
    opening.stay_on_this_file()
    beside = workers._checkpoints()
    assert beside
    place = Place(house)
    write(house, beside)
    assert place.is_taken(PATIENCE)
    beside.close()


def test_without_room_for_its_thread_the_next_commit_asks_again(house, monkeypatch):
    """What asks has just committed, and answers all tables: it must not end of that."""

    def starts(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.1)
    beside = Checkpoints(path_of(house))
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", starts)
        write(house, beside)
    place = Place(house)
    write(house, beside)
    assert place.is_taken(PATIENCE)
    beside.close()


def test_many_commits_do_not_wait_for_that(house, monkeypatch):
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 1000.0)
    monkeypatch.setattr(checkpoints, "MOST_COMMITS", 20)
    beside = Checkpoints(path_of(house))
    place = Place(house)
    write(house, beside, 19)
    assert not place.is_taken(0.3)
    write(house, beside)
    assert place.is_taken(PATIENCE)
    later = Place(house)
    write(house, beside, 19)
    assert not later.is_taken(0.3), "they are counted anew"
    beside.close()


def test_without_a_commit_nothing_is_done(house, monkeypatch):
    """A laptop on a shelf has no file opened each minute."""
    done: list[int] = []
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.05)
    monkeypatch.setattr(Checkpoints, "_put_in_place", lambda _self: done.append(1))
    beside = Checkpoints(path_of(house))
    for times in (1, 2):
        write(house, beside)
        time.sleep(0.5)
        assert len(done) == times
    beside.close()


def test_one_thread_serves_all_commits_and_keeps_no_process_from_ending(house):
    """R8: one more with each tap would take all memory in an evening."""
    others = set(threading.enumerate())
    beside = Checkpoints(path_of(house))
    write(house, beside, 20)
    [only] = set(threading.enumerate()) - others
    assert only.daemon
    beside.close()
    assert not only.is_alive()


def test_without_it_they_stay_in_the_journal(house):
    """The control: so no commit does it by itself."""
    place = Place(house)
    write(house, None, 300)
    assert not place.is_taken(0.5)


def test_whoever_takes_on_from_commit_to_commit_does_not_read_for_it(house):
    """It counts as nobody's writing (`snapshot.writes_of_others`)."""
    write(house, None, 5)
    before = house.execute("PRAGMA data_version").fetchone()
    Checkpoints(path_of(house))._put_in_place()
    assert house.execute("PRAGMA data_version").fetchone() == before
    write(house, None, 5)
    assert house.execute("PRAGMA data_version").fetchone() == before
    with closing(sqlite3.connect(path_of(house), isolation_level=None)) as other:
        write(other, None)
    assert house.execute("PRAGMA data_version").fetchone() != before


def test_it_ends_when_it_is_told_to_whatever_it_is_at(house, monkeypatch):
    """A call to end that comes while the journal is being put in its place is not overheard."""
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.0)
    for _time in range(30):
        beside = Checkpoints(path_of(house))
        write(house, beside)
        ends = threading.Thread(target=beside.close)
        ends.start()
        ends.join(PATIENCE)
        assert not ends.is_alive()


def test_a_file_that_was_moved_away_is_not_made_anew(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(checkpoints, "REST_SECONDS", 0.05)
    gone = tmp_path / "gone.sqlite3"
    beside = Checkpoints(gone)
    beside.note_commit()
    end = time.monotonic() + PATIENCE
    while not caplog.records and time.monotonic() < end:
        time.sleep(0.02)
    beside.close()
    assert "The journal stays" in caplog.text
    assert not gone.exists()
