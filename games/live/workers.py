"""The threads that do a live table's work on the database, each with a connection it keeps.

On SQLite there is one thread: it alone plays tables' actions, so it commits those of many tables
together, with one wait for the disk, and answers each after that. PostgreSQL itself commits several
connections' work together; there are a few threads, and each table belongs to one of them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection

from games.keeping.sqlite import path_of_house
from games.live.checkpoints import Checkpoints
from games.live.warming import warm_up
from games.models.acts import keep_here, sharing

log = logging.getLogger(__name__)

T = TypeVar("T")
# How many actions share a commit at most: with more the first would only wait longer.
MOST_TOGETHER = 64
# For how long drawings may hold up the next actions, reads may hold up drawings, and finished work
# may wait before the loop is told of it.
DRAWING_SECONDS, READING_SECONDS, TELLING_SECONDS = 0.025, 0.025, 0.004
# After this long without work the thread takes steps of `when_idle`, one at a time with rests: 20
# ms steps without rests made the first page of a new house come 0.3 s later.
IDLE_SECONDS, STEP_SECONDS = 20.0, 0.2
# After this long an unused connection to PostgreSQL goes back to the pool: others may need it, and
# whoever takes one from there is given one that lives.
UNUSED_S = 1.0


class Draws(Protocol):
    """Draws a table in a worker's thread; what `draw` returns is called in the loop."""

    loop: asyncio.AbstractEventLoop

    def draw(self) -> Callable[[], None] | None:
        """Draw, and return what hands it over, if there is anything to hand over."""


class Job:
    """One piece of work, and the future through which the loop gets its result."""

    __slots__ = ("answer", "error", "loop", "result", "work")

    def __init__(self, work: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.loop = loop
        self.answer: asyncio.Future[Any] = loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def do(self) -> None:
        """Do the work, as often as it takes; the last result or error is what counts."""
        self.result, self.error = None, None
        try:
            self.result = self.work()
        except StopIteration as error:
            # A future takes none of these: whoever asked would wait for ever.
            self.error = RuntimeError("work ended in StopIteration")
            self.error.__cause__ = error
        except BaseException as error:
            self.error = error

    def tell(self) -> None:
        """Resolve the future. Runs in the loop; whoever asked may have gone meanwhile."""
        if self.answer.done():
            return
        if self.error is None:
            self.answer.set_result(self.result)
        else:
            self.answer.set_exception(self.error)


class Outbox:
    """What a thread has done for the loops, kept until they are woken for all of it at once.

    A loop that is woken takes the interpreter from the thread in the middle of its next work, and
    gives it back: two switches that cost a tenth of the time of a drawing of Brave or Knave.
    """

    def __init__(self) -> None:
        self._calls: dict[asyncio.AbstractEventLoop, list[Callable[[], None]]] = {}
        self._since = 0.0

    def put(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        """Have a loop call this soon."""
        if not self._calls:
            self._since = time.monotonic()
        self._calls.setdefault(loop, []).append(call)

    def send(self, *, after: float = 0.0) -> None:
        """Wake the loops, unless the oldest call has waited for less than `after` seconds."""
        if not self._calls or time.monotonic() - self._since < after:
            return
        those, self._calls = self._calls, {}
        for loop, calls in those.items():
            with suppress(RuntimeError):  # it has closed: nobody waits any more
                loop.call_soon_threadsafe(_call_all, calls)


def _call_all(calls: list[Callable[[], None]]) -> None:
    for call in calls:
        try:
            call()
        except Exception:
            log.exception("What a worker has done could not be told")


class Worker:
    """One thread with one connection: it commits actions together, then draws, then reads.

    `when_idle` are steps that are taken one by one while there is no work; `checkpoints` are told
    of each commit.
    """

    def __init__(
        self,
        name: str,
        *,
        commits_together: bool,
        when_idle: Iterator[None] | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self.commits_together = commits_together
        self._when_idle = when_idle
        self._checkpoints = checkpoints
        self._writes: deque[Job] = deque()
        self._reads: deque[Job] = deque()
        self._drawings: deque[Draws] = deque()
        self._outbox = Outbox()
        # One entry for each thing put into a queue; the thread sleeps while this is empty.
        self._calls: SimpleQueue[None] = SimpleQueue()
        self._closes = False
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    async def write(self, work: Callable[[], T]) -> T:
        """Do one action's work, and return what it returned once that is on disk.

        Raises what the work raised. The work must be atomic in itself: others' work may share its
        commit.
        """
        return await self._ask(self._writes, work)

    async def read(self, work: Callable[[], T]) -> T:
        """Do work that reads, or that looks after its own transactions."""
        return await self._ask(self._reads, work)

    def draw(self, whose: Draws) -> None:
        """Let somebody draw soon, after the actions that wait. Safe from any thread."""
        self._drawings.append(whose)
        self._calls.put(None)

    async def _ask(self, queue: deque[Job], work: Callable[[], T]) -> T:
        job = Job(work, asyncio.get_running_loop())
        queue.append(job)
        self._calls.put(None)
        result: T = await job.answer
        return result

    def close(self) -> None:
        """End the thread, and its connection with it."""
        self._closes = True
        self._calls.put(None)
        self.thread.join()
        if self._checkpoints is not None:
            self._checkpoints.close()

    def _run(self) -> None:
        """Work until closed: actions first, then drawings, then reads."""
        if self.commits_together:
            keep_here()
        try:
            while not self._closes:
                self._sleep()
                self._write_together()
                self._draw_those_waiting()
                self._outbox.send()
                self._read_for_those_waiting()
                self._outbox.send()
                _look_after(_keep_connection)
        finally:
            connection.close()

    def _sleep(self) -> None:
        """Wait until there is something to do; with time to spare, take the steps of `when_idle`.

        Before that the connection is given back, where several threads share few of them.
        """
        with suppress(Empty):
            self._calls.get(timeout=UNUSED_S)
            return
        if not self.commits_together:
            _look_after(connection.close)
        patience = IDLE_SECONDS
        while self._when_idle is not None:
            try:
                self._calls.get(timeout=patience)
                return
            except Empty:
                patience = STEP_SECONDS
                self._take_a_step()
        self._calls.get()

    def _take_a_step(self) -> None:
        assert self._when_idle is not None
        try:
            next(self._when_idle)
        except StopIteration:
            self._when_idle = None
        except Exception:
            # A generator that has failed is at its end: the next step stops here for good.
            log.exception("What is done in idle moments failed; it is not tried again")

    def _read_for_those_waiting(self) -> None:
        """Do the reads that wait, one after the other, until an action comes.

        Not one read between two drawings: when a house is back all its phones come in at once, and
        each would have its table read and drawn before the next is let in, instead of once for all.
        """
        end = time.monotonic() + READING_SECONDS
        while self._reads:
            job = self._reads.popleft()
            job.do()
            self._outbox.put(job.loop, job.tell)
            self._outbox.send(after=TELLING_SECONDS)
            if self._writes or time.monotonic() > end:
                return

    def _draw_those_waiting(self) -> None:
        """Draw the tables that wait by now, in their order.

        Before the next actions: otherwise a drawing would wait for all actions that come meanwhile,
        while those can gather and share one wait for the disk.
        """
        end = time.monotonic() + DRAWING_SECONDS
        for _one in range(len(self._drawings)):
            whose = self._drawings.popleft()
            try:
                handing_over = whose.draw()
            except Exception:
                log.exception("A table could not be drawn")
                continue
            if handing_over is not None:
                self._outbox.put(whose.loop, handing_over)
                self._outbox.send(after=TELLING_SECONDS)
            if time.monotonic() > end:
                return

    def _write_together(self) -> None:
        """Do the actions that wait, in one transaction if they may share one, and then answer them.

        If one of several fails, all are done again one by one, so that only that one is refused.
        What was committed after all is then found by its tap.
        """
        jobs: list[Job] = []
        while self._writes and len(jobs) < (MOST_TOGETHER if self.commits_together else 1):
            jobs.append(self._writes.popleft())
        if not jobs:
            return
        if len(jobs) == 1 or not _done_together(jobs):
            for job in jobs:
                job.do()
        for job in jobs:
            self._outbox.put(job.loop, job.tell)
        if self._checkpoints is not None:
            # Told even if all were refused: the thread then only looks once in vain.
            self._checkpoints.note_commit()


def _done_together(jobs: list[Job]) -> bool:
    """Do actions in one transaction; tell whether it was committed."""
    try:
        with sharing():
            for job in jobs:
                job.do()
                if isinstance(job.error, DatabaseError):
                    raise job.error
                if connection.needs_rollback:
                    # The act that failed was answered in words, but a full disk has rolled back the
                    # others' work as well.
                    raise DatabaseError("the transaction is gone")
    except Exception:
        log.debug("Actions are done one by one", exc_info=True)
        return False
    return True


def _look_after(how: Callable[[], None]) -> None:
    try:
        how()
    except Exception:
        # This thread must not end: nobody else does its tables' work.
        log.exception("A worker's broken connection could not be closed")


def _keep_connection() -> None:
    """Keep the thread's connection, unless it broke or another thread waits for one in vain."""
    if connection.errors_occurred:
        connection.close_at = None
        connection.close_if_unusable_or_obsolete()
    elif getattr(connection, "is_wanted", False):
        connection.close()


_workers: list[Worker] = []
_making = threading.Lock()


def worker_of(table_id: int) -> Worker:
    """Return the thread that works for a table; asking for the first one starts all of them."""
    if not _workers:
        with _making:
            if not _workers:
                count = 1 if settings.IS_SQLITE else settings.WORKERS
                made = [
                    Worker(
                        f"table worker {n}",
                        commits_together=settings.IS_SQLITE,
                        when_idle=None if n else warm_up(),
                        checkpoints=_checkpoints(),
                    )
                    for n in range(count)
                ]
                _workers.extend(made)  # all at once: others count them without the lock
    return _workers[table_id % len(_workers)]


def _checkpoints() -> Checkpoints | None:
    """Return what moves SQLite's journal into its file, where it is in WAL mode."""
    if not settings.IS_SQLITE or settings.SQLITE_JOURNAL != "WAL":
        return None
    return Checkpoints(path_of_house())


def close_all() -> None:
    """End every worker; the next work starts new ones."""
    with _making:
        for worker in _workers:
            worker.close()
        _workers.clear()
