"""This process's readers: one for each table that somebody looks at here, woken by its commits."""

from __future__ import annotations

import asyncio
from functools import partial

from config.loop import note_serving_loop
from games import clock
from games.live import unwatched
from games.live.table_reader import TableReader
from games.others import Heard
from games.services.change import Committed
from games.snapshot import Snapshot
from games.wake import onlookers, wakers

# By table: those that somebody looks at here.
_readers: dict[int, TableReader] = {}


def wake(table_id: int, done: Committed | Heard | None = None) -> None:
    """Tell this process's reader of a table, if there is one. Safe from any thread.

    Where there is none, somebody plays by a program or a page without scripts.
    """
    reader = _readers.get(table_id)
    if reader is not None:
        reader.news(done)
    elif isinstance(done, Committed) and (done.game is None or clock.may_fall_due(done.game)):
        # No move of a bout: that may have ended a pause, or set a pace for the knocks.
        unwatched.mind(table_id, partial(_is_watched, table_id))


def note_read(now: Snapshot) -> None:
    """Note that somebody reads a table, perhaps without a socket. Safe from any thread.

    What fell due while nobody looked, or before this process was started, is played then.
    """
    if clock.may_fall_due(now.game) and not _is_watched(now.table.pk):
        unwatched.mind(now.table.pk, partial(_is_watched, now.table.pk))


def _is_watched(table_id: int) -> bool:
    return table_id in _readers


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
    note_serving_loop(loop)
    reader = _readers.get(table_id)
    if reader is None or reader.loop is not loop:
        reader = _readers[table_id] = TableReader(table_id, loop, _readers)
        reader.start()
    return reader
