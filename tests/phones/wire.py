"""A line between a phone and the house: counts what comes over it, and can be cut."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
import socket
import threading

from tests.relay import hang_up, relay

AWAY = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>%s</h1>"
PORTAL = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    b"<title>Grand Hotel</title><h1>Welcome, guest</h1>"
)
REFUSED = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
OPENED = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %s\r\n\r\n"
)
ACT = b"/act/ HTTP/1.1\r\n"
KEY = re.compile(rb"^Sec-WebSocket-Key: (\S+)", re.IGNORECASE | re.MULTILINE)
OF_SOCKETS = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Wire:
    """A TCP relay on a port of its own. `down` counts the bytes that reached the phone."""

    def __init__(self, port: int) -> None:
        self._house = ("127.0.0.1", port)
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._ear.getsockname()[1]}"
        self.down = 0
        self._is_cut = self._is_mute = False
        self._says = b""  # what somebody else answers in the house's place
        self.taps_answered = 0  # by somebody else, since that has begun
        self._sockets = ""  # what becomes of those: they are "refused", or "silent"
        self._ends: list[socket.socket] = []
        self._age = 0  # how often it has forgotten what there was
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and refuse new ones, as a lost network does."""
        self._is_cut = True
        for end in self._ends:
            hang_up(end)
        self._ends.clear()

    def mute(self) -> None:
        """Break every connection, and let new ones wait for an answer that never comes."""
        self.cut()
        self._is_cut, self._is_mute = False, True

    def forget(self) -> None:
        """Lose what goes over the connections that there are, as a router that has forgotten them.

        Nobody is told, and new ones go through.
        """
        self._age += 1

    def orphan(self, says: str = "502 Bad Gateway") -> None:
        """Break every connection, and answer new ones as a proxy does whose house is away."""
        self.cut()
        self.taps_answered = 0
        self._is_cut, self._says = False, AWAY % (says.encode(), says.encode())

    def portal(self) -> None:
        """Break every connection, and answer new ones as a guests' network does at first."""
        self.cut()
        self.taps_answered = 0
        self._is_cut, self._says = False, PORTAL

    def lets_no_socket_through(self, how: str = "refused") -> None:
        """Break every connection; pages and taps go on, as through a proxy without `Upgrade`."""
        self.cut()
        self._is_cut, self._sockets = False, how

    def mend(self) -> None:
        """Let new connections through; those that wait go on waiting."""
        self._sockets = ""
        self._is_cut = self._is_mute = False
        self._says = b""

    def close(self) -> None:
        self.cut()
        hang_up(self._ear)

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                phone, _address = self._ear.accept()
                if self._is_cut:
                    hang_up(phone)
                    continue
                if self._is_mute:
                    self._ends.append(phone)
                    continue
                if self._says:
                    self.taps_answered += ACT in phone.recv(65536)
                    phone.sendall(self._says)
                    hang_up(phone)
                    continue
                if self._sockets:
                    threading.Thread(target=self._as_a_proxy, args=(phone,), daemon=True).start()
                else:
                    self._relay(phone)

    def _relay(self, phone: socket.socket, begun: bytes = b"") -> None:
        house = socket.create_connection(self._house)
        self._ends += [phone, house]
        house.sendall(begun)
        age = self._age
        relay(phone, house, came_down=self._count, is_lost=lambda: age < self._age)

    def _as_a_proxy(self, phone: socket.socket) -> None:
        """Pass on what is no socket. A browser asks for a socket on a connection of its own."""
        with contextlib.suppress(OSError):
            begun = phone.recv(65536)
            key = KEY.search(begun)
            if key is None:
                self._relay(phone, begun)
            elif self._sockets == "silent":
                self._ends.append(phone)
                mark = hashlib.sha1(key[1] + OF_SOCKETS, usedforsecurity=False).digest()
                phone.sendall(OPENED % base64.b64encode(mark))
            else:
                phone.sendall(REFUSED)
                hang_up(phone)

    def _count(self, number: int) -> None:
        self.down += number
