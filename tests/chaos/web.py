"""HTTP as a phone speaks it: one connection kept open, broken and opened again as it comes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass
class Answer:
    """What came back, once all of it came."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""


class Web:
    """One connection to the house. Every failure is an OSError, and nothing is tried again."""

    def __init__(self, port: int, cookies: dict[str, str]) -> None:
        self.port, self.cookies = port, cookies
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, *, within: float = 30) -> Answer:
        return await self._asks("GET", path, b"", {}, within)

    async def post(self, path: str, body: str, *, within: float) -> Answer:
        """Send a form with its token, as htmx does."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": self.cookies["csrf"],
            "HX-Request": "true",
        }
        return await self._asks("POST", path, body.encode(), headers, within)

    async def _asks(
        self, verb: str, path: str, body: bytes, headers: dict[str, str], within: float
    ) -> Answer:
        try:
            return await asyncio.wait_for(self._talk(verb, path, body, headers), within)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.hangs_up()
            raise OSError(f"{type(error).__name__}: {error}") from error
        except asyncio.CancelledError:
            self.hangs_up()
            raise

    async def _talk(self, verb: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        if self._line is None or self._line[1].is_closing() or self._line[0].at_eof():
            self._line = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._line
        lines = {
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Length": str(len(body)),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"{verb} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await writer.drain()
        return await self._reads(reader)

    async def _reads(self, reader: asyncio.StreamReader) -> Answer:
        first = await reader.readuntil(b"\r\n")
        headers = {}
        while (line := await reader.readuntil(b"\r\n")) != b"\r\n":
            name, _colon, value = line.decode("latin1").partition(":")
            headers[name.lower()] = value.strip()
        status = int(first.split()[1])
        if status in (204, 304):
            body = b""
        elif headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
                body += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readexactly(2)
        else:
            body = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection", "").lower() == "close":
            self.hangs_up()
        return Answer(status, headers, body.decode())

    def hangs_up(self) -> None:
        if self._line is not None:
            self._line[1].transport.abort()
            self._line = None
