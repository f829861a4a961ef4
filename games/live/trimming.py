"""Gives free memory back to the system.

A socket's handshake needs far more memory for a moment than the phone does afterwards, and the C
library keeps what was freed for later use. Measured with two thousand phones, that was a third of
what they cost: ten to twelve kilobytes of thirty each. Giving it back took four milliseconds,
during which Python goes on.

What is large is given back as soon as it is free, once `give_back_large` was called. Else the C
library asks the system for the first such piece only, and keeps the next ones of that size among
the small: eight files of 24 MB left 300 MB that nobody used.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from functools import cache
from weakref import WeakSet

from config.threads import Threads

# Phones come and go together: one call serves many, and is not put off by further ones.
REST_SECONDS = 2.0
# mallopt's M_MMAP_THRESHOLD, and from how many bytes on a piece is given back by itself.
FROM_HOW_MANY, LARGE = -3, 1_000_000
# Its M_TRIM_THRESHOLD: how much stays at the end of the small ones. The library finds both out by
# what is freed until it is told one of them, and would then go on with 128 KB: each push would give
# back a few pages, and the next one ask for them.
HOW_MUCH_STAYS, SPARE = -1, 2 * LARGE

_thread = Threads(1, "trimming")
_awaited: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def trim_soon() -> None:
    """Give free memory back in a moment: something large has just been released."""
    loop = asyncio.get_running_loop()
    if loop not in _awaited:
        _awaited.add(loop)
        loop.call_later(REST_SECONDS, _trim_from, loop)


def _trim_from(loop: asyncio.AbstractEventLoop) -> None:
    _awaited.discard(loop)
    loop.run_in_executor(_thread, trim)


def trim() -> None:
    """Give unused memory back to the system, where the C library can do that."""
    give_back = _c_function("malloc_trim")
    if give_back is not None:
        give_back(0)


def give_back_large() -> None:
    """Have each large piece given back when it is free, from now on, where that can be had."""
    choose = _c_function("mallopt")
    if choose is not None:
        choose(FROM_HOW_MANY, LARGE)
        choose(HOW_MUCH_STAYS, SPARE)


@cache
def _c_function(name: str) -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError):  # not the GNU C library
        return None
    return found
