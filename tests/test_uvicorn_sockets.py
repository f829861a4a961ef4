"""`config.uvicorn_sockets` holds what RFC 6455 and ASGI promise, on real lines."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Opcode

from config import pace, uvicorn_sockets
from config.bounds import MOST_UNREAD
from games.live.lines import LINE
from tests.uvicorn_app import LONGEST, echo, serving


async def closed(socket: ClientConnection) -> int:
    await asyncio.wait_for(socket.wait_closed(), 5)
    assert socket.close_code
    return socket.close_code


async def test_texts_and_bytes_come_back_whole_however_they_are_cut():
    async with serving(echo) as house, connect(house.url) as phone:
        for message in ("ñ€𝄞" * 100, b"\x00\xff" * 100, "", b""):
            await phone.send(message)
            assert await phone.recv() == message
        await phone.send(["one ", "two ", "three"])
        assert await phone.recv() == "one two three"
        await phone.send([b"one ", b"two"])
        assert await phone.recv() == b"one two"


async def test_many_messages_at_once_are_all_taken_in_order():
    """More than may wait: the line is paused, and goes on when the application has taken some."""
    async with serving(echo) as house, connect(house.url) as phone:
        count = uvicorn_sockets.MOST_WAITING * 40
        for number in range(count):
            await phone.send(str(number))
        assert [await phone.recv() for _ in range(count)] == [str(n) for n in range(count)]


async def test_a_phone_that_reads_slowly_gets_everything():
    async def pours(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        for number in range(400):
            await send({"type": "websocket.send", "text": f"{number} " + "x" * 50_000})

    async with serving(pours) as house, connect(house.url, max_queue=1, max_size=None) as phone:
        await asyncio.sleep(0.3)
        for number in range(400):
            assert (await phone.recv()).split()[0] == str(number)
        assert await closed(phone) == 1000


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([(True, Opcode.TEXT, b"\xff\xfe")], 1007),
        ([(True, Opcode.TEXT, b"x" * (LONGEST + 1))], 1009),
        ([(False, Opcode.TEXT, b"x" * LONGEST), (True, Opcode.CONT, b"x")], 1009),
        ([(True, Opcode.CONT, b"the rest of nothing")], 1002),
        ([(False, Opcode.PING, b"")], 1002),
    ],
)
async def test_what_is_no_message_closes_the_line_with_its_code(frames: list[Any], code: int):
    async with serving(echo) as house, connect(house.url) as phone:
        for fin, opcode, data in frames:
            await sends(phone, fin, opcode, data)
        assert await closed(phone) == code


async def sends(phone: ClientConnection, fin: bool, opcode: Opcode, data: bytes) -> None:
    """Send a frame that the client itself would not."""
    head = bytes([fin << 7 | opcode])
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    phone.transport.write(head + size + b"\0\0\0\0" + data)


PARTS: dict[str, tuple[bool, Opcode, bytes]] = {
    "a ping": (True, Opcode.PING, b"x" * 100),
    "a pong": (True, Opcode.PONG, b""),
    "a part of a message": (False, Opcode.CONT, b"x"),
    "an empty part": (False, Opcode.CONT, b""),
}


@pytest.mark.parametrize("part", PARTS)
async def test_a_flood_of_what_is_no_message_is_hung_up(part: str, monkeypatch):
    """S1: anybody, on the server's knees: those are no messages, and cost as much time."""
    monkeypatch.setattr(pace, "MOST_PARTS", 60.0)
    async with serving(echo) as house, connect(house.url, ping_interval=None) as phone:
        await sends(phone, False, Opcode.TEXT, b"begun")
        for _n in range(50):
            await sends(phone, *PARTS[part])
        await asyncio.sleep(0.1)
        assert house.server.server_state.connections, "a few of them are nothing"
        for _n in range(300):
            await sends(phone, *PARTS[part])
        await asyncio.wait_for(phone.wait_closed(), 5)
        assert not house.server.server_state.connections


async def test_who_was_told_to_go_and_goes_on_is_hung_up(monkeypatch):
    """S1: a line that is closed here is read until it is closed there, too."""
    monkeypatch.setattr(pace, "MOST_PARTS", 60.0)

    async def sends_away(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line = scope["extensions"][LINE]
        line.hears = lambda text: line.close(4429)
        await receive()

    async with serving(sends_away) as house, connect(house.url, ping_interval=None) as phone:
        phone.transport.pause_reading()  # the farewell is never answered
        for _n in range(300):
            await sends(phone, True, Opcode.TEXT, b"x")
        await asyncio.sleep(0.3)
        assert not house.server.server_state.connections
        phone.transport.abort()


async def test_pings_are_answered_to_whoever_takes_the_answers_and_to_nobody_else(monkeypatch):
    """S1, memory flat: what is not read is kept, and a gigabyte of answers was."""
    monkeypatch.setattr(pace, "MOST_PARTS", 1e9)
    async with serving(echo) as house, connect(house.url, ping_interval=None) as phone:
        assert await asyncio.wait_for(await phone.ping(), 5) >= 0
        phone.transport.pause_reading()
        (line,) = house.server.server_state.connections
        for _n in range(800):
            for _m in range(100):
                await sends(phone, True, Opcode.PING, b"x" * 120)
            await asyncio.sleep(0)
        await asyncio.sleep(0.3)
        assert line.transport.get_write_buffer_size() < 300_000
        phone.transport.resume_reading()
        await phone.send("still here")
        assert await phone.recv() == "still here"


async def test_either_side_may_close():
    async with serving(echo) as house:
        async with connect(house.url) as phone:
            await phone.send("close")
            assert await closed(phone) == 4403
        async with connect(house.url) as phone:
            await phone.send("fail")
            assert await closed(phone) == 1011
        async with connect(house.url) as phone:
            await phone.close(4000)
            assert phone.close_code == 4000
        await asyncio.sleep(0.1)
        assert not house.server.server_state.connections


async def test_the_application_hears_of_a_line_that_breaks():
    ended: list[dict[str, Any]] = []

    async def listens(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        ended.append(await receive())

    async with serving(listens) as house, connect(house.url) as phone:
        phone.transport.abort()
        await asyncio.sleep(0.2)
        assert ended == [{"type": "websocket.disconnect", "code": 1006}]


async def test_who_is_refused_gets_no_handshake_and_the_scope_says_who_asks():
    asked: list[dict[str, Any]] = []

    async def refuses(scope: dict[str, Any], receive: Any, send: Any) -> None:
        asked.append(scope)
        await receive()
        await send({"type": "websocket.close"})

    async with serving(refuses) as house:
        with pytest.raises(InvalidStatus) as refused:
            await connect(house.url, origin="http://elsewhere", additional_headers={"X-A": "ñ"})
    assert refused.value.response.status_code == 403
    (scope,) = asked
    assert (scope["path"], scope["query_string"]) == ("/a b", b"c=d")
    assert (b"origin", b"http://elsewhere") in scope["headers"]
    assert scope["client"][0] == "127.0.0.1"


@pytest.mark.parametrize("header", ["Sec-WebSocket-Version", "Sec-WebSocket-Key"])
async def test_a_handshake_of_foreign_letters_is_malformed_and_no_fault(header: str, caplog):
    """S1: no 500 and no traceback, whatever is sent."""
    asked = {"Host": "a", "Connection": "Upgrade", "Upgrade": "websocket"}
    asked |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    asked[header] += "\xff"
    lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
    async with serving(echo) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(f"GET / HTTP/1.1\r\n{lines}\r\n".encode("latin1"))
        answer = await asyncio.wait_for(reader.read(100), 5)
        writer.close()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert not [one for one in caplog.records if one.exc_info]


@pytest.mark.parametrize("answer", ["websocket.accept", "websocket.close"])
async def test_who_speaks_before_the_handshake_is_answered_is_refused(answer: str, caplog):
    """S1: it left a traceback. A page elsewhere, which is refused, need not wait for that."""
    asked: list[dict[str, Any]] = []

    async def decides_late(scope: dict[str, Any], receive: Any, send: Any) -> None:
        asked.append(scope)
        await receive()
        await receive()
        await send({"type": answer})

    lines = "Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    lines += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    async with serving(decides_late) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(f"GET / HTTP/1.1\r\n{lines}\r\n".encode())
        while not asked:
            await asyncio.sleep(0.01)
        writer.write(f"GET /again HTTP/1.1\r\n{lines}\r\n".encode())
        said = await asyncio.wait_for(reader.read(), 5)
        writer.close()
    assert said.startswith(b"HTTP/1.1 400 ")
    assert len(asked) == 1
    assert not [one for one in caplog.records if one.exc_info]


async def test_an_application_that_fails_before_it_decides_is_a_500():
    async def fails(scope: dict[str, Any], receive: Any, send: Any) -> None:
        raise RuntimeError("as it was told")

    async with serving(fails) as house:
        with pytest.raises(InvalidStatus) as refused:
            await connect(house.url)
    assert refused.value.response.status_code == 500


async def test_a_phone_that_has_gone_without_a_word_is_noticed_and_one_that_answers_stays(
    monkeypatch,
):
    """R4: a dead line is not held for ever; a sleeping phone that answers pings is."""
    monkeypatch.setattr(uvicorn_sockets, "SWEEP_SECONDS", 0.05)
    async with (
        serving(echo, ws_ping_interval=0.2, ws_ping_timeout=0.3) as house,
        connect(house.url, ping_interval=None) as lives,
        connect(house.url, ping_interval=None) as dead,
    ):
        dead.transport.pause_reading()
        await asyncio.sleep(1.5)
        assert len(house.server.server_state.connections) == 1
        dead.transport.abort()
        await lives.send("still here")
        assert await lives.recv() == "still here"


async def test_a_house_that_closes_says_so():
    async with serving(echo) as house, connect(house.url) as phone:
        house.server.should_exit = True
        assert await closed(phone) == 1012


async def test_the_short_way_says_and_hears_without_events():
    """What the consumer uses: `taproom.line` in the scope's extensions."""
    heard: list[str | None] = []

    async def direct(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line = scope["extensions"][LINE]
        line.hears = heard.append
        line.say(b"short")
        line.say(b"long " + b"x" * 5000)
        assert (await receive())["type"] == "websocket.disconnect"
        line.say(b"too late")  # nobody is there: nothing happens

    async with serving(direct) as house, connect(house.url) as phone:
        assert await phone.recv() == "short"
        assert await phone.recv() == "long " + "x" * 5000
        await phone.send("ñ")
        await phone.send(b"\x01")
        await asyncio.sleep(0.1)
    assert heard == ["ñ", None]


async def test_who_says_much_and_reads_nothing_is_cut_off():
    """S1: otherwise every answer would be kept for whoever never takes one."""
    size = MOST_UNREAD // 10

    async def answers(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line = scope["extensions"][LINE]
        line.hears = lambda text: line.say(b"x" * size)
        await receive()

    async with serving(answers) as house, connect(house.url, ping_interval=None) as phone:
        phone.transport.pause_reading()
        for _n in range(200):
            with contextlib.suppress(ConnectionError, ConnectionClosed):
                await phone.send("more")
            await asyncio.sleep(0)
        await asyncio.sleep(0.5)
        assert not house.server.server_state.connections
        phone.transport.abort()
