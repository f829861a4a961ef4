"""What Django shows by itself: a stale form, nothing there, something broken."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.errors import Refused
from games.showing import API, for_programs, show_refusal


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose protection token is missing or old, or whose browser keeps none.

    A page that has kept a tap loads itself anew for an old one (outbox.js).
    """
    if reason == REASON_NO_CSRF_COOKIE:
        text = _(
            "This browser keeps no cookies, and the house needs them to know who sits where. Allow "
            "them for this address, load the page again, and try once more."
        )
        return _told(request, text, 403)
    response = _told(request, _("This page is too old. Load it again, and try once more."), 403)
    response.headers["Taproom-Stale"] = "1"
    return response


def _told(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """Answer in words, as a phone, a page or a program reads them."""
    if request.path.startswith(API):
        return for_programs(message, status)
    refusal = Refused(message)
    refusal.status = status
    return show_refusal(request, refusal)


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that nobody reads further: too much in it, or for another house.

    Django's own answer would read the form for its protection token first, and fail at that.
    """
    text = _("That could not be read. Load the page again, and try once more.")
    return _told(request, text, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an account that may not do this in the admin: nobody deletes a row of the book."""
    return _page(request, _("This account may not do that."), 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for an address at which there is nothing."""
    return _page(request, _("There is nothing here."), 404)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer where our own code failed, with nothing of how."""
    return _page(request, _("Something broke on our side. What was played is kept."), 500)


def _page(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """Answer with a whole page, also where htmx asks for a part of one; a program as the API."""
    if request.path.startswith(API):
        return for_programs(message, status)
    context = {"message": message, "status": status}
    return render(request, "games/error.jinja", context, status=status)
