"""R11: a backup under load is whole and lacks nothing acknowledged before it was begun."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from games.keeping import making, sqlite
from games.keeping.drilling import drill
from tests.keeping import under_load
from tests.keeping.conftest import Lived, everything


def test_backups_while_people_play_are_whole(house: Lived):
    """One in the quick size; `TAPROOM_SIZE=full` makes fifty, and plain copies must fail then."""
    rounds = under_load.rounds()
    with under_load.people_play(house.folder) as acks:
        found = under_load.measure(house.folder, rounds, acks)
    assert found.acked > 0, "nobody played, so nothing was tested"
    assert found.whole == rounds
    assert found.behind <= 0
    if rounds == under_load.FULL:
        assert found.copies_bad > 0, "the control: a plain copy under load is noticed"


@contextmanager
def half_a_change(house: Lived) -> Iterator[None]:
    """Stand in the middle of a write that is larger than SQLite's cache, and then give it up."""
    with closing(sqlite3.connect(house.file, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 5")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE games_play SET tap = tap || hex(randomblob(400))")
        db.execute("DELETE FROM games_event WHERE id % 2")
        try:
            yield
        finally:
            db.execute("ROLLBACK")


def test_a_plain_copy_in_the_middle_of_a_write_is_noticed(house: Lived):
    """The control: what the proof would say of a house that was kept by `cp`."""
    assert under_load.is_sound(under_load.copied(house.folder))
    with half_a_change(house):
        copy = under_load.copied(house.folder)
    assert not under_load.is_sound(copy)


def test_a_backup_in_the_middle_of_a_write_has_what_was_committed(house: Lived):
    before = everything(house.file)
    with half_a_change(house):
        waits = threading.Timer(0.3, lambda: None)
        waits.start()
        made: list[object] = []
        copier = threading.Thread(target=lambda: made.append(_backup(house)))
        copier.start()
        waits.join()
        assert not made, "a backup was made of half a change"
    copier.join(30)
    assert made
    assert drill(made[0]).proof.faults == []  # type: ignore[arg-type]
    assert everything(house.file) == before


def _backup(house: Lived) -> object:
    """Make a backup in a thread of its own, where the house has to stand in once more."""
    from games.keeping.stand_in import standing_in

    options = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
    with standing_in(ENGINE="django.db.backends.sqlite3", NAME=str(house.file), OPTIONS=options):
        return making.make()


@pytest.mark.parametrize("size", ["full", "quick"])
def test_the_size_is_asked_for(monkeypatch: pytest.MonkeyPatch, size: str):
    monkeypatch.setenv("TAPROOM_SIZE", size)
    assert under_load.rounds() == {"full": 50, "quick": 1}[size]


def test_a_copy_that_every_commit_makes_begin_anew_ends_all_the_same(
    house: Lived, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """R11: where people play without a pause it is read in one go, and not tried for ever."""
    monkeypatch.setattr(sqlite, "STEP", 5)
    steps: list[int] = []

    class Played(sqlite._Steps):
        def __call__(self, status: int, left: int, total: int) -> None:
            steps.append(left)
            assert len(steps) < 100, "it begins anew for ever"
            house.writes("UPDATE games_table SET name = name || '!'")
            super().__call__(status, left, total)

    monkeypatch.setattr(sqlite, "_Steps", Played)
    sqlite.copy(house.file, tmp_path / "copy")
    assert len(steps) == 2 * sqlite.TRIES
    assert everything(tmp_path / "copy") == everything(house.file)
