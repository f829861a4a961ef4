"""Daphne's requests, but for how long they may be: Daphne has all of one before it asks anybody."""

from __future__ import annotations

from daphne.http_protocol import WebRequest

from config.bounds import MOST

TOO_LONG = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Request(WebRequest):  # type: ignore[misc]
    """Writes what comes to a file, as twisted's does, until it is too much."""

    came = 0

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        if length is not None and length > MOST:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:
        self.came += len(data)
        if self.came <= MOST:
            super().handleContentChunk(data)
        elif not self.channel.transport.disconnecting:
            self._refuse()

    def _refuse(self) -> None:
        self.came = MOST + 1
        self.channel.transport.write(TOO_LONG)
        self.channel.loseConnection()
