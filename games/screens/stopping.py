"""The stop on pages that are not live: whoever reads one on a phone can stop play from there."""

from __future__ import annotations

from typing import Any

from games.addresses import address_of
from games.models import Seat, Table


def stop_context(seat: Seat | None, table: Table) -> dict[str, Any]:
    """Return what the stop is drawn from; for the shared screen, which is nobody's, nothing."""
    if seat is None or not seat.is_seated or seat.role == Seat.Role.SCREEN:
        return {"mine": None}
    mine = {"act_url": address_of("act", table.code), "seat": seat}
    return {"mine": mine, "content_lines": list(table.content_lines.all())}
