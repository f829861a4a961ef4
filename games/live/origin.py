"""Sockets open only for our own pages: the Origin must be the very address they came from."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


class SameOrigin:
    """ASGI middleware: refuses a foreign, null or missing Origin before the handshake."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        # Keep no reference to the headers here: this frame lives as long as the socket.
        if self._is_ours(_header(scope, b"origin"), _header(scope, b"host")):
            return await self.inner(scope, receive, send)
        await receive()  # the connection itself
        # Before it is accepted: the handshake is answered 403.
        await send({"type": "websocket.close"})
        return None

    def _is_ours(self, origin: str, host: str) -> bool:
        if settings.PUBLIC_ORIGIN:
            return origin == settings.PUBLIC_ORIGIN
        try:
            parts = urlsplit(origin)
        except ValueError:  # a bracket that nothing closes
            return False
        domain, _port = split_domain_port(host)
        is_known = validate_host(domain, settings.ALLOWED_HOSTS)
        return is_known and parts.scheme in ("http", "https") and parts.netloc == host


def _header(scope: dict[str, Any], name: bytes) -> str:
    """Return a header; the last one where there are several."""
    found = [v for k, v in scope.get("headers", []) if k.lower() == name]
    return str(found[-1].decode("latin1")) if found else ""
