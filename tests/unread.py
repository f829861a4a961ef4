"""Lines that ask for much and read nothing of it."""

from __future__ import annotations

import asyncio
import socket

LINES = 4
ASKS = b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n"
A_WHILE, PATIENCE = 1.0, 20.0


async def of_lines_that_read_nothing(port: int) -> tuple[bool, bool]:
    """Ask by several lines, and read only then: has the first, and has the last, the whole answer?

    The system takes little for each, so that the house has to keep the rest.
    """
    lines = []
    for _n in range(LINES):
        line = socket.create_connection(("127.0.0.1", port))
        line.setblocking(False)
        await asyncio.get_running_loop().sock_sendall(line, ASKS)
        lines.append(line)
        await asyncio.sleep(A_WHILE / LINES)
    await asyncio.sleep(A_WHILE)
    try:
        return await _is_whole(lines[0]), await _is_whole(lines[-1])
    finally:
        for line in lines:
            line.close()


async def _is_whole(line: socket.socket) -> bool:
    reader, _writer = await asyncio.open_connection(sock=line)
    try:
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            return len(await reader.readexactly(length)) == length
    except (OSError, EOFError):
        return False
