"""Putting a backup back in the house's place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone
from django.utils.translation import gettext as _

from config import putting_back
from config.data_folder import bring_to_disk, owner_only
from config.sessions import is_signed_here
from games.keeping import (
    KeepingError,
    archive,
    backups,
    facts,
    postgres,
    postgres_place,
    release,
    rows,
    sqlite,
    values,
)
from games.keeping.archive import Manifest
from games.keeping.lock import the_house_is_closed
from games.keeping.stand_in import file_standing_in
from games.models import Event, House, SeatPass, Table
from games.models.table import new_epoch

BEGUN = ".restoring-"
# The errors of a database that is none of ours: of another shape, or with values of another kind.
UNFIT = (DatabaseError, OSError, ValueError, TypeError)
NEWEST = 100  # sessions, one of which may be signed with the key that is set


class Returned(NamedTuple):
    """A table that came back, and how new its newest moment is."""

    code: str
    name: str
    seats: int
    seq: int
    newest: datetime | None


class Restored(NamedTuple):
    """What a restore brought back, and where the former house and its key are now.

    `has_other_key`: phones' seats are signed with another key than the one that is set.
    """

    made_at: datetime
    tables: list[Returned]
    aside: str
    aside_key: str = ""
    has_other_key: bool = False


def restore(path: Path, *, replace: bool = False) -> Restored:
    """Put a backup in the house's place, brought forward to this release.

    Everything is proved before anything is touched. Raises KeepingError, and
    then all is as it was: for a damaged file, one of a newer release, where others
    use the database, and (without `replace`) where a house is there already.
    """
    with archive.opened(path) as (whole, manifest), ExitStack() as closed:
        release.refuse_newer(manifest.migrations)
        put_back = _into_file if connection.vendor == "sqlite" else _into_server
        try:
            _clear_the_place(closed, replace=replace)
            with _scratch() as scratch:
                packed = scratch / "packed"
                archive.unpack(whole, manifest, packed)
                restored = put_back(packed, manifest, key_in(whole))
                return restored._replace(has_other_key=_has_other_key(whole))
        except UNFIT as error:
            raise KeepingError(_("Nothing was restored: %(why)s") % {"why": error}) from error


@contextmanager
def _scratch() -> Iterator[Path]:
    """Yield a folder on the database's own disk; those of interrupted restores are removed."""
    is_file = connection.vendor == "sqlite"
    folder = sqlite.path_of_house().parent if is_file else settings.DATA_DIR
    for left in folder.glob(f"{BEGUN}*"):
        shutil.rmtree(left, ignore_errors=True)
    with backups.scratch_in(folder, BEGUN) as scratch:
        yield scratch


def key_in(whole: ZipFile) -> bytes:
    """Return the kept secret, by which phones find their seats; a key that is set stays."""
    if archive.KEY not in whole.namelist() or os.environ.get("TAPROOM_SECRET_KEY"):
        return b""
    key = archive.content(whole, archive.KEY)
    try:
        key.decode()
    except UnicodeDecodeError as error:  # a house with it would not open again
        text = _("The key in this backup is no key of Taproom's: %(why)s")
        raise KeepingError(text % {"why": error}) from error
    return key


def _has_other_key(whole: ZipFile) -> bool:
    set_by_host = os.environ.get("TAPROOM_SECRET_KEY", "").encode()
    if archive.KEY not in whole.namelist():
        return _is_signed_otherwise()
    return bool(set_by_host) and archive.content(whole, archive.KEY) != set_by_host


def _is_signed_otherwise() -> bool:
    """Tell whether none of the newest sessions in the house is signed with the key that is set."""
    newest = Session.objects.order_by("-expire_date").values_list("session_data", flat=True)
    found = list(newest[:NEWEST])
    return bool(found) and not any(map(is_signed_here, found))


def _clear_the_place(closed: ExitStack, *, replace: bool) -> None:
    """Hold the house closed. Raises KeepingError with all that has to be done before that."""
    told = []
    try:
        closed.enter_context(the_house_is_closed())
    except KeepingError as refusal:
        told.append(str(refusal))
    else:
        postgres.end_restores()
    postgres_place.refuse_elsewhere()
    postgres_place.refuse_borrowed()
    postgres_place.refuse_other_letters()
    there = connection.vendor != "sqlite" or sqlite.path_of_house().exists()
    if not replace and there:
        told += _in_the_way()
    told += postgres.others_connected()
    if told:
        raise KeepingError(" ".join(told))


def _in_the_way() -> list[str]:
    """Say that there is a house here; a database too damaged to be read counts as one."""
    there = _("There is a house here already. With --replace it is put aside, and kept.")
    try:
        return [there] if facts.is_lived_in() else []
    except OperationalError:
        raise
    except DatabaseError as error:
        return [_("The database here cannot be read: %(why)s.") % {"why": error}, there]


# --- SQLite: made ready beside its place, then given a name in one step ---------------------------


def _into_file(packed: Path, manifest: Manifest, key: bytes) -> Restored:
    """Make a SQLite file of the backup beside the house's own, and then put it in its place."""
    ready = as_file(packed, manifest)
    with file_standing_in(ready, writes=True):
        tables = brought_forward(manifest)
    sqlite.check(ready)
    connection.close()
    made, place = packed.with_name("house"), sqlite.path_of_house()
    made.mkdir(0o700)
    ready.rename(made / putting_back.DATABASE)
    if key:
        _write_key(made / putting_back.KEY, key)
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    key_place = archive.key_place()
    try:
        putting_back.announce(made, place, stamp)
        putting_back.finish(place, key_place)
    except OSError as error:
        if not putting_back.is_announced(place):
            raise
        text = _(
            "The backup is the house from now on, but not all of it is in its place yet: %(why)s. "
            "Let this user write in %(house)s and %(key)s, make room there, and start Taproom: "
            "that ends what was begun."
        )
        places = {"house": place.parent, "key": key_place.parent}
        raise KeepingError(text % {"why": error, **places}) from error
    aside, its_key = (putting_back.aside_at(one, stamp) for one in (place, key_place))
    return Restored(manifest.made_at, tables, _if_there(aside), _if_there(its_key))


def _if_there(path: Path) -> str:
    return str(path) if path.exists() else ""


def as_file(packed: Path, manifest: Manifest) -> Path:
    """Return a SQLite file with what the backup has."""
    if manifest.kind == "sqlite":
        sqlite.check(packed)
        sqlite.refuse_foreign(packed)
        return packed
    if manifest.kind == "pg_dump":
        text = _("This backup is PostgreSQL's own. To move to SQLite make one with --portable.")
        raise KeepingError(text)
    made = packed.with_name("made")
    made.touch(0o600)
    with file_standing_in(made, writes=True), packed.open("rb") as lines:
        rows.read(manifest.migrations, lines)
    return made


# --- PostgreSQL: the old schema gets another name, and has it back if anything fails --------------


def _into_server(packed: Path, manifest: Manifest, key: bytes) -> Restored:
    """Put the present schema aside and fill a new one; should that fail, bring it back."""
    with postgres.only_restore():
        if others := postgres.others_connected():  # who came while it was unpacked
            raise KeepingError(*others)
        is_left = facts.is_lived_in()
        aside = postgres.put_aside()
        try:
            _fill_server(packed, manifest)
            tables = brought_forward(manifest)
            postgres.count_anew()
            aside_key = _keys_ready(key, postgres.kept_as(aside) if is_left else "")
            kept = postgres.keep_aside(aside)
        except BaseException:
            postgres.bring_back(aside)
            raise
    if key:  # at no moment there is none: whoever came then would make another
        place = archive.key_place()
        _beside(place).rename(place)
        putting_back.to_disk(place.parent)
    told = f"schema {kept}" if is_left else postgres.unless_empty(kept)
    return Restored(manifest.made_at, tables, told, aside_key)


def _keys_ready(key: bytes, kept: str) -> str:
    """Write a backup's key beside the house's, before that is replaced: a disk may have no room.

    Return where the house's own is kept as well, if a schema keeps its house.
    """
    place = archive.key_place()
    aside = place.with_name(f"{place.name}.{kept}")
    if key:
        _beside(place).unlink(missing_ok=True)
        _write_key(_beside(place), key)
    if key and kept and place.exists():
        _write_key(aside, place.read_bytes())
    return _if_there(aside)


def _beside(key: Path) -> Path:
    return key.with_name(f".{key.name}")


def _fill_server(packed: Path, manifest: Manifest) -> None:
    """Fill the new schema with what a backup has, whichever kind of database that was made from."""
    if manifest.kind == "pg_dump":
        postgres.restore(packed)
        return
    lines = packed
    if manifest.kind == "sqlite":
        sqlite.check(packed)
        sqlite.refuse_foreign(packed)
        lines = packed.with_name("rows")
        with file_standing_in(packed), lines.open("xb") as out:
            rows.write(manifest.migrations, out)
    with lines.open("rb") as written:
        rows.read(manifest.migrations, written)


# --- what both do ---------------------------------------------------------------------------------


def brought_forward(manifest: Manifest) -> list[Returned]:
    """Prove that all rows came, migrate, and make the house a new one for every phone."""
    _compare(manifest)
    # The database itself may know better than the manifest beside it.
    release.refuse_newer(release.applied())
    if release.pending():
        call_command("migrate", verbosity=0, interactive=False)
    for model in apps.get_models():
        model._base_manager.first()  # raises where a column is missing
    values.refuse_spoilt()
    # Phones that know later numbers than these redraw everything.
    House.objects.update_or_create(pk=1, defaults={"epoch": new_epoch()})
    # Whether a pass was used after the backup nobody knows any more.
    SeatPass.objects.filter(used_at=None).update(used_at=timezone.now())
    return [
        Returned(
            table.code,
            table.name,
            table.seats.count(),
            table.seq,
            Event.objects.filter(table=table).order_by("-seq").values_list("at", flat=True).first(),
        )
        for table in Table.objects.filter(is_trial=False).order_by("-pk")
    ]


def _compare(manifest: Manifest) -> None:
    """Raise KeepingError unless every table has as many rows, and every log ends, as written."""
    # A release's own migrations may have come after the rows that it was written with.
    counted, left = facts.rows(), {"django_migrations"}
    if _came_by_rows(manifest):  # which leave out what other programs keep in this database
        left |= manifest.rows.keys() - rows.tables(manifest.migrations)
    instead = _("%(table)s has %(rows)s rows instead of %(written)s")
    short = [
        instead % {"table": table, "rows": counted.get(table, 0), "written": count}
        for table, count in manifest.rows.items()
        if counted.get(table, 0) != count and table not in left
    ]
    if short or facts.heads() != manifest.heads:
        why = "; ".join(short) or _("a log ends elsewhere")
        raise KeepingError(_("Not all came back: %(why)s.") % {"why": why})


def _came_by_rows(manifest: Manifest) -> bool:
    return manifest.kind == "rows" or (manifest.kind, connection.vendor) == ("sqlite", "postgresql")


def _write_key(path: Path, key: bytes) -> None:
    with open(path, "xb", opener=owner_only) as file:
        file.write(key)
        file.flush()
        bring_to_disk(file.fileno())
