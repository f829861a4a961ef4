"""One reader for each table in each process, between the log and the sockets.

It is woken after a commit, reads the table once, draws a region once for all
seats that see the same, and hands each socket what changed. Several wake-ups
in one reading merge into the next. It also keeps the table's clock.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Coroutine
from typing import Any, Protocol

from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games import clock, presence, snapshot
from games.live import listener
from games.live.drawing import Drawing, Viewer, draw_all
from games.wake import wakers

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
TELL_SECONDS = 20.0
# When the clock's move was refused, ask again after this long, not at once.
AGAIN_SECONDS = 1.0


class Socket(Protocol):
    """What a reader needs of a connection."""

    viewer: Viewer

    async def offer(self, drawing: Drawing) -> None: ...

    async def turn_out(self) -> None: ...


_readers: dict[int, TableReader] = {}


def wake(table_id: int) -> None:
    """Tell this process's reader of a table, if there is one. Safe from any thread."""
    reader = _readers.get(table_id)
    if reader is None:
        return
    try:
        reader.loop.call_soon_threadsafe(reader.news)
    except RuntimeError:  # its loop has closed: nobody is connected any more
        _readers.pop(table_id, None)


wakers.append(wake)


def reader_of(table_id: int) -> TableReader:
    """Return this process's reader of a table, made when the first socket needs it."""
    loop = asyncio.get_running_loop()
    reader = _readers.get(table_id)
    if reader is None or reader.loop is not loop:
        reader = _readers[table_id] = TableReader(table_id, loop)
        reader.start()
    return reader


class TableReader:
    """Reads one table for all of this process's sockets at it."""

    def __init__(self, table_id: int, loop: asyncio.AbstractEventLoop) -> None:
        self.table_id = table_id
        self.loop = loop
        self.seq = 0
        self.epoch = ""
        self.sockets: set[Socket] = set()
        self._has_news = False
        self._work: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._looks: asyncio.Task[None] | None = None
        self._due: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._looks = self._task(self._look())

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work in a context of its own.

        A wake-up comes out of somebody's request; work that inherited its
        context would wait for that request's thread, which has ended.
        """
        return self.loop.create_task(work, context=contextvars.Context())

    async def join(self, socket: Socket) -> None:
        """Add a connection; it is drawn afresh."""
        self.sockets.add(socket)
        await self._follow()
        self.note_presence(socket.viewer, None)
        self.news()

    async def leave(self, socket: Socket) -> None:
        """Drop a connection; the last one closes the reader."""
        self.sockets.discard(socket)
        seat = socket.viewer.seat
        if not any(s.viewer.seat == seat for s in self.sockets):
            presence.drop(self.table_id, seat)
        if self.sockets:
            self.news()
            return
        if self._timer:
            self._timer.cancel()
        if self._looks:
            self._looks.cancel()
        _readers.pop(self.table_id, None)
        await listener.forget(self.table_id)

    async def _follow(self) -> None:
        """Hear of other processes; without the layer the regular looks still find what is new."""
        try:
            await listener.follow(self.table_id)
        except Exception:
            log.warning("Table %s hears no other process now", self.table_id, exc_info=True)

    def note_presence(self, viewer: Viewer, delay_ms: int | None) -> None:
        """Keep a seat's measured round trip, for the shouting and for who is shown as slow."""
        presence.put(self.table_id, viewer.seat, delay_ms)

    def news(self) -> None:
        """Read again soon; news that comes meanwhile merges."""
        self._has_news = True
        if self._work is None or self._work.done():
            self._work = self._task(self._run())

    async def _run(self) -> None:
        while self._has_news and self.sockets:
            self._has_news = False
            sockets = list(self.sockets)
            try:
                drawings, due_ms = await database_sync_to_async(self._read)(
                    {s.viewer for s in sockets}
                )
            except Exception:
                log.exception("Table %s could not be read", self.table_id)
                return  # the next look tries again
            for socket in sockets:
                drawing = drawings.get(socket.viewer)
                if drawing is None:
                    await socket.turn_out()
                else:
                    await socket.offer(drawing)
            self._set_timer(due_ms)

    def _read(self, viewers: set[Viewer]) -> tuple[dict[Viewer, Drawing], int | None]:
        now = snapshot.load(self.table_id)
        self.seq, self.epoch = now.seq, now.epoch
        lines = presence.lines(self.table_id)
        due = clock.next_due_ms(now.table, now.game if now.is_playing else None, list(now.entrants))
        return draw_all(now, viewers, lines), due

    def _set_timer(self, due_ms: int | None, at_least: float = 0.0) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if due_ms is not None and self.sockets:
            wait = max(at_least, due_ms / 1000 - time.time())
            self._timer = self.loop.call_later(wait, self._tick)

    def _tick(self) -> None:
        self._due = self._task(self._play_due())

    async def _play_due(self) -> None:
        before = self.seq
        try:
            await database_sync_to_async(clock.run)(self.table_id)
        except Exception:
            log.exception("The clock of table %s failed", self.table_id)
        newest = await database_sync_to_async(snapshot.head)(self.table_id)
        if newest == before:
            self._set_timer(int((time.time() + AGAIN_SECONDS) * 1000), AGAIN_SECONDS)

    async def _look(self) -> None:
        """Heal lost wake-ups: compare the newest number now and then, and tell who is here."""
        last_told = 0.0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if await database_sync_to_async(snapshot.head)(self.table_id) != self.seq:
                    self.news()
                if time.monotonic() - last_told > TELL_SECONDS:
                    last_told = time.monotonic()
                    await tell_presence(self.table_id)
            except Exception:
                log.exception("Looking at table %s failed", self.table_id)


async def tell_presence(table_id: int) -> None:
    """Tell the other processes, if there are any, which phones are connected here."""
    layer = get_channel_layer()
    if layer is None or isinstance(layer, InMemoryChannelLayer):
        return
    await layer.group_send(
        f"table.{table_id}",
        {"type": "table.presence", "table": table_id, "lines": presence.here(table_id)},
    )
