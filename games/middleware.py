"""Whose word a request is, its language, pages that no cache may keep, trouble told in words."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from config.sessions import SessionStore
from games.coming_in import LANGUAGE_KEY
from games.showing import show_trouble
from games.trouble import in_trouble
from games.visitors import is_from_proxy

log = logging.getLogger(__name__)

Handler = Callable[[HttpRequest], HttpResponse]
LANGUAGES = {code for code, _name in settings.LANGUAGES}


def told_of_trouble(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer 503 in words where the machine is in trouble; raise every other error again.

    Logged as one line: tracebacks for every tap would fill a disk that is full already.
    """
    if not in_trouble(error):
        raise error
    what = "a file" if isinstance(error, OSError) else "the database"
    if isinstance(error, MemoryError):
        what = "more memory"
    log.warning("%s %s: %s cannot be used: %s", request.method, request.path, what, error)
    return show_trouble(request)


class Middleware:
    """Passes every request on, and its answer back."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class ProxyMiddleware(Middleware):
    """Drops what anybody but our proxy says of how a request came.

    Django believes everybody's `X-Forwarded-Proto`, so that somebody who reaches a process without
    the proxy could claim that their line was encrypted.
    """

    _has_said = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_from_proxy(request) and request.META.pop("HTTP_X_FORWARDED_PROTO", None):
            self._say_once(request)
        return self.get_response(request)

    def _say_once(self, request: HttpRequest) -> None:
        """Tell whoever runs the server; their browser only says "too many redirects"."""
        if settings.TRUSTED_PROXY and not self._has_said:
            self._has_said = True
            address = request.META.get("REMOTE_ADDR")
            log.warning("%s sends X-Forwarded-Proto and is not TAPROOM_PROXY: ignored", address)


class SessionMiddleware(sessions.SessionMiddleware):
    """Renews a session that is used, and never takes a cookie away.

    Sitting down gives the session a new id. Django would answer a request that was still under way
    with the old id by deleting the cookie, and with it the seat that was just taken.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        assert isinstance(session, SessionStore)
        only_renews = session.is_due and not session.modified
        session.modified = session.modified or only_renews
        try:
            response = super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            if only_renews:  # enough if the next page renews it
                return response
            if isinstance(error, SessionInterrupted):
                raise
            return told_of_trouble(request, error)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie["max-age"] == 0:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response


class LanguageMiddleware(Middleware):
    """What the visitor chose on this device, else what the browser asks for."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Of a cookie that others on this host may have set Django takes "ES" as well.
        asked = translation.get_language_from_request(request).lower()
        try:
            chosen = request.session.get(LANGUAGE_KEY)
        except DatabaseError as error:
            # This is the first question to the database in a request.
            with translation.override(asked):
                return told_of_trouble(request, error)
        language = chosen if chosen in LANGUAGES else asked
        with translation.override(language):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language",))
        return response


class PrivatePagesMiddleware(Middleware):
    """A shared phone's next user must not find the last one's sheet in any cache."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


class HouseMiddleware(Middleware):
    """Marks what the house has answered: a guests' network says 200 in its place (outbox.js)."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Taproom"] = "house"
        return response


class TroubleMiddleware(Middleware):
    """The house's troubles are told in words, not as something broken: see `told_of_trouble`."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return told_of_trouble(request, error) if in_trouble(error) else None
