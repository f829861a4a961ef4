"""The place of the house's file: readable by its owner alone, and inside its folder.

An earlier release could put it elsewhere (`refuse_astray`).
"""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import shlex
import tempfile
from contextlib import suppress
from glob import escape
from pathlib import Path
from stat import S_ISREG

import dj_database_url
from django.conf import settings
from django.utils.translation import gettext as _

from games.keeping import KeepingError, archive, facts, lock, sqlite

OTHERS, OWNERS = 0o007, 0o700
BEGINS = b"SQLite format 3\0"


def close_to_others() -> None:
    """Make the files of the house readable by their owner alone.

    Files that everybody may read come from the system's usual mask: nobody has chosen that. A group
    that was let in without everybody else stays. A journal gets its rights from its database.
    """
    house = sqlite.path_of_house()
    with suppress(OSError):  # said in words by whoever opens it
        house.touch(0o600)
    beside = house.parent.glob(f"{escape(house.name)}[-.]*")  # its journal, its locks
    for path in (house, *beside, archive.key_place()):
        with suppress(OSError):  # somebody else's, who has let this user in
            mode = path.stat().st_mode
            if S_ISREG(mode) and mode & OTHERS:
                path.chmod(mode & OWNERS)


def refuse_only_read() -> None:
    """Raise KeepingError where this user may read the house and not write it.

    SQLite opens such a file without a word, and whoever taps would be told for ever that nothing
    can be written down just now. It is another user's, after `sudo make play` for instance.
    """
    house = sqlite.path_of_house()
    if house.exists() and os.access(house, os.R_OK) and not os.access(house, os.W_OK):
        text = _(
            "%(file)s can be read, but this user may not write it. Let this user write it, and "
            "start again."
        )
        raise KeepingError(text % {"file": house})


def wrong_with(folder: Path) -> str:
    """Return what is wrong with the disk of a folder, and what helps, or nothing.

    SQLite itself calls a disk without shared memory one that fails, one without file locks a lock
    that somebody has, and a user's quota that is used up a file that cannot be opened.
    """
    text = _("The disk of %(place)s has no file locks %(helps)s")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            text = _("The disk of %(place)s has no shared memory %(helps)s")
            if settings.SQLITE_JOURNAL == "WAL":
                file.truncate(mmap.PAGESIZE)
                mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
            file.write(bytes(mmap.PAGESIZE))
            file.flush()
    except OSError as error:
        if error.errno in lock.LACKS:
            return text % {"place": folder, "helps": lock.own_disk()}
        if error.errno == errno.EDQUOT:  # however much room the disk itself has left
            text = _("This user's quota in %(folder)s is used up: make room there")
            return text % {"folder": folder}
    return ""


def refuse_astray() -> None:
    """Raise KeepingError where an earlier release has put this house's file outside of its folder.

    It took the path for an address, which ends at "#" and "?". Two houses may have shared that
    file, so their host has to say whose it is.
    """
    house = sqlite.path_of_house()
    astray = Path(str(dj_database_url.parse(f"sqlite:///{house}")["NAME"]))
    # With the same name it is another folder's house: "%20" in a folder's name is no longer a
    # space.
    if astray.name == house.name or not _is_database(astray):
        return
    if house.exists() and house.stat().st_size and facts.is_lived_in():
        return
    old, new = shlex.quote(str(astray)), shlex.quote(str(house))
    told = _(
        "An earlier Taproom took the # or ? in this folder's name for an address, and has kept "
        "its house in the file %(file)s. It belongs here. Bring it back, and what may stand beside "
        "it with -wal or -journal at the end, then start again:"
    )
    also = _(
        "Should another folder with the same beginning have played in it too, use cp instead of "
        "mv. For a new house give that file another name."
    )
    raise KeepingError(f"{told % {'file': old}}\n  mv {old} {new}\n{also}")


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(BEGINS)) == BEGINS
    except OSError:
        return False
