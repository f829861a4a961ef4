"""One door to a data folder: a house that is open on it, or a restore, never both."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from django.conf import settings

from games.keeping import KeepingError

FILE = ".open"
_held: list[IO[str]] = []


def open_the_house() -> None:
    """Say, for as long as this process lives, that the folder is in use; several may."""
    lock = (settings.DATA_DIR / FILE).open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise KeepingError("A backup is being put back into this folder just now.") from None
    _held.append(lock)


@contextmanager
def the_house_is_closed() -> Iterator[None]:
    """Hold the folder alone; raises KeepingError when a house is open on it."""
    with (settings.DATA_DIR / FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise KeepingError("Taproom is open on this folder: close it first.") from None
        yield
