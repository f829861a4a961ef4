"""A restore that is killed leaves the old house or the new one, whole, and either can be opened."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config import putting_back
from games.keeping import KeepingError, archive, making, restoring
from games.keeping.restoring import restore
from tests.keeping.conftest import Lived

STEPS = 7


class Killed(BaseException):
    """Ends a restore where it stands."""


@contextmanager
def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let so many names of files change, and not one more."""
    renamed, left = Path.rename, [step]

    def rename(path: Path, to: Path) -> Path:
        if not left[0]:
            raise Killed
        left[0] -= 1
        return renamed(path, to)

    with monkeypatch.context() as here:
        here.setattr(Path, "rename", rename)
        yield


def written_but_not_brought_home(house: Lived, name: str) -> None:
    """Leave a row in the journal alone, as a house does that was killed."""
    writer = sqlite3.connect(house.file)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("UPDATE games_table SET name = ?", (name,))
    writer.commit()
    tails = ("", "-wal")
    seen = {tail: house.file.with_name(house.file.name + tail).read_bytes() for tail in tails}
    writer.close()
    for tail, content in seen.items():
        house.file.with_name(house.file.name + tail).write_bytes(content)


@pytest.mark.parametrize("step", range(STEPS))
def test_wherever_it_ends_the_house_is_the_old_or_the_new_one(
    house: Lived, monkeypatch: pytest.MonkeyPatch, step: int
):
    """Its journal was moved before the file it belongs to, and its key came last of all."""
    path = making.make()
    house.key.write_text("key since")
    written_but_not_brought_home(house, "Played since")
    try:
        with killed_at(step, monkeypatch):
            restore(path, replace=True)
    except Killed:
        putting_back.go_on(house.file, house.folder)  # what the next start does first
    else:
        assert step == STEPS - 1, "every step before was one where it could be killed"
    names = {name for (name,) in house.rows("SELECT name FROM games_table")}
    is_old = names == {"Played since"}
    assert is_old or "Played since" not in names
    assert house.key.read_text() == ("key since" if is_old else "key of house")
    assert is_old == (step < 2), "from the step on that names it the new one is the house"
    assert list(house.folder.glob("*.before-*")) == [] or not is_old
    if not is_old:
        (aside,) = house.folder.glob("taproom.sqlite3.before-??????????????*[0-9]")
        assert (
            "Played since"
            in sqlite3.connect(aside).execute("SELECT name FROM games_table").fetchone()
        )
        (kept,) = house.folder.glob("secret_key.before-*")
        assert kept.read_text() == "key since", "without it nobody would find their seat there"
    assert not list(house.folder.glob(f"{putting_back.READY}*"))


def test_a_key_for_which_another_disk_had_no_room_is_there_once_it_has(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: "nothing was restored" was said of a house that the next start then put in the place.

    And that took the half of the key for the former one, whose phones had no seats any more.
    """
    path = making.make()
    house.key.write_text("key since")

    def moves(_source: Path, to: Path) -> None:
        to.write_text("ke")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as here:
        here.setattr(shutil, "move", moves)
        with pytest.raises(KeepingError, match=r"is the house from now on.*: .*No space left"):
            restore(path, replace=True)
    putting_back.go_on(house.file, house.folder)
    assert house.key.read_text() == "key of house"
    (kept,) = house.folder.glob("secret_key.before-*")
    assert kept.read_text() == "key since"


def test_a_start_that_cannot_end_what_was_begun_says_so_and_the_next_one_does(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """docs/hosting.md: start Taproom, which finishes what was begun. What keeps it from that is
    told in words, before anything is served."""
    path = making.make()
    with contextlib.suppress(Killed), killed_at(2, monkeypatch):
        restore(path, replace=True)
    with monkeypatch.context() as here:
        here.setattr(Path, "rename", Mock(side_effect=PermissionError(13, "Permission denied")))
        with pytest.raises(ImproperlyConfigured, match=r"cannot be finished: .*denied.*start agai"):
            putting_back.go_on(house.file, house.folder)
    assert putting_back.is_announced(house.file)
    putting_back.go_on(house.file, house.folder)
    assert not putting_back.is_announced(house.file)
    assert list(house.folder.glob("taproom.sqlite3.before-*"))


def test_what_was_begun_for_one_house_is_not_put_in_the_place_of_its_neighbour(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """TAPROOM_DATABASE names files of one folder: the neighbour's next command took the backup that
    was on its way, and its own house was put aside."""
    path = making.make()
    neighbours = [house.file.with_name(name) for name in ("other.sqlite3", "20261129-194500")]
    for one in neighbours:
        shutil.copy(house.file, one)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(neighbours[0]))
    with contextlib.suppress(Killed), killed_at(2, monkeypatch):
        restore(path, replace=True)
    for one in (neighbours[1], house.file):
        putting_back.go_on(one, house.folder)
    assert putting_back.is_announced(neighbours[0])
    assert not list(house.folder.glob("*.before-*"))
    putting_back.go_on(neighbours[0], house.folder)
    assert not putting_back.is_announced(neighbours[0])
    (aside,) = house.folder.glob("*.sqlite3.before-*")
    assert aside.name.startswith("other.sqlite3.")


def test_what_is_being_put_back_just_now_is_left_to_who_does_it(house: Lived):
    """Another command, a backup by a timer, reads the settings while a restore is at it."""
    path, seen = making.make(), []
    announced = putting_back.announce

    def announce(made: Path, place: Path, stamp: str) -> None:
        announced(made, place, stamp)
        putting_back.go_on(house.file, house.folder)
        seen.append((place.with_name(f"{putting_back.READY}{stamp}") / "database").exists())

    with pytest.MonkeyPatch.context() as here:
        here.setattr(putting_back, "announce", announce)
        restore(path, replace=True)
    assert seen == [True]


def test_each_name_is_on_the_disk_before_the_next_one_changes(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: so that no power cut leaves the new key beside the old house, or none in its place."""
    path, done = making.make(), list[str]()
    house.key.write_text("key since")
    to_disk, rename = putting_back.to_disk, Path.rename

    def synced(one: Path) -> None:
        done.append(f"{one.name} on the disk")
        to_disk(one)

    def renamed(one: Path, to: Path) -> Path:
        done.append(f"{one.name} named")
        return rename(one, to)

    monkeypatch.setattr(putting_back, "to_disk", synced)
    monkeypatch.setattr(Path, "rename", renamed)
    restore(path, replace=True)
    from_house = done[done.index("house named") - 3 :]
    assert set(from_house[:3]) == {f"{n} on the disk" for n in ("database", "secret_key", "house")}
    assert from_house[2] == "house on the disk", "after what is in it"
    assert from_house[3:] == [
        "house named", f"{house.folder.name} on the disk",
        "taproom.sqlite3 named", "database named", f"{house.folder.name} on the disk",
        "secret_key named", f"{house.folder.name} on the disk",
    ]  # fmt: skip


def test_what_a_killed_one_had_unpacked_goes_with_the_next(
    house: Lived, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It lies beside the database, which may be on another disk than the data folder."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    left = house.folder / f"{restoring.BEGUN}killed"
    left.mkdir()
    (left / "packed").write_bytes(b"everybody's seats")
    unpacks, places = archive.unpack, list[Path]()
    monkeypatch.setattr(
        archive, "unpack", lambda *those: (places.append(those[-1].parent), unpacks(*those))
    )
    restore(making.make(), replace=True)
    assert not left.exists()
    (place,) = places
    assert place.parent == house.folder
    assert place.name.startswith(restoring.BEGUN)


def test_a_disk_that_fails_is_not_called_a_damaged_backup(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    path = making.make()

    def full(*_about: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(putting_back, "announce", full)
    with pytest.raises(KeepingError, match=r"Nothing was restored: .*No space left"):
        restore(path, replace=True)
    assert house.file.exists()
