"""Refusals as pages and as notices, in the visitor's language, with the status they deserve."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.errors import Refused, TooMany

View = Callable[..., HttpResponse]


def refusals_shown(view: View) -> View:
    """Turn a Refused into a notice for htmx, or into a page with a way back."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            return show_refusal(request, refusal)

    return answer


def show_refusal(request: HttpRequest, refusal: Refused) -> HttpResponse:
    is_part = bool(getattr(request, "htmx", False))
    template = "parts/notice.jinja" if is_part else "games/error.jinja"
    context = {"message": refusal.message, "status": refusal.status, "field": refusal.field}
    response = render(request, template, context, status=refusal.status)
    if isinstance(refusal, TooMany):
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose protection token is missing or old."""
    refusal = Refused(_("This page is too old. Load it again, and try once more."))
    refusal.status = 403
    return show_refusal(request, refusal)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    context = {"message": _("There is nothing here."), "status": 404}
    return render(request, "games/error.jinja", context, status=404)


def failed(request: HttpRequest) -> HttpResponse:
    context = {"message": _("Something broke on our side. What was played is kept."), "status": 500}
    return render(request, "games/error.jinja", context, status=500)
