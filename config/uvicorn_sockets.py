"""Sockets for uvicorn with compiled framing (picows): a fraction of the time and memory.

uvicorn reads the request as usual and hands it on; the application decides on it as any ASGI
application does; once it accepts, picows takes over the line. An application that knows of this
takes the shorter way: `scope["extensions"]` has a `taproom.line` to `say` and `close`, whose
`hears` is called with each message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import unquote

from picows import WSAutoPingStrategy, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined]  # its types leave it out

from config.bounds import MOST_UNREAD
from config.pace import Pace
from games.live.lines import LINE

log = logging.getLogger("uvicorn.error")
# An adapter: for a logger picows would make a child of its own for each line.
QUIET = logging.LoggerAdapter(logging.getLogger("taproom.sockets"), {})

FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
MALFORMED = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
BROKEN = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
# The handshake is made of these alone: picows keeps what it was asked for as long as the line.
NEEDED = (b"host", b"connection", b"upgrade", b"sec-websocket-key", b"sec-websocket-version")
# In bytes: what is read at a time; up to where a text is sent by way of picows' own buffer; and the
# room for a frame's head that picows wants before any other.
READ_BUFFER, SHORT, HEADROOM = 2048, 256, 14
# What the application has not taken yet: then the phone has to wait.
MOST_WAITING = 8
SWEEP_SECONDS, CLOSE_SECONDS = 5.0, 10.0
# Codes for the end of a socket. picows takes any whole number, though its types ask for its own
# enumeration.
NORMAL, PROTOCOL_ERROR, NO_CODE, ABNORMAL = 1000, 1002, 1005, 1006
BAD_TEXT, TOO_BIG, BROKE, RESTARTS = 1007, 1009, 1011, 1012
DATA = (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION)


class Socket(WSListener):
    """One socket: uvicorn's protocol until it is accepted, then picows' listener."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any]) -> None:
        self.config = config
        self.state = server_state
        self.loop = asyncio.get_running_loop()
        self.transport: Any = None
        self.line: WSTransport | None = None
        self.hears: Callable[[str | None], None] | None = None
        self.heard_at, self.is_asked = self.loop.time(), False
        self._pace = Pace(self.heard_at)
        self._handshake = b""
        self._heard: list[dict[str, Any]] = []
        self._waits: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._is_text = False
        self._parts: bytes | None = None
        self._is_over = False

    # --- uvicorn's protocol ----------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.state.connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Take the request, which uvicorn has read; who says more before the answer is refused."""
        if self._handshake:
            self._refuse(MALFORMED)
            return
        head, *lines = data.partition(b"\r\n\r\n")[0].split(b"\r\n")
        headers = [(name, value) for name, _, value in (one.partition(b": ") for one in lines)]
        needed = [b"%s: %s\r\n" % one for one in headers if one[0].lower() in NEEDED]
        self._handshake = b"GET / HTTP/1.1\r\n%s\r\n" % b"".join(needed)
        if not self._handshake.isascii():  # picows fails over other letters
            self._refuse(MALFORMED)
            return
        self._tell({"type": "websocket.connect"})
        task = self.loop.create_task(self._run(self._scope(head.split(b" ")[1], headers)))
        self.state.tasks.add(task)
        task.add_done_callback(self.state.tasks.discard)

    def eof_received(self) -> None:
        """Let the transport close."""

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()

    def shutdown(self) -> None:
        """Close: the server is about to stop."""
        if self.line is not None:
            self.line.send_close(RESTARTS)  # type: ignore[arg-type]
        self._tell_end(RESTARTS)
        self.transport.close()

    # --- picows' listener ------------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.line = transport
        _Sweeper.of(self.loop).add(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._lost()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.heard_at, self.is_asked = self.loop.time(), False
        if not self._pace.allows(self.heard_at):
            self.transport.abort()  # also one that was told to go, and goes on
        elif frame.msg_type in DATA:
            if not self._is_over:
                self._take(frame)
        elif frame.msg_type == WSMsgType.PING:
            # Whoever takes no answers gets none: they would be kept here without bound.
            if self._drained is None and not self._is_over:
                transport.send_pong(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            code = int(frame.get_close_code())  # type: ignore[call-overload]
            if not transport.is_close_frame_sent:
                transport.send_close(code or NORMAL)  # type: ignore[arg-type]
            self._tell_end(code or NO_CODE)
            transport.disconnect()

    def pause_writing(self) -> None:
        self._drained = self._drained or self.loop.create_future()

    def resume_writing(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None

    # --- the application's side ------------------------------------------------------------------

    async def receive(self) -> dict[str, Any]:
        """Return what the phone said next, as an ASGI event."""
        while not self._heard:
            self._waits = self.loop.create_future()
            await self._waits
        if len(self._heard) == MOST_WAITING and not self._is_over:
            self.transport.resume_reading()
        return self._heard.pop(0)

    async def send(self, event: dict[str, Any]) -> None:
        """Do what the application's event says, at the pace of the phone's line."""
        kind = event["type"]
        if kind == "websocket.accept":
            self._accept()
        elif kind == "websocket.send":
            self._send(event)
            if self._drained is not None:
                await self._drained
        elif kind == "websocket.close":
            self.close(event.get("code") or NORMAL)

    def say(self, text: bytes) -> None:
        """Send a text at once, or after what the line has not carried yet."""
        if self.line is None or self._is_over:
            return
        if self._drained is not None and self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()  # says much and reads nothing: no phone of ours
        elif len(text) <= SHORT:
            self.line.send(WSMsgType.TEXT, text)
        else:
            # picows would keep a buffer of the longest message for each line.
            self.line.send_reuse_external_bytearray(
                WSMsgType.TEXT, bytearray(HEADROOM) + text, HEADROOM
            )

    def close(self, code: int) -> None:
        """Close the socket; one that was never accepted is refused."""
        if self.line is None:
            self._refuse(FORBIDDEN)
        elif not self._is_over:
            self.line.send_close(code)  # type: ignore[arg-type]
            self._tell_end(code)
            self.loop.call_later(CLOSE_SECONDS, self.line.disconnect)

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self.config.loaded_app(scope, self.receive, self.send)
        except Exception:
            log.exception("Exception in ASGI application")
            if self.line is not None:
                self.close(BROKE)
        if self.line is None:
            self._refuse(BROKEN)
        else:
            self.close(NORMAL)

    def _send(self, event: dict[str, Any]) -> None:
        if event.get("bytes") is None:
            self.say(event["text"].encode())
        elif self.line is not None and not self._is_over:
            self.line.send(WSMsgType.BINARY, event["bytes"])

    # --- between them ----------------------------------------------------------------------------

    def _scope(self, target: bytes, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
        path, _, query = target.partition(b"?")
        is_tls = self.transport.get_extra_info("sslcontext") is not None
        return {
            "type": "websocket",
            "asgi": {"version": self.config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_tls else "ws",
            "server": self.transport.get_extra_info("sockname"),
            "client": self.transport.get_extra_info("peername"),
            "root_path": self.config.root_path,
            "path": self.config.root_path + unquote(path.decode("latin1")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [],
            "extensions": {LINE: self},
        }

    def _accept(self) -> None:
        """Let picows answer the handshake and read on from there."""
        if self._is_over:
            return
        # An error of ours closes the line; no time limit; nobody is asked whether they are there,
        # which takes a task for each: the sweeper does. And pings come here to be counted.
        ways = (True, None, False, 20, 20, WSAutoPingStrategy.PING_WHEN_IDLE, False)
        size = self.config.ws_max_size
        protocol = WSProtocol(
            None, None, False, lambda _request: self, QUIET, *ways, size, None, READ_BUFFER
        )
        protocol.connection_made(self.transport)
        handshake, self._handshake = self._handshake, b""
        _feed(protocol, handshake)
        if self.line is not None:
            self.transport.set_protocol(protocol)

    def _refuse(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _take(self, frame: WSFrame) -> None:
        """Take a message, or a part of one until the last has come."""
        is_first, data = frame.msg_type != WSMsgType.CONTINUATION, frame.get_payload_as_bytes()
        if is_first != (self._parts is None):
            self.close(PROTOCOL_ERROR)
            return
        if is_first:
            self._is_text = frame.msg_type == WSMsgType.TEXT
        data = (self._parts or b"") + data
        self._parts = None if frame.fin else data
        if len(data) > self.config.ws_max_size:
            self.close(TOO_BIG)
        elif frame.fin and not self._is_text:
            self._take_whole(None, {"bytes": data})
        elif frame.fin:
            try:
                text = data.decode()
            except UnicodeDecodeError:
                self.close(BAD_TEXT)
                return
            self._take_whole(text, {"text": text})

    def _take_whole(self, text: str | None, said: dict[str, Any]) -> None:
        if self.hears is not None:
            self.hears(text)
            return
        self._tell({"type": "websocket.receive", **said})
        if len(self._heard) == MOST_WAITING:
            self.transport.pause_reading()

    def _tell(self, event: dict[str, Any]) -> None:
        self._heard.append(event)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    def _tell_end(self, code: int) -> None:
        if not self._is_over:
            self._is_over = True
            self._tell({"type": "websocket.disconnect", "code": code})

    def _lost(self) -> None:
        self._tell_end(ABNORMAL)
        self.resume_writing()
        self.state.connections.discard(self)
        _Sweeper.of(self.loop).discard(self)
        # They lead back here: what nobody holds any more is to go at once.
        self.hears = self.line = None


def _feed(protocol: WSProtocol, data: bytes) -> None:
    """Hand on what was read already, as much at a time as there is room for."""
    while data:
        room = protocol.get_buffer(-1)
        count = min(len(room), len(data))
        room[:count] = data[:count]
        protocol.buffer_updated(count)
        data = data[count:]


class _Sweeper(set[Socket]):
    """Asks phones that say nothing whether they are there: one timer for all of them."""

    _those: ClassVar[dict[asyncio.AbstractEventLoop, _Sweeper]] = {}

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> _Sweeper:
        if loop not in cls._those:
            cls._those[loop] = cls()
            cls._those[loop].sweep(loop)
        return cls._those[loop]

    def sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for socket in list(self):
            assert socket.line
            silent = now - socket.heard_at
            if silent > socket.config.ws_ping_interval + socket.config.ws_ping_timeout:
                # Not gracefully: whoever does not answer takes no farewell either.
                socket.transport.abort()
            elif silent > socket.config.ws_ping_interval and not socket.is_asked:
                socket.is_asked = True
                socket.line.send_ping()
        loop.call_later(SWEEP_SECONDS, self.sweep, loop)
