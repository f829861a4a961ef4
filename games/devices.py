"""Which device a request comes from, and which seats it holds."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest

from games.models import Device, Seat, Table, rows

SESSION_KEY = "device"


def device_of(request: HttpRequest) -> Device | None:
    """Return the device behind a request, if it ever sat down anywhere."""
    key = request.session.get(SESSION_KEY)
    return rows.first(Device, id=UUID(key)) if key else None


def known_device(request: HttpRequest) -> Device:
    """Return the device, made on its first seat.

    The session gets a new id with every seat: one that somebody planted
    beforehand holds nothing.
    """
    device = device_of(request) or Device.objects.create()
    request.session.cycle_key()
    request.session[SESSION_KEY] = str(device.pk)
    return device


def seats_of(device: Device | None, table: Table) -> list[Seat]:
    """Return the seats that a device holds at a table, its own first, screens last."""
    if device is None:
        return []
    held = rows.belonging(rows.fetch(Seat, table_id=table.pk, device_id=device.pk), table=table)
    here = [seat for seat in held if seat.standing != Seat.Standing.GONE]
    return sorted(here, key=lambda s: (s.role == Seat.Role.SCREEN, s.number))
