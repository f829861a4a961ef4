"""What is in SQLite's journal goes into its file beside the taps, not in the middle of one.

With a journal of the kind WAL a commit that finds a thousand pages in it puts them where they
belong before it returns: some ten milliseconds, at every hundredth tap or so, for that tap and for
all that wait behind it. So here another thread does that, by a connection of its own, and commits
do it only where that one does not keep up (`wal_autocheckpoint` in the settings).
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

log = logging.getLogger(__name__)

# After the first commit that is yet to be put in its place: others may come along with it.
REST_SECONDS = 60.0
# Not later than after so many commits, some seven thousand pages.
MOST_COMMITS = 800


class Checkpoints:
    """Puts into a file what commits have left in its journal, a while after them."""

    def __init__(self, path: Path) -> None:
        # Never made anew: whoever moved the file away finds nothing in its place.
        self._address = f"{path.absolute().as_uri()}?mode=rw"
        self._journal = path.with_name(f"{path.name}-wal")
        self._commits = 0
        self._calls = threading.Event()
        self._is_due = threading.Event()
        self._closes = False
        self._thread: threading.Thread | None = None

    def note_commit(self) -> None:
        """Hear that something was committed. Only one thread may say so."""
        self._commits += 1
        self._calls.set()
        if self._commits >= MOST_COMMITS:
            self._is_due.set()
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
            # Where there is no room for another thread, commits do it, and the next one asks again.
            with suppress(RuntimeError):
                thread.start()
                self._thread = thread

    def close(self) -> None:
        """End the thread; what is left in the journal is put in its place with the last line."""
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
                # A full disk, a file that was moved: nothing of it is lost, and the next commit
                # that meets the same is told.
                log.warning("The journal stays as long as it is: %s", error)

    def _put_in_place(self) -> None:
        if not self._journal.stat().st_size:
            return  # asking would make another in its place
        with closing(sqlite3.connect(self._address, uri=True, isolation_level=None)) as line:
            line.execute("PRAGMA synchronous=FULL")
            line.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
