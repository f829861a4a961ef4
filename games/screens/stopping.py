"""The stop on pages that are not live: whoever reads one on a phone can stop play from there."""

from __future__ import annotations

from typing import Any

from games import presence
from games.models import Seat
from games.screens.pages import Painter
from games.snapshot import Snapshot


def may_stop(seat: Seat | None, now: Snapshot) -> dict[str, Any]:
    """Return what the stop is drawn from; for the shared screen, which is nobody's, nothing."""
    if seat is None or not seat.is_seated or seat.role == Seat.Role.SCREEN:
        return {"mine": None}
    painter = Painter(now, presence.connections(now.table.pk))
    return {"mine": painter.mine(seat), "content_lines": list(now.content_lines)}
