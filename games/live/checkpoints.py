"""Moves what is in SQLite's journal into its file between the taps, not during one of them.

In WAL mode a commit that finds a thousand pages in the journal moves them into the file before it
returns: about ten milliseconds, at every hundredth tap or so, for that tap and all that wait behind
it. So another thread does that, over a connection of its own; commits do it only where the thread
does not keep up (`wal_autocheckpoint` in the settings).
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

from django.conf import settings

from config.sqlite3.ours import is_empty

log = logging.getLogger(__name__)

# How long after a commit: others may follow meanwhile and be moved along with it.
REST_SECONDS = 60.0
# Sooner after this many commits, which are some seven thousand pages.
MOST_COMMITS = 800


class Checkpoints:
    """Moves what commits have left in a journal into the file, a while after them."""

    def __init__(self, path: Path) -> None:
        # Never created: if somebody has moved the file away, no empty one must appear in its place.
        self._address = f"{path.absolute().as_uri()}?mode=rw"
        self._path, self._journal = path, path.with_name(f"{path.name}-wal")
        self._commits = 0
        self._calls = threading.Event()
        self._is_due = threading.Event()
        self._closes = False
        self._thread: threading.Thread | None = None
        self._start()

    def note_commit(self) -> None:
        """Hear that something was committed. Only one thread may say so."""
        self._commits += 1
        self._calls.set()
        if self._commits >= MOST_COMMITS:
            self._is_due.set()
        if self._thread is None:
            self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
        # Where no thread can be started, commits do it themselves, and the next one tries again.
        with suppress(RuntimeError):
            thread.start()
            self._thread = thread

    def close(self) -> None:
        """End the thread; SQLite moves the rest when the last connection closes."""
        self._closes = True
        self._calls.set()
        self._is_due.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closes:
            self._calls.wait()
            self._is_due.wait(REST_SECONDS)
            self._calls.clear()
            self._is_due.clear()
            if self._closes:
                return
            self._commits = 0
            try:
                self._put_in_place()
            except (sqlite3.Error, OSError) as error:
                # A full disk, or a file that was moved: nothing is lost, and the next commit that
                # meets the same trouble reports it.
                log.warning("The journal stays as long as it is: %s", error)

    def _put_in_place(self) -> None:
        if not self._journal.stat().st_size or is_empty(self._path):
            return  # opening it would create another in its place, or remove it
        with closing(sqlite3.connect(self._address, uri=True, isolation_level=None)) as db:
            db.executescript(settings.SQLITE_WAITS)
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
