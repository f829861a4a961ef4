"""The language of a request, and pages that no cache may keep."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponse
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponse]
LANGUAGES = {code for code, _name in settings.LANGUAGES}


class SessionMiddleware(sessions.SessionMiddleware):
    """Never takes a cookie away.

    Sitting down gives the session a new id. A request of the same phone that
    was still under way with the old one would be answered by deleting the
    cookie, and could take the seat that was just won with it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie["max-age"] == 0:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response


class LanguageMiddleware:
    """What the visitor chose on this device, else what the browser asks for."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = request.session.get("language")
        language = chosen if chosen in LANGUAGES else translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = translation.get_language()  # type: ignore[attr-defined]
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


class PrivatePagesMiddleware:
    """A shared phone's next user must not find the last one's sheet in any cache."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response
