"""Refusals as pages and as notices, in the visitor's language, with the status they deserve."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.errors import AskFirst, Refused, TooMany

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
    if isinstance(refusal, AskFirst):
        context["undo"] = refusal.event
    response = render(request, template, context, status=refusal.status)
    if isinstance(refusal, TooMany):
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response
