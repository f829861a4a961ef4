"""Plays what falls due at a table without a tap (`games.clock`), when its time has come."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from games import clock, snapshot
from games.live.workers import Worker
from games.services.change import now_ms
from games.trouble import log_failure

log = logging.getLogger(__name__)

# When the move was refused, try again after this long, not at once.
AGAIN_SECONDS = 1.0
# If a move falls due this much too late, the laptop or the process has been asleep.
SLEPT_MS = 2000

Start = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Awake:
    """Since when people could act, see `games.clock`: the machine may sleep, its clock may be set.

    Both are known by the wall clock, which is then further from the monotonic one, that only counts
    and not while the machine sleeps. Whoever looks first must notice: on a laptop that wakes up
    somebody's tap is often drawn before the next move falls due.
    """

    def __init__(self) -> None:
        self._apart, self._since = _apart_ms(), now_ms()

    def since_ms(self) -> int:
        """Return since when, in server milliseconds. Safe from any thread."""
        apart = _apart_ms()
        if abs(apart - self._apart) > SLEPT_MS:
            self._apart, self._since = apart, now_ms()
        return self._since

    def note_due(self, due_ms: int) -> None:
        """Hear when a move fell due that is played only now: the process may have stood still."""
        if now_ms() - due_ms > SLEPT_MS:
            self._since = now_ms()


def _apart_ms() -> float:
    return (time.time() - time.monotonic()) * 1000


class Alarm:
    """One table's alarm. It is set in the loop, anew with each drawing."""

    def __init__(self, table_id: int, worker: Worker, start: Start) -> None:
        self.awake = Awake()
        self._table_id = table_id
        self._worker = worker
        self._start = start
        self._timer: asyncio.TimerHandle | None = None
        self._seq = self._due_ms = 0
        self._is_off = False
        self._playing: asyncio.Task[None] | None = None

    def set(self, due_ms: int | None, seq: int) -> None:
        """Wake when the next move is due, if one is; `seq` is the log's newest number by now."""
        self._seq = seq
        self._set(due_ms)

    def _set(self, due_ms: int | None) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if due_ms is not None and not self._is_off:
            # What fell due before it was set here does not show that anybody has slept.
            self._due_ms = max(due_ms, now_ms())
            wait = due_ms / 1000 - time.time()
            self._timer = asyncio.get_running_loop().call_later(wait, self._tick)

    def turn_off(self) -> None:
        """Wake no more: nobody here looks at the table."""
        self._is_off = True
        self._set(None)

    def _tick(self) -> None:
        self.awake.note_due(self._due_ms)
        self._playing = self._start(self._play())

    async def _play(self) -> None:
        before = self._seq
        try:
            since = self.awake.since_ms()
            newest = await self._worker.write(partial(_play_due, self._table_id, since))
        except Exception as error:
            log_failure(log, error, "The clock of table %s failed", self._table_id)
            newest = before
        if newest == before:
            self._set(int((time.time() + AGAIN_SECONDS) * 1000))


def _play_due(table_id: int, awake_ms: int) -> int | None:
    """Play what is due and return the log's newest number."""
    clock.play_due(table_id, awake_ms)
    return snapshot.head(table_id)
