"""Making a backup while people play."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _

from games.keeping import (
    EXPORTS,
    KeepingError,
    archive,
    backups,
    facts,
    postgres,
    release,
    rows,
    sqlite,
    tidying,
)
from games.keeping.archive import Kind, Manifest
from games.keeping.stand_in import file_standing_in

log = logging.getLogger(__name__)

# Of a backup under way: its file of exports.
EXPORTED = "exports"


def newest(folder: Path | None = None) -> Path | None:
    """Return the newest backup, by a clock that was perhaps once wrong (`backups.newest_of`)."""
    return backups.newest_of(backups.backups_in(folder or settings.BACKUP_DIR))


def mark() -> str:
    """Return a value that changes when anybody writes to the database."""
    if connection.vendor == "sqlite":
        return sqlite.mark_of(sqlite.path_of_house())
    return postgres.mark()


def has_changed(folder: Path | None = None) -> bool:
    """Tell whether the database was written to since the newest backup was made."""
    last = newest(folder)
    if last is None:
        return True
    with suppress(KeepingError), archive.opened(last) as (_whole, manifest):
        return manifest.mark != mark()
    return True


def make(
    folder: Path | None = None,
    *,
    why: str = "",
    portable: bool = False,
    with_key: bool = True,
    after_copy: Callable[[], object] = lambda: None,
) -> Path:
    """Make a backup and return its file; backups that are no longer needed are removed.

    With `why` the backup has that in its name, and stays for good. `portable`
    writes rows instead of the database's own form; without `with_key` the key by
    which phones find their seats is left out. `after_copy` is called once the
    copy is made: until then commits wait for this process. Raises KeepingError
    when nothing could be kept; then nothing half-made is left.
    """
    folder = folder or settings.BACKUP_DIR
    if connection.vendor == "sqlite" and not sqlite.path_of_house().exists():
        text = _("No backup was made: there is no house in %(place)s.")
        raise KeepingError(text % {"place": sqlite.path_of_house()})
    try:
        with backups.only_one(folder):
            tidying.make_room(folder, _room_wanted(folder))
            with backups.scratch_in(folder, ".making-") as scratch:
                copied, manifest = _copied(scratch, portable=portable, after_copy=after_copy)
                path = _free_name(folder, manifest.made_at, why)
                others = chain(_packed(scratch), _key() if with_key else ())
                archive.write(path, manifest, copied, others)
            tidying.prune(folder)
    except (OSError, DatabaseError, sqlite3.Error) as error:
        text = _("No backup was made in %(folder)s: %(why)s")
        raise KeepingError(text % {"folder": folder, "why": error}) from error
    return path


def _room_wanted(folder: Path) -> int:
    """Return how many bytes the next backup takes while it is made: a copy, and that one packed."""
    if connection.vendor == "sqlite":
        house = sqlite.path_of_house()
        return int(1.5 * sum(file.stat().st_size for file in sqlite.files_of(house)))
    last = newest(folder)
    return 3 * last.stat().st_size if last else 0


def _copied(
    scratch: Path, *, portable: bool, after_copy: Callable[[], object]
) -> tuple[Path, Manifest]:
    """Copy the database as of one moment, and its exports (`_packed`); say what was copied."""
    before = mark()
    made_at = datetime.now(UTC)
    copied = scratch / "database"
    with ExitStack() as moment:
        if connection.vendor == "sqlite":
            kind = _copy_file(moment, copied, portable=portable, after_copy=after_copy)
        else:
            snapshot = moment.enter_context(postgres.one_moment())
            postgres.refuse_half_restored()
            after_copy()
            kind = "rows" if portable else _dumped(copied, snapshot)
        seen = release.applied()
        if not seen and connection.vendor == "sqlite":  # whose file others may empty
            raise KeepingError(
                _(
                    "No backup was made, and those that there are stay: there is no house in the "
                    "database. It was emptied, or nobody has begun one there."
                )
            )
        if kind == "rows":
            release.refuse_newer(seen)
            copied = scratch / "rows"
            with copied.open("wb") as out:
                rows.write(seen, out)
        names = _pack_exports(scratch) if not release.pending() else []
        return copied, _manifest(kind, copied, made_at, before, names)


def _manifest(
    kind: Kind, copied: Path, made_at: datetime, before: str, exports: list[str]
) -> Manifest:
    """Count what is in the database: the one that stands in, or ours as of one moment."""
    return Manifest(
        made_at=made_at,
        kind=kind,
        sha256=archive.digest_of(copied),
        size=copied.stat().st_size,
        migrations=release.applied(),
        rows=facts.rows(),
        heads=facts.heads(),
        mark=before,
        exports=exports,
    )


def _copy_file(
    moment: ExitStack, copied: Path, *, portable: bool, after_copy: Callable[[], object]
) -> Kind:
    """Copy a SQLite file, prove that the copy is sound, and let the block read the copy."""
    sqlite.copy(sqlite.path_of_house(), copied)
    after_copy()
    try:
        sqlite.check(copied)
    except KeepingError as error:
        text = _(
            "No backup was made, and those that there are stay: the house is damaged. %(why)s "
            "Close it, and manage.py restore --replace brings the newest back."
        )
        raise KeepingError(text % {"why": error}) from error
    moment.enter_context(file_standing_in(copied))
    return "rows" if portable else "sqlite"


def _dumped(copied: Path, snapshot: str) -> Kind:
    """Write PostgreSQL's own dump if that can be done, and say why not."""
    if why := postgres.dump(copied, snapshot):
        # Rows are whole as well; but whoever means to look into it by `pg_restore` finds no dump.
        log.warning("This backup has rows instead of PostgreSQL's own dump: %s", why)
        return "rows"
    return "pg_dump"


def _free_name(folder: Path, made_at: datetime, why: str) -> Path:
    """Return a name with a second that no other backup has: the newest is found by its name."""
    taken = {backups.moment_of(path) for path in backups.backups_in(folder)}
    while made_at.replace(microsecond=0) in taken:
        made_at += timedelta(seconds=1)
    return folder / backups.name_at(made_at, why)


def _pack_exports(scratch: Path) -> list[str]:
    """Write the exports into a file of their own and return their names.

    All of a house's campaigns may be more than its memory has room for.
    """
    with ZipFile(scratch / EXPORTED, "w", ZIP_DEFLATED, compresslevel=1) as packed:
        for name, content in _exports():
            packed.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return packed.namelist()


def _packed(scratch: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what `_pack_exports` has written, if it was asked to."""
    if (scratch / EXPORTED).exists():
        with ZipFile(scratch / EXPORTED) as packed:
            for name in packed.namelist():
                yield name, packed.read(name)


def _exports() -> Iterator[tuple[str, bytes]]:
    """Yield the exports: files that can be read without Taproom.

    One that fails is left out, because the database has everything in any case.
    """
    for export in EXPORTS:
        try:
            with transaction.atomic():
                for name, content in export.write():
                    yield from _written(name, content)
        except Exception:
            log.exception("Exports are missing in this backup")


def _written(name: str, content: Callable[[], bytes]) -> list[tuple[str, bytes]]:
    try:
        with transaction.atomic():
            return [(name, content())]
    except Exception:
        log.exception("%s is missing in this backup", name)
        return []


def _key() -> Iterator[tuple[str, bytes]]:
    """Yield the kept secret key, without which no phone finds its seat again after a restore.

    Where another key is set, the kept one signs nothing and must not replace it: nothing then.
    """
    kept = archive.key_place()
    if kept.exists() and not os.environ.get("TAPROOM_SECRET_KEY"):
        yield archive.KEY, kept.read_bytes()
