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
    linked = os.path.realpath(LINK).partition("/zoneinfo/")[2]
    for name in (os.environ.get("TZ", "").removeprefix(":"), linked, _written()):
        with suppress(OSError, ValueError, LookupError):  # no name, or of a zone that there is not
            return ZoneInfo(name).key
    return UNKNOWN


def _written() -> str:
    try:
        return NAME.read_text().strip()
    except (OSError, ValueError):
        return ""
