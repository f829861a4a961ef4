"""Which backups stay: by their age, and by the room that the disk has for them."""

from __future__ import annotations

import logging
import shutil
from datetime import timedelta
from pathlib import Path

from games.keeping import KeepingError
from games.keeping.archive import NAME, backups_in, moment_of, newest_of

log = logging.getLogger(__name__)

RECENT = timedelta(hours=1)
HOURS, DAYS, MONTHS = 24, 30, 24
SPANS = (("%Y%m", MONTHS), ("%Y%m%d", DAYS), ("%Y%m%d%H", HOURS))
# Play goes on meanwhile and writes to the same disk.
LEFT_FOR_PLAY = 64 << 20


def prune(folder: Path) -> list[Path]:
    """Remove what is neither recent nor the newest of its hour, day or month; return what went.

    All of the last hour stay, the newest of 24 hours, 30 days and 24 months in
    which there were any, and every one that was made for a reason (`--keep`,
    before a migration).
    """
    found = _regular(folder)
    last = newest_of(found)
    newest = last and moment_of(last)
    if not newest:
        return []
    ages = {p: newest - (moment_of(p) or newest) for p in found}
    keep = {p for p, age in ages.items() if timedelta(0) <= age <= RECENT}
    keep |= {path for span in _spans(found) for path in span}
    gone = [p for p in found if p not in keep]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def make_room(folder: Path, wanted: int) -> list[Path]:
    """Remove backups until the next one, of so many bytes, has room; return those removed.

    Backups together take no more of a disk than they leave free. The least missed go first: those
    of the last hour, then of hours, days and months, the oldest first; never the newest, nor one
    made for a reason. Raises KeepingError where that is not enough.
    """
    found = _regular(folder)
    taken = sum(path.stat().st_size for path in found)
    gone: list[Path] = []
    for path in _least_missed(found):
        free = shutil.disk_usage(folder).free
        if free >= max(wanted + LEFT_FOR_PLAY, taken):
            break
        taken -= path.stat().st_size
        path.unlink()
        gone.append(path)
    if gone:
        log.warning("For lack of room these backups went: %s", ", ".join(p.name for p in gone))
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise KeepingError(
            f"No backup was made in {folder}: it takes {_mb(wanted)} MB there while it is made, "
            f"and {free >> 20} MB are free."
        )
    return gone


def _regular(folder: Path) -> list[Path]:
    """Return the backups that were made as a matter of course, the newest first."""
    return [p for p in backups_in(folder) if not (NAME.fullmatch(p.name) or [""])[2]]


def _spans(found: list[Path]) -> list[list[Path]]:
    """Return the newest of each month, of each day and of each hour that are wanted."""
    kept = []
    for form, most in SPANS:
        firsts: dict[str, Path] = {}
        for path in found:
            firsts.setdefault(f"{moment_of(path):{form}}", path)
        kept.append(list(firsts.values())[:most])
    return kept


def _least_missed(found: list[Path]) -> list[Path]:
    """Return all but the newest in the order in which they may go."""
    spans = _spans(found)

    def missed(path: Path) -> int:
        return next((n for n, span in enumerate(spans) if path in span), len(spans))

    newest = newest_of(found)
    return sorted((p for p in found[::-1] if p != newest), key=missed, reverse=True)


def _mb(size: int) -> int:
    return -(-size // (1 << 20))
