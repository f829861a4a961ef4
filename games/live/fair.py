"""Fair shouting: when a phone was pressed, bounded by what its measured delay explains.

A phone keeps an estimate of its clock against the server's and sends the
instant of the press on the server's scale. The server measures the phone's
round trip itself, over the socket, and hands it a signed note of it; the
shout brings the note along, so that any process can judge it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing

NOTE_SECONDS = 120
SALT = "taproom.delay"
# A press reaches the server in half a round trip, or in three halves if the connection has to be
# opened first; the processor and the radio of a cheap phone add their own delay. How long a
# shouting stays open for what is on its way is another matter: `games/deeds/bout.py`.
TRIPS = 1.5
PHONE_MS = 40


@dataclass(frozen=True)
class Press:
    """A press on the server's clock, and what it was judged by (all milliseconds)."""

    at_ms: int
    arrived_ms: int
    claimed_ms: int | None
    delay_ms: int | None

    def timing(self) -> dict[str, Any]:
        """Return both times, for the log."""
        return {
            "arrived_ms": self.arrived_ms,
            "claimed_ms": self.claimed_ms,
            "delay_ms": self.delay_ms,
            "used_ms": self.at_ms,
        }


def note_of_delay(device: str, delay_ms: int) -> str:
    """Sign a measured round trip for the device that it was measured on."""
    return signing.dumps([device, delay_ms, int(time.time())], salt=SALT, compress=False)


def read_note(device: str, note: str) -> int | None:
    """Return the round trip in a note, or None when it is forged, too old or another phone's."""
    try:
        owner, delay, at = signing.loads(note, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    is_fresh = abs(time.time() - at) <= NOTE_SECONDS
    return int(delay) if owner == device and is_fresh else None


def judge(device: str, arrived_ms: int, claimed_ms: int | None, note: str) -> Press:
    """Accept the claimed instant within what the measured delay explains; else the arrival.

    A claim from the future, or older than the delay allows, or from a phone
    without a measurement, counts from when it arrived.
    """
    delay = read_note(device, note)
    at = arrived_ms
    if claimed_ms is not None and delay is not None:
        allowed = min(TRIPS * delay + PHONE_MS, settings.SHOUT_DELAY_MAX_MS)
        if arrived_ms - allowed <= claimed_ms <= arrived_ms:
            at = claimed_ms
    return Press(at, arrived_ms, claimed_ms, delay)
