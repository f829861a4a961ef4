"""What msgspec says of a value that does not fit its type, taken apart: it gives words alone."""

from __future__ import annotations

import re
from typing import NamedTuple

# Whose name stands apart from the place.
ABOUT_A_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.S)


class Complaint(NamedTuple):
    """What is wrong, and where.

    `way` leads there (`.effects[0]`), and is empty for the value as a whole; `field` is one that
    is missing or unknown there.
    """

    what: str
    way: str
    field: str


def complaint_of(error: Exception) -> Complaint:
    """Take an error's words apart; those of no decoder are `what` and nothing else."""
    what, at, way = str(error).rpartition(" - at `$")
    if not at:
        what, way = way, ""
    about = ABOUT_A_FIELD.match(what)
    return Complaint(what, way.removesuffix("`"), about[1] if about else "")
