"""The load generator notices what a server gets wrong: else its good figures would say nothing."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bench.processes import Load, Missing, built

SEATS = 3
EVENTS = 2


class House:
    """A table of three phones that pushes to all whatever is done, unless told to go wrong."""

    def __init__(
        self,
        *,
        deaf: int = 0,
        refuses: int = 0,
        closes: int = 0,
        long: bool = False,
        names: int = 0,
    ):
        self.deaf, self.refuses, self.closes, self.long = deaf, refuses, closes, long
        self.names = names
        self.seq, self.done, self.acks = 40, 0, 0
        self.phones: list[ServerConnection] = []
        self.said: list[dict[str, Any]] = []

    async def sit(self, phone: ServerConnection) -> None:
        self.phones.append(phone)
        await self._push(phone)
        try:
            async for text in phone:
                await self._hear(phone, json.loads(text))
        except ConnectionClosed:
            pass

    async def _push(self, phone: ServerConnection) -> None:
        push = {"epoch": "e", "seq": self.seq, "regions": {"a": "b"}, "told": []}
        if self.names:
            await self._push_a_name(phone, push)
            return
        text = json.dumps(push).replace(" ", "")
        if not self.long:
            await phone.send(text)
            return
        for piece in ("+" + text[:40], "+" + text[40:50], "." + text[50:]):
            await phone.send(piece)

    async def _push_a_name(self, phone: ServerConnection, push: dict[str, Any]) -> None:
        """Push a row's number: whole to the first phone, cut off by a piece's end to others."""
        shown = f'<input name="sequence" value="{self.names}">'
        whole = json.dumps(push | {"regions": {"a": "9" * 3_000 + shown}}, separators=(",", ":"))
        if phone is self.phones[0]:
            await phone.send(whole)
            return
        cuts = (0, whole.index("<input") - 100, whole.index(str(self.names)) + len(str(self.names)))
        for sign, start, end in zip("++.", cuts, (*cuts[1:], None), strict=True):
            await phone.send(sign + whole[start:end])
            await asyncio.sleep(0.01)  # each is read by itself: its buffer holds the nines

    async def _hear(self, phone: ServerConnection, said: dict[str, Any]) -> None:
        self.said.append(said)
        if "ack" in said:
            assert said["ack"] <= self.seq
            self.acks += 1
            return
        self.done += 1
        if self.done == self.closes:
            await self.phones[0].close(4429)
            return
        status = 409 if self.done == self.refuses else 204
        await phone.send(json.dumps({"did": said["n"], "status": status}).replace(" ", ""))
        if status != 204:
            return
        self.seq += EVENTS
        for place, one in enumerate(self.phones):
            if not (self.done == self.deaf and place == 2):
                await self._push(one)


@contextmanager
def open_house(house: House) -> Iterator[int]:
    """Serve in a thread of its own; yield the port."""
    loop, ready, ports = asyncio.new_event_loop(), threading.Event(), list[int]()
    end: list[asyncio.Event] = []

    async def run() -> None:
        end.append(asyncio.Event())
        async with serve(house.sit, "127.0.0.1", 0) as server:
            ports.append(next(iter(server.sockets)).getsockname()[1])
            ready.set()
            await end[0].wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    ready.wait(20)
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(end[0].set)
        thread.join(20)
        loop.close()


@pytest.fixture(scope="module", autouse=True)
def generator() -> None:
    try:
        built()
    except Missing as missing:
        if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
            pytest.fail(str(missing))
        warnings.warn(f"THE LOAD GENERATOR WAS NOT TESTED: {missing}", stacklevel=1)
        pytest.skip(str(missing))


def played(
    house: House, folder: Path, *, own: int = EVENTS, actions: int = 20, field: str = ""
) -> dict[str, Any]:
    """Let the generator play a cycle of two taps over and over; return what it saw."""
    taps = [f"action=roll&seat={who}{field}" for who in (0, 1)]
    steps = [f"step {n} {own} {(n + 1) * own} -1 0 {tap}" for n, tap in enumerate(taps)]
    phones = [f"phone phone {seat} sid=s;|csrf=c token" for seat in range(SEATS)]
    plan = folder / "plan"
    plan.write_text("\n".join(["script all", *steps, "table ABC all", *phones]) + "\n")
    options = ("-f", str(plan), "-w", "-l", "1", "-g", "2")
    with open_house(house) as port, Load(port, *options) as load:
        load.order("connect 1")
        return load.order(f"load light 1 5 0 {actions}")


def test_a_server_that_keeps_its_word_loses_nothing(tmp_path: Path):
    """The control of all that follow: every push is heard, acknowledged and counted."""
    house = House()
    seen = played(house, tmp_path)
    assert (seen["done"], seen["lost"], seen["broken"], seen["refused"]) == (20, 0, 0, 0)
    assert 0 < seen["p50"] <= seen["p99"] <= seen["max"]
    assert house.done == 20
    assert house.acks >= 20 * SEATS
    assert seen["pages"]["phone"]["frames"] >= 20 * SEATS


def test_every_tap_has_an_id_of_its_own(tmp_path: Path):
    house = House()
    played(house, tmp_path)
    forms = [said["do"] for said in house.said if "do" in said]
    assert len(set(forms)) == len(forms) == 20


def test_a_push_in_pieces_is_one_push(tmp_path: Path):
    house = House(long=True)
    seen = played(house, tmp_path)
    assert (seen["done"], seen["lost"]) == (20, 0)
    assert house.acks >= 20 * SEATS


def test_a_number_cut_off_by_the_end_of_a_piece_is_not_read_on(tmp_path: Path):
    """A tap names a row by the number that a page shows, and by no digit that stands behind it.

    What lay in the buffer before was read as further digits, so that a tap of In a Wicked Age named
    dice that no table has, and the table counted as broken.
    """
    house = House(names=123)
    seen = played(house, tmp_path, field="&sequence={sequence}")
    assert (seen["done"], seen["lost"]) == (20, 0)
    named = {part for said in house.said if "do" in said for part in said["do"].split("&")}
    assert {part for part in named if part.startswith("sequence=")} == {"sequence=123"}


def test_a_push_that_one_phone_never_gets_is_a_lost_action(tmp_path: Path):
    seen = played(House(deaf=7), tmp_path)
    assert seen["done"] == 6
    assert seen["lost"] == seen["broken"] == 1
    assert seen["p99"] == -1, "a lost action took for ever"


def test_a_refused_tap_is_noticed(tmp_path: Path):
    seen = played(House(refuses=5), tmp_path)
    assert (seen["done"], seen["refused"], seen["broken"]) == (4, 1, 1)
    assert "409" in seen["reason"]


def test_a_closed_socket_is_noticed(tmp_path: Path):
    seen = played(House(closes=5), tmp_path)
    assert seen["broken"] == 1
    assert "4429" in seen["reason"]


def test_a_table_that_goes_another_way_is_noticed(tmp_path: Path):
    """Where a tap writes fewer events than it was seen to write, the push never counts."""
    seen = played(House(), tmp_path, own=EVENTS + 1)
    assert seen["done"] == 0
    assert seen["lost"] == 1
