"""What a page says that it has been served with: the log's number, and a mark of each region."""

from __future__ import annotations

import hashlib


def read_seq(said: str) -> int:
    """Return the number of the log that a page says it was drawn from; 0 for what is none."""
    return int(said) if said.isdecimal() and len(said) < 16 else 0


def back_from(seq: int, newest: int) -> str:
    """Return what is added to the epoch for a page that says a later number than the log has.

    It has seen a newer database: somebody put an older copy back by hand. With this its epoch fits
    no more, and it loads itself anew.
    """
    return "-back" if seq > newest else ""


def digest(html: str) -> str:
    """Return a short mark of a region, by which a page says what it was served with."""
    return hashlib.sha256(html.encode()).hexdigest()[:12]
