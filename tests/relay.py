"""Relays between two sockets, in both directions: what the tests' bad lines are made of."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from functools import partial


def relay(
    phone: socket.socket,
    house: socket.socket,
    *,
    came_down: Callable[[int], None] | None = None,
    is_lost: Callable[[], bool] = lambda: False,
) -> None:
    """Join two sockets until one of them ends; `came_down` hears how many bytes go to the phone.

    While it `is_lost`, what is sent goes nowhere, and neither end hears of that.
    """
    for start, end, heard in ((phone, house, None), (house, phone, came_down)):
        carry = partial(_carry, start, end, heard, is_lost)
        threading.Thread(target=carry, daemon=True).start()


def _carry(
    start: socket.socket,
    end: socket.socket,
    heard: Callable[[int], None] | None,
    is_lost: Callable[[], bool],
) -> None:
    with contextlib.suppress(OSError):
        while data := start.recv(65536):
            if is_lost():
                continue
            if heard:
                heard(len(data))
            end.sendall(data)
    hang_up(start)
    hang_up(end)


def hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
