"""Sockets on Daphne (`config.daphne_sockets`) hold what RFC 6455 and ASGI promise."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from config.bounds import MOST_UNREAD
from config.pace import MOST_PARTS
from tests.daphne_app import BODY_SECONDS, HEAD_SECONDS, PATIENCE, SILENT
from tests.unread import of_lines_that_read_nothing

LONGEST = 2000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    log: Path = tmp_path_factory.mktemp("daphne") / "log"
    with log.open("w") as out:
        command = [sys.executable, "-m", "tests.daphne_app", str(LONGEST)]
        server = subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=out, text=True
        )
    assert server.stdout
    port = server.stdout.readline().split()[1]
    yield SimpleNamespace(url=f"ws://127.0.0.1:{port}", log=log)
    server.terminate()
    server.wait(10)


async def closed(phone: ClientConnection) -> int | None:
    await asyncio.wait_for(phone.wait_closed(), 10)
    return phone.close_code


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await is_so():
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("message", ["ñ€𝄞" * 100, b"\x00\xff" * 100, "x"])
async def test_what_is_said_by_events_comes_back_whole(house: SimpleNamespace, message: str):
    async with connect(f"{house.url}/echo") as phone:
        await phone.send(message)
        assert await phone.recv() == message
        await phone.send(["one ", "two ", "three"])
        assert await phone.recv() == "one two three"


@pytest.mark.parametrize("length", [1, 125, 126, 65_535, 65_536, 200_000])
async def test_a_text_of_any_length_goes_over_the_line(house: SimpleNamespace, length: int):
    """RFC 6455, section 5.2: a length takes no, two or eight bytes more."""
    async with connect(f"{house.url}/direct", max_size=None) as phone:
        await phone.send(str(length))
        assert await phone.recv() == "x" * length
        await phone.send("ñ")
        assert await phone.recv() == "heard ñ"
        await phone.send(b"\x01")
        assert await phone.recv() == "heard None"


async def test_what_is_said_at_once_arrives_in_order(house: SimpleNamespace):
    async with connect(f"{house.url}/direct", max_size=None, max_queue=1) as phone:
        for length in range(1, 1500):
            await phone.send(str(length))
        assert [len(await phone.recv()) for _ in range(1, 1500)] == list(range(1, 1500))


async def test_a_phone_that_reads_slowly_gets_everything(house: SimpleNamespace):
    async with connect(f"{house.url}/direct", max_size=None, max_queue=1) as phone:
        phone.transport.pause_reading()
        for _n in range(20):
            await phone.send(str(50_000))
        await asyncio.sleep(0.5)
        phone.transport.resume_reading()
        assert [len(await phone.recv()) for _ in range(20)] == [50_000] * 20
        await phone.send("1")
        assert await phone.recv() == "x"


async def test_who_says_much_and_reads_nothing_is_cut_off(house: SimpleNamespace):
    """S1: otherwise every answer would be kept for whoever never takes one."""
    async with (
        connect(f"{house.url}/direct") as other,
        connect(f"{house.url}/direct", ping_interval=None) as phone,
    ):
        phone.transport.pause_reading()
        for _n in range(60):
            try:
                await asyncio.wait_for(phone.send(str(MOST_UNREAD // 10)), 5)
            except (OSError, ConnectionClosed, TimeoutError):
                break
        await until(lambda: holds(other, sockets=1))
        phone.transport.abort()
        await other.send("still here")
        assert await other.recv() == "heard still here"


@pytest.mark.parametrize("head", [b"\x89", b"\x8a", b"\x00"])
async def test_a_flood_of_what_is_no_message_is_hung_up(house: SimpleNamespace, head: bytes):
    """S1: pings, pongs and parts of a message are none, and cost as much time."""
    async with (
        connect(f"{house.url}/direct") as other,
        connect(f"{house.url}/direct", ping_interval=None) as phone,
    ):
        phone.transport.write(b"\x01\x85\0\0\0\0begun")
        for _n in range(int(MOST_PARTS) // 2):
            phone.transport.write(head + b"\x80\0\0\0\0")
        await until(lambda: holds(other, sockets=2))
        for _n in range(int(MOST_PARTS) * 2):
            phone.transport.write(head + b"\x80\0\0\0\0")
        await asyncio.wait_for(phone.wait_closed(), 10)
        await until(lambda: holds(other, sockets=1))


async def holds(phone: ClientConnection, **wanted: int) -> bool:
    await phone.send("facts")
    found = json.loads(await phone.recv())
    return all(found[name] == count for name, count in wanted.items())


async def test_nothing_of_a_handshake_is_kept(house: SimpleNamespace):
    """A sleeping phone under 30 KB: neither its request nor the channel that it came by."""
    async with connect(f"{house.url}/direct") as one, connect(f"{house.url}/direct") as other:
        await until(lambda: holds(one, sockets=2, channels=0))
        await other.send("facts")
        assert json.loads(await other.recv())["fields"] < 85  # from there on a dictionary doubles


@pytest.mark.parametrize("path", ["echo", "direct"])
async def test_the_house_closes_with_any_code_and_so_does_a_fault(
    house: SimpleNamespace, path: str
):
    for word, code in (("close", (4403, 4429)), ("later", (1013,)), ("fail", (1011,))):
        async with connect(f"{house.url}/{path}") as phone:
            await phone.send(word)
            assert await closed(phone) in code
    assert "RuntimeError: as it was told" in house.log.read_text()


@pytest.mark.parametrize(("path", "code"), [("echo", 4001), ("direct", 4002)])
async def test_the_application_hears_that_a_phone_has_closed(
    house: SimpleNamespace, path: str, code: int
):
    async with connect(f"{house.url}/{path}") as phone:
        await phone.close(code)

    async def ended() -> bool:
        return f"ended with {code}" in house.log.read_text()

    await until(ended)


async def test_a_message_that_is_too_long_closes_the_line(house: SimpleNamespace):
    async with connect(f"{house.url}/direct") as phone:
        await phone.send("x" * (LONGEST + 1))
        await closed(phone)


@pytest.mark.parametrize(("path", "status"), [("refuse", 403), ("fail", 500)])
async def test_who_is_refused_gets_no_handshake(house: SimpleNamespace, path: str, status: int):
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"{house.url}/{path}")
    assert refused.value.response.status_code == status


async def test_a_phone_that_has_gone_without_a_word_is_noticed_and_one_that_answers_stays(
    house: SimpleNamespace,
):
    """R4: a dead line is not held for ever; a sleeping phone that answers pings is."""
    async with (
        connect(f"{house.url}/direct", ping_interval=None) as lives,
        connect(f"{house.url}/direct", ping_interval=None) as dead,
    ):
        await until(lambda: holds(lives, sockets=2))
        dead.transport.pause_reading()
        await asyncio.sleep(SILENT + PATIENCE)
        await until(lambda: holds(lives, sockets=1))
        dead.transport.abort()


async def test_a_head_in_drops_has_a_time_limit_and_what_follows_a_whole_one_has_not(
    house: SimpleNamespace,
):
    """R4: who never says what they want keeps no line; the house may take its time to answer."""
    get = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    reader, writer = await asyncio.open_connection(*house.url[5:].split(":"))
    for _time in range(2):  # a line that is kept for the next request
        writer.writelines((get[:9], get[9:]))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    began = asyncio.get_running_loop().time()
    for drop in get[:-1]:
        writer.write(bytes((drop,)))
        await asyncio.sleep(HEAD_SECONDS / 4)
        if reader.at_eof() or reader.exception():
            break
    assert asyncio.get_running_loop().time() - began < 3 * HEAD_SECONDS
    writer.close()


async def test_a_head_is_answered_without_a_body_however_long_it_would_be(house: SimpleNamespace):
    """Threat model: what came after 64 KB was the next answer on that line, perhaps another's."""
    reader, writer = await asyncio.open_connection(*house.url[5:].split(":"))
    for asked in (b"HEAD /much", b"GET /where"):
        writer.write(asked + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    writer.close()


@pytest.mark.parametrize("where", ["//elsewhere.example", "ñ"])
async def test_nobody_says_where_the_house_stands(house: SimpleNamespace, where: str):
    """Threat model: forms and links of all later pages led to where one stranger had said."""
    header = f"Daphne-Root-Path: {where}\r\n".encode()
    reader, writer = await asyncio.open_connection(*house.url[5:].split(":"))
    writer.write(b"GET /where HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n")
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"Content-Length: 0" in answer.title()
    writer.close()
    async with connect(f"{house.url}/where", additional_headers={"Daphne-Root-Path": where}) as one:
        assert await one.recv() == "below /"


async def test_what_is_sent_in_crumbs_is_not_read_to_its_end(house: SimpleNamespace):
    """S1: each costs as much time as a whole part, for which everybody waits."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    reader, writer = await asyncio.open_connection(*house.url[5:].split(":"))
    whole = (b"80\r\n" + b"a" * 128 + b"\r\n") * 1500 + b"0\r\n\r\n"
    for sent in (b"1\r\na\r\n" * 500 + b"0\r\n\r\n", whole):
        writer.write(head + sent)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    writer.write(head + b"1\r\na\r\n" * 1500)
    assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 413")
    writer.close()


async def test_a_body_in_drops_has_a_time_limit(house: SimpleNamespace):
    """S1: with a byte a second it held its line for as long as it liked."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n"
    reader, writer = await asyncio.open_connection(*house.url[5:].split(":"))
    began = asyncio.get_running_loop().time()
    writer.write(head)
    while not (reader.at_eof() or reader.exception()):
        writer.write(b"a")
        await asyncio.sleep(BODY_SECONDS / 10)
        assert asyncio.get_running_loop().time() - began < 10 * BODY_SECONDS
    writer.close()


async def test_answers_that_nobody_takes_are_kept_up_to_a_bound(house: SimpleNamespace):
    """S1: forty lines that asked for a campaign's file and read nothing took a gigabyte."""
    first, last = await of_lines_that_read_nothing(int(house.url.rpartition(":")[2]))
    assert (first, last) == (False, True)
