"""A laptop whose owner plays is touched by nobody: with an open house on it, it stays awake."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from wakepy import keep


@contextmanager
def kept_awake() -> Iterator[bool]:
    """Keep this machine from falling asleep by itself; its screen may go dark.

    Yields whether it may fall asleep all the same. Where there is no desktop, as on a server, there
    is nothing that would put it to sleep.
    """
    held = ExitStack()
    mode = held.enter_context(keep.running(on_fail="pass"))
    has_desktop = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    try:
        yield has_desktop and not mode.active
    finally:
        with suppress(RuntimeError):  # the desktop ended first: there is nobody to give it back to
            held.close()
