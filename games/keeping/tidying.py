"""Which backups stay: by their age, and by the room that the disk has for them."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable
from datetime import timedelta
from itertools import accumulate
from pathlib import Path

from django.utils.translation import gettext as _

from games.keeping import KeepingError
from games.keeping.archive import LEFT_FOR_PLAY
from games.keeping.backups import NAME, backups_in, moment_of, newest_of

log = logging.getLogger(__name__)

RECENT = timedelta(hours=1)
HOURS, DAYS, MONTHS = 24, 30, 24
SPANS = (("%Y%m", MONTHS), ("%Y%m%d", DAYS), ("%Y%m%d%H", HOURS))


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
    return _removed(p for p in found if p not in keep)


def make_room(folder: Path, wanted: int) -> list[Path]:
    """Remove backups until the next one, of so many bytes, has room; return those removed.

    Backups together take no more of a disk than they leave free. The least missed go first: those
    of the last hour, then of hours, days and months, the oldest first; never the newest, nor one
    made for a reason. Raises KeepingError where all of them would not be enough; then none goes.
    """
    found, gone = _regular(folder), list[Path]()
    while unwanted := _in_the_way(found, shutil.disk_usage(folder).free, wanted):
        gone += (went := _removed(unwanted))
        if went == unwanted:
            break
        found = [p for p in found if p not in unwanted]  # the next ones instead
    if gone:
        log.warning("For lack of room these backups went: %s", ", ".join(p.name for p in gone))
    free = shutil.disk_usage(folder).free
    if free < wanted:
        text = _(
            "No backup was made in %(folder)s: it takes %(wanted)s MB there while it is made, and "
            "%(free)s MB are free. Older backups take too little to help, and stay."
        )
        told = {"folder": folder, "wanted": _mb(wanted), "free": free >> 20}
        raise KeepingError(text % told)
    return gone


def _removed(unwanted: Iterable[Path]) -> list[Path]:
    """Remove these and return those that went: a disk may let nobody remove what it keeps."""
    gone, stuck = [], list[tuple[Path, OSError]]()
    for path in unwanted:
        try:
            path.unlink(missing_ok=True)
            gone.append(path)
        except OSError as error:
            stuck.append((path, error))
    if stuck:
        path, why = stuck[0]
        text = "Older backups that cannot be removed: %s, the first is %s: %s"
        log.warning(text, len(stuck), path.name, why.strerror or why)
    return gone


def _in_the_way(found: list[Path], free: int, wanted: int) -> list[Path]:
    """Return the fewest backups without which there is room for the next one, and for play.

    Where there can be none for play, room for that one; where there can be none for it, nothing:
    what fills the disk then is something else, and those are all that is left of former evenings.
    """
    order = _least_missed(found)
    taken = sum(path.stat().st_size for path in found)
    freed = list(accumulate((path.stat().st_size for path in order), initial=0))
    for_both = (
        n for n, f in enumerate(freed) if free + f >= max(wanted + LEFT_FOR_PLAY, taken - f)
    )
    for_it = (n for n, f in enumerate(freed) if free + f >= wanted)
    return order[: next(for_both, next(for_it, 0))]


def _regular(folder: Path) -> list[Path]:
    """Return the backups that were made as a matter of course, the newest first."""
    return [p for p in backups_in(folder) if (named := NAME.fullmatch(p.name)) and not named[2]]


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
