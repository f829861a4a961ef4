"""R12: a backup that is damaged, altered or of a newer release is refused; nothing is touched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from games.keeping import KeepingError, archive, making
from games.keeping.restoring import restore
from tests.keeping.altering import altered, manifest_with, rewritten
from tests.keeping.conftest import Lived, everything

pytestmark = pytest.mark.usefixtures("migrated_once")


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def bent(path: Path) -> Path:
    """Change one byte in the middle of the packed database."""
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    return path


def swapped(members: dict[str, bytes]) -> None:
    members["taproom.sqlite3"] = members["taproom.sqlite3"].replace(b"The Swan", b"The Swam")


def locked(path: Path) -> Path:
    """Say of every member that it needs a password, as other programs' archives may."""
    whole = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := whole.find(mark, at + 1)) >= 0:
            whole[at + flags] |= 1
    path.write_bytes(whole)
    return path


def misspelt(path: Path) -> Path:
    # So that SQLite's own words for it are no text.
    def change(members: dict[str, bytes]) -> None:
        whole, right = members["taproom.sqlite3"], b'ON "auth_user_groups" ("user_id", "group_id")'
        whole = members["taproom.sqlite3"] = whole.replace(right, right.replace(b"gr", b"\x8ar", 1))
        manifest_with(sha256=hashlib.sha256(whole).hexdigest())(members)

    return altered(path, change)


def as_rows(lines: bytes) -> Callable[[Path], Path]:
    def spoil(path: Path) -> Path:
        def change(members: dict[str, bytes]) -> None:
            members["rows.jsonl"] = lines
            digest = hashlib.sha256(lines).hexdigest()
            manifest_with(kind="rows", sha256=digest, size=len(lines))(members)

        return altered(path, change)

    return spoil


def of_a_server(members: dict[str, bytes]) -> None:
    members[archive.MEMBERS["pg_dump"]] = members[archive.MEMBERS["sqlite"]]
    manifest_with(kind="pg_dump")(members)


HOUSE = b'{"model": "games.House", "fields": ["id", "epoch"]}\n'
BAD = {
    "half of it": (cut, "damaged|no backup"),
    "one bad byte": (bent, "damaged|no backup|not what was written"),
    "another database in it": (lambda p: altered(p, swapped), "not what was written"),
    "no manifest": (lambda p: altered(p, lambda m: m.pop(archive.MANIFEST)), "no backup"),
    "a log that ends elsewhere": (
        lambda p: altered(p, manifest_with(heads={"AAAAAA": 1})), "Not all came back: a log"),
    "rows that are missing": (
        rewritten("DELETE FROM games_houserule"), "games_houserule has 0 rows instead of"),
    "a server's own": (lambda p: altered(p, of_a_server), "PostgreSQL's own"),
    "a newer release": (
        lambda p: altered(p, manifest_with(migrations=[["games", "9999_later"]])), "newer Taproom"),
    "a newer format": (lambda p: altered(p, manifest_with(format=99)), "newer format"),
    "no file": (lambda p: p.with_name("nowhere.zip"), "no file"),
    "a file of something else": (lambda p: Path(__file__), "no backup"),
    "a password": (locked, "password"),
    "a moment of no time zone": (
        lambda p: altered(p, manifest_with(made_at="2026-11-20T10:00:00")), "no backup"),
    "a database that acts by itself": (
        rewritten("CREATE TRIGGER t AFTER UPDATE ON games_house"
                  " BEGIN DELETE FROM games_event; END"),
        "not Taproom's own: t"),
    "a view": (rewritten("CREATE VIEW v AS SELECT 1"), "not Taproom's own: v"),
    "a seat of nobody's phone": (
        rewritten("UPDATE games_seat SET device_id = 999999"), "rows that lead nowhere"),
    "a column less": (
        rewritten("ALTER TABLE games_play DROP COLUMN timing"), "Nothing was restored"),
    "a newer release than it says": (
        rewritten("INSERT INTO django_migrations (app, name, applied)"
                  " VALUES ('games', '9999_later', '2026-01-01')"), "newer Taproom"),
    "a name in letters that there are not": (misspelt, "cannot be read"),
    "a key that no house opens with": (
        lambda p: altered(p, lambda m: m.update({archive.KEY: b"\xad" * 50})), "no key"),
    "rows of no model": (as_rows(b'{"model": "games.Nobody", "fields": []}\n'), "not what was"),
    "rows that are too short": (as_rows(HOUSE + b"[1]\n"), "not what was"),
    "rows of other types": (as_rows(HOUSE + b'["one", {}]\n'), "not what was"),
    "rows before any model": (as_rows(b'[1, "x"]\n' + HOUSE), "not begin with a model"),
    "rows of another release": (
        as_rows(HOUSE.replace(b"epoch", b"colour") + b'[1, "x"]\n'), "House has no colour"),
    "rows of too large numbers": (
        as_rows(HOUSE + b'[99999999999999999999, "x"]\n'), "not what was"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_backup_is_refused_and_the_house_is_untouched(house: Lived, case: str):
    """R12: refused, not emptied."""
    spoil, words = BAD[case]
    path, before = spoil(making.make()), everything(house.file)
    with pytest.raises(KeepingError, match=words):
        restore(path, replace=True)
    assert everything(house.file) == before
    assert [
        p.name for p in house.folder.iterdir() if "before" in p.name or "restoring" in p.name
    ] == []


def test_an_untouched_backup_is_taken(house: Lived):
    """The control: only what was done to it made the others bad."""
    restore(altered(making.make(), lambda members: None), replace=True)
