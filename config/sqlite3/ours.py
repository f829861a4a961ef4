"""Which file is the house's own, and whose a journal is, where files are put in another's place.

A tap that another house was asked about would be told that there is no such table, and a phone
drops what was answered. What waits is sent again, and is done when the house's own file is back.

And SQLite takes whatever journal it finds for the file's own. That of a file which is gone from
there fits a copy of it; any other file would be spoilt.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

log = logging.getLogger(__name__)

File = tuple[int, int]
READ_AT_ONCE = 1 << 20
# Which file each journal belongs to, as whoever opened it last has found.
_whose: dict[File | None, File | None] = {}
# Journals whose file has gone from its path: where they wait, and a descriptor of the file. None is
# ever closed, nor is that of a file that was looked at: SQLite's locks on it would be given up.
_waiting: dict[File, tuple[str, int]] = {}
_settling = threading.Lock()


class Ours:
    """The house's file, by the mark that it has in a row of its own."""

    def __init__(self, path: Path, epoch: str) -> None:
        self._path, self._epoch = path, epoch
        self._file = identity(path)

    def refuse_another(self) -> None:
        """Raise sqlite3.Error where another database stands at the path than ours or a copy of it.

        Asked of a file only that was not seen before. It is read past its journal, and without a
        lock: what stands beside it may be the journal of ours, and would be taken for its own.
        """
        self.refuse_emptied()
        found = identity(self._path)
        if found is None or found == self._file:
            return
        address = f"{self._path.as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as db:
            told = db.execute("SELECT epoch FROM games_house WHERE id = 1").fetchone()
        if told != (self._epoch,):
            raise sqlite3.OperationalError("unable to open database file: another house is there")
        wal = f"{self._path}-wal"
        journal = identity(wal)
        if journal is not None and journal not in _waiting:
            if is_empty(wal):
                _take_away_what_is_of_another(self._path, journal, found)
            elif is_somewhere(self._file):
                # Whoever has it open takes its journal along.
                raise sqlite3.OperationalError("unable to open database file: it was moved")
            else:
                note_waiting(str(self._path), journal, self._file)
        self._file = found

    def refuse_emptied(self) -> None:
        """Raise sqlite3.Error where nothing is in the file any more.

        Whoever opens such a file removes its journal, and the last to close it moves that into it:
        both would be missing from the copy that somebody puts in its place.
        """
        if is_empty(self._path):
            raise sqlite3.OperationalError("unable to open database file: it is empty")


def _take_away_what_is_of_another(path: Path, journal: File, file: File) -> None:
    """Remove an empty journal that another file was opened with: both would write into it."""
    with _settling:
        if _whose.get(journal, file) != file:
            take_away(path, "-wal", "-shm")


def take_away(path: str | Path, *ends: str) -> None:
    """Remove files beside a database; one stays where the folder can only be read."""
    for end in ends:
        with suppress(OSError):
            os.remove(f"{path}{end}")


def identity(path: str | Path) -> File | None:
    """Return what tells a file from every other that is there, or None where none is."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_empty(path: str | Path) -> bool:
    """Tell whether a file is there, and nothing in it."""
    try:
        return os.path.getsize(path) == 0
    except OSError:
        return False


def is_somewhere(file: File | None) -> bool:
    """Tell whether a file that this process has open still has a name, whichever."""
    return any(found.st_nlink > 0 for _descriptor, found in _open_here(file))


def _open_here(file: File | None) -> Iterator[tuple[int, os.stat_result]]:
    try:
        descriptors = os.listdir("/dev/fd")
    except OSError:  # a chroot without it, or no descriptor left to read it with
        return
    for descriptor in map(int, descriptors):
        with suppress(OSError):
            found = os.fstat(descriptor)
            if (found.st_dev, found.st_ino) == file:
                yield descriptor, found


def note_own(journal: File | None, file: File | None) -> None:
    """Note that a file was opened with this journal."""
    with _settling:
        _whose[journal] = file


def whose(journal: File | None) -> File | None:
    """Return which file was opened with this journal last."""
    with _settling:
        return _whose.get(journal)


def note_waiting(path: str, journal: File | None, file: File | None) -> None:
    """Note that a file which this process has open has gone from its path, and its journal waits.

    Who finds that out when another file was opened with the journal comes too late to say whose it
    is.
    """
    with _settling:
        if journal is None or journal in _waiting or _whose.get(journal) != file:
            return
        with suppress(OSError):
            for descriptor, _found in _open_here(file):
                _waiting[journal] = path, os.dup(descriptor)
                return


def settle_journals() -> None:
    """Take journals that wait away from files that are neither their own nor copies of those."""
    with _settling:
        for journal, (path, descriptor) in list(_waiting.items()):
            stands, own = identity(path), os.fstat(descriptor)
            if stands is None:
                continue
            del _waiting[journal]
            if identity(f"{path}-wal") != journal:
                continue
            is_own = stands == (own.st_dev, own.st_ino)
            if is_own or _is_copy(descriptor, path):
                _whose[journal] = stands
                if not is_own:
                    # Who closes the one that is gone would give up this one's locks on a shared
                    # index, and the next program that came would cut that short under our hands.
                    take_away(path, "-shm")
                continue
            log.error("The journal beside %s was that of another file: it is put aside", path)
            os.replace(f"{path}-wal", f"{path}-wal.left")
            take_away(path, "-shm")


def _is_copy(descriptor: int, path: str | Path) -> bool:
    """Tell whether a file is like another, as far as the shorter of them goes."""
    copy, at = os.open(path, os.O_RDONLY), 0  # never closed: see `_waiting`
    while True:
        ours = os.pread(descriptor, READ_AT_ONCE, at)
        theirs = os.pread(copy, READ_AT_ONCE, at)
        length = min(len(ours), len(theirs))
        if ours[:length] != theirs[:length]:
            return False
        if length < READ_AT_ONCE:
            return True
        at += length
