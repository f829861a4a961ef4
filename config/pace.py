"""How quickly the parts of a socket's messages may come, pings and pongs included.

A page's messages are counted in games/live/consumer.py. But one message may have thousands of
parts, and a ping is no message: each costs time that every table waits for, whoever sends it.
"""

from __future__ import annotations

# A page's message is one part, through some proxies a few; it sends some twenty a second at most.
PARTS_A_SECOND, MOST_PARTS = 200.0, 2000.0


class Pace:
    """Counts the parts that come over one line."""

    __slots__ = ("_at", "_left")

    def __init__(self, now: float) -> None:
        self._at, self._left = now, MOST_PARTS

    def allows(self, now: float) -> bool:
        """Count one more part; returns whether it came at a pace that a page may have."""
        earned = (now - self._at) * PARTS_A_SECOND
        self._at, self._left = now, min(MOST_PARTS, self._left + earned) - 1
        return self._left >= 0
