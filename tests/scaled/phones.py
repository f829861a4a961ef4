"""Phones of one table at a deployed house: real sockets through the proxy, without a browser.

As `static/line.js` has it, a phone comes back by itself after its line broke, says how far it
had come, acknowledges each push, and sends a tap under one id until it is answered.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

import websockets

from tests.chunks import Chunks
from tests.scaled.deployed import Deployed

# As the page waits: 300 ms at first, doubling to 2 s, each by up to 30 % more or less.
RETRY_SECONDS, LONGEST_RETRY = 0.3, 2.0


class Web:
    """A browser's cookies and forms, over https."""

    def __init__(self, house: Deployed) -> None:
        self.address = house.address
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar),
            urllib.request.HTTPSHandler(context=house.trust()),
        )

    def get(self, path: str) -> tuple[str, str]:
        """Return the path where it ended, and the page."""
        with self.opener.open(self.address + path, timeout=20) as answer:
            return urllib.parse.urlparse(answer.url).path, answer.read().decode()

    def post(self, path: str, token: str, **fields: object) -> tuple[str, int]:
        """Return the path where it ended, and the status, 4xx and 5xx as well."""
        body = urllib.parse.urlencode(fields).encode()
        headers = {"X-CSRFToken": token, "HX-Request": "true", "Origin": self.address}
        request = urllib.request.Request(self.address + path, body, headers)
        try:
            with self.opener.open(request, timeout=20) as answer:
                return urllib.parse.urlparse(answer.url).path, int(answer.status)
        except urllib.error.HTTPError as error:
            return path, error.code

    def cookies(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.jar)


def token_in(page: str) -> str:
    found = re.search(r'"X-CSRFToken": "(\w+)"', page.replace("&#34;", '"'))
    assert found, page[:500]
    return found.group(1)


@dataclass
class Heard:
    """One push: when it came, the log's number that it shows, and what it told."""

    at: float
    seq: int
    told: list[int]


@dataclass(eq=False)
class Phone:
    """One seat's page."""

    web: Web
    path: str
    seat: int
    token: str
    page: str = "phone"
    seq: int = 0
    heard: list[Heard] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)

    async def lives(self, house: Deployed) -> None:
        """Keep a socket open until cancelled."""
        tries = 0
        address = house.address.replace("http", "ws", 1) + f"/ws{self.path}{self.page}/{self.seat}/"
        while True:
            try:
                async with websockets.connect(
                    f"{address}?seq={self.seq}",
                    origin=house.address,
                    additional_headers={"Cookie": self.web.cookies()},
                    ssl=house.trust(),
                    open_timeout=10,
                ) as line:
                    tries = 0
                    await self._listens(line)
            except (OSError, websockets.WebSocketException, TimeoutError):
                pass
            self.ends.append(time.monotonic())
            wait = min(LONGEST_RETRY, RETRY_SECONDS * 2**tries)
            tries += 1
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))

    async def _listens(self, line: Any) -> None:
        chunks = Chunks()
        while True:
            whole = chunks.whole(await line.recv())
            said = json.loads(whole) if whole else {}
            if "regions" not in said:
                continue
            self.heard.append(
                Heard(time.monotonic(), said["seq"], [t["seq"] for t in said["told"]])
            )
            self.seq = said["seq"]
            await line.send(json.dumps({"ack": said["seq"]}))

    def told(self) -> list[int]:
        """Return the number of every event that this phone was told, in the order of telling."""
        return [seq for heard in self.heard for seq in heard.told]

    async def does(self, action: str, *, until: float = 20, **fields: object) -> int:
        """Tap, and send the tap again under its id while nobody answers it. Returns the status."""
        tap, give_up = f"{random.getrandbits(64):x}", time.monotonic() + until
        while True:
            try:
                _path, status = await asyncio.to_thread(
                    self.web.post, f"{self.path}act/", self.token,
                    action=action, seat=self.seat, tap=tap, **fields,
                )  # fmt: skip
                if status < 500:
                    return status
            except OSError:
                pass
            assert time.monotonic() < give_up, f"{action} was never answered"
            await asyncio.sleep(0.3)


def gathers(house: Deployed, *names: str) -> list[Phone]:
    """Open a table, and let everybody in by its link: the first is the host."""
    host = Web(house)
    _path, home = host.get("/")
    path, _status = host.post("/start/", token_in(home), host_name=names[0], table_name="The Swan")
    _path, page = host.get(path)
    phones = [Phone(host, path, 1, token_in(page))]
    for seat, name in enumerate(names[1:], 2):
        web = Web(house)
        _path, door = web.get(f"{path}join/")
        web.post(f"{path}join/", token_in(door), name=name, role="player")
        _path, page = web.get(path)
        phones.append(Phone(web, path, seat, token_in(page)))
    for phone in phones:
        found = re.search(r'data-seq="(\d+)"', phone.web.get(path)[1])
        assert found
        phone.seq = int(found.group(1))
    return phones
