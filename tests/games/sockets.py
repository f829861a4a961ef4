"""Sockets for tests: a person's page as the server's application sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.http import HttpResponse

from config.asgi import application
from games.live import readers, workers
from tests.chunks import Chunks
from tests.games.party import Person, done

# As long as a message takes from task to task of the loop: what threads do is not waited for so.
TURN_SECONDS = 0.01
LONGEST_WAIT = 10
# The seconds between two looks of a reader where a test waits for one.
OFTEN = 0.05


class Line:
    """One open socket. A test that does not ack is a phone that sleeps."""

    def __init__(self, socket: WebsocketCommunicator) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self._chunks = Chunks()

    async def hears(self) -> dict[str, Any]:
        """Take the next message."""
        while not (text := self._chunks.whole(await self._frame())):
            pass
        return json.loads(text)

    async def _frame(self) -> str:
        text = await self.socket.receive_from(timeout=LONGEST_WAIT)
        assert isinstance(text, str)
        self.frames.append(text)
        return text

    async def takes(self) -> dict[str, Any]:
        """Take the next push and acknowledge it."""
        push = await self.hears()
        assert "regions" in push, push
        await self.says(ack=push["seq"])
        return push

    async def pings(self, clock: float) -> dict[str, Any]:
        """Send a heartbeat and return its answer."""
        await self.says(ping=clock)
        while "pong" not in (heard := await self.hears()):
            if "regions" in heard:
                await self.says(ack=heard["seq"])
        return heard

    async def is_answered(self) -> bool:
        """Take what comes until nothing more does; tell whether a tap was answered as done."""
        statuses = []
        while not await self.is_quiet():
            heard = await self.hears()
            if "did" in heard:
                statuses.append(heard["status"])
            elif "regions" in heard:
                await self.says(ack=heard["seq"])
        return statuses == [204]

    async def says(self, **said: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(said))

    async def settles(self) -> list[dict[str, Any]]:
        """Take what comes until nothing more does."""
        pushes = []
        while not await self.is_quiet():
            pushes.append(await self.takes())
        return pushes

    async def is_quiet(self) -> bool:
        """Tell whether nothing has come, once no worker works and no reader reads any more."""
        idle = 0
        while idle < 3:
            await asyncio.sleep(TURN_SECONDS)
            for worker in workers._workers:
                await worker._ask(worker._reads, lambda: None)  # after all that waits by now
            idle = 0 if any(r.is_busy for r in readers._readers.values()) else idle + 1
        return await self.socket.receive_nothing(TURN_SECONDS)

    async def closes(self) -> int:
        """Take what comes until the server closes; return its code."""
        while True:
            output = await self.socket.receive_output(LONGEST_WAIT)
            if output["type"] == "websocket.close":
                return int(output["code"])


def knocks_at(
    who: Person, page: str = "phone", *, seat: int = 0, seq: str = ""
) -> WebsocketCommunicator:
    """Return a socket that is not open yet, with this person's cookie and our own origin."""
    cookie = who.client.cookies.get("sid")
    return WebsocketCommunicator(
        application,
        f"/ws/t/{who.code}/{page}/{seat or who.seat}/" + (f"?seq={seq}" if seq else ""),
        headers=[
            (b"origin", b"http://testserver"),
            (b"host", b"testserver"),
            *([(b"cookie", f"sid={cookie.value}".encode())] if cookie else []),
        ],
    )


@asynccontextmanager
async def looks(who: Person, page: str = "phone", **how: Any) -> AsyncIterator[Line]:
    """Open a page's socket and close it afterwards."""
    socket = knocks_at(who, page, **how)
    opened, code = await socket.connect(timeout=LONGEST_WAIT)
    assert opened, code
    try:
        yield Line(socket)
    finally:
        await socket.disconnect(timeout=LONGEST_WAIT)


async def is_turned_away(who: Person, page: str = "phone", **how: Any) -> bool:
    """Tell whether a socket is told to go (4403) before it is told anything else."""
    socket = knocks_at(who, page, **how)
    opened, _code = await socket.connect(timeout=LONGEST_WAIT)
    first = await socket.receive_output(LONGEST_WAIT) if opened else {}
    await socket.disconnect(timeout=LONGEST_WAIT)
    return (first.get("type"), first.get("code")) == ("websocket.close", 4403)


async def does(who: Person, action: str, /, **fields: Any) -> HttpResponse:
    """Tap beside the sockets, and insist that it was taken."""
    return await sync_to_async(lambda: done(who.does(action, **fields)))()


def told(push: dict[str, Any]) -> str:
    """Return what a push says has happened."""
    return " ".join(one["text"] for one in push["told"])
