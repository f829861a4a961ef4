"""The drill: a backup is put back where it touches nothing, and proved."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.keeping import KeepingError, archive, postgres, release, sqlite
from games.keeping.archive import Manifest
from games.keeping.proving import Proof, prove
from games.keeping.restoring import UNFIT, as_file, brought_forward, key_in
from games.keeping.stand_in import file_standing_in


class Drilled(NamedTuple):
    """What a drill has shown: of which backup, how old, in how many seconds, and the proof."""

    made_at: datetime
    seconds: float
    rows: int
    exports: int
    proof: Proof


def drill(path: Path) -> Drilled:
    """Restore a backup where it touches nothing, and prove it; raises KeepingError if it is bad."""
    begun = time.monotonic()
    with archive.opened(path) as (whole, manifest):
        release.refuse_newer(manifest.migrations)
        with _aside() as scratch:
            packed = scratch / "database"
            archive.unpack(whole, manifest, packed)
            key_in(whole)
            with _standing(packed, manifest):
                brought_forward(manifest)
                proof = prove()
        archive.read_exports(whole, manifest)
    took, counted = time.monotonic() - begun, sum(manifest.rows.values())
    return Drilled(manifest.made_at, took, counted, len(manifest.exports), proof)


@contextmanager
def _aside() -> Iterator[Path]:
    """Yield a folder for a drill. Raises KeepingError, which says whether the backup is at fault.

    That it is damaged would be read of a good one, where only the disk is full that it is tried on.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="taproom-drill-") as scratch:
            yield Path(scratch)
    except UNFIT as error:
        text = _("It would not come back: %(why)s")
        if isinstance(error, OSError) or sqlite.has_no_room(error):
            text = _(
                "It could not be tried: %(why)s. A drill needs room for the database in this "
                "machine's folder for temporary files; TMPDIR names another."
            )
        raise KeepingError(text % {"why": error}) from error


@contextmanager
def _standing(packed: Path, manifest: Manifest) -> Iterator[None]:
    """Let the backup's database stand in for the house's: as a file, or a scratch database."""
    if manifest.kind == "pg_dump":
        with postgres.scratch():
            postgres.restore(packed)
            yield
        return
    with file_standing_in(as_file(packed, manifest), writes=True):
        yield
