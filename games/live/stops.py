"""The anonymous stop: a beat that all phones send alike, and a pause that comes a while later.

Every phone sends a beat of one size every `BEAT_SECONDS`: random noise, or the token that its
socket was given. A beat is never answered. Where no socket comes through, it goes with each request
for news. What a token sets off belongs to the table: it goes on even if the socket closes, and
nothing here keeps or logs whose token it was. See `docs/decisions/0014-anonymous-stop.md`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import secrets
import time
from functools import partial
from typing import Annotated

from django.utils.crypto import salted_hmac
from msgspec import Meta

from config.loop import serving_loop
from games.deeds import safety
from games.live.viewers import Viewer
from games.live.workers import worker_of

log = logging.getLogger(__name__)

# As in static/stop.js: every phone that is awake has sent one beat within this time.
BEAT_SECONDS = 2.0
FINENESS = 1000
# For so long, and as long again, a token that came with an answer is taken.
TOKEN_SECONDS = 60
TOKEN_LENGTH, SALT = 32, "taproom.stop"

Beat = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]

# Tables for which the wait for a pause has begun; and the tasks that end it, which the loop itself
# does not hold on to.
_waiting: set[tuple[asyncio.AbstractEventLoop, int]] = set()
_tasks: set[asyncio.Task[None]] = set()


def new_token() -> str:
    """Return what a socket's phone sends to stop play; it looks like noise."""
    return secrets.token_hex(TOKEN_LENGTH // 2)


def hear(table_id: int, beat: str, token: str) -> None:
    """Take a beat; the socket's token starts the wait for a pause, unless one is running."""
    if secrets.compare_digest(beat, token):
        _wait(asyncio.get_running_loop(), table_id)


def token_by_request(table_id: int, viewer: Viewer, *, ago: int = 0) -> str:
    """Return what a page without a socket sends to stop play, as of so many minutes ago.

    It changes every minute, and whichever process is asked next knows it: nobody keeps it.
    """
    minute = int(time.time()) // TOKEN_SECONDS - ago
    whose = f"{table_id} {viewer.page} {viewer.seat} {viewer.device} {minute}"
    return salted_hmac(SALT, whose, algorithm="sha256").hexdigest()[:TOKEN_LENGTH]


def hear_by_request(table_id: int, viewer: Viewer, beat: str) -> None:
    """Take the beat of a page without a socket, in whichever thread answers it."""
    said, loop = beat.encode(), serving_loop()
    tokens = [token_by_request(table_id, viewer, ago=ago).encode() for ago in (0, 1)]
    # Both are compared, as noise is: an answer takes as long whatever it was.
    if sum(secrets.compare_digest(said, token) for token in tokens) and loop is not None:
        loop.call_soon_threadsafe(_wait, loop, table_id, context=contextvars.Context())


def _wait(loop: asyncio.AbstractEventLoop, table_id: int) -> None:
    """Begin the wait for a pause, unless one is running."""
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
