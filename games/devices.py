"""Which device a request comes from, and which seats it holds."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from config.sessions import SessionStore
from games.models import Device, Seat, Table, rows

SESSION_KEY = "device"


def device_of(request: HttpRequest) -> Device | None:
    """Return the device behind a request, if it ever sat down anywhere."""
    key = request.session.get(SESSION_KEY)
    return rows.first(Device, id=UUID(key)) if key else None


def known_device(request: HttpRequest) -> Device:
    """Return the device, made on its first seat.

    The session gets a new id with every seat: one that somebody planted beforehand holds nothing.
    Whoever asks again because the answer was lost is the same device (`config.sessions`).
    """
    device, session = device_of(request), request.session
    assert isinstance(session, SessionStore)
    if device is not None:
        session.cycle_key()
        return device
    if key := _key_of_browser(request):
        session.begin(key, {SESSION_KEY: str(uuid4())})
    else:
        session.cycle_key()
        session[SESSION_KEY] = str(uuid4())
    return Device.objects.get_or_create(pk=UUID(session[SESSION_KEY]))[0]


def device_in_waiting(request: HttpRequest) -> Device | None:
    """Return the device, also of a browser that was never told of its first seat."""
    if device := device_of(request):
        return device
    key = _key_of_browser(request)
    found = SessionStore(key).get_waiting().get(SESSION_KEY) if key else None
    return rows.first(Device, id=UUID(found)) if found else None


def _key_of_browser(request: HttpRequest) -> str:
    """Return the session's key that a browser without one gets with its first seat.

    It follows from the cookie that the browser had from the page with the form, and nobody but the
    house can tell it. Nothing for a client that brings no such cookie.
    """
    cookie = request.META.get("CSRF_COOKIE")
    return salted_hmac("first seat", cookie, algorithm="sha256").hexdigest()[:40] if cookie else ""


def seats_of(device: Device | None, table: Table) -> list[Seat]:
    """Return the seats that a device holds at a table, its own first, screens last."""
    if device is None:
        return []
    held = rows.belonging(rows.fetch(Seat, table_id=table.pk, device_id=device.pk), table=table)
    here = [seat for seat in held if seat.standing != Seat.Standing.GONE]
    return sorted(here, key=lambda s: (s.role == Seat.Role.SCREEN, s.number))
