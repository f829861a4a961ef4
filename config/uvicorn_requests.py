"""uvicorn's requests, with bounds on how long a line may be silent and on what may come at once.

Daphne has such bounds of its own, but for those in `config.daphne_requests`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from config.bounds import (
    HEAD_SECONDS,
    MOST_AHEAD,
    is_crumbled,
    is_one_too_many,
    is_too_slow,
    slow_lines,
)

# How long a line may be silent between two parts of a request, such as a picture.
SILENT_SECONDS = 60.0
LONGEST_HEAD = 65_536


class NoPage(Exception):
    """Nothing that a page sends: the parser fails on it, and so the line is closed."""


class Requests(HttpToolsProtocol):
    """One connection, which is closed when a request that was begun on it does not go on.

    It is also closed when it brings many more requests before one is answered: uvicorn goes on
    reading with each answer, and keeps what comes in memory.
    """

    _timer: asyncio.TimerHandle | None = None
    _head: int | None = 0  # bytes of a head that have come; None when it is whole
    _came = _parts = 0
    _since = 0.0
    _answers: Any = None  # the request that is being answered; others may wait behind it

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait(SILENT_SECONDS)
        if is_one_too_many(transport.get_extra_info("socket").fileno()):
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._rest()
        slow_lines.goes_on(self)
        self._give_up()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Read on. A connection that has become a socket is bounded by that (`uvicorn_sockets`)."""
        if self._head is not None:
            if not self._head:
                self._wait(HEAD_SECONDS)
            self._head += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._rest()
        elif self._head is not None and self._head > LONGEST_HEAD:
            self.transport.close()

    def pause_writing(self) -> None:
        """Wait until the line takes more; the rest of the answer is kept as long."""
        super().pause_writing()
        left = getattr(self._answers, "expected_content_length", 0)
        slow_lines.waits(self, left, self.transport.abort)

    def resume_writing(self) -> None:
        slow_lines.goes_on(self)
        super().resume_writing()

    def on_headers_complete(self) -> None:
        """Take the head as whole; the body may come slowly, but has to come."""
        self._head = None
        self._wait(SILENT_SECONDS)
        self._came = self._parts = 0
        self._since = self.loop.time()
        super().on_headers_complete()
        if len(self.pipeline) > MOST_AHEAD:
            self._refuse()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._came += len(body)
        self._parts += 1
        if is_crumbled(self._parts, self._came):
            self._refuse()
        if is_too_slow(self.loop.time() - self._since, self._came):
            self._hang_up()
        self._wait(SILENT_SECONDS)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Take the request as whole: from here on it is the phone that waits."""
        self._head = 0
        self._rest()
        super().on_message_complete()

    def shutdown(self) -> None:
        """Close once the answer is on its way; a request that is given up gets none.

        uvicorn would say 500. A phone takes that for an answer and drops a tap that may not have
        been done; without one it sends the tap again.
        """
        super().shutdown()
        if self.cycle is not None:
            self.cycle.send_500_response = self._break  # type: ignore[method-assign]  # on purpose

    async def _break(self) -> None:
        self.transport.close()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answers = cycle
        super()._start_asgi_task(cycle, app)

    def _give_up(self) -> None:
        """Tell the request being answered that nobody listens; uvicorn tells the newest only."""
        if self._answers is not None:
            self._answers.disconnected = True
            self._answers.message_event.set()

    def _refuse(self) -> None:
        self._give_up()
        raise NoPage

    def _wait(self, seconds: float) -> None:
        self._rest()
        self._timer = self.loop.call_later(seconds, self._hang_up)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hang_up(self) -> None:
        if self.flow.read_paused:  # the house does not read: the silence is not the phone's
            self._wait(SILENT_SECONDS)
        else:
            self.transport.close()
