"""How a house is kept safe: what is checked and backed up when it opens, and while it is played."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.utils.translation import gettext as _

from config.sqlite3.ours import Ours, is_empty
from games.keeping import (
    KeepingError,
    facts,
    lock,
    making,
    place,
    postgres,
    postgres_place,
    release,
    sqlite,
)
from games.models import House

log = logging.getLogger(__name__)

PATIENCE_S = 3600
MOST_SAID = 2000  # letters: some fifty backups that went, or the end of a traceback
# For so long a start looks for damage: half a gigabyte, or more.
LOOK_SECONDS = 2.0


def make_ready(folder: Path | None = None, *, is_asked: bool = False) -> Path | None:
    """Prepare the database for this release's migrations; return the backup made first, if any.

    A house that makes none by itself makes one where it `is_asked` for. Raises
    KeepingError for a database that cannot be read, or that a newer Taproom has written, and where
    no backup could be made; then it is left as it is.
    """
    lock.open_the_house()
    if settings.BACKUPS:
        refuse_useless_folder()
    with read_in_words():
        refuse_unfit_file()
        postgres.end_restores()
        postgres_place.refuse_elsewhere()
        release.refuse_newer(applied := release.applied())
        if not applied:  # one that has been played in goes on
            postgres_place.refuse_other_letters()
        if release.pending():
            postgres_place.refuse_unwritable()
        backs_up = settings.BACKUPS or is_asked
        if not (backs_up and release.pending() and facts.is_lived_in()):
            return None
    return making.make(folder, why=f"before-{release.name_of(release.known())}")


def refuse_useless_folder() -> None:
    """Raise KeepingError where the folder for backups cannot have any.

    Otherwise nobody would miss the backups until after an evening, when the log has a line about
    them for every few minutes. The usual folder is made with the first backup, and where its place
    cannot be written the database beside it says so. But it may be another user's: root's, after
    `sudo manage.py backup`.
    """
    folder = settings.BACKUP_DIR
    is_usual = folder == settings.DATA_DIR / "backups"
    if is_usual and not (os.path.lexists(folder) and _may_write(folder.parent)):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
    else:
        why = "" if _may_write(folder) else _("this user may not write there")
    mend = _("Mend TAPROOM_BACKUP_DIR, or unset it.")
    helps = _("Let this user write there.") if is_usual else mend
    if why:
        text = _("No backup can be made in %(folder)s: %(why)s. %(helps)s")
        raise KeepingError(text % {"folder": folder, "why": why, "helps": helps})


def _may_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


@contextmanager
def read_in_words() -> Iterator[None]:
    """Raise KeepingError, with what helps, where the database cannot be read.

    A restore helps a damaged one; without room, rights or a server it would be of no use.
    """
    try:
        yield
    except OperationalError as error:
        text = _(
            "The database cannot be used just now: %(why)s. It was left as it is, and nothing has "
            "to be restored. %(helps)s, and start again."
        )
        raise KeepingError(text % {"why": error, "helps": what_helps(error)}) from error
    except DatabaseError as error:
        raise KeepingError(unreadable(error)) from error


def unreadable(why: object) -> str:
    """Say that the database is damaged, and what helps."""
    text = _(
        "The database cannot be read: %(why)s. It was left as it is; manage.py restore --replace "
        "brings a backup back, and keeps this one aside."
    )
    return text % {"why": why}


def refuse_unfit_file() -> None:
    """Raise KeepingError where SQLite's file is not to be served; close it to others' eyes."""
    if connection.vendor == "sqlite":
        place.refuse_astray()
        place.close_to_others()
        place.refuse_only_read()
        refuse_damaged()


def refuse_damaged() -> None:
    """Raise KeepingError where a page of the file is damaged and there is a backup instead of it.

    Whoever needed that page would be told for ever that it cannot be looked up just now. Of a large
    house a part is looked at: its next backup looks at all.
    """
    house = sqlite.path_of_house()
    damage = sqlite.damage_of(house, LOOK_SECONDS) if house.exists() else ""
    if damage and making.newest():
        raise KeepingError(unreadable(damage))
    if damage:
        log.error("The database is damaged, and there is no backup of it: %s", damage)


def left_behind() -> Path | None:
    """Return the newest backup where a house is about to be begun in an earlier one's place."""
    with read_in_words():
        return None if release.applied() else making.newest()


@contextmanager
def beside_the_house() -> Iterator[None]:
    """Let a command work on the house, which may be open meanwhile.

    Raises KeepingError where there is none of this release, or where it cannot be read. A house
    that a newer Taproom has made is left alone: this release might damage what that wrote.
    """
    where = _("the database that TAPROOM_DATABASE names")
    if connection.vendor == "sqlite":
        where = str(sqlite.path_of_house())
    is_missing = sqlite.is_missing()
    with read_in_words():
        postgres_place.refuse_elsewhere()
        if not is_missing:
            release.refuse_newer(release.applied())
        if is_missing or release.pending():
            text = _(
                "There is no house of this release in %(where)s. One that is served by other "
                "settings needs the same ones here (on a server: taproom instead of manage.py); "
                "manage.py prepare brings an older one up to date, or begins one."
            )
            raise KeepingError(text % {"where": where})
        yield


def what_helps(error: Exception) -> str:
    """Return what to do where the database cannot be used, as the beginning of a sentence."""
    if connection.vendor != "sqlite":
        return _("Look whether its server runs, and is the one that TAPROOM_DATABASE names")
    folder = sqlite.path_of_house().parent
    if not folder.is_dir():
        text = _(
            "There is no folder %(folder)s: make it, or name another file with TAPROOM_DATABASE"
        )
        return text % {"folder": folder}
    if wrong := place.wrong_with(folder):
        return wrong
    if sqlite.is_busy(error):
        return _("Another program has this database open and writes: close that one")
    left, disk = shutil.disk_usage(folder).free // 1_000_000, os.statvfs(folder)
    if disk.f_files and not disk.f_favail:  # some kinds of disk count none
        text = _(
            "The disk of %(folder)s takes no more files, %(left)s MB or not: delete some there"
        )
    else:
        text = _(
            "%(folder)s has %(left)s MB left: make room there if that is little, let this user "
            "write"
        )
    return text % {"folder": folder, "left": left}


def stay_on_this_file() -> None:
    """Keep this process from starting an empty house where its own file was taken away.

    Nor is another house opened that stands in its place.
    """
    if connection.vendor == "sqlite" and not sqlite.is_address():
        path = sqlite.path_of_house().resolve()
        with suppress(DatabaseError):  # what cannot be asked now cannot be told from another later
            epoch = House.current_epoch()
            connection.close()  # brings it into the file itself
            connection.settings_dict["HOUSE"] = Ours(path, epoch)
        connection.close()
        connection.settings_dict["NAME"] = path.as_uri() + "?mode=rw"


def back_up_by_itself() -> None:
    """Make a backup every few minutes in which something was played, beside the play.

    For processes that only serve (`manage.py serve`), of which there may be many, a timer outside
    does it.
    """
    if settings.BACKUPS:
        Thread(target=_tend, name="backups", daemon=True).start()


def _tend() -> None:
    while True:
        time.sleep(settings.BACKUP_SECONDS)
        try:
            back_up_if_changed()
        except (OSError, DatabaseError) as error:  # a disk or a server that has gone, say
            log.error("No backup was made: %s", error)
        except Exception:
            log.exception("The house could not be backed up")
        finally:
            connection.close()  # PostgreSQL's are for taps


def back_up_if_changed() -> bool:
    """Run `manage.py backup` as a process of its own, which holds up no tap; tell if it ran."""
    house = sqlite.path_of_house()
    if connection.vendor == "sqlite" and (not house.is_file() or is_empty(house)):
        # The command would make a folder anew, and a key, where somebody has moved one away; and
        # whoever opens an empty file takes its journal away.
        log.error("No backup was made: the database is not in its place")
        return False
    if not making.has_changed():
        return False
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup", "--gently"]
    environment = {**os.environ, "LANGUAGE": settings.LANGUAGE_CODE}  # its words go into the log
    done = subprocess.run(  # noqa: S603 - our own command
        command,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    if said := done.stderr.strip()[-MOST_SAID:]:
        log.log(logging.ERROR if done.returncode else logging.WARNING, "%s", said)
    return not done.returncode
