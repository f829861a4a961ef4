"""Requests to the application itself, as a server hands them on."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from channels.testing import HttpCommunicator

from config.asgi import application

CSRF = "c" * 32


def asked_for(path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """Ask for a page with further headers, and return the answer."""

    async def send() -> dict[str, Any]:
        line = HttpCommunicator(
            application, "GET", path, headers=[(b"host", b"testserver"), *headers]
        )
        line.scope["client"] = ("127.0.0.1", 1)
        return dict(await line.get_response(timeout=20))

    return async_to_sync(send)()


def posted(path: str, kind: str, body: bytes, cookie: bytes = b"") -> dict[str, Any]:
    """Send a form or whatever else it says that it is, and return the answer."""

    async def send() -> dict[str, Any]:
        headers = [
            (b"host", b"testserver"),
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"x-csrftoken", CSRF.encode()),
            (b"cookie", b"csrf=%s; %s" % (CSRF.encode(), cookie)),
            (b"origin", b"http://testserver"),
        ]
        line = HttpCommunicator(application, "POST", path, body, headers)
        line.scope["client"] = ("127.0.0.1", 1)
        return dict(await line.get_response(timeout=20))

    return async_to_sync(send)()
