"""How often a device may open a socket: finding out who it is takes time that others wait for.

Counted before anything is looked up, by the cookie that comes along, in each process separately.
"""

from __future__ import annotations

import time

# A page whose line breaks again and again asks some three times a second; a phone has few pages.
ASKED_A_SECOND, MOST_ASKED = 10.0, 100.0
# More than the devices that come in ten seconds; those that have rested are forgotten.
MOST_KNOWN = 4096

# For so long a device opens no other socket once one was closed because it said too much: each may
# begin with as much at once as a phone that has rested.
FLOOD_SECONDS = 5.0

# By cookie: how often it may still ask, and when that was so.
_left: dict[str, tuple[float, float]] = {}


def may_ask(cookie: str) -> bool:
    """Tell whether a device may open one more socket now; if so, it counts."""
    now = time.monotonic()
    if len(_left) >= MOST_KNOWN:
        for other in [one for one in _left if _rested(one, now) >= MOST_ASKED]:
            del _left[other]
    left = _rested(cookie, now)
    is_early = left < 1
    _left[cookie] = (left if is_early else left - 1, now)
    return not is_early


def note_flood(cookie: str) -> None:
    """Note that a device's socket was closed because it said too much."""
    _left[cookie] = (-FLOOD_SECONDS * ASKED_A_SECOND, time.monotonic())


def _rested(cookie: str, now: float) -> float:
    """Return how many sockets a device may open now; the number grows while it opens none."""
    left, at = _left.get(cookie, (MOST_ASKED, now))
    return min(MOST_ASKED, left + (now - at) * ASKED_A_SECOND)
