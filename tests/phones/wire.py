"""A line between a phone and the house: counts what comes over it, and can be cut."""

from __future__ import annotations

import contextlib
import socket
import threading

from tests.relay import hang_up, relay

AWAY = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>%s</h1>"
PORTAL = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    b"<title>Grand Hotel</title><h1>Welcome, guest</h1>"
)


class Wire:
    """A TCP relay on a port of its own. `down` counts the bytes that reached the phone."""

    def __init__(self, port: int) -> None:
        self._house = ("127.0.0.1", port)
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._ear.getsockname()[1]}"
        self.down = 0
        self._is_cut = self._is_mute = False
        self._says = b""  # what somebody else answers in the house's place
        self._ends: list[socket.socket] = []
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

    def orphan(self, says: str = "502 Bad Gateway") -> None:
        """Break every connection, and answer new ones as a proxy does whose house is away."""
        self.cut()
        self._is_cut, self._says = False, AWAY % (says.encode(), says.encode())

    def portal(self) -> None:
        """Break every connection, and answer new ones as a guests' network does at first."""
        self.cut()
        self._is_cut, self._says = False, PORTAL

    def mend(self) -> None:
        """Let new connections through; those that wait go on waiting."""
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
                    phone.recv(65536)
                    phone.sendall(self._says)
                    hang_up(phone)
                    continue
                house = socket.create_connection(self._house)
                self._ends += [phone, house]
                relay(phone, house, came_down=self._count)

    def _count(self, number: int) -> None:
        self.down += number
