"""Daphne's sockets as lines: a phone's messages take no event, queue or task.

The application accepts or refuses a socket as usual. Once it has accepted and listens to the line
in `scope["extensions"]` (`games.live.lines`), messages are passed on directly. What the handshake
has left in memory is released; otherwise it would be kept for as long as a phone sleeps.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from autobahn.websocket.protocol import TrafficStats
from autobahn.websocket.types import ConnectionDeny
from daphne.ws_protocol import WebSocketProtocol

from config.bounds import MOST_UNREAD
from config.pace import Pace

log = logging.getLogger("daphne.server")

NORMAL, BROKE = 1000, 1011
WHOLE_TEXT, SHORT, TWO_BYTES, EIGHT_BYTES = 0x81, 126, 126, 127
# Attributes of the handshake that nobody reads once it is over.
LEFT_BEHIND = (
    "http_request_data", "http_status_line", "http_request_uri", "http_request_path",
    "http_request_params", "http_request_host", "http_response_data",
    "websocket_protocols", "websocket_origin", "websocket_extensions",
    "perMessageCompressionAccept", "flashSocketPolicy", "serveFlashSocketPolicy",
    "allowedOrigins", "allowedOriginsPatterns", "versions", "webStatus", "trustXForwardedFor",
    "_raw_query_string", "_wskey", "server_addr", "http_headers", "maxConnections",
    "openHandshakeTimeout", "tcpNoDelay", "allowNullOrigin", "root_path", "protocol_to_accept",
    "application_deferred", "_transport_details",
)  # fmt: skip


# Autobahn counts traffic for each socket; nobody looks at it, so all share one.
_stats = TrafficStats()


class Unsent(list[tuple[bytes, bool]]):
    """Autobahn's queue for messages sent in pieces, which we never use: smaller than a deque."""

    def popleft(self) -> tuple[bytes, bool]:
        return self.pop(0)


class Events:
    """What an application has not taken yet: a queue for one reader, in a tenth of the memory."""

    __slots__ = ("_those", "_waits")

    def __init__(self) -> None:
        self._those: deque[dict[str, Any]] | tuple[()] = ()
        self._waits: asyncio.Future[None] | None = None

    def put_nowait(self, event: dict[str, Any]) -> None:
        self._those = self._those or deque()
        self._those.append(event)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    async def get(self) -> dict[str, Any]:
        """Return the next event. Waits for it."""
        while not self._those:
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
        assert isinstance(self._those, deque)
        event = self._those.popleft()
        if not self._those:
            self._those = ()
        return event


class Socket(WebSocketProtocol):  # type: ignore[misc]
    """One socket, and its line."""

    hears: Callable[[str | None], None] | None = None
    send_queue: deque[Any] | Unsent
    # How much was said since the phone stopped taking it; None while it takes everything.
    unread: int | None = None

    def onConnect(self, request: Any) -> Any:
        """Decide on a handshake; Daphne has a traceback for letters that no browser sends."""
        words = (request.path, *request.headers, request.headers.get("sec-websocket-protocol", ""))
        if not all(word.isascii() for word in words):
            raise ConnectionDeny(ConnectionDeny.BAD_REQUEST)
        self.pace = Pace(time.monotonic())
        return super().onConnect(request)

    def onOpen(self) -> None:
        super().onOpen()
        self.http_headers.clear()  # Daphne has them as well
        for name in LEFT_BEHIND:
            self.__dict__.pop(name, None)
        self.trafficStats, self.send_queue = _stats, Unsent(self.send_queue)
        # A dictionary does not shrink by itself.
        self.__dict__ = dict(self.__dict__)
        # The channel that the request came by waits for its answer to be read, and is kept for it.
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, True)

    def dataReceived(self, data: bytes) -> None:
        # Without Autobahn's words for a log that nobody reads.
        self._dataReceived(data)

    def onFrameBegin(self) -> None:
        if not self.pace.allows(time.monotonic()):
            self.dropConnection(abort=True)
        super().onFrameBegin()

    def onPing(self, payload: bytes) -> None:
        """Answer, but nobody who takes no answers: they would be kept here without bound."""
        if self.unread is None:
            super().onPing(payload)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        """Take a message; what goes wrong with it is said in the log, and closes the socket."""
        if self.hears is None:
            super().onMessage(payload, isBinary)
            return
        self.last_ping = time.time()
        try:
            self.hears(None if isBinary else payload.decode())
        except Exception:
            log.exception("Exception inside application")
            self.close(BROKE)

    def serverClose(self, code: int | None = None) -> None:
        """Close the socket, with any code that RFC 6455 has: Autobahn raises for some of ours."""
        self.sendCloseFrame(code=code or NORMAL)

    def onClose(self, wasClean: bool, code: int, reason: str) -> None:
        super().onClose(wasClean, code, reason)
        self.hears = None  # it leads back here

    # --- a line ----------------------------------------------------------------------------------

    def say(self, text: bytes) -> None:
        """Send a text, or keep it until the phone has taken what was said before."""
        if self.state != self.STATE_OPEN:
            return
        if self.unread is not None:
            self.unread += len(text)
            if self.unread > MOST_UNREAD:
                self.transport.abortConnection()  # says much and reads nothing: no phone of ours
                return
        self.transport.write(_head(len(text)) + text)

    def close(self, code: int) -> None:
        """Close the socket with a code."""
        if self.state == self.STATE_OPEN:
            self.serverClose(code)

    # --- a producer, for Twisted -----------------------------------------------------------------

    def pauseProducing(self) -> None:
        self.unread = 0

    def resumeProducing(self) -> None:
        self.unread = None

    def stopProducing(self) -> None:
        """Nothing is said any more: the line is gone."""


def _head(length: int) -> bytes:
    """Return what stands before a whole text of so many bytes (RFC 6455, section 5.2)."""
    if length < SHORT:
        return bytes((WHOLE_TEXT, length))
    if length < 1 << 16:
        return bytes((WHOLE_TEXT, TWO_BYTES)) + length.to_bytes(2)
    return bytes((WHOLE_TEXT, EIGHT_BYTES)) + length.to_bytes(8)
