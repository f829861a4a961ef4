"""An open page inside the server's own process, which keeps what its socket brings."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any
from uuid import UUID

from asgiref.testing import ApplicationCommunicator

import config.asgi
from games.live.viewers import Viewer as Who
from tests.chaos.account import taken
from tests.chunks import Chunks

OPENS_WITHIN = 120


class Viewer:
    """One page of one seat: its regions, what it was told, how far it is.

    It begins at the number that the table had when it was first looked at.
    """

    def __init__(self, table: dict[str, Any], page: str, seat: int) -> None:
        held = table["seats"][seat]
        self.page, self.seat, self.sid = page, held["number"], held["sid"]
        self.who = Who(page, self.seat, UUID(held["device"]))
        self.code, self.game = table["code"], table["rules"]
        self.seq = self.began = table["seq"]
        self.regions: dict[str, str] = {}
        self.told: list[int] = []
        self.is_asleep = self.is_open = False
        self._unacknowledged: list[int] = []
        self._chunks = Chunks()

    async def looks(self, broken: str = "") -> None:
        """Open a socket, as a page that goes on from its number."""
        seq = self.began if broken == "forgets" else self.seq
        scope = {
            "type": "websocket",
            "path": f"/ws/t/{self.code}/{self.page}/{self.seat}/",
            "query_string": f"seq={seq}&have=".encode(),
            "headers": [
                (b"host", b"localhost"),
                (b"origin", b"http://localhost"),
                (b"cookie", f"sid={self.sid}".encode()),
            ],
            "subprotocols": [],
        }
        self.socket = ApplicationCommunicator(config.asgi.application, scope)
        await self.socket.send_input({"type": "websocket.connect"})
        opened = await self.socket.receive_output(OPENS_WITHIN)
        assert opened["type"] == "websocket.accept", opened
        self.is_open, self._unacknowledged, self._chunks = True, [], Chunks()

    async def goes(self) -> None:
        if not self.is_open:
            return
        self.is_open = False
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1001})
        with contextlib.suppress(Exception):
            await self.socket.wait(OPENS_WITHIN)

    async def takes(self, broken: str = "") -> None:
        """Take whatever has come, and acknowledge it unless asleep."""
        while self.is_open and not self.socket.output_queue.empty():
            message = await self.socket.receive_output(1)
            if message["type"] == "websocket.close":
                self.is_open = False
                return
            await self._hears(message["text"], broken)

    async def _hears(self, text: str, broken: str) -> None:
        whole = self._chunks.whole(text)
        push = json.loads(whole) if whole else {}
        if "regions" not in push:
            return
        if push["game"] != self.game:
            # The table has turned to another game: that is another page.
            self.game, self.regions = push["game"], {}
        names = sorted(push["regions"])
        if broken == "loses a region" and names and self.regions:
            push["regions"].pop(names[-1])
        self.regions = taken(self.regions, {**push["regions"], **push["common"]})
        self.seq = push["seq"]
        self.told += [one["seq"] for one in push["told"]]
        if self.is_asleep:
            self._unacknowledged.append(push["seq"])
        else:
            await self.says(ack=push["seq"])

    async def wakes(self) -> None:
        """Take what lies there, and acknowledge it now."""
        if not self.is_asleep:
            return
        await self.takes()
        self.is_asleep = False
        for seq in self._unacknowledged:
            await self.says(ack=seq)
        self._unacknowledged = []
        await asyncio.sleep(0)

    async def says(self, **said: Any) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": json.dumps(said)})
