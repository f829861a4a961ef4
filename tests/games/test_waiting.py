"""R8: who waited in vain for the write lock holds nobody up afterwards."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper as Djangos

from config.sqlite3.base import DatabaseWrapper as Ours

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
    given = {**connection.settings_dict, "NAME": str(file)}
    given["OPTIONS"] = {"timeout": PATIENCE, "transaction_mode": "IMMEDIATE"}
    mine = wrapper(given, "another")
    mine.inc_thread_sharing()
    mine.ensure_connection()

    def begin() -> bool:
        try:
            mine._start_transaction_under_autocommit()
        except OperationalError:
            return False
        mine.connection.rollback()
        return True

    return begin


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
    assert _seconds(begin) >= PATIENCE, "who has begun since is as patient as before"
    house.execute("ROLLBACK")


def _seconds(begin: Callable[[], bool]) -> float:
    before = time.monotonic()
    assert not begin()
    return time.monotonic() - before


def test_a_house_begins_so(db: None) -> None:
    assert isinstance(connections["default"], Ours)
