"""A WebSocket spoken by hand, because a library would not let us speak it wrongly."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from tests.chunks import Chunks

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NO_CODE = 1005
LONGEST_WAIT = 60.0


def frame(
    opcode: int,
    payload: bytes,
    *,
    fin: bool = True,
    reserved: int = 0,
    is_masked: bool = True,
    length: int | None = None,
) -> bytes:
    """Return one frame. `length` is what it says of its length, if that is not the truth."""
    size = len(payload) if length is None else length
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    mask = 0x80 if is_masked else 0
    if size < 126:
        head = struct.pack("!BB", first, mask | size)
    elif size < 65536:
        head = struct.pack("!BBH", first, mask | 126, size)
    else:
        head = struct.pack("!BBQ", first, mask | 127, size)
    if not is_masked:
        return head + payload
    key = os.urandom(4)
    cover = (key * (len(payload) // 4 + 1))[: len(payload)]
    hidden = int.from_bytes(payload) ^ int.from_bytes(cover)
    return head + key + hidden.to_bytes(len(payload))


@dataclass
class Wire:
    """One open line. `messages` is what was heard, `code` how it was closed, if it was."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int
    messages: list[dict[str, Any]] = field(default_factory=list)
    code: int | None = None
    acks: bool = True
    news: asyncio.Event = field(default_factory=asyncio.Event)
    _chunks: Chunks = field(default_factory=Chunks)
    _listener: asyncio.Task[None] | None = None

    @classmethod
    async def opens(
        cls, port: int, path: str, cookie: str = "", *, origin: str | None = None, **headers: str
    ) -> Wire:
        """Ask for a socket; `status` is 101 if it opened. An `origin` of "" sends none."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        host = f"127.0.0.1:{port}"
        asked = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Origin": f"http://{host}" if origin is None else origin,
            "Cookie": f"sid={cookie}" if cookie else "",
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items() if value)
        writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), LONGEST_WAIT)
        wire = cls(reader, writer, int(answer.split()[1]))
        if wire.status == 101:
            wire._listener = asyncio.create_task(wire._listen())
        return wire

    def raw(self, data: bytes) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.write(data)

    def says(self, text: str) -> None:
        self.raw(frame(TEXT, text.encode("utf-8", "surrogatepass")))

    async def heard(self, is_it: Any, within: float = LONGEST_WAIT) -> bool:
        """Wait for a message, or for the end of the line; tell whether the message came."""
        until = asyncio.get_running_loop().time() + within
        while not any(is_it(one) for one in self.messages):
            self.news.clear()
            left = until - asyncio.get_running_loop().time()
            if self.code is not None or left <= 0:
                return False
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), min(left, 1.0))
        return True

    async def closes(self, within: float = LONGEST_WAIT) -> int | None:
        """Wait until the server has closed; return its code."""
        await self.heard(lambda one: False, within)
        return self.code

    def cut(self) -> None:
        if self._listener:
            self._listener.cancel()
        self.writer.transport.abort()

    async def _listen(self) -> None:
        try:
            while self.code is None:
                self._takes(*await self._one_frame())
                self.news.set()
        except (OSError, EOFError, asyncio.IncompleteReadError):
            self.code = self.code or NO_CODE
        finally:
            self.news.set()

    async def _one_frame(self) -> tuple[int, bytes]:
        first, second = await self.reader.readexactly(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(size)

    def _takes(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self.code = struct.unpack("!H", payload[:2])[0] if len(payload) > 1 else NO_CODE
        elif opcode == PING:
            self.raw(frame(PONG, payload))
        elif opcode == TEXT:
            if not (whole := self._chunks.whole(payload.decode())):
                return
            message = json.loads(whole)
            self.messages.append(message)
            if self.acks and "regions" in message:
                self.says(json.dumps({"ack": message["seq"]}))
