"""What each viewer is shown of a table: regions as HTML, what to say aloud, what to play."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from uuid import UUID

from django.utils import translation

from games.models import Seat
from games.presence import Line
from games.screens import pages
from games.snapshot import Snapshot


@dataclass(frozen=True)
class Viewer:
    """One kind of page, for one seat, on one device."""

    page: str
    seat: int
    device: UUID


@dataclass(frozen=True)
class Told:
    """One event as a screen tells it: its number, its sentence, its kind for sound and motion."""

    seq: int
    text: str
    kind: str
    at: str


@dataclass(frozen=True)
class Drawing:
    """Everything one viewer may see now. A socket sends what differs from what it sent last."""

    epoch: str
    seq: int
    game: str
    mode: str
    regions: dict[str, str]
    told: tuple[Told, ...]


def draw_all(now: Snapshot, viewers: set[Viewer], lines: dict[int, Line]) -> dict[Viewer, Drawing]:
    """Draw a table for each viewer; one that may not look any more is left out."""
    painter = pages.Painter(now, lines)
    told: dict[str, tuple[Told, ...]] = {}
    drawings = {}
    for viewer in viewers:
        seat = now.seat(viewer.seat)
        if seat is None or not may_look(seat, viewer):
            continue
        with translation.override(seat.language):
            if seat.language not in told:
                told[seat.language] = tuple(
                    Told(x.seq, x.text, x.kind, x.at) for x in painter.lines()
                )
            mode, regions = painter.paint(viewer.page, seat)
        has_knocked = seat.standing == Seat.Standing.KNOCKING
        drawings[viewer] = Drawing(
            now.epoch,
            now.seq,
            now.table.rules,
            mode,
            regions,
            () if has_knocked else told[seat.language],
        )
    return drawings


def digest(html: str) -> str:
    """Return a short mark of a region, by which a page says what it was served with."""
    return hashlib.sha256(html.encode()).hexdigest()[:12]


def may_look(seat: Seat, viewer: Viewer) -> bool:
    """Tell whether a device may see this page for this seat: it holds it, in the role it needs."""
    if seat.device_id != viewer.device:
        return False
    if viewer.page == "gm":
        return seat.is_gm and seat.is_seated
    if viewer.page == "screen":
        return seat.is_seated
    return seat.role != Seat.Role.SCREEN
