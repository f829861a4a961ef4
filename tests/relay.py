"""Relays between two sockets, in both directions: what the tests' bad lines are made of."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable


def relay(
    phone: socket.socket, house: socket.socket, *, came_down: Callable[[int], None] | None = None
) -> None:
    """Join two sockets until one of them ends; `came_down` hears how many bytes go to the phone."""
    for start, end, heard in ((phone, house, None), (house, phone, came_down)):
        threading.Thread(target=_carry, args=(start, end, heard), daemon=True).start()


def _carry(start: socket.socket, end: socket.socket, heard: Callable[[int], None] | None) -> None:
    with contextlib.suppress(OSError):
        while data := start.recv(65536):
            if heard:
                heard(len(data))
            end.sendall(data)
    hang_up(start)
    hang_up(end)


def hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
