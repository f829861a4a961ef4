"""Long messages put together again, as a page does it (static/line.js)."""

from __future__ import annotations


class Chunks:
    """The frames of one socket; `games.live.lines.chunks` says how a long message is cut."""

    def __init__(self) -> None:
        self._begun = ""

    def whole(self, frame: str) -> str:
        """Return the message that ends with this frame, or nothing while more of it has to come."""
        if frame[0] == "+":
            self._begun += frame[1:]
            return ""
        if frame[0] != ".":
            return frame
        whole, self._begun = self._begun + frame[1:], ""
        return whole
