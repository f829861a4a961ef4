"""R8: who waited in vain for a lock holds nobody up afterwards."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper as Djangos
from psycopg.errors import LockNotAvailable

from config.sqlite3.base import DatabaseWrapper as Ours
from games.models import Table
from games.services import locking

PATIENCE = 1.5

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="this is SQLite's lock")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The connection of somebody who writes."""
    house = sqlite3.connect(tmp_path / "house.sqlite3", isolation_level=None)
    house.execute("PRAGMA journal_mode=WAL")
    yield house
    house.close()


def begins(file: Path, wrapper: type[Djangos]) -> Callable[[], bool]:
    """Return what begins a transaction by a connection of its own; False if it waits in vain."""
    mine = connects(file, wrapper)

    def begin() -> bool:
        try:
            mine._start_transaction_under_autocommit()
        except OperationalError:
            return False
        mine._commit()
        return True

    return begin


def connects(file: Path, wrapper: type[Djangos] = Ours) -> Djangos:
    given = {**connection.settings_dict, "NAME": str(file)}
    given["OPTIONS"] = {"timeout": PATIENCE, "transaction_mode": "IMMEDIATE"}
    mine = wrapper(given, "another")
    mine.inc_thread_sharing()
    mine.ensure_connection()
    return mine


def freed_in(house: sqlite3.Connection, begin: Callable[[], bool]) -> float:
    """Return how long it takes whoever has the lock to free what a wait in vain has left."""
    house.execute("BEGIN IMMEDIATE")
    assert not begin()
    waiting = threading.Thread(target=begin)
    waiting.start()
    time.sleep(PATIENCE / 5)
    before = time.monotonic()
    gc.collect(0)  # it is all new: on a busy machine a look through the rest took a second
    took = time.monotonic() - before
    house.execute("ROLLBACK")
    waiting.join()
    return took


@pytest.mark.parametrize(("wrapper", "stands_still"), [(Ours, False), (Djangos, True)])
def test_freeing_what_a_wait_in_vain_has_left_waits_for_nobody(
    db: None, house: sqlite3.Connection, tmp_path: Path, wrapper: type[Djangos], stands_still: bool
) -> None:
    """The control is Django's own: it stands still until the other has lost patience."""
    begin = begins(tmp_path / "house.sqlite3", wrapper)
    gc.collect()
    gc.disable()
    try:
        took = freed_in(house, begin)
    finally:
        gc.enable()
    assert (took > PATIENCE / 2) == stands_still, took


def test_who_waited_in_vain_once_does_not_do_so_again_and_again(
    db: None, house: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a group that waited in vain each tap was tried alone, and waited as long again; meanwhile
    the only thread that plays tables drew nothing and let nobody in."""
    begin = begins(tmp_path / "house.sqlite3", Ours)
    house.execute("BEGIN IMMEDIATE")
    assert _seconds(begin) >= PATIENCE
    assert max(_seconds(begin) for _tap in range(20)) < 0.5
    monkeypatch.setattr("config.sqlite3.base.KNOWN_LOCKED_S", 0.0)
    assert 0.8 < _seconds(begin) < PATIENCE, "then it looks again, for a second"
    house.execute("ROLLBACK")
    assert begin()
    house.execute("BEGIN IMMEDIATE")
    assert _seconds(begin) >= PATIENCE, "once something was committed all are patient as before"
    house.execute("ROLLBACK")


@pytest.mark.parametrize("lock", ["to read", "alone"])
def test_without_wal_one_wait_for_another_program_is_enough_for_all(
    db: None, tmp_path: Path, lock: str
) -> None:
    """Without WAL a program that only reads keeps commits waiting, and one that writes keeps pages
    waiting: each tap and each page waited twenty seconds, behind all others of its thread."""
    file = tmp_path / "house.sqlite3"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("CREATE TABLE one (x)")
    tap, page = connects(file), connects(file)
    other.execute("BEGIN EXCLUSIVE" if lock == "alone" else "BEGIN")
    other.execute("SELECT * FROM one").fetchall()

    def writes() -> bool:
        with suppress(OperationalError), transaction_of(tap):
            tap.ask("INSERT INTO one VALUES (1)")
            return True
        return False

    def reads() -> bool:
        page.close_if_unusable_or_obsolete()  # as before each page
        with suppress(OperationalError):
            page.ask("SELECT * FROM one").fetchall()
            return True
        return False

    assert _seconds(writes) >= PATIENCE
    assert max(_seconds(writes) for _tap in range(5)) < 0.5
    if lock == "alone":
        assert max(_seconds(reads) for _page in range(5)) < 0.5
    else:
        assert reads()
    other.execute("ROLLBACK")
    assert reads()
    assert writes()
    other.close()


@contextmanager
def transaction_of(mine: Djangos) -> Iterator[None]:
    """Write as a tap does, and give the transaction up where it can't be committed."""
    mine.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        yield
        mine.commit()
    except OperationalError:
        mine.rollback()
        raise
    finally:
        mine.set_autocommit(True)


def _seconds(begin: Callable[[], bool]) -> float:
    before = time.monotonic()
    assert not begin()
    return time.monotonic() - before


def test_a_house_begins_its_transactions_by_our_own_backend(db: None) -> None:
    assert isinstance(connections["default"], Ours)


def test_a_row_that_was_free_meanwhile_is_waited_for_as_usual(monkeypatch: pytest.MonkeyPatch):
    """Known to be held is what nobody has had since: a neighbour's tap takes only a moment."""
    waited: list[bool] = []

    def first(_model: type[Table], *, waits: bool, **_where: Any) -> None:
        waited.append(waits)
        if len(waited) == 1:
            raise OperationalError from LockNotAvailable()

    monkeypatch.setattr(locking.rows, "first", first)
    monkeypatch.setattr(locking, "_held", {})
    with pytest.raises(OperationalError):
        locking.locked(7)
    for _free_again in range(2):
        locking.locked(7)
    assert waited == [True, False, True]
