"""A house that was made ready beside another takes its place: completely, or not at all.

A database without its journal, or with another house's key, is a house that nobody ever left. So
what is ready is given a name in one step. Before that nothing has happened; after it this is the
house, and whoever comes next finishes what was begun: the restore itself, or the next start.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from glob import escape
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.data_folder import bring_to_disk

DATABASE, LOCK = "database", ".open"
# What a database in a data folder is called, the only house there, and the key beside it.
USUAL, KEY = "taproom.sqlite3", "secret_key"
READY = ".put-back-"
TAILS = ("-journal", "-wal", "-shm", "")


def announce(made: Path, place: Path, stamp: str) -> None:
    """Give a folder with a `DATABASE`, and perhaps a `KEY`, the name that makes it the house."""
    for path in (*made.iterdir(), made):
        to_disk(path)
    made.rename(place.with_name(f"{_begins(place)}{stamp}"))
    to_disk(place.parent)


def is_announced(place: Path) -> bool:
    """Tell whether a house was announced that is not wholly in its place yet."""
    return bool(_announced(place))


def _announced(place: Path) -> list[Path]:
    return sorted(place.parent.glob(f"{escape(_begins(place))}*"))


def _begins(place: Path) -> str:
    """Return how the folders begin that are announced for a house, and for none beside it."""
    return READY if place.name == USUAL else f".{place.name}{READY}"


def aside_at(place: Path, stamp: str) -> Path:
    """Return where the former house's database, or its key, is kept."""
    return place.with_name(f"{place.name}.before-{stamp}")


def finish(place: Path, key: Path) -> None:
    """Move what was announced into its place. May be interrupted anywhere and called again."""
    for ready in _announced(place):
        stamp = ready.name.removeprefix(_begins(place))
        aside = aside_at(place, stamp)
        if (ready / DATABASE).exists():
            for tail in TAILS:  # a journal belongs to the file whose name it bears
                one = place.with_name(place.name + tail)
                if one.exists():
                    one.rename(aside.with_name(aside.name + tail))
            (ready / DATABASE).rename(place)
            to_disk(place.parent)
        if (ready / KEY).exists():
            former = aside_at(key, stamp)
            # Once: from another disk the new key is copied, and a copy may have ended half way.
            if key.exists() and aside.exists() and not former.exists():
                key.rename(former)
            shutil.move(ready / KEY, key)  # a database may be on another disk than the key
            to_disk(key.parent)
        ready.rmdir()


def lock_at(place: Path, folder: Path, name: str) -> Path:
    """Return the file by whose lock a house is known to be in use: beside its database.

    So two copies of this program, with a data folder each, know of each other when they name the
    same database. Where there is no such folder the data folder has the lock, and whoever opens the
    database reports what is missing.
    """
    real = place.resolve()
    if not place.is_absolute() or not real.parent.is_dir():
        return folder / name
    return real.with_name(name if real.name == USUAL else real.name + name)


def go_on(place: Path, folder: Path) -> None:
    """Finish an interrupted restore, unless one is under way right now.

    Raises ImproperlyConfigured, in words, where the disk does not let it.
    """
    try:
        if not is_announced(place):
            return
        with lock_at(place, folder, LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finish(place, folder / KEY)
    except BlockingIOError:
        return
    except OSError as error:
        raise ImproperlyConfigured(
            f"A restore that was perhaps interrupted here cannot be finished: {error}. Nothing is "
            f"lost: let this user write in {place.parent}, make room there, and start again."
        ) from error


def to_disk(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        bring_to_disk(descriptor)
    finally:
        os.close(descriptor)
