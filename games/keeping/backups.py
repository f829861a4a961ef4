"""Backups in their folder: how they are called, which is the newest, and one maker at a time."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

from django.utils.translation import gettext as _

from games.keeping import KeepingError

NAME = re.compile(r"taproom-(\d{8}-\d{6})Z(-[\w-]+)?\.zip")


def name_at(moment: datetime, why: str) -> str:
    """Return the name of a backup of a moment, in UTC; one that says `why` stays for good.

    The newest is found, and the oldest removed, by these names alone: see `moment_of`.
    """
    return f"taproom-{moment.astimezone(UTC):%Y%m%d-%H%M%S}Z{'-' if why else ''}{why}.zip"


def moment_of(path: Path) -> datetime | None:
    """Return when a backup was made, by its name; None for any other file."""
    if found := NAME.fullmatch(path.name):
        with suppress(ValueError):  # a day or an hour that there is not: none of ours
            return datetime.strptime(found[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return None


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, the newest first.

    A link whose disk is not there now is none, nor is a folder: they can be neither measured nor
    removed, and would keep every further backup from being made.
    """
    named = folder.glob("taproom-*.zip")
    found = [path for path in named if moment_of(path) and os.path.isfile(path)]
    return sorted(found, reverse=True)


def newest_of(found: list[Path]) -> Path | None:
    """Return the newest of these backups; one dated ahead of the clock only if there is no other.

    A clock that was once wrong must not hide what was made since.
    """
    limit = datetime.now(UTC) + timedelta(minutes=1)
    on_time = [path for path in found if (moment_of(path) or limit) < limit]
    return max(on_time or found, default=None)


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder for one maker of backups.

    Raises KeepingError while another works there, and where a file has the folder's name.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        text = _("No backup was made: %(folder)s can be no folder, a file has its place.")
        raise KeepingError(text % {"folder": folder}) from None
    with _lock_in(folder) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise KeepingError(_("Another backup is being made here just now.")) from None
        for left in folder.glob(".making-*"):  # of one that was killed
            shutil.rmtree(left, ignore_errors=True)
        yield


def _lock_in(folder: Path) -> TextIO:
    """Open the folder's lock: to write, as disks on the network want it, or else to read.

    One `sudo manage.py backup` leaves root's lock in a folder that is this user's.
    """
    path = folder / ".lock"
    try:
        return path.open("w")
    except PermissionError:
        return path.open()


@contextmanager
def scratch_in(folder: Path, begins: str) -> Iterator[Path]:
    """Yield a new folder in this one, and remove it; what cannot be removed stays for the next.

    Raises KeepingError where somebody has taken it away meanwhile. Python's `TemporaryDirectory`
    calls itself without end where nothing can be removed any more.
    """
    made = Path(tempfile.mkdtemp(prefix=begins, dir=folder))
    try:
        yield made
    except Exception as error:
        # The error only says that some file is not there, from which nobody would guess why.
        if not made.exists():
            text = _("%(folder)s was moved or emptied meanwhile, and nothing was made.")
            raise KeepingError(text % {"folder": folder}) from error
        raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def meant_by(path: Path) -> Path:
    """Return the backup that a path stands for: itself, or the newest in that folder.

    Raises KeepingError where there is none.
    """
    with readable(path):
        if not stat.S_ISDIR(path.stat().st_mode):
            return path
        os.listdir(path)  # raises where this user may not look; `glob` would just find nothing
        return newest_in(path)


def newest_in(folder: Path) -> Path:
    """Return the newest backup in a folder. Raises KeepingError where there is none."""
    found = newest_of(backups_in(folder))
    if found is None:
        raise KeepingError(_("There is no backup in %(folder)s.") % {"folder": folder})
    return found


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raise KeepingError in words where what the block reads is not there or cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise KeepingError(_("There is no file %(file)s.") % {"file": path}) from None
    except OSError as error:
        text = _("%(file)s cannot be read: %(why)s.")
        raise KeepingError(text % {"file": path, "why": error.strerror or error}) from error
