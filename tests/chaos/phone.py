"""A phone without a browser: it keeps a socket, an outbox and an account of its own.

It behaves as `static/line.js` and `static/outbox.js` do: acknowledges pushes, pings, answers the
server's clock, comes back by itself after a while, and sends a tap under the same id until it is
answered. What it was promised and told it writes down, for a test to hold against the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import random
import re
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Self
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.chaos.account import Account, Habits, Push, Tap, taken
from tests.chaos.web import Answer, Web
from tests.chunks import Chunks

PING_EVERY = 5.0
BEAT_EVERY = 2.0
LOOK_EVERY = 1.0
DEAD_AFTER = 8.0
AWAKE_WITHIN = 2.0
CSRF = "chaoschaoschaoschaoschaoschaos12"
TURNED_OUT = 4403
# How long a test waits for what must come, on a machine that is busy with others.
PATIENCE = 180.0
# Not done, and not refused: the house, or what stands before it, can't just now.
TROUBLE = (502, 503, 504)


class Phone:
    """One seat's phone at one address, which may be a proxy's."""

    def __init__(
        self,
        port: int,
        table: dict[str, Any],
        seat: int,
        *,
        habits: Habits | None = None,
        luck: random.Random | None = None,
    ) -> None:
        held = table["seats"][seat]
        self.table, self.seat = table["id"], held["number"]
        self.path = f"/t/{table['code']}/"
        self.port = port
        self.habits = habits or Habits()
        self.luck = luck or random.Random(held["sid"])
        self.cookies = {"sid": held["sid"], "csrf": CSRF}
        self.web, self.pages = Web(port, self.cookies), Web(port, self.cookies)
        self.seq, self.epoch, self.game = table["seq"], "", table["rules"]
        self.regions: dict[str, str] = {}
        self.account = Account()
        self.is_out = False
        self.socket: ClientConnection | None = None
        # What it says to have seen though it was not told: the control of R4.
        self.claims = 0
        self._heard_at = self._pinged_at = 0.0
        self._tries = 0
        self._outbox: list[Tap] = []
        self._has_taps = asyncio.Event()
        self._awaited: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = itertools.count(1)
        self._note, self._offset = "", 0.0
        self._best_trip = float("inf")
        self._hurry = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for work in (self._lives, self._pings, self._beats, self._sends):
            self._tasks.append(asyncio.create_task(work()))
        return self

    async def __aexit__(self, *_error: object) -> None:
        await ended(self._tasks)
        if self.socket is not None:
            self.socket.transport.abort()
        self.web.hangs_up()
        self.pages.hangs_up()

    # --- taps ------------------------------------------------------------------------------------

    def taps(self, action: str, **fields: Any) -> Tap:
        """Press a button: it is sent until it is answered. Await its `answer` for the status."""
        tap_id = uuid.UUID(int=self.luck.getrandbits(128)).hex[:24]
        given = {"action": action, "seat": self.seat, "tap": tap_id, **fields}
        tap = Tap(tap_id, given, asyncio.get_running_loop().create_future())
        self._outbox.append(tap)
        self._has_taps.set()
        return tap

    async def does(self, action: str, **fields: Any) -> int:
        return await self.taps(action, **fields).answer

    @property
    def unsent(self) -> int:
        """Return how many taps wait for their answer."""
        return len(self._outbox)

    async def _sends(self) -> None:
        while True:
            if not self._outbox:
                self._has_taps.clear()
                await self._has_taps.wait()
            tap = self._outbox[0]
            try:
                await self._send(tap)
            except OSError:
                wait = self.habits.retry_first if tap.sent == 1 else self.habits.retry
                await asyncio.sleep(wait)
                if self.habits.fresh_ids:
                    tap.fields["tap"] = f"{tap.id}-{tap.sent}"
            else:
                self._outbox.pop(0)

    async def _send(self, tap: Tap) -> None:
        now = time.monotonic()
        tap.first_sent = tap.first_sent or now
        tap.sent += 1
        self.account.sends += 1
        body = urlencode(tap.fields)
        if self.habits.way == "socket" and self.socket is not None:
            answer = await self._says_do(body)
        else:
            answer = await self.web.post(f"{self.path}act/", body, within=self.habits.post_timeout)
        if answer.status in TROUBLE:
            self.account.troubles += 1
            raise OSError(f"trouble: {answer.status}")
        tap.answered_at = time.monotonic()
        self.account.answers[tap.fields["tap"]] = answer.status
        self.account.waits.append(tap.answered_at - now)
        if answer.status >= 400:
            self.account.notices.append(answer.body)
        if not tap.answer.done():
            tap.answer.set_result(answer.status)

    async def _says_do(self, body: str) -> Answer:
        number = next(self._numbers)
        waits = self._awaited[number] = asyncio.get_running_loop().create_future()
        try:
            await self._says(do=body, n=number)
            did = await asyncio.wait_for(waits, self.habits.post_timeout)
        except TimeoutError as error:
            raise OSError("no answer") from error
        finally:
            self._awaited.pop(number, None)
        return Answer(did["status"], did.get("headers", {}), did.get("html", ""))

    # --- the clock -------------------------------------------------------------------------------

    def _now_ms(self) -> float:
        """Return this phone's own clock, which may be wrong."""
        return (time.time() + self.habits.clock) * 1000

    def pressed(self) -> dict[str, Any]:
        """Return what a shout brings along: the instant as the server's clock, and the note."""
        return {"pressed": round(self._now_ms() + self._offset), "note": self._note}

    # --- the socket ------------------------------------------------------------------------------

    async def _lives(self) -> None:
        while self.habits.has_socket and not self.is_out:
            with contextlib.suppress(OSError, EOFError, WebSocketException, TimeoutError):
                await self._one_life()
            if not self.is_out:
                await self._rests()

    async def _rests(self) -> None:
        most = min(self.habits.backoff_most, self.habits.backoff_first * 2**self._tries)
        self._tries += 1
        self._hurry.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), most * self.luck.uniform(0.7, 1.3))

    async def _one_life(self) -> None:
        seq = 0 if self.habits.forgets_seq else max(self.seq, self.claims)
        origin = f"http://127.0.0.1:{self.port}"
        address = f"ws://127.0.0.1:{self.port}/ws{self.path}phone/{self.seat}/?seq={seq}&have="
        async with connect(
            address,
            origin=origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sid={self.cookies['sid']}"},
            compression=None,
            ping_interval=None,
            close_timeout=0.2,
            open_timeout=DEAD_AFTER,
            max_size=None,
            proxy=None,
        ) as socket:
            self.socket = socket
            self._heard_at = time.monotonic()
            self.account.opened += 1
            try:
                if not self.habits.deaf:
                    await self._says(ping=self._now_ms())
                await self._hears(socket)
            finally:
                self.socket = None
                for waits in self._awaited.values():
                    if not waits.done():
                        waits.set_exception(ConnectionResetError("the socket closed"))
                        waits.exception()  # whoever asked may have gone
                self.is_out = socket.close_code == TURNED_OUT
                self.account.closes.append(socket.close_code or 0)

    async def _hears(self, socket: ClientConnection) -> None:
        chunks = Chunks()
        async for frame in socket:
            self._heard_at, self._tries = time.monotonic(), 0
            whole = chunks.whole(frame if isinstance(frame, str) else frame.decode())
            if whole:
                await self._takes(json.loads(whole), len(whole))

    async def _takes(self, message: dict[str, Any], size: int) -> None:
        if "mark" in message:
            await self._says(echo=message["mark"])
        self._note = message.get("note", self._note)
        if "pong" in message:
            self._learns(message)
        elif "did" in message:
            waits = self._awaited.get(message["did"])
            if waits and not waits.done():
                waits.set_result(message)
        elif "regions" in message:
            self._draws(message, size)
            if not self.habits.deaf:
                await self._says(ack=message["seq"])

    def _learns(self, pong: dict[str, Any]) -> None:
        now = self._now_ms()
        trip = now - pong["pong"]
        if trip <= self._best_trip:
            self._best_trip, self._offset = trip, pong["now"] + trip / 2 - now
        if self.epoch and pong["epoch"] and pong["epoch"] != self.epoch:
            self._reloads()

    def _reloads(self) -> None:
        """Begin anew, as a page that is loaded again."""
        self.seq, self.epoch, self.regions = 0, "", {}
        if self.socket is not None:
            self.socket.transport.abort()

    def _draws(self, push: dict[str, Any], size: int) -> None:
        if self.epoch and push["epoch"] != self.epoch:
            return self._reloads()
        told = [one["seq"] for one in push["told"]]
        self.regions = taken(self.regions, push["common"] | push["regions"])
        self.seq, self.epoch, self.game = push["seq"], push["epoch"], push["game"]
        self.account.told += told
        self.account.pushes.append(
            Push(time.monotonic(), push["seq"], told, len(push["regions"]), size)
        )

    async def _says(self, **said: Any) -> None:
        if self.socket is None:
            raise OSError("no socket")
        try:
            await self.socket.send(json.dumps(said))
        except WebSocketException as error:
            raise OSError(str(error)) from error

    async def _pings(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if self.socket is None or self.habits.deaf:
                continue
            now = time.monotonic()
            if now - self._heard_at > DEAD_AFTER:
                self.socket.transport.abort()
                self._hurry.set()
            elif now - self._pinged_at >= PING_EVERY:
                self._pinged_at = now
                await self._tries_to_say(ping=self._now_ms())

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            if not self.habits.deaf:
                await self._tries_to_say(beat=uuid.UUID(int=self.luck.getrandbits(128)).hex)

    async def _tries_to_say(self, **said: Any) -> None:
        with contextlib.suppress(OSError):
            await self._says(**said)

    async def wakes(self) -> None:
        """Come back to the page, or hear from the system that the network is back."""
        self._tries = 0
        self._hurry.set()
        asked, socket = time.monotonic(), self.socket
        await self._tries_to_say(ping=self._now_ms())

        async def looks_again() -> None:
            await asyncio.sleep(AWAKE_WITHIN)
            if socket is not None and socket is self.socket and self._heard_at < asked:
                socket.transport.abort()
                self._hurry.set()

        self._tasks.append(asyncio.create_task(looks_again()))

    # --- what is seen ----------------------------------------------------------------------------

    async def shows(self, seq: int, within: float = 30) -> float:
        """Wait until the screen shows this number or a later one; return how long it took."""
        began = time.monotonic()
        await until(lambda: self.seq >= seq, within)
        return time.monotonic() - began

    async def differs(self) -> list[str]:
        """Name the regions that a page loaded now would show otherwise than this one does."""
        page = (await self.pages.get(self.path)).body
        found = re.search(r'data-have="([^"]*)"', page)
        assert found, page[:500]
        fresh = dict(one.split(":", 1) for one in found.group(1).split())
        return [name for name, mark in fresh.items() if digest(self.regions.get(name, "")) != mark]


async def ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel these until they have ended.

    Once is not enough: a `wait_for` whose result comes in the same turn forgets
    that it was cancelled, and what it waited for may be a socket that ends here.
    """
    going_on = set(tasks)
    while going_on:
        for task in going_on:
            task.cancel()
        done, going_on = await asyncio.wait(going_on, timeout=0.5)
        await asyncio.gather(*done, return_exceptions=True)


def digest(html: str) -> str:
    """Mark a region as the server does; see `games.live.page_says`."""
    return hashlib.sha256(html.encode()).hexdigest()[:12]


async def until(is_so: Callable[[], Any], within: float = 30, every: float = 0.005) -> None:
    """Wait for something. Raises AssertionError when it does not come."""
    last = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < last, "it did not come about"
        await asyncio.sleep(every)


async def until_true(
    ask: Callable[[], Awaitable[bool]], within: float = 30, every: float = 0.1
) -> bool:
    """Ask again and again; tell whether it became so."""
    last = time.monotonic() + within
    while not await ask():
        if time.monotonic() > last:
            return False
        await asyncio.sleep(every)
    return True
