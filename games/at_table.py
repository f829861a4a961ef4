"""Finding a table and a seat for a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.devices import device_of, seats_of
from games.errors import NotFound, host_only, stranger
from games.limits import check_may_guess, note_bad_guess
from games.models import Device, Seat, Table, rows
from games.services.act import Actor

# Tables whose QR code, with its 128 bits, this session has scanned.
SCANNED_KEY = "scanned"


@dataclass(frozen=True)
class At:
    """A request at a table: its device, the seats that device holds there, and the acting one."""

    table: Table
    device: Device | None
    seats: list[Seat]
    seat: Seat | None

    @property
    def device_key(self) -> UUID | None:
        """Return the key of the device behind a request, or None if it never sat down anywhere."""
        return self.device.pk if self.device else None

    def acting(self, seat: int) -> Actor:
        """Return the seat of this number as who acts; `act` checks that this device holds it."""
        return Actor(seat, self.device_key)


def tidy_code(typed: str) -> str:
    """Return a code as tables have it, however it was typed."""
    return "".join(c for c in typed.upper() if c.isalnum())[:12]


def find_table(request: HttpRequest, code: str) -> Table:
    """Return the table with this code.

    Whoever neither sits there nor scanned its QR code is guessing: wrong codes
    are counted, and past the limit right ones are refused as well (TooMany).
    """
    return _found(request, code).table


def _found(request: HttpRequest, code: str) -> At:
    table, device = rows.first(Table, code=tidy_code(code)), device_of(request)
    seats = seats_of(device, table) if table else []
    if not (table and (seats or table.code in request.session.get(SCANNED_KEY, []))):
        check_may_guess(request)
    if table is None:
        note_bad_guess(request)
        raise NotFound(_("No table has this code. Look at the shared screen or ask your host."))
    return At(table, device, seats, seats[0] if seats else None)


def at_table(request: HttpRequest, code: str) -> At:
    """Return a request's table, device and seats; `?seat=` chooses among several of a phone."""
    at, asked = _found(request, code), request.GET.get("seat", "")
    chosen = next((s for s in at.seats if str(s.number) == asked), None)
    return replace(at, seat=chosen) if chosen else at


def seated_at(request: HttpRequest, code: str) -> At:
    """Return the same as `at_table`. Raises NotFound unless the device has a seat at the table."""
    at = at_table(request, code)
    if not any(seat.is_seated for seat in at.seats):
        raise stranger()
    return at


def seat_at(at: At) -> Seat:
    """Return the seat a request acts for. Raises NotFound for a stranger, or one who knocks."""
    if at.seat is None or not at.seat.is_seated:
        raise stranger()
    return at.seat


def seat_for_sheet(at: At, players: Callable[[], Iterable[int | None]]) -> Seat:
    """Return the seat that a sheet is opened for: of several on one phone, whoever plays it.

    `players` returns the keys of the seats that do; of several on this phone the first is taken.
    It is asked only where that decides: the host opens every sheet as the host.
    """
    seat = seat_at(at)
    if len(at.seats) == 1 or seat.is_gm:
        return seat
    held = {one.pk: one for one in at.seats if one.is_seated}
    return next((held[key] for key in players() if key in held), seat)


def host_at(request: HttpRequest, code: str) -> tuple[At, Seat]:
    """Return the same as `at_table`, and the host's seat that this device holds.

    Raises Forbidden for other seats, NotFound for strangers.
    """
    at = at_table(request, code)
    if not at.seats:
        raise stranger()
    seat = next((s for s in at.seats if s.is_gm and s.is_seated), None)
    if seat is None:
        raise host_only()
    return at, seat
