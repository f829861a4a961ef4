"""Which pages there are of a table, and who may look at them: a device, by the seat it holds."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from games.actions import MOST_NUMBER
from games.models import Seat, Table, rows

PAGES = {"phone", "screen", "gm"}


@dataclass(frozen=True, slots=True)
class Viewer:
    """One kind of page, for one seat, on one device."""

    page: str
    seat: int
    device: UUID


def who_looks(code: str, page: str, number: int, device: str) -> tuple[Table, Seat, Viewer] | None:
    """Return whose page it is that a device asks for, or None for whoever may not look.

    The address only says which seat; whoever holds it is told by the session.
    """
    table = rows.first(Table, code=code.upper())
    # A database must not be asked for more than the column holds.
    is_number = 0 < number <= MOST_NUMBER
    seat = rows.first(Seat, table_id=table.pk, number=number) if table and is_number else None
    if table is None or seat is None or not device or page not in PAGES:
        return None
    viewer = Viewer(page, seat.number, UUID(device))
    return (table, seat, viewer) if may_look(seat, viewer) else None


def may_look(seat: Seat, viewer: Viewer) -> bool:
    """Tell whether a device may see this page for this seat: it holds the seat, whose role fits."""
    if seat.device_id != viewer.device:
        return False
    if viewer.page == "gm":
        return seat.is_gm and seat.is_seated
    if viewer.page == "screen":  # one that knocks waits there, as a phone does on its own page
        return seat.is_seated or seat.role == Seat.Role.SCREEN
    return seat.role != Seat.Role.SCREEN
