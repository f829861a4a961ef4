"""What goes wrong inside a server on purpose. Everything here is put on from outside.

`die_before_ack`: it kills itself before it sends its n-th answer, after the commit.
`die_before_wake`: likewise after the n-th commit, before any screen hears of it.
`ack_first`: it answers at once and writes up to so many seconds later (the control of R1).
`no_wakes`: nobody is woken, and nobody looks by themselves (the control of R4).
`no_looks`: nobody looks by themselves, so that a wake-up that is lost stays lost (of R7).
`tells_every`: the seconds after which processes tell each other anew who is connected.
`impatient`: it does not wait for a lock on the database (the control of R8).
`waits`: it waits so many seconds for such a lock, in the place of `LOCK_SECONDS`.
`clock`: a file of eight bytes, the seconds by which this server's clock is wrong (R10).
"""

from __future__ import annotations

import asyncio
import json
import mmap
import os
import random
import signal
import struct
import time
from pathlib import Path
from typing import Any

ACTS = "/act/"


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Kills this process when it has been called so often."""

    def __init__(self, count: int) -> None:
        self.left = count

    def __call__(self, *_about: Any) -> None:
        self.left -= 1
        if self.left <= 0:
            _die()


def put_on(hooks: dict[str, Any]) -> None:
    """Put these on before the server is started."""
    from django.db import connections

    import config.asgi
    from games import wake
    from games.live import neighbours, table_reader
    from games.management import serving

    if "clock" in hooks:
        _wrong_clock(Path(hooks["clock"]))
    if "die_before_ack" in hooks:
        config.asgi.application = BeforeAck(
            config.asgi.application, Countdown(hooks["die_before_ack"])
        )
    if "ack_first" in hooks:
        config.asgi.application = AckFirst(config.asgi.application, hooks["ack_first"])
    if "die_before_wake" in hooks:
        wake.wakers.insert(0, Countdown(hooks["die_before_wake"]))
    if hooks.get("no_looks"):
        table_reader.LOOK_SECONDS = 1e6
    if "tells_every" in hooks:
        neighbours.TELL_SECONDS = hooks["tells_every"]
    if hooks.get("impatient"):
        connections.settings["default"]["OPTIONS"]["timeout"] = 0
    if "waits" in hooks:
        serving.LOCK_SECONDS = hooks["waits"]
    if hooks.get("no_wakes"):
        wake.wakers.clear()
        table_reader.LOOK_SECONDS = 1e6


def _is_ack(message: dict[str, Any]) -> bool:
    text = message.get("text") or ""
    return message.get("status") == 204 or '"did"' in text[:20]


class BeforeAck:
    """Tells of every answer to a tap before it is sent."""

    def __init__(self, inner: Any, tell: Any) -> None:
        self.inner, self.tell = inner, tell

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def told(message: dict[str, Any]) -> None:
            if _is_ack(message):
                self.tell()
            await send(message)

        await self.inner(scope, receive, told)


class AckFirst:
    """Answers a tap before it is written: what a careless server does to be quick."""

    def __init__(self, inner: Any, seconds: float) -> None:
        self.inner, self.seconds = inner, seconds
        self.later: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"].endswith(ACTS):
            await self._post(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.inner(scope, self._early(receive, send), self._unsaid(send))
        else:
            await self.inner(scope, receive, send)

    async def _wait(self) -> None:
        await asyncio.sleep(random.random() * self.seconds)

    async def _post(self, scope: Any, receive: Any, send: Any) -> None:
        first = await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        # The request is over for the server; what is left must not end with it.
        task = asyncio.create_task(self._writes(scope, first))
        self.later.add(task)
        task.add_done_callback(self.later.discard)

    async def _writes(self, scope: Any, first: Any) -> None:
        await self._wait()
        words = [first]

        async def again() -> Any:
            return words.pop(0) if words else await asyncio.sleep(60)

        async def nobody(_message: Any) -> None: ...

        await self.inner(scope, again, nobody)

    def _early(self, receive: Any, send: Any) -> Any:
        async def heard() -> Any:
            message = await receive()
            said = json.loads(message.get("text") or "{}")
            if "do" in said:
                answer = json.dumps({"did": said.get("n"), "status": 204})
                await send({"type": "websocket.send", "text": answer})
                await self._wait()
            return message

        return heard

    def _unsaid(self, send: Any) -> Any:
        async def said(message: dict[str, Any]) -> None:
            if not _is_ack(message):
                await send(message)

        return said


def _wrong_clock(file: Path) -> None:
    """Shift the wall clock of this process; what only counts on (monotonic) stays right."""
    import datetime

    import django.utils.timezone

    with file.open("r+b") as opened:
        kept = mmap.mmap(opened.fileno(), 8)
    real, real_ns, real_datetime = time.time, time.time_ns, datetime.datetime

    def off() -> float:
        return float(struct.unpack("d", kept[:8])[0])

    class Wrong(real_datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real_datetime.now(tz) + datetime.timedelta(seconds=off())

    time.time = lambda: real() + off()
    time.time_ns = lambda: real_ns() + int(off() * 1e9)
    django.utils.timezone.datetime = Wrong  # type: ignore[attr-defined]


def set_clock(file: Path, seconds: float) -> None:
    """Step the clock of the servers that go by this file."""
    with file.open("r+b" if file.exists() else "wb") as opened:
        opened.write(struct.pack("d", seconds))
