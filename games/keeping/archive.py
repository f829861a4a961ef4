"""A backup is one zip file: a manifest, the database, and exports to be read without us.

It is written under a name that no reader looks for, brought to the disk, and
only then given its own: whatever bears a backup's name is whole.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from config import putting_back
from config.data_folder import bring_to_disk, owner_only
from games.keeping import EXPORTS, KeepingError
from games.keeping.backups import readable
from games.keeping.release import Migration

FORMAT = 1
MANIFEST = "manifest.json"
KEY = putting_back.KEY
CHUNK = 1 << 20

Kind = Literal["sqlite", "pg_dump", "rows"]
# Far more than any backup of ours has: whoever opens one gives it no more memory than this.
LARGEST = {MANIFEST: 16 << 20, KEY: 4096}
LARGEST_EXPORT = 64 << 20
# Bytes of a zip file's list of members, for each of which `zipfile` takes a thousand of memory.
LARGEST_LIST = 16 << 20
# What stands before a member, without its name: section 4.3.7 of the format.
BEFORE_A_MEMBER = 30
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Bytes that a backup and a restore leave free: play goes on meanwhile, and writes to the same disk.
LEFT_FOR_PLAY = 64 << 20
MEMBERS: dict[Kind, str] = {
    "sqlite": "taproom.sqlite3",
    "pg_dump": "taproom.pgdump",
    "rows": "rows.jsonl",
}


def key_place() -> Path:
    """Return where this house keeps the secret by which phones find their seats."""
    return settings.DATA_DIR / KEY


class Manifest(msgspec.Struct, frozen=True):
    """What a backup has, so that anybody can prove it whole.

    `rows` counts every table; `heads` has the last number of each log by its
    table's code; `mark` tells whether the database was written to since.
    """

    made_at: Annotated[datetime, msgspec.Meta(tz=True)]
    kind: Kind
    sha256: str
    size: Annotated[int, msgspec.Meta(ge=0)]
    migrations: list[Migration]
    rows: dict[str, int]
    heads: dict[str, int]
    mark: str = ""
    exports: list[str] = []
    what: Literal["taproom backup"] = "taproom backup"
    format: int = FORMAT


def write(
    path: Path, manifest: Manifest, database: Path, others: Iterable[tuple[str, bytes]]
) -> None:
    """Write a backup beside its place, bring it to the disk, and give it its name."""
    beside = database.parent / "whole.zip"
    with open(beside, "wb", opener=owner_only) as file:
        with zipfile.ZipFile(
            file, "w", zipfile.ZIP_DEFLATED, compresslevel=1, strict_timestamps=False
        ) as whole:
            told = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
            whole.writestr(_member(MANIFEST, manifest), told, compresslevel=1)
            whole.write(database, MEMBERS[manifest.kind])
            for name, content in others:
                whole.writestr(_member(name, manifest), content, compresslevel=1)
        file.flush()
        bring_to_disk(file.fileno())
    beside.rename(path)
    putting_back.to_disk(path.parent)


def _member(name: str, manifest: Manifest) -> zipfile.ZipInfo:
    """Return what a zip file says of a member. It knows the years from 1980 to 2107 alone.

    A clock may stand elsewhere, as on a small computer whose battery is empty.
    """
    at = manifest.made_at.astimezone()
    year = min(max(at.year, 1980), 2107)
    made_at = (year, at.month, at.day, at.hour, at.minute, at.second)
    member = zipfile.ZipInfo(name, made_at)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, as a manifest has its database's."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup and read its manifest. Raises KeepingError for what is none, or is damaged."""
    with readable(path):
        # Opening a pipe would wait for its writer, and a device has no end.
        if not stat.S_ISREG(path.stat().st_mode):
            text = _("%(file)s is no backup, as it is no file.")
            raise KeepingError(text % {"file": path})
        file = _Listed(path)
    try:
        with file, zipfile.ZipFile(file) as whole:
            file.is_listed = True
            _refuse_packed_otherwise(whole)
            manifest = msgspec.json.decode(content(whole, MANIFEST), type=Manifest)
            if manifest.format > FORMAT:
                text = _("%(file)s is of a newer format: bring Taproom up to date.")
                raise KeepingError(text % {"file": path.name})
            yield whole, manifest
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        text = _("%(file)s is no backup, or is damaged: %(why)s")
        raise KeepingError(text % {"file": path.name, "why": error}) from error
    except (RuntimeError, zlib.error) as error:
        # Of a zip file that is none of ours: locked by a password, say.
        text = _("%(file)s is damaged: %(why)s")
        raise KeepingError(text % {"file": path.name, "why": error}) from error


class _Listed(io.BufferedReader):
    """A file that refuses to hand out too long a list of members, which zipfile reads in one go.

    What its disk cannot read is said of the file itself, since whoever unpacks it has other errors.
    """

    is_listed = False

    def __init__(self, path: Path) -> None:
        super().__init__(io.FileIO(path))
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        if not self.is_listed and size is not None and size > LARGEST_LIST:
            raise zipfile.BadZipFile("it lists more members than any of Taproom's")
        with readable(self._path):
            return super().read(size)


def _refuse_packed_otherwise(whole: zipfile.ZipFile) -> None:
    """Raise KeepingError for a zip file that could unpack to any size, as no backup of ours can.

    That is one packed in a way of which zipfile does not keep to the bound that it is given, or one
    whose members share bytes, by which a small file becomes a huge one.
    """
    ends = 0
    for member in sorted(whole.infolist(), key=lambda one: one.header_offset):
        if member.compress_type not in PACKED:
            text = _("%(file)s is damaged: it is packed as no backup is.")
            raise KeepingError(text % {"file": member.filename})
        if member.header_offset < ends:
            text = _("%(file)s is damaged: it lies in another one's place.")
            raise KeepingError(text % {"file": member.filename})
        ends = member.header_offset + BEFORE_A_MEMBER + member.compress_size


def content(whole: zipfile.ZipFile, name: str) -> bytes:
    """Return a member that is not the database. Raises KeepingError for one that is far too large.

    What it says of its own size may be wrong, so that is not asked.
    """
    most = LARGEST.get(name, LARGEST_EXPORT)
    with whole.open(name) as packed:
        found = packed.read(most + 1)
    if len(found) > most:
        text = _("%(file)s in this backup is larger than any of Taproom's.")
        raise KeepingError(text % {"file": name})
    return found


def unpack(whole: zipfile.ZipFile, manifest: Manifest, to: Path) -> None:
    """Write the database of a backup to a file.

    Raises KeepingError if a byte of it is wrong, or if the disk has too little room.
    """
    left = shutil.disk_usage(to.parent).free - LEFT_FOR_PLAY
    if manifest.size > left:
        text = _(
            "The database in this backup has %(size)s MB, and %(folder)s has room for %(room)s MB."
        )
        told = {"size": f"{manifest.size / 1e6:.0f}", "room": f"{max(left, 0) / 1e6:.0f}"}
        raise KeepingError(text % {**told, "folder": to.parent.parent})
    with whole.open(MEMBERS[manifest.kind]) as packed, open(to, "xb", opener=owner_only) as file:
        digest = _copied(packed, file, manifest.size)  # type: ignore[arg-type]
    if digest != manifest.sha256:
        raise KeepingError(_("The database in this backup is not what was written into it."))


def _copied(packed: BinaryIO, file: BinaryIO, most: int) -> str:
    """Copy a stream and return its digest, or an empty one as soon as it has more than `most`."""
    digest = hashlib.sha256()
    while chunk := packed.read(CHUNK):
        digest.update(chunk)
        if file.tell() + len(chunk) > most:
            return ""
        file.write(chunk)
    return digest.hexdigest()


def read_exports(whole: zipfile.ZipFile, manifest: Manifest) -> None:
    """Read all that can be read without Taproom. Raises KeepingError for what cannot be."""
    for name in dict.fromkeys(manifest.exports):  # once each, however often it is named there
        found = content(whole, name)
        if not any(_can_read(export.read, found) for export in EXPORTS):
            raise KeepingError(_("%(name)s in this backup cannot be taken back.") % {"name": name})


def _can_read(read: Callable[[bytes], object], content: bytes) -> bool:
    try:
        read(content)
    except Exception:
        return False
    return True
