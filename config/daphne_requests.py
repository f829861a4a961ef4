"""Daphne's requests with three bounds that it lacks, and an answer where there is no room for them.

Nor does anybody who asks say where the house stands: Daphne would believe it.

The first bound is on length: Daphne reads all of a request before it asks anybody. The second is on
the time that a head and a body may take: twisted starts its time-out anew with each byte. The third
is on what is kept of answers: whoever asks and does not read leaves all of it in memory. And Daphne
keeps a long request in a file: where that cannot be written it would break the line without a word.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from daphne.http_protocol import WebRequest
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from config.bounds import (
    HEAD_SECONDS,
    MOST,
    MOST_HEARD,
    is_crumbled,
    is_one_too_many,
    is_too_slow,
    slow_lines,
)

TOO_LONG = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Request(WebRequest):  # type: ignore[misc]
    """Keeps a request's body as twisted's does, up to the bounds, and leaves forms to Django.

    One that comes too slowly is given up without an answer: a phone then sends it again.
    """

    came = parts = 0
    since = 0.0
    is_declared = is_thrown_away = has_no_room = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **more)

    def process(self) -> Any:
        """Answer, without the header by which Daphne takes a prefix for all paths from anybody.

        Paths that are worked out for one request are kept for everybody (`games.addresses`).
        """
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        return super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Answer; a HEAD by the head alone, of whose body Daphne leaves out no more than a part.

        A proxy that keeps the line would take the rest for the answer to whoever asks next.
        """
        if self.method == b"HEAD" and "body" in message:
            message = {**message, "body": b""}
        super().handle_reply(message)

    def gotLength(self, length: int | None) -> None:
        self.is_declared, self.since = length is not None, time.monotonic()
        try:
            super().gotLength(length)
        except OSError:
            self._forget()
        if length is not None and length > MOST_HEARD:
            self._refuse()
        elif length is not None and length > MOST:
            self.is_thrown_away = True  # and `config.pages` says so when all has come

    def handleContentChunk(self, data: bytes) -> None:
        self.came += len(data)
        self.parts += 1
        if is_too_slow(time.monotonic() - self.since, self.came):
            self.channel.forceAbortClient()
            return
        most = MOST_HEARD if self.is_thrown_away else MOST
        if self.came > most or is_crumbled(self.parts, self.came):
            if not self.channel.transport.disconnecting:
                self._refuse()
        elif not self.is_thrown_away:
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        if self.has_no_room:
            return
        try:
            super().handleContentChunk(data)
            self.content.flush()  # a full disk shows here, and not when the body is read
        except OSError:
            self._forget()

    def _forget(self) -> None:
        """Go on with an empty body: `config.pages` refuses one that is shorter than declared."""
        self.has_no_room, self.content = True, BytesIO()
        if not self.is_declared:  # the shortness would not show; no page of ours sends such a body
            self.channel.loseConnection()

    def _refuse(self) -> None:
        self.came = MOST_HEARD + 1
        self.channel.transport.write(TOO_LONG)
        self.channel.loseConnection()


class Channel(HTTPChannel):
    """One connection, which is closed when a head that was begun on it is not finished in time."""

    transport: Any  # more than twisted's types say: the line of any kind that is served
    _head_is_late: Any = None
    _has_head = is_slow = False
    _unread = 0  # of what was written since the line is slow

    def connectionMade(self) -> None:
        """Begin, or hang up where there is no room for one more line."""
        super().connectionMade()
        if is_one_too_many(self.transport.fileno()):
            self.transport.abortConnection()

    def dataReceived(self, data: bytes) -> None:
        if not self._has_head and self._head_is_late is None:
            self._head_is_late = self.callLater(HEAD_SECONDS, self.forceAbortClient)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        """Stop the clock for the head; the body has one of its own."""
        self._has_head = True
        self._rest()
        super().allHeadersReceived()

    def requestDone(self, request: Any) -> None:
        self._has_head = False
        super().requestDone(request)

    def write(self, data: bytes) -> None:
        self._count(len(data))
        super().write(data)

    def writeSequence(self, iovec: Sequence[bytes]) -> None:
        self._count(sum(map(len, iovec)))
        super().writeSequence(iovec)

    def _count(self, count: int) -> None:
        self._unread = count + (self._unread if self.is_slow else 0)

    def pauseProducing(self) -> None:
        """Wait until the line has taken what was written, if it ever does."""
        super().pauseProducing()
        self.is_slow = True
        slow_lines.waits(self, self._unread, self.transport.abortConnection)

    def resumeProducing(self) -> None:
        self.is_slow = False
        slow_lines.goes_on(self)
        super().resumeProducing()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self._rest()
        slow_lines.goes_on(self)
        super().connectionLost(reason)

    def _rest(self) -> None:
        if self._head_is_late is not None and self._head_is_late.active():
            self._head_is_late.cancel()
        self._head_is_late = None
