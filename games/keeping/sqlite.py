"""SQLite: a copy of the file while people play, and whether a file is sound."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.db import connection
from django.utils.translation import gettext as _

from games.keeping import KeepingError

STEP, TRIES = 500, 4  # pages, of 4 KB: a step is a few milliseconds
OPCODES = 10_000  # of SQLite's own machine, of which it does millions in a second


def path_of_house() -> Path:
    """Return the file of this installation's database, whether it is there or not."""
    name = str(connection.settings_dict["NAME"])
    return Path(unquote(urlsplit(name).path) if is_address() else name)


def is_address() -> bool:
    """Tell whether the database is named by an address (`file:`) and not by a path."""
    return str(connection.settings_dict["NAME"]).startswith("file:")


def is_missing() -> bool:
    """Tell whether this installation's file is not there: whoever asked SQLite would make one.

    Never of another database, nor of an address, which says itself whether one may be made.
    """
    return connection.vendor == "sqlite" and not (is_address() or path_of_house().exists())


def mark_of(path: Path) -> str:
    """Return a value of the database's and its journal's files that changes with every commit.

    They are only looked at (`stat`) and never opened: closing a file gives up every lock that this
    process has on it. The next program to open the database would then think that nobody uses it,
    and remove the journal.
    """
    return "-".join(
        f"{seen.st_size}-{seen.st_mtime_ns}" for seen in (file.stat() for file in files_of(path))
    )


def files_of(path: Path) -> list[Path]:
    """Return the files that a database has: itself, and its journal, which no link leads to."""
    real = path.resolve()
    wal = real.with_name(real.name + "-wal")
    return [file for file in (path, wal) if file.exists()]


def _has_a_journal(path: Path) -> bool:
    """Tell whether something lies beside a database that it has not taken in yet."""
    real = path.resolve()
    return any(real.with_name(f"{real.name}-{kind}").exists() for kind in ("wal", "journal"))


class _BeganAnew(Exception):
    """Somebody wrote between two steps of a copy."""


def copy(source: Path, target: Path) -> None:
    """Copy a database as one commit left it, while others write it.

    Commits wait while it is read. So it is read in short steps, with room for
    a commit in between; but each commit makes the copy begin anew, and where
    there is one after the other it is read in one go.
    """
    with (
        _to_be_copied(source) as a,
        closing(sqlite3.connect(target)) as b,
    ):
        # The lock is not held for the disk: what is copied is brought there afterwards.
        b.execute("PRAGMA synchronous=OFF")
        for _try in range(TRIES):
            try:
                a.backup(b, pages=STEP, sleep=0.01, progress=_Steps())
            except _BeganAnew:
                continue
            break
        else:
            a.backup(b, pages=-1, sleep=0.01)
        b.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _to_be_copied(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database with what its journal has, which takes a disk that can be written.

    On one that can only be read it is opened as it is, if it was closed in good order.
    """
    address, is_closed = path.resolve().as_uri(), not _has_a_journal(path)
    with closing(sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=20)) as db:
        try:
            db.execute("PRAGMA schema_version")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN or not is_closed:
                raise
        else:
            yield db
            return
    with closing(sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True)) as db:
        yield db


class _Steps:
    """Is told of each step of a copy; notices when fewer pages are done than before."""

    def __init__(self) -> None:
        self._left = 1 << 62

    def __call__(self, status: int, left: int, total: int) -> None:
        if left >= self._left:
            raise _BeganAnew
        self._left = left


def check(path: Path) -> None:
    """Raise KeepingError unless every page, index and reference of a database is sound."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            found = [row[0] for row in db.execute("PRAGMA integrity_check(5)")]
            astray = db.execute("PRAGMA foreign_key_check").fetchmany(5)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # what it says has spoilt names
        text = _("The database in %(file)s cannot be read: %(why)s")
        raise KeepingError(text % {"file": path.name, "why": error}) from error
    if found != ["ok"]:
        text = _("The database in %(file)s is damaged: %(why)s")
        raise KeepingError(text % {"file": path.name, "why": "; ".join(found)})
    if astray:
        text = _("The database in %(file)s has rows that lead nowhere: %(rows)s")
        raise KeepingError(text % {"file": path.name, "rows": astray})


def damage_of(path: Path, within: float) -> str:
    """Return what is wrong with a database, or nothing; look for so many seconds at most."""
    until = time.monotonic() + within
    address = f"{path.resolve().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(address, uri=True)) as db:
            db.set_progress_handler(lambda: time.monotonic() > until, OPCODES)
            (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:  # no time is left; or it cannot be used: others say so
        return ""
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return str(error)
    return "" if found == "ok" else str(found).splitlines()[-1]


def is_busy(error: BaseException) -> bool:
    """Tell whether an error says that another program holds a lock on the database."""
    return _code_of(error) == sqlite3.SQLITE_BUSY


def has_no_room(error: BaseException) -> bool:
    """Tell whether an error says that the disk takes no more of a database."""
    return _code_of(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _code_of(error: BaseException) -> int:
    code: int = getattr(error.__cause__ or error, "sqlite_errorcode", 0)
    return code & 0xFF


def refuse_foreign(path: Path) -> None:
    """Raise KeepingError where a database has triggers or the like, which act by themselves."""
    query = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 5"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        found = [str(row[0]) for row in db.execute(query)]
    if found:
        text = _("The database in this backup is not Taproom's own: %(found)s.")
        raise KeepingError(text % {"found": ", ".join(found)})
