"""The time zone that people are shown: that of this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from zoneinfo import ZoneInfo

LINK, NAME = Path("/etc/localtime"), Path("/etc/timezone")
UNKNOWN = "UTC"


def zone_here() -> str:
    """Return the name of this machine's time zone, or of the one that `TZ` names.

    Without this Django takes UTC for every machine, and `astimezone` then does, too.
    """
    for name in (_named_by(os.environ.get("TZ", "")), _linked_by(LINK), _written()):
        with suppress(OSError, ValueError, LookupError):  # no name, or no zone of that name
            return ZoneInfo(name).key
    return UNKNOWN


def names_a_zone(said: str) -> bool:
    """Tell whether `TZ` is empty, or the name or the file of a zone that this machine knows.

    Any other would be ignored without a word, and every time of day shown wrong.
    """
    place = said.removeprefix(":")
    if not place or place.startswith("/"):
        return not place or Path(place).is_file()
    with suppress(OSError, ValueError, LookupError):
        return bool(ZoneInfo(place).key)
    return False


def _named_by(said: str) -> str:
    place = said.removeprefix(":")
    return _linked_by(Path(place)) if place.startswith("/") else place


def _linked_by(link: Path) -> str:
    return os.path.realpath(link).partition("/zoneinfo/")[2]


def _written() -> str:
    try:
        return NAME.read_text().strip()
    except (OSError, ValueError):
        return ""
