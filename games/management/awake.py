"""A laptop whose owner plays is touched by nobody: with an open house on it, it stays awake."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from wakepy import keep


@contextmanager
def kept_awake() -> Iterator[bool]:
    """Keep this machine from falling asleep by itself; its screen may go dark.

    Yields whether it may fall asleep all the same. Where there is no desktop, as on a server, there
    is nothing that would put it to sleep.
    """
    with keep.running(on_fail="pass") as mode:
        has_desktop = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        yield has_desktop and not mode.active
