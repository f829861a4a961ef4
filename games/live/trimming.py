"""Memory that is free again goes back to the system.

A socket's handshake needs far more for a moment than the phone does afterwards. The C library
keeps what comes free between other pieces, for whatever may come: measured with two thousand
phones that had come in, a third of all that they cost, ten to twelve kilobytes of thirty each.
Giving it back took four milliseconds then, in which Python goes on.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from functools import cache
from weakref import WeakSet

# Phones come and go together: many of them are one reason, and it is not for ever put off.
REST_SECONDS = 2.0

_awaited: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def trim_soon() -> None:
    """Give back what is free in a moment: something large has just come to its end."""
    loop = asyncio.get_running_loop()
    if loop not in _awaited:
        _awaited.add(loop)
        loop.call_later(REST_SECONDS, _trim_from, loop)


def _trim_from(loop: asyncio.AbstractEventLoop) -> None:
    _awaited.discard(loop)
    loop.run_in_executor(None, trim)


def trim() -> None:
    """Give the system what this process holds and does not use, where the C library can."""
    give_back = _c_function()
    if give_back is not None:
        give_back(0)


@cache
def _c_function() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # not the GNU C library
        return None
    return found
