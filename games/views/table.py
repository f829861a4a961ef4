"""At the table: phone, shared screen, host's panel, actions, passes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.backends.utils import csrf_input
from django.urls import reverse
from django.utils import translation
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from markupsafe import Markup

from games import actions, presence, snapshot
from games.addresses import address_for_phones
from games.at_table import At, at_table, host_at
from games.coming_in import keep_language
from games.devices import SESSION_KEY
from games.errors import Forbidden, Refused
from games.forms import read_seat
from games.live import readers, stops, taps
from games.live.drawing import draw_apart
from games.live.no_sockets import note_news
from games.live.page_says import back_from, digest, read_seq
from games.live.viewers import Viewer, who_looks
from games.models import Seat, Table
from games.said import speaking
from games.screens.common import Common
from games.screens.kept import drawn_before
from games.screens.pages import Painter
from games.services.change import now_ms
from games.services.tables import seat_of_pass
from games.showing import asks_for_part, only_by_form, refusals_shown, show_refusal
from games.views.leading import our_page

_FORM: Final = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>')


def _page(request: HttpRequest, page: str, seat: Seat) -> HttpResponse:
    """Render a live page as it is now; the socket goes on from its number."""
    with speaking(seat.language):
        now = snapshot.load(seat.table_id)
        readers.note_read(now)
        presence.note_asked(seat.table_id, seat.number)
        here = presence.connections(seat.table_id)
        painter = Painter(now, here, kept=drawn_before)
        mode, regions = painter.paint(page, seat)
        context = {
            **painter.context(seat),
            **painter.stage.page_context(painter, seat, page),
            **Common(now).given(page, seat),
            "page_kind": page,
            "region": _in_page(request, regions),
            "seq": 0 if mode == "knocking" else now.seq,
            "epoch": now.epoch,
            "have": " ".join(f"{name}:{digest(html)}" for name, html in regions.items()),
        }
        # Before the door every page is the phone's.
        shown = "phone" if mode == "knocking" else page
        return render(request, painter.stage.templates[shown], context)


def _in_page(request: HttpRequest, regions: dict[str, str]) -> Callable[[str], Markup]:
    """Return what page templates place a region with: `{{ region("stage") }}`.

    It is drawn as it is pushed; each of its forms has the CSRF input here, for who has no script.
    """
    csrf = str(csrf_input(request))

    def region(name: str) -> Markup:
        return Markup(_FORM.sub(lambda form: form[0] + csrf, regions[name]))  # noqa: S704 - drawn

    return region


@require_safe
@ensure_csrf_cookie
@refusals_shown
def phone(request: HttpRequest, code: str) -> HttpResponse:
    """Show a seat's own page; a shared screen and whoever has no seat are led to theirs."""
    at = at_table(request, code)
    if at.seat is None:
        return redirect("join", at.table.code)
    if at.seat.role == Seat.Role.SCREEN:
        return redirect("screen", at.table.code)
    return _page(request, "phone", at.seat)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show the shared screen, whatever seat this device holds; strangers are led to its door."""
    at = at_table(request, code)
    seat = next((s for s in at.seats if s.role == Seat.Role.SCREEN), at.seat)
    if seat is None or not (seat.is_seated or seat.role == Seat.Role.SCREEN):
        return redirect(f"{reverse('join', args=[at.table.code])}?as=screen")
    return _page(request, "screen", seat)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def gm(request: HttpRequest, code: str) -> HttpResponse:
    """Show the host's page; another seat is told that only the host may, with the way back."""
    try:
        _at, seat = host_at(request, code)
    except Forbidden as refusal:  # whoever has handed it on comes back to where they sit
        return show_refusal(request, refusal, back=reverse("phone", args=[code]))
    return _page(request, "gm", seat)


@require_safe
def news(request: HttpRequest, code: str, page: str, seat: int) -> HttpResponse:
    """Answer by request what a socket would push, where none comes through: 204 for nothing new.

    A page asks for it every few seconds, so that is found out from three rows. Whoever may not
    look is told the same whether there is such a table or not; whoever waits at the door, nothing.
    A beat goes both ways as over a socket, in headers, which no log of requests has (`stops`).
    """
    found = who_looks(code, page, seat, request.session.get(SESSION_KEY, ""))
    if found is None:
        return HttpResponse(status=403)
    table, whose, viewer = found
    if presence.note_asked(table.pk, seat):
        note_news(table.pk)
    if whose.standing == Seat.Standing.KNOCKING:
        return HttpResponse(status=204)
    stops.hear_by_request(table.pk, viewer, request.headers.get("Beat", ""))
    answer = _news(request, table, viewer)
    answer.headers["Beat"] = stops.token_by_request(table.pk, viewer)
    return answer


def _news(request: HttpRequest, table: Table, viewer: Viewer) -> HttpResponse:
    had, epoch = read_seq(request.GET.get("seq", "")), request.GET.get("epoch", "")
    if had == table.seq and epoch in ("", snapshot.epoch()):
        return HttpResponse(status=204)
    now = snapshot.load(table.pk)
    readers.note_read(now)
    drawing = draw_apart(now, viewer, presence.connections(table.pk))
    if drawing is None:
        return HttpResponse(status=403)
    push = drawing.as_push(
        changed=drawing.regions,
        common=drawing.common,
        told=drawing.told_since(had),
        back=back_from(had, table.seq),
    )
    return HttpResponse(msgspec.json.encode(push), content_type="application/json")


@only_by_form("phone")
@refusals_shown
def play(request: HttpRequest, code: str) -> HttpResponse:
    """Take one action: 204 when done (the push redraws), 4xx with a notice when not.

    Who has no script is led back to where the form stood, or to the front door after getting up.
    """
    arrived = now_ms()
    at = at_table(request, code)
    number = read_seat(request.POST)
    seat = next((s for s in at.seats if s.number == number), None)
    with translation.override(seat.language if seat else translation.get_language()):
        try:
            return _play(request, at, number, arrived)
        except Refused as refusal:
            if not at.seats:
                return show_refusal(request, refusal)
            back = _came_from(request, reverse("phone", args=[at.table.code]))
            return show_refusal(request, refusal, back=back, was_typed=True)


def _came_from(request: HttpRequest, otherwise: str) -> str:
    """Return the page of ours where a form stood, as the browser says it.

    A question that was answered stood where the form was sent to: that is no page to go back to.
    """
    page = our_page(request, request.headers.get("Referer", ""), otherwise)
    return otherwise if urlsplit(page).path == request.path else page


def _play(request: HttpRequest, at: At, number: int, arrived: int) -> HttpResponse:
    action, result = taps.do(at.table.pk, at.device_key, number, request.POST, arrived)
    if isinstance(action, actions.Speak):
        keep_language(request, action.language)
    if "token" in result.answer:
        return _offer(request, at, result.answer["token"])
    headers = taps.headers_after(action)
    if not asks_for_part(request):
        if isinstance(action, actions.Leave):
            return HttpResponseRedirect(reverse("home"), headers=headers)
        return HttpResponseRedirect(_came_from(request, reverse("phone", args=[at.table.code])))
    if request.POST.get("receipt") and result.told:
        response = render(request, "parts/receipt.jinja", taps.receipt_context(result))
        # The page puts it in its place: htmx finds no place from a form that was redrawn meanwhile.
        response.headers["Taproom-Receipt"] = "1"
        return response
    if not request.POST.get("tap"):
        # Our script, which names each tap and keeps the line, did not come through: nothing but a
        # page that is loaded anew shows what was done.
        headers["HX-Refresh"] = "true"
    return HttpResponse(status=204, headers=headers)


def _offer(request: HttpRequest, at: At, token: str) -> HttpResponse:
    """Show the one-time QR to whoever asked, and to nobody else: in the page, or as one."""
    path = reverse("take_over", args=[token])
    address = address_for_phones(path) or request.build_absolute_uri(path)
    seat = seat_of_pass(token).number
    context = {"address": address, "seat": seat, "back": reverse("phone", args=[at.table.code])}
    shown = "games/pass_offer.jinja" if asks_for_part(request) else "games/pass_page.jinja"
    return render(request, shown, context)
