"""What every page of every game shows: the pause, and the table's content lines.

No stage lists these regions (`games.stage`), because no game may leave them out.
"""

from __future__ import annotations

from typing import Any

from games.addresses import address_of
from games.models import Seat
from games.said import language
from games.screens.cards import LineCard, Sender
from games.screens.compiled import ENGINES
from games.screens.kept import DrawnBefore, Regions, Shown, fill_of, recall
from games.snapshot import Snapshot

PAUSE, LINES = "paused", "content-lines"
TEMPLATES = {PAUSE: "parts/safety_pause.jinja", LINES: "parts/safety_lines.jinja"}


class Common:
    """Draws the regions that belong to no game, once for all who read the language that is spoken.

    The host's have further buttons. The shared screen shows the lines only in a pause.
    """

    def __init__(self, now: Snapshot, kept: DrawnBefore | None = None) -> None:
        self.now = now
        self.kept = kept
        self._lines = tuple(LineCard(one.mark, one.kind, one.text) for one in now.content_lines)
        self._drawings: dict[tuple[bool, int], Regions] = {}
        self._env = ENGINES["jinja2"].env

    def given(self, page: str, seat: Seat) -> dict[str, Any]:
        """Return what the common regions are drawn from."""
        return {
            "pause": self.now.table.pause,
            "content_lines": self._lines,
            "is_host": seat.is_gm and page != "screen",
            "host": Sender(address_of("act", self.now.table.code), seat.number, self.now.saw),
        }

    def draw(self, page: str, seat: Seat) -> Regions:
        """Return the common regions of a page."""
        if seat.standing == Seat.Standing.KNOCKING:
            return {}, {}
        is_host = seat.is_gm and page != "screen"
        key = (page == "screen", seat.number if is_host else 0)
        if key not in self._drawings:
            self._drawings[key] = self._draw(page, seat)
        return self._drawings[key]

    def _draw(self, page: str, seat: Seat) -> Regions:
        given = {**self.given(page, seat), "language": language()}
        fill = fill_of(given["host"])
        regions, marks = {}, {}
        for name in (PAUSE,) if page == "screen" else (PAUSE, LINES):
            drawn = recall(self.kept, self._env, TEMPLATES[name], given)
            regions[name], marks[name] = Shown(drawn, fill), drawn.mark(fill)
        return regions, marks
