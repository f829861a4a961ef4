"""uvicorn's requests, with bounds on how long a line may be silent and on what may come at once.

Daphne's lines have such bounds of their own.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from config.bounds import HEAD_SECONDS, MOST_AHEAD, is_crumbled

# Nobody is slower than this with the next part of a picture.
SILENT_SECONDS = 60.0
LONGEST_HEAD = 65_536


class NoPage(Exception):
    """No page sends this: the line is hung up, as for what is no request at all."""


class Requests(HttpToolsProtocol):
    """One line, which is hung up when the request that was begun on it does not go on.

    Or when it brings many more before that one is answered: uvicorn reads on with each answer, and
    keeps what comes in memory.
    """

    _timer: asyncio.TimerHandle | None = None
    _head: int | None = 0  # how much of one has come; None when it is whole
    _came = _parts = 0
    _answers: Any = None  # what is answered now, though others may have been asked for since

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait(SILENT_SECONDS)

    def connection_lost(self, error: Exception | None) -> None:
        self._rest()
        self._give_up()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Read on. What is no request any more, but a socket, has its own way to be hung up."""
        if self._head is not None:
            if not self._head:
                self._wait(HEAD_SECONDS)
            self._head += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._rest()
        elif self._head is not None and self._head > LONGEST_HEAD:
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Take the head as whole; what follows may take its time, but has to come."""
        self._head = None
        self._wait(SILENT_SECONDS)
        self._came = self._parts = 0
        super().on_headers_complete()
        if len(self.pipeline) > MOST_AHEAD:
            self._refuse()

    def on_body(self, body: bytes) -> None:
        """Take a part of what was sent along."""
        self._came += len(body)
        self._parts += 1
        if is_crumbled(self._parts, self._came):
            self._refuse()
        self._wait(SILENT_SECONDS)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Take the request as whole: from here on it is the house that takes its time."""
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
            self.cycle.send_500_response = self._break

    async def _break(self) -> None:
        self.transport.close()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answers = cycle
        super()._start_asgi_task(cycle, app)

    def _give_up(self) -> None:
        """Let whoever answers say nothing more: uvicorn tells the last that asked, not this one."""
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
        if self.flow.read_paused:  # it is we who do not take what was sent
            self._wait(SILENT_SECONDS)
        else:
            self.transport.close()
