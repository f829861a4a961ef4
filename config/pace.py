"""How quickly the parts of a socket's messages may come, pings and pongs among them.

What a page says is counted as messages (games/live/consumer.py). A message may have thousands of
parts, though, and a ping is none: each costs time that every table waits for, whoever sends them.
"""

from __future__ import annotations

# A message of a page's is one part, on some ways a few; and it says some twenty a second at most.
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
