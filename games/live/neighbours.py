"""What one table's reader has to do with other processes that have phones of the same table.

It hears of their commits and of who is there, and tells them who is here. In a single process there
is nothing to do.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from config.logs import error_in_words
from games import presence
from games.live import listener

log = logging.getLogger(__name__)

TELL_SECONDS = 20.0
# After trouble with the layer presence is told more than once: when the layer is back for us it may
# not be back for the others yet.
TELLINGS_AFTER_TROUBLE = 2
FOLLOW_SECONDS = 1.0

Start = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Neighbours:
    """The other processes, as far as one table is concerned. Used in the loop alone.

    `start` starts a task. `listens_late` is called where they were heard so late that something may
    have been missed, or everybody here has left.
    """

    def __init__(self, table_id: int, start: Start, listens_late: Callable[[], None]) -> None:
        self.table_id = table_id
        self._start = start
        self._listens_late = listens_late
        self._is_deaf = False
        self._tellings, self._told_at = 0, 0.0
        self._telling: asyncio.Task[None] | None = None
        self._again: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None

    async def follow(self) -> None:
        """Listen to them; without the layer, the reader's regular looks still find what is new.

        A layer that does not answer is not waited for, since the phone would get no answer
        meanwhile.
        """
        if self._following is None or self._following.done():
            self._following = self._start(self._follow())
        done, _waits = await asyncio.wait({self._following}, timeout=FOLLOW_SECONDS)
        if not done:
            self._following.add_done_callback(lambda _task: self._listens_late())

    async def _follow(self) -> None:
        anew, self._is_deaf = self._is_deaf, False
        try:
            await listener.follow(self.table_id, anew=anew)
        except Exception as error:
            self._is_deaf = True
            why = error_in_words(error)
            log.warning("Table %s hears no other process now: %s", self.table_id, why)

    async def follow_again(self) -> None:
        """Listen anew, if nothing was heard of them though there was something to hear."""
        if self._is_deaf:
            await self.follow()

    def note_unheard(self) -> None:
        """Note that the table has moved and nobody had told of it: perhaps we are deaf."""
        self._is_deaf = True

    def tell_soon(self, *, asks: bool = False) -> None:
        """Tell them who is here, without waiting for it; with `asks` they answer with theirs."""
        self._telling = self._start(self.tell(asks=asks))

    async def tell(self, *, asks: bool = False) -> None:
        """Tell them who is here; if that fails, once more in a moment, and with `tell_in_time`.

        A line that Redis has closed, as when it was started anew, is found dead only by what is
        told on it.
        """
        self._told_at = time.monotonic()
        if await listener.tell_presence(self.table_id, asks=asks):
            return
        self._tellings = TELLINGS_AFTER_TROUBLE
        if self._again is None or self._again.done():
            self._again = self._start(self._tell_again())

    async def _tell_again(self) -> None:
        """Tell them once more; and where nobody is here any more, until they have heard it.

        No look follows there. Who has left is shown as here elsewhere, for as long as our last word
        for them holds.
        """
        told, ends = 0, time.monotonic() + presence.HEARSAY_SECONDS
        while told < TELLINGS_AFTER_TROUBLE and time.monotonic() < ends:
            await asyncio.sleep(listener.RETRY_SECONDS * (1 + told))
            told += await listener.tell_presence(self.table_id, asks=True)
            if presence.here(self.table_id):
                return

    def tell_in_time(self) -> None:
        """Tell them who is here, if it was not told or will be forgotten unless it is told again.

        After trouble theirs is asked for: we have missed what they told meanwhile.
        """
        if self._tellings or time.monotonic() - self._told_at > TELL_SECONDS:
            self.tell_soon(asks=self._tellings > 0)
            self._tellings = max(0, self._tellings - 1)
