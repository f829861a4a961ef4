"""How messages reach a phone: by a server's own way or as ASGI events, and in chunks where long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

log = logging.getLogger(__name__)

# Where a scope has the server's own way, among its extensions.
LINE = "taproom.line"
# LONGEST_WHOLE is bytes, CHUNK is characters (of at most four bytes). A slow line carries a chunk
# in a few seconds, which shows that it lives; the server refuses more than 65,536 bytes at once.
LONGEST_WHOLE, CHUNK = 8_000, 4_000


class Line(Protocol):
    """What a consumer needs of a connection. What is said arrives in order, or not at all.

    It is UTF-8. Nobody waits here for a slow phone: a push waits for its acknowledgement,
    so that little is ever under way.
    """

    hears: Callable[[str | None], None] | None
    """Set by the consumer: called with each text that comes, with None for what is none.

    A server's own way calls it instead of making an event of the message. `AsgiLine` never does:
    there messages come as events.
    """

    def say(self, text: bytes) -> None:
        """Send a message after those before it; on a line that is gone, nothing."""

    def close(self, code: int) -> None:
        """Close with a code of RFC 6455 or of our own, after what was said."""


def line_of(scope: dict[str, Any], send: Any) -> Line:
    """Return the line of a socket that was accepted."""
    line: Line | None = scope.get("extensions", {}).get(LINE)
    return line or AsgiLine(send)


def chunks(message: bytes) -> list[bytes]:
    """Cut a long message into chunks, so that a phone on a slow line hears that it is on its way.

    The server would refuse the longest ones as well: its limit of 64 KB is meant for what phones
    send, but holds both ways. A chunk begins with "+", the last one with "."; a whole message
    begins with its brace.
    """
    if len(message) <= LONGEST_WHOLE:
        return [message]
    text = message.decode()  # no letter is cut in two
    cut = [text[at : at + CHUNK].encode() for at in range(0, len(text), CHUNK)]
    return [*(b"+" + chunk for chunk in cut[:-1]), b"." + cut[-1]]


class AsgiLine:
    """A line of any ASGI server."""

    __slots__ = ("_events", "_send", "_task", "hears")

    def __init__(self, send: Any) -> None:
        self._send = send
        self._events: list[dict[str, Any]] = []
        self._task: asyncio.Task[None] | None = None
        self.hears: Callable[[str | None], None] | None = None

    def say(self, text: bytes) -> None:
        self._put({"type": "websocket.send", "text": text.decode()})

    def close(self, code: int) -> None:
        self._put({"type": "websocket.close", "code": code})

    def _put(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._events:
                await self._send(self._events.pop(0))
        except Exception:
            # Each server has its own error for a line that broke a moment ago. Its disconnect is on
            # the way.
            log.debug("A socket closed while it was written to", exc_info=True)
        finally:
            self._task = None
