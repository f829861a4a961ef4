"""Refusals as pages and as notices, in the visitor's language, with the status they deserve."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from games.errors import AskFirst, Refused, Stranger, trouble
from games.models import Entrant, Event, rows
from games.sentences import tell

View = Callable[..., HttpResponse]
API = "/api/"


def refusals_shown(view: View) -> View:
    """Turn a Refused into a notice for htmx, or into a page with a way back.

    To whoever has no seat at a table, as a friend who was sent an address, it shows the door.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Stranger as refusal:
            door = reverse("phone", args=[kwargs["code"]]) if "code" in kwargs else ""
            return show_refusal(request, refusal, door=door)
        except Refused as refusal:
            return show_refusal(request, refusal)

    return answer


def only_by_form(back: str) -> Callable[[View], View]:
    """Let only a form act; whoever merely goes to its address is led to `back`, at the same table.

    A refusal has the form's address, and a tab that is opened again some day asks for just that.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, code: str) -> HttpResponse:
            if request.method == "POST":
                return view(request, code)
            refusal = Refused(_("There is nothing here."))
            refusal.status = 405
            response = show_refusal(request, refusal, back=reverse(back, args=[code]))
            response.headers["Allow"] = "POST"
            return response

        return answer

    return decorate


def asks_for_part(request: HttpRequest) -> bool:
    """Tell whether htmx asks, which puts the answer into its page, and not a browser for a page."""
    return bool(getattr(request, "htmx", False))


def show_refusal(
    request: HttpRequest, refusal: Refused, back: str = "", **more: Any
) -> HttpResponse:
    """Answer with a refusal; as a page it leads to `back`, or to the front door."""
    template = "parts/notice.jinja" if asks_for_part(request) else "games/error.jinja"
    context = refusal_context(refusal) | ({"back": back} if back else {}) | more
    response = render(request, template, context, status=refusal.status)
    if refusal.retry_after:
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response


def for_programs(message: str, status: int) -> HttpResponse:
    """Answer as the API does."""
    return JsonResponse({"error": message, "field": ""}, status=status)


def show_too_long(request: HttpRequest) -> HttpResponse:
    """Say that more was sent than any page may send, as 413; nothing of it was read."""
    _see_to_htmx(request)
    refusal = Refused(_("That is more than a page may send. Choose a smaller file."))
    refusal.status = 413
    if request.path.startswith(API):
        return for_programs(refusal.message, refusal.status)
    return show_refusal(request, refusal, was_typed=True)


def _see_to_htmx(request: HttpRequest) -> None:
    """Set what middleware would have: trouble may strike before it."""
    if not hasattr(request, "htmx"):
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]


def show_trouble(request: HttpRequest) -> HttpResponse:
    """Say that the house cannot read or write now, as 503: to a phone, a page or a program."""
    _see_to_htmx(request)
    writes = request.method not in ("GET", "HEAD")
    is_kept = bool(request.htmx and request.POST.get("tap"))  # type: ignore[attr-defined]
    refusal = trouble(writes=writes, is_kept=is_kept)
    guard = CsrfViewMiddleware(show_trouble)
    if "CSRF_COOKIE" not in request.META:
        # for the same reason: otherwise the page's token would belong to no cookie
        guard.process_request(request)
    if request.path.startswith(API):
        response = for_programs(refusal.message, refusal.status)
        response.headers["Retry-After"] = str(refusal.retry_after)
    else:
        response = show_refusal(request, refusal, again=_to_send_again(request, guard))
    response.headers["Cache-Control"] = "no-store"
    guard.process_response(request, response)
    return response


class _OfNobody(HttpRequest):
    """A request that nobody sent: under a name that is always allowed, and not led to https."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.method, self.path, self.path_info = "GET", path, path

    def _get_scheme(self) -> str:
        return "https"

    def get_host(self) -> str:
        return "localhost"


def learn_refusals() -> None:
    """Read everything that an answer in trouble needs, in every language.

    A process that may open no more files could not read it then, and would answer 500. The same
    holds for what Django reads with the first request of all: so we make one ourselves.
    """
    site = BaseHandler()
    site.load_middleware()
    with translation.override(settings.LANGUAGE_CODE):  # the request would leave its own behind
        site.get_response(_OfNobody(reverse("offline")))
    for language, _name in settings.LANGUAGES:
        for is_part in ("", "true"):
            request = HttpRequest()
            request.method, request.META["HTTP_HX_REQUEST"] = "GET", is_part
            with translation.override(language):
                show_trouble(request)


def _to_send_again(request: HttpRequest, guard: CsrfViewMiddleware) -> list[tuple[str, str]] | None:
    """Return what was typed into a form, or None where a page must not send it again.

    It must not where another site sent it in somebody's name, or where it has passwords. A file has
    to be chosen again.
    """
    if request.method != "POST" or guard.process_view(request, show_trouble, (), {}):
        return None
    if request.FILES or "password" in request.POST:
        return None
    typed = ((name, value) for name, values in request.POST.lists() for value in values)
    return [(name, value) for name, value in typed if name != "csrfmiddlewaretoken"]


def names_of(event: Event) -> list[str]:
    """Return the guild names of the bout that an event is of; a fight and a chapter have none."""
    return [e.guild_name for e in rows.fetch(Entrant, game_id=event.game_id)]


def refusal_context(refusal: Refused) -> dict[str, Any]:
    """Return what the notice of a refusal is drawn from."""
    context = {"message": refusal.message, "status": refusal.status, "field": refusal.field}
    if isinstance(refusal, AskFirst):
        context["undo"] = refusal.event
        context["also"] = [
            text for e in refusal.also if (text := tell(e.kind, e.data, names_of(e)))
        ]
        context["is_all"] = refusal.is_all
    return context
