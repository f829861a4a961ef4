"""An attack on a real house: many sockets of nonsense, while others play on."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.house import House
from tests.chaos.phone import Phone
from tests.security.nonsense import bad_frame, bytes_frame, message
from tests.security.wire import Wire

HANDS = 6
# Fewer than a socket's tokens, with room for the acknowledgements: what is left asks for a pong.
OF_A_SOCKET = 25
TURNED_OUT = 4403
PAGES = ("phone", "screen", "gm")
# A longer frame closes its socket, before it comes to us.
LONGEST = 65_536
LAST = 4711
# What no browser asks for a socket with.
ODD: tuple[dict[str, str], ...] = (
    {"origin": "http://["},
    {"origin": "http://[::1"},
    {"origin": "http://\u00ff"},
    {"Host": "[::1"},
    {"Host": "\u00ff"},
    {"Sec-WebSocket-Protocol": "\u00ff"},
    {"X-\u00ff": "1"},
    {"Sec-WebSocket-Version": "x"},
    {"Sec-WebSocket-Key": "\u00ff"},
    {"Cookie": "sid=\u00ff; ="},
)
PATIENCE = 60.0
Table = dict[str, Any]


@dataclass
class Found:
    """What came of an attack: how much was sent, and all that should not have happened."""

    sent: int = 0
    sockets: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    served: int = 0
    longest_wait: float = 0.0
    memory: list[float] = field(default_factory=list)

    @property
    def grown_mb(self) -> float:
        """Return by how much the server has grown since the first quarter of the attack."""
        first = self.memory[len(self.memory) // 4]
        return max(self.memory[len(self.memory) // 4 :]) - first


class Attack:
    """So many frames against these tables, by the luck of a seed."""

    def __init__(self, house: House, tables: list[Table], frames: int, seed: int = 1) -> None:
        self.house, self.tables, self.frames = house, tables, frames
        self.luck = random.Random(seed)
        self.found = Found()

    async def runs(self) -> Found:
        """Attack with several hands until all frames are sent."""
        await asyncio.gather(*(self._one_hand(n) for n in range(HANDS)))
        return self.found

    async def _one_hand(self, number: int) -> None:
        luck = random.Random(self.luck.getrandbits(64))
        while self.found.sent < self.frames:
            table = luck.choice(self.tables[number::HANDS] or self.tables)
            try:
                await self._one_socket(luck, table, luck.randrange(len(table["seats"])))
            except (OSError, EOFError, TimeoutError) as error:
                self.found.wrong.append(f"no socket: {type(error).__name__} {error}")
                if not self.house.is_alive:
                    return
            self.found.memory.append(self.house.rss_mb())

    async def _one_socket(self, luck: random.Random, table: Table, place: int) -> None:
        seat = table["seats"][place]
        page = "gm" if place == 0 and luck.random() < 0.5 else luck.choice(PAGES[:2])
        path = f"/ws/t/{table['code']}/{page}/{seat['number']}/{_query(luck)}"
        wire = await Wire.opens(self.house.port, path, seat["sid"])
        try:
            await self._says_nonsense(wire, luck, seat["number"])
        finally:
            wire.cut()
        self.found.sockets += 1

    async def _says_nonsense(self, wire: Wire, luck: random.Random, seat: int) -> None:
        if wire.status != 101:
            self.found.wrong.append(f"the handshake was answered {wire.status}")
            return
        await wire.heard(lambda one: "regions" in one, PATIENCE)
        longest = 0
        for _n in range(OF_A_SOCKET):
            if luck.random() < 0.05:
                wire.raw(bytes_frame(luck))
            else:
                wire.says(text := message(luck, seat))
                longest = max(longest, len(text.encode()))
        self.found.sent += OF_A_SOCKET
        # An action is answered after all that were asked for before it.
        wire.says(json.dumps({"ping": 7.25, "do": "", "n": LAST}))
        lives = await wire.heard(lambda one: one.get("pong") == 7.25, PATIENCE)
        lives = lives and await wire.heard(lambda one: one.get("did") == LAST, PATIENCE)
        self._counts(wire)
        if not lives and wire.code != TURNED_OUT and longest <= LONGEST:
            self.found.wrong.append(f"a socket was closed by nonsense: {wire.code}")
        for _n in range(luck.choice((0, 0, 1, 3))):
            wire.raw(bad_frame(luck))
            self.found.sent += 1
        if luck.random() < 0.1:
            await wire.closes(0.5)

    def _counts(self, wire: Wire) -> None:
        for one in wire.messages:
            if "did" in one:
                self.found.answers[str(one["status"])] += 1
                if one["status"] >= 500:
                    self.found.wrong.append(f"an action was answered {one['status']}")
            else:
                self.found.answers[next(iter(one))] += 1


async def asks_oddly(house: House, table: Table, found: Found) -> None:
    """Ask for sockets in ways that no browser does: each is refused, or opened."""
    path = f"/ws/t/{table['code']}/phone/1/"
    for odd in (*ODD, {}):
        way = path if odd else f"{path}\u00ff"
        wire = await Wire.opens(house.port, way, table["seats"][0]["sid"], **odd)  # type: ignore[arg-type]
        wire.cut()
        if wire.status >= 500:
            found.wrong.append(f"a handshake with {odd or way} was answered {wire.status}")


def _query(luck: random.Random) -> str:
    return luck.choice(
        (
            "",
            "",
            "?seq=0&have=",
            "?seq=" + "9" * 30,
            "?seq=%00",
            "?have=" + "x:" * 500,
            "?seq=-1&&=",
        )
    )


async def plays_on(house: House, table: Table, found: Found, stop: asyncio.Event) -> None:
    """Let two phones at a table of their own play while the others are attacked."""
    async with Phone(house.port, table, 0) as one, Phone(house.port, table, 1) as other:
        with suppress(AssertionError):
            await one.shows(table["seq"], PATIENCE)
        while not stop.is_set():
            began, seq = time.monotonic(), other.seq
            status = await one.does("show_hand", letters="true" if found.served % 2 else "false")
            if status != 204:
                found.wrong.append(f"somebody else's tap was answered {status}")
            try:
                await other.shows(seq + 1, PATIENCE)
            except AssertionError:
                found.wrong.append("somebody else's screen stood still")
            found.served += 1
            found.longest_wait = max(found.longest_wait, time.monotonic() - began)
            await asyncio.sleep(0.2)


async def attacked(house: House, seeded: list[Table], frames: int) -> Found:
    """Attack all tables but the first, at which two play on; return what was found."""
    attack, stop = Attack(house, seeded[1:], frames), asyncio.Event()
    others = asyncio.create_task(plays_on(house, seeded[0], attack.found, stop))
    try:
        await asks_oddly(house, seeded[0], attack.found)
        return await attack.runs()
    finally:
        stop.set()
        try:
            await asyncio.wait_for(others, PATIENCE)
        except TimeoutError:
            attack.found.wrong.append("somebody else's tap was never answered")
        attack.found.wrong += troubles(house.log.read_text(errors="replace"))
        if not house.is_alive:
            attack.found.wrong.append("the server has died")


TROUBLES = ("Traceback", "Internal Server Error", "Exception in", "Unhandled", "Task exception")


def troubles(log: str) -> list[str]:
    """Return the lines of a server's log that tell of a fault of ours, with what follows."""
    lines = log.splitlines()
    return [
        "\n".join(_block(lines, n))
        for n, line in enumerate(lines)
        if any(word in line for word in TROUBLES)
    ]


def _block(lines: list[str], at: int) -> list[str]:
    """Return a line and what belongs to it: a traceback ends with the first line that is flush."""
    end = at + 1
    while end < min(len(lines), at + 80) and lines[end].startswith((" ", "Traceback")):
        end += 1
    return lines[at : end + 1]
