"""Says in the log why no socket comes through: pages then ask by request, and nobody else tells.

Most often what stands before this process passes a socket's request on without the two headers that
make it one.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

log = logging.getLogger(__name__)

Scope = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

SOCKETS = "/ws/"


def with_sockets_told(app: App) -> App:
    """Answer a socket that has come as a plain request, and pass everything else on."""

    async def serve(scope: Scope, receive: Any, send: Any) -> None:
        if not scope["path"].startswith(SOCKETS) or not _is_handshake(scope):
            await app(scope, receive, send)
            return
        log.warning(
            "A socket has come as a plain request: what stands before this process has to pass on "
            "Upgrade and Connection (docs/hosting.md). Play goes on by request, more slowly"
        )
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 400, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return serve


def _is_handshake(scope: Scope) -> bool:
    return any(name == b"sec-websocket-key" for name, _value in scope["headers"])


def note_news(table_id: int) -> None:
    """Note that a page asks again by request for what a socket would have brought meanwhile."""
    log.warning(
        "A page at table %s gets no socket through and asks by request: where all do, a proxy "
        "keeps WebSockets out (docs/hosting.md)",
        table_id,
    )
