"""Plays what falls due at tables where this process has no socket.

Somebody plays there by a program, or by a page without scripts. Where a socket is open the table's
reader sees to it, with an `Alarm`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Callable
from functools import partial

from config.loop import serving_loop
from games import clock
from games.live.alarm import AGAIN_SECONDS, Awake
from games.live.workers import worker_of
from games.trouble import log_failure

log = logging.getLogger(__name__)

# By table, in the loop that serves: who waits for its next move, and what ends that wait early.
_minding: dict[int, tuple[asyncio.Task[None], asyncio.Event]] = {}


def mind(table_id: int, is_watched: Callable[[], bool]) -> None:
    """Play a table's moves as they fall due, until none does or it is watched.

    Safe from any thread. Asked for again, it looks again when the next move falls due.
    """
    loop = serving_loop()
    if loop is not None:
        loop.call_soon_threadsafe(_mind_soon, table_id, is_watched)


def _mind_soon(table_id: int, is_watched: Callable[[], bool]) -> None:
    loop = asyncio.get_running_loop()
    minding = _minding.get(table_id)
    if minding is not None and minding[0].get_loop() is loop:
        minding[1].set()
        return
    news = asyncio.Event()
    task = loop.create_task(_mind(table_id, is_watched, news), context=contextvars.Context())
    _minding[table_id] = task, news


async def _mind(table_id: int, is_watched: Callable[[], bool], news: asyncio.Event) -> None:
    try:
        worker, awake, rests_until = worker_of(table_id), Awake(), 0.0
        while not is_watched():
            news.clear()
            due = await worker.read(partial(clock.due_moves_at, table_id, awake.since_ms()))
            due_ms = clock.first_ms(due)
            if due_ms is None:
                if not news.is_set():
                    return
                continue  # somebody has played since it was asked
            # From the refusal on, not from the last look: many may look more often than that.
            wait = max(0.0, rests_until - time.monotonic(), due_ms / 1000 - time.time())
            # Once it is due no news puts it off: many may read the table all the time.
            if (wait and await _comes(news, wait)) or is_watched():
                continue
            awake.note_due(due_ms)
            is_played = await worker.write(partial(clock.play_due, table_id, awake.since_ms()))
            rests_until = 0.0 if is_played else time.monotonic() + AGAIN_SECONDS
    except Exception as error:
        log_failure(log, error, "Nobody minds table %s now", table_id)
    finally:
        mine = _minding.get(table_id)
        if mine is not None and mine[0] is asyncio.current_task():
            del _minding[table_id]


async def _comes(news: asyncio.Event, seconds: float) -> bool:
    """Wait for news, so long at most; tell whether it came."""
    try:
        await asyncio.wait_for(news.wait(), seconds)
    except TimeoutError:
        return False
    return True
