"""`config.uvicorn_requests`: whoever says nothing keeps no line (threat model)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.asyncio.client import connect

from config import bounds, uvicorn_requests
from tests.daphne_app import HELD, much
from tests.unread import of_lines_that_read_nothing
from tests.uvicorn_app import echo, serving

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n"
SOON, LATER = 0.2, 0.8
PATIENCE = 5.0
# As the head of a request after whose answer the line is hung up at once.
LAST = (b"Host", b"Connection: close\r\nHost")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_requests, "HEAD_SECONDS", SOON)
    monkeypatch.setattr(uvicorn_requests, "SILENT_SECONDS", LATER)


async def answers(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Read a request whole and say how long it was, after a while if it asks for that."""
    length, goes_on = 0, True
    while goes_on:
        event = await receive()
        length, goes_on = length + len(event.get("body", b"")), event.get("more_body", False)
    if scope["path"] == "/slowly":
        await asyncio.sleep(LATER + SOON)
    said = str(length).encode()
    headers = [(b"content-length", str(len(said)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": said})


async def _said(house: Any, *parts: bytes, pause: float = 0.0) -> tuple[bytes, float]:
    """Send these and then nothing; return what came back, and how long the line was kept."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    began = time.monotonic()
    for at, part in enumerate(parts):
        await asyncio.sleep(pause if at else 0.0)
        if not reader.at_eof():
            writer.write(part)
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE), time.monotonic() - began
    except TimeoutError:
        return b"", float("inf")
    except ConnectionResetError:
        return b"", time.monotonic() - began
    finally:
        writer.close()


@pytest.mark.parametrize(
    "parts", [(), (GET[:9],), (POST,), (POST, b"half"), (b"\r\n",), (GET, b"\r\n")]
)
async def test_a_line_that_says_nothing_more_is_hung_up(parts: tuple[bytes, ...]):
    async with serving(answers, http=uvicorn_requests.Requests, timeout_keep_alive=1) as house:
        _answer, kept = await _said(house, *parts)
    assert kept < PATIENCE


async def test_without_it_such_a_line_is_kept_for_ever(monkeypatch: pytest.MonkeyPatch):
    """The control: uvicorn's own way with half a request."""
    monkeypatch.setattr("tests.test_uvicorn_requests.PATIENCE", 2 * (SOON + LATER))
    async with serving(answers, http=HttpToolsProtocol, timeout_graceful_shutdown=1) as house:
        _answer, kept = await _said(house, GET[:9])
    assert kept == float("inf")


async def test_a_head_in_drops_has_a_time_limit():
    drops = [GET[at : at + 1] for at in range(len(GET) - 1)]
    async with serving(answers, http=uvicorn_requests.Requests) as house:
        answer, kept = await _said(house, *drops, pause=SOON / 4)
    assert (answer, kept < PATIENCE) == (b"", True)


async def test_a_head_without_end_is_not_kept_in_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uvicorn_requests, "HEAD_SECONDS", 10 * PATIENCE)
    async with serving(answers, http=uvicorn_requests.Requests) as house:
        many = [GET[:-2], *[b"x-more: " + b"y" * 8_000 + b"\r\n"] * 20]
        answer, kept = await _said(house, *many)
    assert (answer, kept < PATIENCE) == (b"", True)


async def test_requests_that_come_ahead_of_their_answers_are_a_few():
    """Three lines that brought many took 700 MB in six seconds: none was kept back."""
    begun = 0

    async def counts(scope: dict[str, Any], receive: Any, send: Any) -> None:
        nonlocal begun
        begun += 1
        await asyncio.sleep(SOON)
        await answers(scope, receive, send)

    async with serving(counts, http=uvicorn_requests.Requests) as house:
        answer, _kept = await _said(house, GET * 3 + GET.replace(*LAST))
        assert (begun, answer.count(b" 200 ")) == (4, 4)
        answer, kept = await _said(house, GET * 1000)
    assert begun == 5
    assert answer.startswith(b"HTTP/1.1 400")
    assert kept < PATIENCE


@pytest.mark.parametrize("more", [1, 1000])
async def test_who_is_answered_first_of_several_is_known_to_be_gone(more: int):
    """uvicorn told the last alone: what was answered to nobody ended in a traceback."""
    is_told = asyncio.Event()

    async def waits(_scope: dict[str, Any], receive: Any, _send: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        is_told.set()

    async with serving(waits, http=uvicorn_requests.Requests) as house:
        _reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(GET + GET * more)
        await asyncio.sleep(SOON)
        writer.transport.abort()
        await asyncio.wait_for(is_told.wait(), PATIENCE)


async def test_what_is_sent_in_crumbs_is_not_read_to_its_end():
    """Each costs as much as a whole part: three such lines made others wait for eight seconds."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    end = b"0\r\n\r\n"
    async with serving(answers, http=uvicorn_requests.Requests) as house:
        answer, _kept = await _said(house, head + b"1\r\na\r\n" * 500 + end)
        assert answer.endswith(b"\r\n\r\n500"), "who sends little may do as they like"
        answer, _kept = await _said(house, head + (b"80\r\n" + b"a" * 128 + b"\r\n") * 1500 + end)
        assert answer.endswith(b"\r\n\r\n192000")
        answer, kept = await _said(house, head, b"1\r\na\r\n" * 1500)
    assert answer.startswith(b"HTTP/1.1 400")
    assert kept < PATIENCE


async def test_a_body_in_drops_has_a_time_limit(monkeypatch: pytest.MonkeyPatch):
    """S1: with a byte a second it held its line for as long as it liked."""
    monkeypatch.setattr(bounds, "BODY_SECONDS", SOON)
    async with serving(answers, http=uvicorn_requests.Requests) as house:
        answer, kept = await _said(house, POST, *[b"a"] * 8, pause=SOON)
    assert (answer, kept < PATIENCE) == (b"", True)


async def test_whoever_goes_on_is_answered_however_slowly():
    async with serving(answers, http=uvicorn_requests.Requests, timeout_keep_alive=3) as house:
        parts = (POST.replace(*LAST), b"four", b"more")
        answer, _kept = await _said(house, *parts, pause=LATER / 2)
        assert answer.endswith(b"\r\n\r\n8")
        answer, _kept = await _said(house, GET.replace(*LAST).replace(b"/ ", b"/slowly ", 1))
        assert answer.endswith(b"\r\n\r\n0"), "the house takes its time, not the phone"
        answer, _kept = await _said(house, GET, GET.replace(*LAST), pause=LATER + 2 * SOON)
        assert answer.count(b"200 OK") == 2, "a line that is kept for the next request"


async def test_a_socket_is_not_hung_up_as_a_request():
    async with serving(echo, http=uvicorn_requests.Requests) as house, connect(house.url) as phone:
        await asyncio.sleep(LATER + SOON)
        await phone.send("still here")
        assert await phone.recv() == "still here"


async def test_a_house_that_closes_breaks_a_line_rather_than_call_a_tap_a_fault_of_ours():
    """A phone takes a 500 for an answer, and drops a tap that may not have been done."""

    async def is_ended(scope: dict[str, Any], receive: Any, send: Any) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # as our pages do
            await asyncio.sleep(2 * PATIENCE)

    async with serving(is_ended, http=uvicorn_requests.Requests, timeout_graceful_shutdown=1) as it:
        asked = asyncio.create_task(_said(it, GET))
        await asyncio.sleep(SOON)
    answer, kept = await asked
    assert (answer, kept < PATIENCE) == (b"", True)


async def test_answers_that_nobody_takes_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch):
    """Forty lines that asked for a campaign's file and read nothing took a gigabyte."""
    monkeypatch.setattr(bounds, "MOST_KEPT", HELD)
    async with serving(much, http=uvicorn_requests.Requests) as house:
        first, last = await of_lines_that_read_nothing(house.port)
    assert (first, last) == (False, True)


async def test_answers_that_are_taken_late_come_whole():
    """The control: as long as there is room for all of them, nobody is hung up."""
    async with serving(much, http=uvicorn_requests.Requests) as house:
        assert await of_lines_that_read_nothing(house.port) == (True, True)
