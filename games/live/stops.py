"""The anonymous stop: a beat that all phones send alike, and a pause that comes a while later.

Every phone sends a beat of one size every `BEAT_SECONDS`: random noise, or the token that its
socket was given. A beat is never answered. What a token sets off belongs to the table: it goes on
even if the socket closes, and nothing here keeps or logs whose token it was. See
`docs/decisions/0014-anonymous-stop.md`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import secrets
from functools import partial
from typing import Annotated

from msgspec import Meta

from games.deeds import safety
from games.live.workers import worker_of

log = logging.getLogger(__name__)

# As in static/stop.js: every phone that is awake has sent one beat within this time.
BEAT_SECONDS = 2.0
FINENESS = 1000

Beat = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]

_waiting: set[tuple[asyncio.AbstractEventLoop, int]] = set()
_tasks: set[asyncio.Task[None]] = set()


def new_token() -> str:
    """Return what a socket's phone sends to stop play; it looks like noise."""
    return secrets.token_hex(16)


def hear(table_id: int, beat: str, token: str) -> None:
    """Take a beat; the socket's token starts the wait for a pause, unless one is running."""
    if not secrets.compare_digest(beat, token):
        return
    loop = asyncio.get_running_loop()
    if (loop, table_id) not in _waiting:
        _waiting.add((loop, table_id))
        # In an empty context: the present one is the socket's, and would tell whose it is.
        loop.call_later(_wait_seconds(), _begin, loop, table_id, context=contextvars.Context())


def _wait_seconds() -> float:
    """Return one to two beats' time, in which every phone that is awake has sent a beat as well."""
    return BEAT_SECONDS * (1 + secrets.randbelow(FINENESS + 1) / FINENESS)


def _begin(loop: asyncio.AbstractEventLoop, table_id: int) -> None:
    task = loop.create_task(_stop(loop, table_id), context=contextvars.Context())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _stop(loop: asyncio.AbstractEventLoop, table_id: int) -> None:
    try:
        await worker_of(table_id).write(partial(safety.stop, table_id))
    except Exception:
        # The phone asks again with every beat until it sees the pause.
        log.exception("Table %s could not be paused", table_id)
    finally:
        _waiting.discard((loop, table_id))
