"""A bad network: a TCP proxy that delays, jitters, stalls, throttles, cuts and goes dumb.

It stands between phones and a server on this machine and needs no rights. What it does
to a connection is a `Weather`, which may be changed at any moment, for all or for one.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

READ_BYTES = 4096
# What is under way in one direction before the proxy stops reading, as a router would drop.
UNDER_WAY_BYTES = 64 * 1024
# A throttled line trickles: what leaves at once is this small.
TRICKLE_BYTES = 128


@dataclass
class Weather:
    """What a line does to what passes. Seconds and bytes; zero is a perfect line.

    A chunk is late by `delay` ± `jitter` and never overtakes another. With the
    chance `stalls` it is held for `stall` seconds more, and all behind it.
    `rate` is the bytes a second each way.
    """

    delay: float = 0.0
    jitter: float = 0.0
    stalls: float = 0.0
    stall: float = 0.0
    rate: float = 0.0


class Wire:
    """One connection through the proxy: two streams, each with what is under way."""

    def __init__(self, proxy: Proxy, number: int, weather: Weather) -> None:
        self.proxy, self.number, self.weather = proxy, number, weather
        self.is_held = self.is_half_open = False
        # After so many more bytes towards the phone, or the server, the line breaks.
        self.cut_down_after: int | None = None
        self.cut_up_after: int | None = None
        self.bytes_down = 0
        self.phone: asyncio.StreamWriter | None = None
        self.server: asyncio.StreamWriter | None = None

    def cut(self) -> None:
        """Break both ends at once, with what was under way; a reset, not a goodbye."""
        for end in (self.phone, self.server):
            if end is not None:
                end.transport.abort()

    def lose_phone(self) -> None:
        """Half-open: the phone's end breaks, and the server is not told."""
        self.is_half_open = True
        if self.phone is not None:
            self.phone.transport.abort()

    def lose_server(self) -> None:
        """Half-open the other way: the server's end breaks, and the phone is not told."""
        self.is_half_open = True
        if self.server is not None:
            self.server.transport.abort()


@dataclass
class Proxy:
    """Listens on a port of its own and passes on to the server's.

    While `is_down` a newcomer's connection is taken and answered by nobody;
    while `refuses` it is reset. `on_connect` may script each connection.
    """

    target: int
    weather: Weather = field(default_factory=Weather)
    on_connect: Callable[[Wire], None] | None = None
    luck: random.Random = field(default_factory=lambda: random.Random(1))
    port: int = 0
    is_down: bool = False
    refuses: bool = False
    wires: list[Wire] = field(default_factory=list)
    taken: int = 0

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._listener.close()
        self.is_down = False
        self.let_go()
        self.cut()
        while self.wires:
            self.cut()
            await asyncio.sleep(0.01)

    def cut(self) -> int:
        """Break every connection; return how many there were."""
        wires = list(self.wires)
        for wire in wires:
            wire.cut()
        return len(wires)

    def hold(self) -> None:
        """Let nothing pass; nobody is told, and nothing is lost."""
        for wire in self.wires:
            wire.is_held = True

    def let_go(self) -> None:
        """Let what was held pass, and what comes after it."""
        for wire in self.wires:
            wire.is_held = False

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.taken += 1
        wire = Wire(self, self.taken, self.weather)
        wire.phone = writer
        if self.refuses:
            writer.transport.abort()
            return
        self.wires.append(wire)
        if self.on_connect:
            self.on_connect(wire)
        try:
            while self.is_down:
                await asyncio.sleep(0.02)
                if reader.at_eof() or writer.transport.is_closing():
                    return
            await self._join(wire, reader, writer)
        except OSError:
            pass
        finally:
            wire.cut()
            if wire in self.wires:
                self.wires.remove(wire)

    async def _join(
        self, wire: Wire, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        answers, wire.server = await asyncio.open_connection("127.0.0.1", self.target)
        ways = [
            asyncio.create_task(_pass(wire, reader, wire.server, is_up=True)),
            asyncio.create_task(_pass(wire, answers, writer, is_up=False)),
        ]
        try:
            await asyncio.gather(*ways)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            if wire.is_half_open:
                await _falls_silent(answers if writer.transport.is_closing() else reader)


async def _falls_silent(reader: asyncio.StreamReader) -> None:
    """Take what the end that knows nothing still says, until it gives up."""
    with contextlib.suppress(OSError):
        while await reader.read(READ_BYTES):
            pass


class _UnderWay:
    """What has been read and not yet arrived, in order."""

    def __init__(self) -> None:
        self.chunks: deque[tuple[float, bytes]] = deque()
        self.bytes = 0
        self.is_over = False
        self.changed = asyncio.Event()


async def _pass(
    wire: Wire, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_up: bool
) -> None:
    """Carry one direction until its sender has no more to say."""
    under_way = _UnderWay()
    reading = asyncio.create_task(_read(wire, reader, under_way))
    try:
        await _write(wire, writer, under_way, is_up=is_up)
        # One side has said goodbye; the other hears it too.
        if not wire.is_half_open:
            with contextlib.suppress(OSError):
                writer.write_eof()
    finally:
        reading.cancel()


async def _read(wire: Wire, reader: asyncio.StreamReader, under_way: _UnderWay) -> None:
    clock, luck, last = asyncio.get_running_loop().time, wire.proxy.luck, 0.0
    try:
        while True:
            while under_way.bytes > UNDER_WAY_BYTES:
                await asyncio.sleep(0.01)
            chunk = await reader.read(READ_BYTES)
            if not chunk:
                break
            sky = wire.weather
            due = clock() + sky.delay + (luck.uniform(-1, 1) * sky.jitter if sky.jitter else 0)
            if sky.stalls and luck.random() < sky.stalls:
                due += sky.stall
            last = max(due, last)
            under_way.chunks.append((last, chunk))
            under_way.bytes += len(chunk)
            under_way.changed.set()
    except OSError:
        if not wire.is_half_open:
            wire.cut()
    under_way.is_over = True
    under_way.changed.set()


async def _write(
    wire: Wire, writer: asyncio.StreamWriter, under_way: _UnderWay, *, is_up: bool
) -> None:
    clock = asyncio.get_running_loop().time
    while True:
        if not under_way.chunks:
            if under_way.is_over:
                return
            under_way.changed.clear()
            await under_way.changed.wait()
            continue
        due, chunk = under_way.chunks.popleft()
        while wire.is_held or (wait := due - clock()) > 0:
            await asyncio.sleep(0.02 if wire.is_held else wait)
        await _send(wire, writer, chunk, is_up=is_up)
        under_way.bytes -= len(chunk)


async def _send(wire: Wire, writer: asyncio.StreamWriter, chunk: bytes, *, is_up: bool) -> None:
    left = wire.cut_up_after if is_up else wire.cut_down_after
    if left is not None:
        chunk, breaks = chunk[:left], len(chunk) >= left
        if is_up:
            wire.cut_up_after = left - len(chunk)
        else:
            wire.cut_down_after = left - len(chunk)
    else:
        breaks = False
    rate = wire.weather.rate
    step = TRICKLE_BYTES if rate else max(1, len(chunk))
    for at in range(0, len(chunk), step):
        part = chunk[at : at + step]
        if rate:
            await asyncio.sleep(len(part) / rate)
        writer.write(part)
        await writer.drain()
        if not is_up:
            wire.bytes_down += len(part)
    if breaks:
        # What was written before the cut may arrive, as on a real line.
        await asyncio.sleep(0.005)
        wire.cut()
