"""Backups that were changed on purpose, by tests."""

from __future__ import annotations

import hashlib
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec

from games.keeping import archive


def altered(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write a backup anew with other members."""
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    change(members)
    other = path.with_name("altered.zip")
    with zipfile.ZipFile(other, "w") as whole:
        for name, content in members.items():
            whole.writestr(name, content)
    return other


def manifest_with(**changes: object) -> Callable[[dict[str, bytes]], None]:
    """Return what writes other values into a backup's manifest, for `altered`."""

    def change(members: dict[str, bytes]) -> None:
        manifest = {**msgspec.json.decode(members[archive.MANIFEST]), **changes}
        members[archive.MANIFEST] = msgspec.json.encode(manifest)

    return change


def rewritten(sql: str) -> Callable[[Path], Path]:
    """Return what changes the database in a backup, and its manifest along: nothing is damaged."""

    def spoil(path: Path) -> Path:
        def change(members: dict[str, bytes]) -> None:
            file = path.with_name("other.sqlite3")
            file.write_bytes(members["taproom.sqlite3"])
            with closing(sqlite3.connect(file)) as db:
                db.executescript(sql)
            packed = members["taproom.sqlite3"] = file.read_bytes()
            digest = hashlib.sha256(packed).hexdigest()
            manifest_with(sha256=digest, size=len(packed))(members)

        return altered(path, change)

    return spoil
