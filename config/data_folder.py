"""The folder in which a house is kept, and the key in it that phones hold their seats by."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def made_folder(path: Path) -> Path:
    """Return a folder that is there: a new one is its owner's alone, since people's data is in it.

    Raises ImproperlyConfigured in words where it cannot be.
    """
    _refuse_no_text(path, "TAPROOM_DATA")
    with _in_words(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def is_text(value: str) -> bool:
    """Tell whether this is UTF-8: bytes that are none come as letters that nobody can write."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _refuse_no_text(path: Path, variable: str) -> None:
    """Raise ImproperlyConfigured for a name of bytes that are not UTF-8: SQLite takes none."""
    if not is_text(str(path)):
        raise ImproperlyConfigured(
            f"The name of {str(path)!r} is not in UTF-8, and SQLite opens no file there. Name "
            f"another place with {variable}."
        )


def refuse_no_file(place: Path) -> None:
    """Raise ImproperlyConfigured where a database is to be kept in a folder or a device.

    That is everybody's, and a house closes its file to others.
    """
    _refuse_no_text(place, "TAPROOM_DATABASE")
    if os.path.exists(place) and not place.is_file():
        raise ImproperlyConfigured(
            f"TAPROOM_DATABASE names {place}, which is no file. Name one, or unset it."
        )


def kept_secret(path: Path) -> str:
    """Return the key in a file that only this user can read, made on the first start.

    It bears its name only when all of it is on the disk: on a full one it would be begun and never
    written, and a house with an empty key answers nobody. Raises ImproperlyConfigured in words.
    """
    with _in_words(path.parent):
        return _read(path) or _make(path)


def _read(path: Path) -> str:
    try:
        return path.read_text() if path.exists() else ""
    except UnicodeDecodeError as error:
        raise ImproperlyConfigured(
            f"The key in {path} is damaged. Put the {path.name} of the newest backup in its place: "
            "without it every phone has to be given its seat again."
        ) from error


def _make(path: Path) -> str:
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # of two that start at one instant the second reads
        if not _read(path):
            beside = path.with_name(f".{path.name}.new")
            beside.unlink(missing_ok=True)
            with open(beside, "x", opener=owner_only) as file:
                file.write(secrets.token_urlsafe(64))
                file.flush()
                bring_to_disk(file.fileno())
            beside.replace(path)
            bring_to_disk(folder)
        return _read(path)
    finally:
        os.close(folder)


def bring_to_disk(descriptor: int) -> None:
    """Wait until the disk keeps what was written to an open file, or a folder's names.

    The fsync of macOS leaves that in the disk's cache, where a power loss takes it. What it has
    instead, not every file system knows.
    """
    if command := getattr(fcntl, "F_FULLFSYNC", None):
        with suppress(OSError):
            fcntl.fcntl(descriptor, command)
            return
    os.fsync(descriptor)


def owner_only(name: str, flags: int) -> int:
    """Open a file that only this user can read, for what gives access to everybody's seat."""
    return os.open(name, flags, 0o600)


@contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder cannot be used: {error}. Make room in {folder}, let this user write "
            "there, or name another one with TAPROOM_DATA."
        ) from error
