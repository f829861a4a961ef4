"""What each viewer is shown of a table: regions as HTML, and what is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from games.live.viewers import Viewer, may_look
from games.models import Seat
from games.presence import Connections
from games.said import speaking
from games.screens import pages
from games.screens.cards import Told
from games.screens.common import Common
from games.screens.kept import Shown, drawn_before
from games.screens.log import LogLines
from games.snapshot import Snapshot


@dataclass(frozen=True)
class Drawing:
    """Everything one viewer may see now. A socket sends what differs from what it sent last.

    `language` is the seat's, of which the rest of the page is as well. `regions` are the page's
    own, with their pieces; `common` are those that every page has, whatever game is in front.
    `marks` has a number for each of both: as long as this process lives, equal marks mean equal
    HTML.
    """

    epoch: str
    seq: int
    game: str
    mode: str
    language: str
    regions: dict[str, Shown]
    told: tuple[Told, ...]
    common: dict[str, Shown]
    marks: dict[str, int]

    def told_since(self, seq: int) -> tuple[Told, ...]:
        """Return what was told after a number of the log."""
        at = len(self.told)
        while at and self.told[at - 1].seq > seq:
            at -= 1
        return self.told[at:]

    def as_push(
        self,
        *,
        changed: dict[str, Shown],
        common: dict[str, Shown],
        told: tuple[Told, ...],
        back: str,
    ) -> dict[str, Any]:
        """Return what a page is sent of it; `back` is added to its epoch (`page_says`)."""
        return {
            "epoch": self.epoch + back,
            "seq": self.seq,
            "game": self.game,
            "mode": self.mode,
            "language": self.language,
            "regions": {n: msgspec.Raw(region.json()) for n, region in changed.items()},
            "common": {n: msgspec.Raw(region.json()) for n, region in common.items()},
            "told": told,
        }


class DrawingCache:
    """What drawing keeps between two drawings. Dropped at any moment, nothing differs."""

    def __init__(self) -> None:
        self.drawn_before = drawn_before
        self._logs: dict[int, LogLines] = {}
        self._played: set[int] = set()

    def log_of(self, table_id: int) -> LogLines:
        """Return the worded lines of a table's log, which go on from drawing to drawing."""
        return self._logs.setdefault(table_id, LogLines())

    def plays(self, table_id: int) -> None:
        """Note that a table is being played: more of it is worth keeping."""
        if table_id not in self._played:
            self._played.add(table_id)
            self.drawn_before.make_room(len(self._played))

    def forget_table(self, table_id: int) -> None:
        """Drop what is kept for one table alone."""
        self._logs.pop(table_id, None)
        if table_id in self._played:
            self._played.discard(table_id)
            self.drawn_before.make_room(len(self._played))

    def forget(self) -> None:
        """Drop everything."""
        self._logs.clear()
        self.drawn_before.forget()


drawing_cache = DrawingCache()


def draw_all(
    now: Snapshot,
    viewers: Iterable[Viewer],
    connections: Connections,
    *,
    afresh: bool = False,
) -> dict[Viewer, Drawing]:
    """Draw a table for each viewer; one that may not look any more is left out.

    `afresh` draws without using anything that was kept; the result is the same.
    """
    kept = None if afresh else drawing_cache.drawn_before
    log = None if afresh else drawing_cache.log_of(now.table.pk)
    drawings = {}
    seats = {s.number: s for s in now.seats}
    by_language: dict[str, list[tuple[Viewer, Seat]]] = {}
    for viewer in viewers:
        seat = seats.get(viewer.seat)
        if seat is not None and may_look(seat, viewer):
            by_language.setdefault(seat.language, []).append((viewer, seat))
    for language, those in by_language.items():
        with speaking(language):
            painter = pages.Painter(now, connections, kept=kept, log=log)
            common = Common(now, kept)
            for viewer, seat in those:
                drawings[viewer] = _draw(painter, common, viewer, seat)
    return drawings


def draw_apart(now: Snapshot, viewer: Viewer, connections: Connections) -> Drawing | None:
    """Draw a table in a thread that is not its own, for one viewer, if that one may still look."""
    seat = next((s for s in now.seats if s.number == viewer.seat), None)
    if seat is None or not may_look(seat, viewer):
        return None
    with speaking(seat.language):
        painter = pages.Painter(now, connections, kept=drawn_before)
        return _draw(painter, Common(now, drawn_before), viewer, seat)


def _draw(painter: pages.Painter, common: Common, viewer: Viewer, seat: Seat) -> Drawing:
    now = painter.now
    mode, regions, marks = painter.draw(viewer.page, seat)
    common_regions, common_marks = common.draw(viewer.page, seat)
    # Whoever waits at the door hears nothing of what goes on behind it.
    seq, told = (0, ()) if seat.standing == Seat.Standing.KNOCKING else (now.seq, painter.told)
    return Drawing(
        epoch=now.epoch,
        seq=seq,
        game=now.table.rules,
        mode=mode,
        language=seat.language,
        regions=regions,
        told=told,
        common=common_regions,
        marks={**marks, **common_marks},
    )
