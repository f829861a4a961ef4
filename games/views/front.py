"""Before the table: the front page, starting, joining by code or QR, languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.at_table import SCANNED_KEY, At, at_table, find_table
from games.coming_in import keep_language, take_a_seat
from games.deeds.people import digest
from games.devices import device_in_waiting, device_of, known_device, seats_of
from games.errors import NotFound, Refused
from games.forms import FORMS
from games.guild_names import suggest
from games.models import Device, Event, Seat, Table
from games.models.table import new_key
from games.rules import brave_or_knave as bk
from games.said import language
from games.seat_names import shown_name
from games.services.tables import (
    UNNAMED,
    has_host,
    open_table,
    open_trial,
    seat_had_by_pass,
    seat_of_pass,
    use_pass,
)
from games.showing import refusals_shown
from games.stage import STAGES
from games.views.leading import our_page

MY_TABLES = 12


def _played_last(device: Device) -> list[Any]:
    """Return a seat at each of the device's tables, of those played last, with `played_at`.

    Which those are is found out from numbers alone: a laptop of years has seats at thousands.
    """
    last = Event.objects.filter(table=OuterRef("table_id"), seq=OuterRef("table__seq"))
    held = (
        Seat.objects.filter(device=device, standing=Seat.Standing.SEATED)
        .annotate(played_at=Subquery(last.values("at")))
        .order_by("-played_at", "-table_id", "number")
    )
    mine: dict[int, int] = {}
    for table_id, seat_id in held.values_list("table_id", "pk"):
        mine.setdefault(table_id, seat_id)
    shown = list(mine.values())[:MY_TABLES]
    return list(held.filter(pk__in=shown).select_related("table"))


def front(request: HttpRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    """Render the front page, with what was typed and what is wrong with it."""
    device = device_of(request)
    given = {
        "tables": [
            {
                "name": s.table.name,
                "code": s.table.code,
                "seat_name": shown_name(s.name, s.role),
                "url": reverse(_page_of(s), args=[s.table.code]),
                "at": s.played_at,
            }
            for s in (_played_last(device) if device else ())
        ],
        "suggested_name": suggest(),
        # Whoever was never told of their first seat may ask for this page anew before they send
        # the form again: what they typed is known then.
        "tap": new_key() if device else "",
        "stages": [
            {"rules": s.rules, "title": s.title(), "about": s.about()} for s in STAGES.values()
        ],
        "error": {},
        "values": {},
        **context,
    }
    return render(request, "games/home.jinja", given, status=status)


@require_safe  # whoever watches a house from outside often asks for the head alone
@ensure_csrf_cookie
def home(request: HttpRequest) -> HttpResponse:
    """Show the front door: one's own tables, a new one, or a code to join by."""
    return front(request)


def _from_a_form(view: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Let only a form act; whoever merely goes to its address stands at the front door.

    A wrong code, a name that is too long: the answer has the form's address, and a tab that is
    opened again, or a change of language, asks for just that.
    """

    @wraps(view)
    def asked(request: HttpRequest) -> HttpResponse:
        if request.method == "POST":
            if request.content_type in FORMS or request.META.get("CONTENT_LENGTH", "") in ("", "0"):
                return view(request)
            # Else what was sent would count as left out, and be named by chance.
            return front(request, status=415, error={"host_name": _("Only a form is taken here.")})
        response = front(request, status=405)
        response.headers["Allow"] = "POST"
        return response

    return ensure_csrf_cookie(asked)


def _mended(request: HttpRequest, refusal: Refused, field: str) -> HttpResponse:
    """Show the front page again with everything that was typed and what to mend."""
    return front(
        request,
        status=refusal.status,
        error={refusal.field or field: refusal.message},
        values=request.POST,
    )


def _tap_of(request: HttpRequest, *fields: str) -> str:
    """Return what a form that opens a table is known by when it is sent again.

    With what was typed: who goes back to it and types another name wants another table. A
    program's form that has no such field opens a table each time.
    """
    if "tap" not in request.POST:
        return UNNAMED
    told = [request.POST.get(name, "") for name in ("tap", *fields)]
    return f"open-{digest(msgspec.json.encode(told).decode())}"


@_from_a_form
def start_table(request: HttpRequest) -> HttpResponse:
    """Open a table for its host, and lead to the page that their game begins on."""
    try:
        table, _seat = open_table(
            known_device(request),
            host_name=request.POST.get("host_name", "").strip() or suggest(),
            table_name=request.POST.get("table_name", "").strip(),
            rules=request.POST.get("rules") or bk.NAME,
            language=language(),
            tap=_tap_of(request, "host_name", "table_name", "rules"),
        )
    except Refused as refusal:
        return _mended(request, refusal, "host_name")
    return redirect(_first_page(table), table.code)


def _first_page(table: Table) -> str:
    """Return the page a host begins on: a referee's work is on the host's, a bout on the phone."""
    return "phone" if table.rules == bk.NAME else "gm"


def _page_of(seat: Seat) -> str:
    """Return the page on which somebody goes on at a table: a host's work waits on the host's."""
    return _first_page(seat.table) if seat.is_gm else "phone"


def _goes_on(seat: Seat) -> HttpResponse:
    """Lead to where a seat that has moved goes on.

    A phone that has another seat at the table would open that one by itself.
    """
    page = reverse(_page_of(seat), args=[seat.table.code])
    opens, *_others = seats_of(seat.device, seat.table)
    return redirect(page if opens == seat else f"{page}?seat={seat.number}")


@_from_a_form
def start_trial(request: HttpRequest) -> HttpResponse:
    """Open a table for one, with regulars to play against, to try a game out."""
    name = request.POST.get("host_name", "").strip() or suggest()
    try:
        table, _seat = open_trial(
            known_device(request),
            name=name,
            language=language(),
            rules=request.POST.get("rules") or bk.NAME,
            tap=_tap_of(request, "rules"),
        )
    except Refused as refusal:
        return _mended(request, refusal, "host_name")
    return redirect(_first_page(table), table.code)


@_from_a_form
def join_code(request: HttpRequest) -> HttpResponse:
    """Lead from a typed code to the table's door."""
    try:
        table = find_table(request, request.POST.get("code", ""))
    except Refused as refusal:
        return _mended(request, refusal, "code")
    return redirect("join", table.code)


@require_safe
@refusals_shown
def scan(request: HttpRequest, key: str) -> HttpResponse:
    """Where a QR code leads: its 128 bits need no limit."""
    table = Table.objects.filter(key=key).first()
    if table is None:
        raise NotFound(_("This code leads nowhere any more. Ask your host for a new one."))
    scanned = request.session.get(SCANNED_KEY, [])
    if table.code not in scanned:
        request.session[SCANNED_KEY] = [*scanned, table.code][-20:]
    return redirect("join", table.code)


@ensure_csrf_cookie
@refusals_shown
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Name, then in. Who has a seat already goes straight to it, unless they add a screen."""
    at = at_table(request, code)
    has_lost_seat = _has_lost_seat(request, at)
    is_screen = request.GET.get("as") == "screen"
    if at.seats and not has_lost_seat and not is_screen:
        return redirect("phone", at.table.code)
    if is_screen and request.method != "POST" and _has_screen(at):
        return redirect("screen", at.table.code)
    error: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            seat = take_a_seat(
                request,
                at,
                name=request.POST.get("name", ""),
                role="screen" if request.POST.get("role") == "screen" else "player",
                language=request.POST.get("language", ""),
            )
        except Refused as refusal:
            error, status = {refusal.field or "name": refusal.message}, refusal.status
        else:
            page = "screen" if seat.role == Seat.Role.SCREEN else "phone"
            return redirect(page, at.table.code)
    context = {
        "table": at.table,
        "is_shut": at.table.is_door_shut,
        "has_host": has_host(at.table),
        "has_lost_seat": has_lost_seat,
        "held": [str(seat.number) for seat in at.seats],
        "plays_on": shown_name(at.seat.name, at.seat.role) if at.seat else "",
        "is_screen": is_screen,
        "suggested_name": suggest(),
        "error": error,
        "values": request.POST,
    }
    return render(request, "games/join.jinja", context, status=status)


def _has_screen(at: At) -> bool:
    """Tell whether this device is a shared screen here, or knocks as one."""
    return any(seat.role == Seat.Role.SCREEN for seat in at.seats)


def _has_lost_seat(request: HttpRequest, at: At) -> bool:
    """Tell whether this phone's page says that its seat is gone: it may hold others still."""
    gone = request.GET.get("gone", "")
    return request.method != "POST" and gone != "" and all(str(s.number) != gone for s in at.seats)


@refusals_shown
def take_over(request: HttpRequest, token: str) -> HttpResponse:
    """Take a seat over from another phone. A GET only asks, so that no preview uses it up."""
    # Going back from the table, or a second tap on the button, leads to the seat once more.
    if had := seat_had_by_pass(token, device_of(request)):
        return _goes_on(had)
    if request.method != "POST":
        # A new phone that has taken it over, and was not told so, is asked once more.
        seat = seat_had_by_pass(token, device_in_waiting(request)) or seat_of_pass(token)
        return render(request, "games/pass.jinja", {"seat": seat, "table": seat.table})
    seat = use_pass(token, known_device(request))
    keep_language(request, seat.language)  # records and rules speak as the seat does
    return _goes_on(seat)


@_from_a_form
def set_language(request: HttpRequest) -> HttpResponse:
    """Speak another language from now on, and go back to the page that asked."""
    keep_language(request, request.POST.get("language", ""))
    return HttpResponseRedirect(our_page(request, request.POST.get("next", "/"), "/"))


@require_safe
def suggestion(request: HttpRequest) -> HttpResponse:
    """Return one more guild name, as plain text."""
    return HttpResponse(suggest(), content_type="text/plain; charset=utf-8")
