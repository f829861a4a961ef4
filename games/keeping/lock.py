"""Locks on a house's folder: a server may be open on it, or a restore may work on it, never both.

On SQLite only one server may be open: two would not tell each other's phones what happens.
"""

from __future__ import annotations

import errno
import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from django.conf import settings
from django.utils.translation import gettext as _

from config.putting_back import LOCK as FILE
from config.putting_back import lock_at
from games.keeping import KeepingError, sqlite

SERVED = ".served"
# What a disk answers whose driver leaves something out.
LACKS = frozenset((errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENODEV))
_held: list[IO[str]] = []


def own_disk() -> str:
    """Return what helps where a disk lacks something, as the end of a sentence."""
    return _(
        "(a network drive, perhaps): name a folder on a disk of this machine with TAPROOM_DATA"
    )


def open_the_house() -> None:
    """Mark the folder as in use for as long as this process lives; several processes may."""
    _hold(FILE, fcntl.LOCK_SH, _("A backup is being put back into this folder just now."))


def serve_alone(port: int) -> None:
    """Be, for as long as this process lives, the only server on this folder's SQLite file.

    `served_at` tells the port from then on.
    """
    if settings.IS_SQLITE:
        already = _("Taproom is open on this folder already: close it first.")
        served = _hold(SERVED, fcntl.LOCK_EX, already)
        with suppress(OSError):  # a disk that is full
            served.truncate(0)
            served.write(str(port))
            served.flush()


def served_at() -> int | None:
    """Return the port at which this folder's SQLite file is served, or was the last time."""
    if not settings.IS_SQLITE:
        return None
    with _opened(SERVED) as served:
        served.seek(0)
        said = served.read(5)
    return int(said) if said.isdecimal() else None


def _hold(file: str, how: int, refusal: str) -> IO[str]:
    lock = _opened(file)
    try:
        _take(lock, how, refusal)
    except KeepingError:
        lock.close()
        raise
    _held.append(lock)
    return lock


def _take(lock: IO[str], how: int, refusal: str) -> None:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise KeepingError(refusal) from None
    except OSError as error:
        if error.errno not in LACKS:
            text = _("%(file)s cannot be locked: %(why)s")
            raise KeepingError(text % {"file": lock.name, "why": error}) from error
        text = _("The disk of %(place)s has no file locks %(helps)s, and start again.")
        raise KeepingError(text % {"place": lock.name, "helps": own_disk()}) from error


def _opened(file: str) -> IO[str]:
    place = settings.DATA_DIR / file
    if settings.IS_SQLITE:
        place = lock_at(sqlite.path_of_house(), settings.DATA_DIR, file)
    try:
        return place.open("a+")
    except OSError as error:  # a disk that is full, or only read
        text = _("The data folder cannot be written: %(why)s")
        raise KeepingError(text % {"why": error}) from error


@contextmanager
def the_house_is_closed() -> Iterator[None]:
    """Hold the folder alone; raises KeepingError when a house is open on it."""
    with _opened(FILE) as lock:
        _take(lock, fcntl.LOCK_EX, _("Taproom is open on this folder: close it first."))
        yield
