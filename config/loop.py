"""The loop that this process serves from: what begins in a thread may go on in it."""

from __future__ import annotations

import asyncio

# One, or none yet.
_serving: list[asyncio.AbstractEventLoop] = []


def note_serving_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Note the loop that this process serves from."""
    _serving[:] = [loop]


def serving_loop() -> asyncio.AbstractEventLoop | None:
    """Return the loop that this process serves from, or None where it serves nothing."""
    loop = _serving[0] if _serving else None
    return loop if loop is not None and loop.is_running() else None
