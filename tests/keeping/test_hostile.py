"""Backups that somebody has made on purpose: refused in words, with memory and disk bounded."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from games.keeping import KeepingError, archive, making, rows
from games.keeping.drilling import drill
from games.keeping.restoring import restore
from tests.keeping.altering import altered, manifest_with, rewritten
from tests.keeping.conftest import Lived, everything

MIGRATED = "INSERT INTO django_migrations (app, name, applied) VALUES "


def packed_by(how: int) -> Callable[[Path], Path]:
    def pack(path: Path) -> Path:
        other = path.with_name("packed.zip")
        with zipfile.ZipFile(path) as whole, zipfile.ZipFile(other, "w", how) as anew:
            for name in whole.namelist():
                anew.writestr(name, whole.read(name))
        return other

    return pack


def holding(name: str, size: int) -> Callable[[Path], Path]:
    """Return what puts a member of so many bytes into a backup, packed to next to nothing."""

    def spoil(path: Path) -> Path:
        return packed_by(zipfile.ZIP_DEFLATED)(
            altered(path, lambda m: m.update({name: b" " * size}))
        )

    return spoil


def of_strange_letters(path: Path) -> Path:
    """Name a member by bytes that are no UTF-8, and say that they are."""
    whole = altered(path, lambda members: members.update({"ñ": b""}))
    whole.write_bytes(whole.read_bytes().replace("ñ".encode(), b"\xff\xfe"))
    return whole


def listing(members: int) -> Callable[[Path], Path]:
    """Name a member again and again: what is listed takes memory, however little there is."""

    def spoil(path: Path) -> Path:
        other = path.with_name("listed.zip")
        with zipfile.ZipFile(path) as whole, zipfile.ZipFile(other, "w") as anew:
            for name in whole.namelist():
                anew.writestr(name, whole.read(name))
            anew.filelist += [anew.getinfo(archive.MANIFEST)] * members
        return other

    return spoil


def of_the_last(model: str, change: str) -> Callable[[Path], Path]:
    """Change the last row of many: whoever looks at the first alone does not see it."""
    table = f"games_{model}"
    return rewritten(
        f"PRAGMA ignore_check_constraints = 1; "
        f"UPDATE {table} SET {change} WHERE id = (SELECT max(id) FROM {table})"
    )


HOSTILE = {
    "a manifest without end": (
        holding(archive.MANIFEST, archive.LARGEST[archive.MANIFEST] + 1), "larger than any"),
    "a key without end": (
        holding(archive.KEY, archive.LARGEST[archive.KEY] + 1), "larger than any"),
    "a form that unpacks without a bound": (packed_by(zipfile.ZIP_BZIP2), "packed as no backup"),
    "a database larger than it says": (
        lambda p: altered(p, manifest_with(size=10)), "not what was written"),
    "a database larger than the disk": (
        lambda p: altered(p, manifest_with(size=10**18)), "has room for"),
    "a database smaller than nothing": (lambda p: altered(p, manifest_with(size=-1)), "no backup"),
    "a game that is not here": (
        lambda p: altered(p, manifest_with(migrations=[["chess", "0001"]])), "newer Taproom"),
    "a game that is not here, in the database alone": (
        rewritten(f"{MIGRATED} ('chess', '0001_initial', '2026-01-01')"), "newer Taproom"),
    "bytes for a migration": (rewritten(f"{MIGRATED} ('games', x'00ff', 'x')"), "is spoilt"),
    "bytes for a game": (rewritten(f"{MIGRATED} (x'ff', 'x', 'x')"), "is spoilt"),
    "bytes for the moment of a migration": (
        rewritten("UPDATE django_migrations SET applied = x'ff'"), "is spoilt"),
    "bytes for the moment of an event": (
        rewritten("UPDATE games_event SET at = x'ff'"), "Nothing was restored|would not come back"),
    "bytes for a table's name": (
        rewritten("UPDATE games_table SET name = x'ff'"), "games_table .* in name"),
    "bytes for the last name of many": (of_the_last("seat", "name = x'41'"), "seat .* in name"),
    "letters that are none": (of_the_last("seat", "name = CAST(x'41ff' AS TEXT)"), "seat .* read"),
    "a word for a moment": (of_the_last("table", "created_at = 'soon'"), "table .* in created_at"),
    "a word for a number": (of_the_last("seat", "number = 'two'"), "seat .* in number"),
    "members without end": (
        listing(archive.LARGEST_LIST // (46 + len(archive.MANIFEST)) + 1), "lists more members"),
    "members in the same bytes": (listing(1), "in another one's place"),
    "a member of strange letters": (of_strange_letters, "no backup, or is damaged"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_backup_is_refused_in_words_by_restore_and_drill(house: Lived, case: str):
    """R12. Some were tracebacks; others took as much memory, or disk, as whoever made them liked;
    what a game of a newer release had in it was taken for this one's."""
    spoil, words = HOSTILE[case]
    path, before = spoil(making.make()), everything(house.file)
    for refuses in (lambda: restore(path, replace=True), lambda: drill(path)):
        with pytest.raises(KeepingError, match=words):
            refuses()
    assert everything(house.file) == before
    assert list(house.folder.glob(".restoring-*")) == []


def test_what_says_that_it_is_small_is_given_no_more_memory_for_it(house: Lived):
    """A manifest of 64 MB is a member of 64 KB, and says of itself what it likes."""
    path = holding(archive.MANIFEST, 64 << 20)(making.make())
    whole = bytearray(path.read_bytes())
    at = whole.find(b"PK\x01\x02")  # the manifest's place in the list of members
    assert whole[at + 46 : at + 46 + len(archive.MANIFEST)] == archive.MANIFEST.encode()
    whole[at + 24 : at + 28] = (100).to_bytes(4, "little")
    path.write_bytes(whole)
    tracemalloc.start()
    try:
        with pytest.raises(KeepingError, match="no backup, or is damaged"):
            drill(path)
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
    finally:
        tracemalloc.stop()


def test_a_campaign_of_many_portraits_is_no_list_of_members(house: Lived):
    """The control: of what is a backup's own as much is read at once as it has."""
    large = os.urandom(archive.LARGEST_LIST + 1)
    path = altered(making.make(), lambda members: members.update({"campaigns/large.json": large}))
    with archive.opened(path) as (whole, _manifest):
        assert archive.content(whole, "campaigns/large.json") == large


def test_a_restore_leaves_room_for_whoever_plays(
    house: Lived, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """R11: a disk that it fills to the last byte takes no tap any more."""
    with archive.opened(making.make()) as (whole, manifest):
        free = SimpleNamespace(free=manifest.size + archive.LEFT_FOR_PLAY - 1)
        monkeypatch.setattr(archive.shutil, "disk_usage", lambda _folder: free)
        with pytest.raises(KeepingError, match="has room for"):
            archive.unpack(whole, manifest, tmp_path / "unpacked")
        free.free += 1
        archive.unpack(whole, manifest, tmp_path / "unpacked")


def test_rows_are_held_a_few_at_a_time_however_long_their_lines_are():
    line = b"1" * rows.LONGEST_LINE
    assert list(rows._lines(io.BytesIO(line))) == [line]
    with pytest.raises(ValueError, match="longer than any"):
        next(rows._lines(io.BytesIO(line + b"1")))
    many = [(rows.AT_ONCE // 2, [n]) for n in range(5)]
    assert [len(batch) for batch in rows._batches(many)] == [3, 2]
    assert [len(batch) for batch in rows._batches((1, [n]) for n in range(501))] == [500, 1]


def test_names_that_lead_elsewhere_are_never_written(house: Lived, tmp_path: Path):
    """Members are read by their names and written by ours: a path, or a symlink, leads nowhere."""
    trap, target = f"../../{tmp_path.name}-trap", tmp_path / "target"
    path = altered(making.make(), lambda members: members.update({trap: b"x"}))
    link = zipfile.ZipInfo("taproom.link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as whole:
        whole.writestr(link, str(target))
    restore(path, replace=True)
    assert not target.exists()
    assert not list(tmp_path.parent.glob("**/*-trap"))
    assert not [p for p in house.folder.rglob("*") if p.is_symlink()]
