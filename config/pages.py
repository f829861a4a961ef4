"""Serves pages: each request in one thread from its beginning to its end.

Django itself changes the thread for each piece of middleware and opens a database connection for
each request. Here a few threads keep theirs, and an action goes to the tables' own worker, which
commits it together with others. Static files have threads of their own, which do no such work.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any
from zlib import crc32

from django.conf import settings
from django.core.exceptions import BadRequest, RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.http import HttpResponseBase
from django.urls import set_script_prefix
from django.utils import translation
from django.utils.http import parse_header_parameters

from config.bounds import (
    TooLong,
    bounded,
    declares_too_much,
    hear_out,
    refuse_less_than_declared,
)
from config.loop import note_serving_loop
from config.threads import Threads
from games.forms import FORMS
from games.live.workers import worker_of
from games.middleware import told_of_trouble
from games.showing import show_too_long

Scope = dict[str, Any]
PAGE_THREADS, FILE_THREADS = 4, 2
# Only these are done in the tables' worker; a form that carries a file takes longer than an action
# may, and is read by a page's thread.
FORM, JSON = b"application/x-www-form-urlencoded", b"application/json"
LONGEST_FORM = 16_384  # as of a socket's message


class Request(ASGIRequest):
    """Django's request, but decoded as UTF-8 only, which is what our pages send.

    Django uses any encoding that a request names, and some that Python knows make no text of bytes
    or raise errors of their own.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        said = meta.get("CONTENT_TYPE", "")
        try:
            kind, params = parse_header_parameters(said)
        except ValueError:  # an impossible encoding: no form is read by it, see below
            kind, params = said.partition(";")[0].strip().lower(), {"charset": "?"}
            meta["CONTENT_TYPE"] = kind  # other code parses it again
        self.content_type, self.content_params = kind, params

    def _load_post_and_files(self) -> None:
        said = (self.content_params or {}).get("charset", "utf-8")
        if self.content_type in FORMS and said.lower() not in ("utf-8", "utf8"):
            # Whoever answers does not try again.
            self._mark_post_parse_error()  # type: ignore[attr-defined]  # kept to itself
            raise BadRequest(f"a form that says it is {said[:20]!r}")
        super()._load_post_and_files()


class Pages(ASGIHandler):
    """Django's handler, with its middleware and the view called in one go."""

    request_class = Request

    def __init__(self) -> None:
        super().__init__()
        self._threads = Threads(PAGE_THREADS, "page")
        self._of_files = Threads(FILE_THREADS, "file")

    def load_middleware(self, is_async: bool = False) -> None:
        """Load all of it as what works in a thread."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        # Also where no socket has come yet, so that no tap waits for the channel layer.
        note_serving_loop(asyncio.get_running_loop())
        try:
            if declares_too_much(scope):
                await hear_out(scope, receive)
                raise TooLong
            body = await self.read_body(bounded(receive))
            refuse_less_than_declared(scope, body)
        except RequestAborted:
            return
        except (TooLong, OSError) as error:
            await self.send_response(self._refuse(scope, error), send)
            return
        try:
            response = await self._answer(scope, body)
            await self.send_response(response, send)
        except asyncio.CancelledError:
            return  # whoever asked has gone
        finally:
            body.close()

    def _refuse(self, scope: Scope, error: Exception) -> HttpResponseBase:
        """Answer what is too long to be read, or found no room, in the words that go with it."""
        request = self.request_class(scope, BytesIO())
        with translation.override(translation.get_language_from_request(request)):
            if isinstance(error, TooLong):
                response = show_too_long(request)
            else:
                response = told_of_trouble(request, error)
        response.headers["Connection"] = "close"  # the rest of the body would follow
        response.headers["Taproom"] = "house"  # as `games.middleware.HouseMiddleware` marks it
        return response

    async def _answer(self, scope: Scope, body: Any) -> HttpResponseBase:
        """Answer an action in its table's worker, and everything else in a page's thread."""
        code = action_at(scope)
        if code:
            form = body.read()
            # By its code, since nobody has looked up its number yet: with several workers a table's
            # forms may be at another one than its sockets. Its locked row keeps them in order.
            # Called anew each time: an action that fails together with others is done once more
            # alone.
            return await worker_of(crc32(code.encode())).write(
                lambda: self._respond(scope, BytesIO(form))
            )
        loop = asyncio.get_running_loop()
        is_file = scope["path"].startswith(settings.STATIC_URL)
        threads = self._of_files if is_file else self._threads
        return await loop.run_in_executor(threads, self._in_page, scope, body)

    def _in_page(self, scope: Scope, body: Any) -> HttpResponseBase:
        request_started.send(sender=self.__class__, scope=scope)
        response = self._respond(scope, body)
        if not response.streaming:
            response.close()  # here, so that Django looks after this thread's connection
        return response

    def _respond(self, scope: Scope, body: Any) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        request, error = self.create_request(scope, body)
        if request is None:
            assert error
            return error
        return self.get_response(request)


def action_at(scope: Scope) -> str:
    """Return the code of the table whose action this request is, or nothing for any other."""
    match scope["path"].split("/"):
        case ["", "t", code, "act", ""]:
            kind = FORM
        case ["", "api", "tables", code, "actions", ""]:
            kind = JSON
        case _:
            return ""
    headers = dict(scope["headers"])
    is_kind = headers.get(b"content-type", b"").startswith(kind)
    length = headers.get(b"content-length", b"")
    is_short = length.isdigit() and int(length) <= LONGEST_FORM
    return code.upper() if scope["method"] == "POST" and is_kind and is_short else ""
