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
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from games import advancing, clock, presence, snapshot
from games.errors import log_failure
from games.live import listener
from games.live.drawing import Drawing, Viewer, draw_all, drawing_cache
from games.live.workers import worker_of
from games.models import Table
from games.services.change import Committed, now_ms
from games.wake import Heard, onlookers, served_by, wakers

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
# A snapshot is carried forward by commits instead of being read again. After FRESH seconds the next
# look reads it anew between two taps, unless the database says that nobody else has written; after
# BELIEVED seconds a drawing reads it anew in any case; after IDLE seconds unused it is dropped.
FRESH_SECONDS, BELIEVED_SECONDS, IDLE_SECONDS = 30.0, 45.0, 60.0
# At a table where nobody plays it is dropped this long after a drawing: others who come meanwhile,
# as all do when the house is back, are still served from it. Earlier than `trimming` gives memory
# back.
AT_REST_SECONDS = 1.5
TELL_SECONDS = 20.0
# After trouble with the layer presence is told more than once: when the layer is back for us it may
# not be back for the others yet.
TELLINGS_AFTER_TROUBLE = 2
FOLLOW_SECONDS = 1.0
# When the clock's move was refused, ask again after this long, not at once.
AGAIN_SECONDS = 1.0
# If a move falls due this much too late, the laptop or the process has been asleep.
SLEPT_MS = 2000


class Socket(Protocol):
    """What a reader needs of a connection."""

    viewer: Viewer

    def offer(self, drawing: Drawing) -> None: ...

    def turn_out(self) -> None: ...

    def start_over(self) -> None: ...


_readers: dict[int, TableReader] = {}


def wake(table_id: int, done: Committed | Heard | None = None) -> None:
    """Tell this process's reader of a table, if there is one. Safe from any thread."""
    reader = _readers.get(table_id)
    if reader is not None:
        reader.news(done)


def draw_again(table_id: int) -> None:
    """Draw a table anew if anybody looks at it here: who looks at it elsewhere has changed."""
    reader = _readers.get(table_id)
    if reader is not None:
        reader.news(is_moved=False)


wakers.append(wake)
onlookers.append(draw_again)


def draw_all_again() -> None:
    """Draw every table anew for this process's sockets: something outside all logs has changed."""
    for reader in list(_readers.values()):
        reader.news()


def reader_of(table_id: int) -> TableReader:
    """Return this process's reader of a table, made when the first socket needs it."""
    loop = asyncio.get_running_loop()
    served_by(loop)
    reader = _readers.get(table_id)
    if reader is None or reader.loop is not loop:
        reader = _readers[table_id] = TableReader(table_id, loop)
        reader.start()
    return reader


class TableReader:
    """Reads one table for all of this process's sockets at it.

    It draws in the table's worker thread and hands over in the loop.
    """

    def __init__(self, table_id: int, loop: asyncio.AbstractEventLoop) -> None:
        self.table_id = table_id
        self.loop = loop
        self.worker = worker_of(table_id)
        self.seq = 0
        self.sockets: set[Socket] = set()
        self._viewers: frozenset[Viewer] = frozenset()
        self._has_news = self._draws = self._went_back = self._is_deaf = False
        self._joining = 0
        self._handed: deque[Committed | Heard] = deque()
        self._has_to_read = False
        self._kept: snapshot.Snapshot | None = None
        self._is_played = False
        self._letting_go: asyncio.TimerHandle | None = None
        self._read_at = self._drawn_at = self._told_at = 0.0
        self._others: tuple[int, int] | None = None
        self._door: tuple[Table, str] | None = None
        self._tellings = 0
        self._timer: asyncio.TimerHandle | None = None
        self._due_ms, self._awake_ms = 0, now_ms()
        self._looks: asyncio.Task[None] | None = None
        self._due: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._looks = self._task(self._look())

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work in a context of its own, not in that of whoever happens to start it."""
        return self.loop.create_task(work, context=contextvars.Context())

    async def join(self, socket: Socket) -> None:
        """Add a connection; it is drawn afresh."""
        self.sockets.add(socket)
        self._viewers = frozenset(s.viewer for s in self.sockets)
        self._joining += 1
        try:
            await self._follow()
        finally:
            self._joining -= 1
        self.note_presence(socket.viewer, None)
        self.news(is_moved=False)
        asks = len(self.sockets) == 1
        self._telling = self._task(self._tell(asks=asks))

    async def leave(self, socket: Socket) -> None:
        """Drop a connection; the last one closes the reader."""
        self.sockets.discard(socket)
        self._viewers = frozenset(s.viewer for s in self.sockets)
        seat = socket.viewer.seat
        if not any(s.viewer.seat == seat for s in self.sockets):
            presence.drop(self.table_id, seat)
        if self.sockets:
            self.news(is_moved=False)
        else:
            self._close()
        await self._tell()
        if self.table_id not in _readers:  # nor has anybody come back meanwhile
            await listener.forget(self.table_id)

    def _close(self) -> None:
        for timer in filter(None, (self._timer, self._letting_go)):
            timer.cancel()
        if self._looks:
            self._looks.cancel()
        if _readers.get(self.table_id) is self:
            _readers.pop(self.table_id)
        self.forget()

    async def _follow(self) -> None:
        """Listen to other processes; without the layer, the regular looks still find what is new.

        A layer that does not answer is not waited for, since the phone would get no answer
        meanwhile.
        """
        follows = self._task(self._follows())
        done, _waits = await asyncio.wait({follows}, timeout=FOLLOW_SECONDS)
        if not done:
            follows.add_done_callback(lambda _task: self.news())

    async def _follows(self) -> None:
        self._is_deaf = False
        try:
            await listener.follow(self.table_id)
        except Exception as error:
            self._is_deaf = True
            log.warning("Table %s hears no other process now: %r", self.table_id, error)

    def note_presence(self, viewer: Viewer, delay_ms: int | None) -> None:
        """Keep a seat's measured round trip, for the shouting and for who is shown as slow.

        When a line becomes slow, or stops being slow, the table is drawn anew for everybody.
        """
        before = presence.put(self.table_id, viewer.seat, delay_ms)
        was_slow = before is not None and before.is_slow
        if was_slow != presence.Connection(delay_ms).is_slow:
            self.news(is_moved=False)
            self._telling = self._task(self._tell())

    async def _tell(self, *, asks: bool = False) -> None:
        """Tell other processes who is here; if that fails, the next looks tell it again."""
        self._told_at = time.monotonic()
        if not await listener.tell_presence(self.table_id, asks=asks):
            self._tellings = TELLINGS_AFTER_TROUBLE

    def news(self, done: Committed | Heard | None = None, *, is_moved: bool = True) -> None:
        """Draw again soon; news that comes before that is drawn with it. Safe from any thread.

        `is_moved` is false where the table itself is the same, and only who looks at it or how good
        their lines are has changed.
        """
        if done is not None:
            self._handed.append(done)
        elif is_moved:
            self._has_to_read = True
        if not self._has_news:
            self._has_news = True
            self.worker.draw(self)

    def draw(self) -> Callable[[], None] | None:
        """Draw the table as it is now for everybody who looks. Runs in the worker's thread.

        Returns a function that hands the drawings over; it must be called in the loop.
        """
        # Before reading, so that whatever is committed from here on counts as news again.
        self._has_news, self._draws = False, True
        self._drawn_at = time.monotonic()
        viewers = self._viewers
        if not viewers:
            self._handed.clear()
            self._draws = False
            return None
        try:
            drawings, due_ms = self._read(viewers)
        except Exception as error:
            log_failure(log, error, "Table %s could not be read", self.table_id)
            self._draws, self._has_to_read = False, True
            return None  # the next look tries again
        return partial(self._hand_over, viewers, drawings, due_ms)

    def _read(self, viewers: frozenset[Viewer]) -> tuple[dict[Viewer, Drawing], int | None]:
        now = self._present()
        # A log never gets shorter: an older copy of the database has been put in place of ours.
        self._went_back, self.seq = now.seq < self.seq, now.seq
        self._door = now.table, now.table.door_now
        game, entrants = now.game if now.is_playing else None, list(now.entrants)
        due = clock.next_due_ms(now.table, game, entrants, self._awake_ms)
        if self._is_played:
            drawing_cache.plays(self.table_id)
        return draw_all(now, viewers, presence.connections(self.table_id)), due

    def _present(self) -> snapshot.Snapshot:
        """Return the table as it is now: the last snapshot carried forward by commits, or anew.

        A snapshot that was carried forward is read anew now and then all the same, and whenever
        something other than the commits at hand has moved the table.
        """
        at, is_played = time.monotonic(), bool(self._handed)
        now = None if self._has_to_read or at - self._read_at > BELIEVED_SECONDS else self._kept
        self._has_to_read = False
        while self._handed:
            done = self._handed.popleft()
            if now is not None and done.seq > now.seq:
                now = self._taken_on(now, done)
        if now is not None and not is_played and snapshot.head(self.table_id) != now.seq:
            now = None  # another process has written, and its wake-up is not here yet
        if now is None:
            # Asked before reading, so that what is written during it counts as later.
            others = snapshot.writes_of_others()
            now = snapshot.load(self.table_id)
            self._others, self._read_at = others, at
        self._kept, self._is_played = now, self._is_played or is_played
        return now

    def _taken_on(
        self, now: snapshot.Snapshot, news: Committed | Heard
    ) -> snapshot.Snapshot | None:
        """Return the snapshot carried forward by one commit, or None if it has to be read."""
        if isinstance(news, Heard):
            if news.first_seq != now.seq + 1:
                return None
            done = advancing.committed(self.table_id, news)
        else:
            done = news
        return None if done is None else advancing.advance(now, done)

    def forget(self) -> None:
        """Drop the kept snapshot and log: they cost memory, and can be read again."""
        self._kept, self._is_played = None, False
        drawing_cache.forget_table(self.table_id)

    def _forget_soon(self) -> None:
        """Forget a table that nobody plays: phones that sleep are not worth the memory."""
        if self._letting_go:
            self._letting_go.cancel()
        self._letting_go = self.loop.call_later(AT_REST_SECONDS, self._forget_at_rest)

    def _forget_at_rest(self) -> None:
        self._letting_go = None
        if not self._is_played:
            self.forget()

    def _hand_over(
        self, viewers: frozenset[Viewer], drawings: dict[Viewer, Drawing], due_ms: int | None
    ) -> None:
        """Give each socket its drawing. A viewer that none was made for may not look any more."""
        for socket in self.sockets:
            drawing = drawings.get(socket.viewer)
            if self._went_back:
                socket.start_over()
            elif drawing is not None:
                socket.offer(drawing)
            elif socket.viewer in viewers:
                socket.turn_out()
        self._set_timer(due_ms)
        self._draws = False
        if not self.sockets:
            self.forget()  # everybody left while it was drawn
        elif not self._is_played:
            self._forget_soon()

    @property
    def is_busy(self) -> bool:
        """Tell whether something is yet to be drawn or handed over."""
        return bool(self._joining) or self._has_news or self._draws

    def _set_timer(self, due_ms: int | None, at_least: float = 0.0) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if due_ms is not None and self.sockets:
            self._due_ms = max(due_ms, now_ms())
            wait = max(at_least, due_ms / 1000 - time.time())
            self._timer = self.loop.call_later(wait, self._tick)

    def _tick(self) -> None:
        if now_ms() - self._due_ms > SLEPT_MS:
            self._awake_ms = now_ms()
        self._due = self._task(self._play_due())

    async def _play_due(self) -> None:
        before = self.seq
        try:
            play = partial(_play_due, self.table_id, self._awake_ms)
            newest = await self.worker.write(play)
        except Exception as error:
            log_failure(log, error, "The clock of table %s failed", self.table_id)
            newest = before
        if newest == before:
            self._set_timer(int((time.time() + AGAIN_SECONDS) * 1000), AGAIN_SECONDS)

    @property
    def _is_door_another(self) -> bool:
        """Tell whether the door has changed since it was drawn: its hours end without a tap."""
        return self._door is not None and self._door[0].door_now != self._door[1]

    async def _look(self) -> None:
        """Heal lost wake-ups: compare the newest number now and then, and tell who is here."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            if self._kept and now - self._drawn_at > IDLE_SECONDS:
                self.forget()
            try:
                if self._is_deaf:
                    await self._follow()  # before looking: what it missed until then is found
                seq, others = await self.worker.read(partial(_head, self.table_id))
                was_taken_on = self._kept is not None and self._drawn_at > self._read_at
                is_old = was_taken_on and now - self._read_at > FRESH_SECONDS
                others_wrote = others is None or others != self._others
                is_another = seq != self.seq or self._is_door_another
                if is_another or self._has_to_read or (is_old and others_wrote):
                    self.news()
                elif is_old:
                    self._read_at = now  # nobody else has written: reading it would give the same
                if self._tellings or now - self._told_at > TELL_SECONDS:
                    # We have missed what they told meanwhile, so ask for it.
                    self._telling = self._task(self._tell(asks=self._tellings > 0))
                    self._tellings = max(0, self._tellings - 1)
            except Exception as error:
                log_failure(log, error, "Looking at table %s failed", self.table_id)


def _head(table_id: int) -> tuple[int | None, tuple[int, int] | None]:
    """Return the log's newest number, and what tells whether others have written."""
    return snapshot.head(table_id), snapshot.writes_of_others()


def _play_due(table_id: int, awake_ms: int) -> int | None:
    """Play what is due and return the log's newest number."""
    clock.run(table_id, awake_ms)
    return snapshot.head(table_id)
