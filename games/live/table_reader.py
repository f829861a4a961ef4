"""One table's reader in this process, between the log and the sockets.

It is woken after a commit, reads the table once, draws a region once for all
seats that see the same, and hands each socket what changed. Several wake-ups
in one reading merge into the next. What it knows of the table is a `TableNow`;
what falls due there without a tap is played by an `Alarm`; other processes
with phones of the table are its `Neighbours`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from games import clock, presence
from games.live import listener
from games.live.alarm import AGAIN_SECONDS, Alarm
from games.live.drawing import Drawing, draw_all, drawing_cache
from games.live.neighbours import Neighbours
from games.live.table_now import TableNow
from games.live.viewers import Viewer
from games.live.workers import worker_of
from games.others import Heard
from games.services.change import Committed
from games.trouble import log_failure

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
# At a table where nobody plays the snapshot is dropped this long after a drawing: others who come
# meanwhile, as all do when the house is back, are still served from it. Earlier than `trimming`
# gives memory back.
AT_REST_SECONDS = 1.5


class Socket(Protocol):
    """What a reader needs of a connection."""

    viewer: Viewer

    def offer(self, drawing: Drawing) -> None:
        """Take what its viewer may see now, to be sent when the phone is ready for it."""

    def turn_out(self) -> None:
        """Close: its device may not look any more."""

    def start_over(self) -> None:
        """Close: its page was told what the database no longer has, and has to connect anew."""


class TableReader:
    """Reads one table for all of this process's sockets at it.

    It draws in the table's worker thread and hands over in the loop. `here` are the readers of this
    process by their tables: it takes itself off them when the last socket goes.
    """

    def __init__(
        self, table_id: int, loop: asyncio.AbstractEventLoop, here: dict[int, TableReader]
    ) -> None:
        self.table_id = table_id
        self.loop = loop
        self._here = here
        self.worker = worker_of(table_id)
        self.sockets: set[Socket] = set()
        # The sockets with their viewers, in one: the worker's thread reads both.
        self._there: tuple[frozenset[Socket], frozenset[Viewer]] = (frozenset(), frozenset())
        self._table = TableNow(table_id)
        self._alarm = Alarm(table_id, self.worker, self._task)
        self._neighbours = Neighbours(table_id, self._task, self._listens_late)
        self._has_news = self._is_drawing = self._went_back = self._has_failed = False
        self._joining = 0
        self._letting_go: asyncio.TimerHandle | None = None
        self._shown_here: dict[int, bool] = {}
        self._looks: asyncio.Task[None] | None = None
        self._forgets: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The log's newest number that screens were drawn from."""
        return self._table.seq

    def start(self) -> None:
        """Look from now on, now and then, whether a wake-up was lost."""
        self._looks = self._task(self._look())

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work in a context of its own, not in that of whoever happens to start it.

        Keep what it returns: the loop itself does not hold on to its tasks.
        """
        return self.loop.create_task(work, context=contextvars.Context())

    async def join(self, socket: Socket, seq: int = 0) -> None:
        """Add a connection; it is drawn afresh, from no older log than it was let in by.

        Its page may be of a process that has told this one nothing yet of its last acts.
        """
        self._table.reach(seq)
        is_first = not self.sockets  # before others come while the layer is asked
        self.sockets.add(socket)
        self._note_sockets()
        self._joining += 1
        try:
            await self._neighbours.follow()
        finally:
            self._joining -= 1
        self.note_presence(socket.viewer, None)
        self.news(is_moved=False)
        self._neighbours.tell_soon(asks=is_first)

    async def leave(self, socket: Socket) -> None:
        """Drop a connection; the last one closes the reader."""
        self.sockets.discard(socket)
        self._note_sockets()
        seat = socket.viewer.seat
        if not any(s.viewer.seat == seat for s in self.sockets):
            presence.drop(self.table_id, seat)
        if self.sockets:
            self.news(is_moved=False)
        else:
            self._close()
        await self._neighbours.tell()
        if self.table_id not in self._here:  # nor has anybody come back meanwhile
            await listener.forget(self.table_id)

    def _listens_late(self) -> None:
        """Look for what was missed; where everybody has left meanwhile, listen no more."""
        if self.table_id in self._here:
            self.news()
        else:
            self._forgets = self._task(listener.forget(self.table_id))

    def _note_sockets(self) -> None:
        self._there = frozenset(self.sockets), frozenset(s.viewer for s in self.sockets)

    def _close(self) -> None:
        self._alarm.turn_off()
        if self._looks:
            self._looks.cancel()
        if self._here.get(self.table_id) is self:
            self._here.pop(self.table_id)
        self.forget()

    def note_presence(self, viewer: Viewer, delay_ms: int | None) -> None:
        """Keep a seat's measured round trip, for the shouting and for who is shown as slow.

        When a line becomes slow, or stops being slow, the table is drawn anew for everybody.
        """
        before = presence.put(self.table_id, viewer.seat, delay_ms)
        was_slow = before is not None and before.is_slow
        if was_slow != presence.Connection(delay_ms).is_slow:
            self.news(is_moved=False)
            self._neighbours.tell_soon()

    def news(self, done: Committed | Heard | None = None, *, is_moved: bool = True) -> None:
        """Draw again soon; news that comes before that is drawn with it. Safe from any thread.

        `is_moved` is false where the table itself is the same, and only who looks at it or how good
        their lines are has changed.
        """
        if done is not None:
            self._table.carry(done)
        elif is_moved:
            self._table.read_anew()
        if not self._has_news:
            self._has_news = True
            self.worker.draw(self)

    def draw(self) -> Callable[[], None] | None:
        """Draw the table as it is now for everybody who looks. Runs in the worker's thread.

        Returns a function that hands the drawings over; it must be called in the loop.
        """
        # Before reading, so that whatever is committed from here on counts as news again.
        self._has_news, self._is_drawing = False, True
        there, viewers = self._there
        if not viewers:
            self._is_drawing = False
            return None
        try:
            drawings, due_ms = self._read_and_draw(viewers)
        except Exception as error:
            log_failure(log, error, "Table %s could not be read", self.table_id)
            self._is_drawing = False
            self._table.read_anew()
            is_first, self._has_failed = not self._has_failed, True
            return self._draw_in_a_moment if is_first else None  # the next look tries again
        self._has_failed = False
        return partial(self._hand_over, there, drawings, due_ms)

    def _draw_in_a_moment(self) -> None:
        # Often only a connection broke. Not again and again: with the database away every table of
        # the house would ask for it each second.
        self.loop.call_later(AGAIN_SECONDS, self.news)

    def _read_and_draw(
        self, viewers: frozenset[Viewer]
    ) -> tuple[dict[Viewer, Drawing], int | None]:
        """Return what each viewer may see now, and when (ms) a move falls due without a tap."""
        before, now = self._table.seq, self._table.now()
        # A log never gets shorter: an older copy of the database has been put in place of ours.
        # Kept until sockets are told: this drawing may fail, or the next one come before that.
        if now.seq < before:
            self._went_back = True
        since_ms = self._alarm.awake.since_ms()
        due = clock.due_moves(now.table, now.game, list(now.entrants), since_ms)
        if self._table.is_played:
            drawing_cache.plays(self.table_id)
        connections = presence.connections(self.table_id)
        self._shown_here = presence.shown(connections)
        return draw_all(now, viewers, connections), clock.first_ms(due)

    def forget(self) -> None:
        """Drop the kept snapshot and log: they cost memory, and can be read again."""
        self._table.drop()
        drawing_cache.forget_table(self.table_id)

    def _forget_soon(self) -> None:
        """Forget a table that nobody plays: phones that sleep are not worth the memory."""
        if self._letting_go:
            self._letting_go.cancel()
        self._letting_go = self.loop.call_later(AT_REST_SECONDS, self._forget_at_rest)

    def _forget_at_rest(self) -> None:
        self._letting_go = None
        if not self._table.is_played:
            self.forget()

    def _hand_over(
        self, there: frozenset[Socket], drawings: dict[Viewer, Drawing], due_ms: int | None
    ) -> None:
        """Give each socket its drawing. A viewer that none was made for may not look any more.

        Who was not `there` yet when the table was read may know later numbers: the drawing that
        their coming has asked for is theirs.
        """
        went_back, self._went_back = self._went_back, False
        for socket in self.sockets:
            drawing = drawings.get(socket.viewer)
            if went_back:
                socket.start_over()
            elif socket not in there:
                continue
            elif drawing is not None:
                socket.offer(drawing)
            else:
                socket.turn_out()
        self._alarm.set(due_ms, self.seq)
        self._is_drawing = False
        if not self.sockets:
            self.forget()  # everybody left while it was drawn
        elif not self._table.is_played:
            self._forget_soon()

    @property
    def is_busy(self) -> bool:
        """Tell whether something is yet to be drawn or handed over. Tests wait by it."""
        return bool(self._joining) or self._has_news or self._is_drawing

    async def _look(self) -> None:
        """Heal lost wake-ups: look now and then whether there is news, and tell who is here."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._table.is_idle:
                self.forget()
            try:
                # Before looking: what was missed until then is found.
                await self._neighbours.follow_again()
                if await self.worker.read(self._table.is_behind):
                    self._neighbours.note_unheard()
                    self.news()
                elif presence.shown(presence.connections(self.table_id)) != self._shown_here:
                    self.news(is_moved=False)  # another process's word for its phones has ended
                self._neighbours.tell_in_time()
            except Exception as error:
                log_failure(log, error, "Looking at table %s failed", self.table_id)
