"""After a commit: wake this process's reader at once, and the readers of other processes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync

from config.logs import error_in_words
from config.loop import serving_loop
from games.others import Heard, group_of, layer_to_others, said

log = logging.getLogger(__name__)

# Readers stand above the services that announce, so they register themselves here. They are given
# the `Committed` of this process, a `Heard` of another one, or None, which says no more than
# "look".
wakers: list[Callable[[int, Any], None]] = []
# Called where another process has other phones at a table than before; the table has not moved.
onlookers: list[Callable[[int], None]] = []


def announce(done: Any) -> None:
    """Say that a table's log has grown, after the commit of `done` (`services.change.Committed`).

    Other processes are sent the table, its newest number and what was written to: no state, so none
    can leak. A failure here does not undo the commit: readers look at the newest number themselves
    now and then, and so find what a lost wake-up did not tell them.
    """
    table_id, news = done.table.pk, Heard(done.first_seq, done.seq, done.touched)
    for waker in wakers:
        waker(table_id, done)
    layer = layer_to_others()
    if layer is None:
        return
    loop = serving_loop()
    if loop is not None:
        # The layer's connection belongs to the server's loop, and this thread does not wait for it.
        loop.call_soon_threadsafe(_wake_soon, layer, table_id, news)
    else:
        try:
            async_to_sync(_wake_others)(layer, table_id, news)
        except RuntimeError as error:  # this process ends: no loop begins any more
            log.warning("Other processes were not woken for table %s: %s", table_id, error)


# By table: the wake-up that the layer has not taken yet, and what it is to be told next.
_under_way: dict[int, asyncio.Task[None]] = {}
_next: dict[int, Heard] = {}


def _wake_soon(layer: Any, table_id: int, news: Heard) -> None:
    """Wake the others after the wake-up of this table that is under way; those in between merge.

    A layer that hangs takes seconds for each; otherwise every tap would leave one waiting here.
    """
    waits = _next.get(table_id)
    _next[table_id] = waits.and_then(news) if waits else news
    task = _under_way.get(table_id)
    loop = asyncio.get_running_loop()
    if task is None or task.done() or task.get_loop() is not loop:
        _under_way[table_id] = loop.create_task(_wake_in_turn(layer, table_id))


async def _wake_in_turn(layer: Any, table_id: int) -> None:
    try:
        while (news := _next.pop(table_id, None)) is not None:
            await _wake_others(layer, table_id, news)
    finally:
        if _under_way.get(table_id) is asyncio.current_task():
            del _under_way[table_id]


async def _wake_others(layer: Any, table_id: int, news: Heard) -> None:
    try:
        await layer.group_send(group_of(table_id), said(table_id, news))
    except Exception as error:
        # No traceback: this comes with every tap for as long as the layer is away.
        why = error_in_words(error)
        log.warning("Other processes were not woken for table %s: %s", table_id, why)
