"""The bad network does what it says: otherwise no test behind it would prove anything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.chaos.proxy import Proxy, Weather, Wire

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def echo_behind(**how: object) -> AsyncIterator[Proxy]:
    """A server that says back whatever it hears, and a proxy before it."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while chunk := await reader.read(4096):
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with Proxy(server.sockets[0].getsockname()[1], **how) as proxy:
        yield proxy
    server.close()


async def connects(proxy: Proxy) -> Line:
    return await asyncio.open_connection("127.0.0.1", proxy.port)


async def says(line: Line, words: bytes) -> None:
    line[1].write(words)
    await line[1].drain()


async def hears(line: Line, count: int, within: float = 5) -> bytes:
    return await asyncio.wait_for(line[0].readexactly(count), within)


async def is_silent(line: Line, seconds: float = 0.2) -> bool:
    """Tell whether nothing comes, not even the line's end."""
    try:
        await asyncio.wait_for(line[0].read(1), seconds)
    except TimeoutError:
        return True
    except OSError:
        pass
    return False


async def is_broken(line: Line) -> bool:
    try:
        return await asyncio.wait_for(line[0].read(1), 5) == b""
    except OSError:
        return True


async def test_a_perfect_line_changes_nothing():
    async with echo_behind() as proxy:
        line = await connects(proxy)
        words = bytes(range(256)) * 2000
        asyncio.get_running_loop().create_task(says(line, words))
        assert await hears(line, len(words)) == words


async def test_delay_and_jitter_are_added_each_way_and_nothing_overtakes():
    async with echo_behind(weather=Weather(delay=0.1, jitter=0.05)) as proxy:
        line = await connects(proxy)
        began = time.monotonic()
        for n in range(20):
            await says(line, b"%02d" % n)
            await asyncio.sleep(0.002)
        heard = await hears(line, 40)
        assert heard == b"".join(b"%02d" % n for n in range(20))
        assert 0.1 <= time.monotonic() - began < 2


async def test_a_throttled_line_takes_its_time():
    async with echo_behind(weather=Weather(rate=1024)) as proxy:
        line = await connects(proxy)
        began = time.monotonic()
        await says(line, b"x" * 512)
        await hears(line, 512)
        assert time.monotonic() - began >= 0.45


async def test_a_stall_holds_all_that_comes_after_it():
    async with echo_behind(weather=Weather(stalls=1.0, stall=0.2)) as proxy:
        line = await connects(proxy)
        await says(line, b"held")
        assert await is_silent(line, 0.2)
        assert await hears(line, 4) == b"held"


async def test_a_cut_breaks_in_the_middle_of_what_is_sent():
    def script(wire: Wire) -> None:
        wire.cut_down_after = 7

    async with echo_behind(on_connect=script) as proxy:
        line = await connects(proxy)
        await says(line, b"0123456789")
        heard = b""
        try:
            while more := await asyncio.wait_for(line[0].read(1), 5):
                heard += more
        except OSError:
            pass
        assert heard in (b"0123456", b"")  # a reset may take what had arrived with it


async def test_what_is_held_comes_when_it_is_let_go():
    async with echo_behind() as proxy:
        line = await connects(proxy)
        await says(line, b"a")
        await hears(line, 1)
        proxy.hold()
        await says(line, b"b")
        assert await is_silent(line)
        proxy.let_go()
        assert await hears(line, 1) == b"b"


@pytest.mark.parametrize("lost", ["phone", "server"])
async def test_half_open_breaks_one_end_and_tells_nobody_at_the_other(lost: str):
    async with echo_behind() as proxy:
        line = await connects(proxy)
        await says(line, b"a")
        await hears(line, 1)
        wire = proxy.wires[0]
        wire.lose_phone() if lost == "phone" else wire.lose_server()
        if lost == "phone":
            assert await is_broken(line)
            assert not wire.server.transport.is_closing()
        else:
            await says(line, b"b")
            assert await is_silent(line)


async def test_a_network_that_is_down_answers_nobody_and_one_that_refuses_resets():
    async with echo_behind() as proxy:
        proxy.is_down = True
        line = await connects(proxy)
        await says(line, b"a")
        assert await is_silent(line)
        proxy.is_down = False
        assert await hears(line, 1) == b"a"
        proxy.refuses = True
        other = await connects(proxy)
        assert await is_broken(other)
        assert proxy.cut() == 1
        assert await is_broken(line)
