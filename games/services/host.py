"""Who the host is, in a change under way."""

from __future__ import annotations

from games.models import Seat, SeatPass
from games.services.change import Change
from games.stage import HOST_HANDED, tell_all


def is_gm(change: Change) -> bool:
    """Tell whether the host acts, or the house itself."""
    return change.seat is None or change.seat.is_gm


def gm_seat(change: Change) -> Seat:
    """Return the host's seat: the only one that the referee's secrets are told to."""
    if change.seat is not None and change.seat.is_gm:
        return change.seat
    return change.table.seats.get(role=Seat.Role.GM)


def make_host(change: Change, seat: Seat) -> None:
    """Make somebody the host in the present one's place: a table has one seat of that role.

    A host makes passes for any seat: those that wait lead nowhere from now on, or the former host
    could take the new one's place.
    """
    SeatPass.objects.filter(seat__table=change.table, used_at=None).delete()
    change.table.seats.filter(role=Seat.Role.GM).update(role=Seat.Role.PLAYER)
    seat.role = Seat.Role.GM
    seat.save(update_fields=["role"])
    change.log("host_handed", name=seat.name)
    tell_all(HOST_HANDED, change, seat)
