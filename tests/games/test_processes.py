"""Two processes, one table (PostgreSQL and Redis): what one commits, the other's sockets push."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
import redis
import websockets

from tests.games.databases import REDIS, missing, postgres_database

ROOT = Path(__file__).resolve().parent.parent.parent
STARTS_WITHIN = 40


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(environment: dict[str, str], port: int) -> Iterator[str]:
    """Run `manage.py play` in a process of its own until the test is done with it."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", str(port)],
        cwd=ROOT,
        env={**clean, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        until = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                urllib.request.urlopen(f"{address}/offline/", timeout=2).read()
                break
            except OSError:
                assert process.poll() is None, process.stderr.read().decode()[-2000:]
                assert time.monotonic() < until, "the server did not start"
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(10)


class Browser:
    """A phone's cookies, and forms with their token."""

    def __init__(self) -> None:
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, url: str) -> tuple[str, str]:
        with self.opener.open(url, timeout=10) as answer:
            return answer.url, answer.read().decode()

    def post(self, url: str, token: str, **fields: object) -> tuple[str, int]:
        body = urllib.parse.urlencode(fields).encode()
        headers = {"X-CSRFToken": token, "HX-Request": "true"}
        with self.opener.open(urllib.request.Request(url, body, headers), timeout=10) as answer:
            return answer.url, answer.status

    def cookies(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.jar)


def token_in(page: str) -> str:
    return re.search(r'"X-CSRFToken": "(\w+)"', page.replace("&#34;", '"')).group(1)


@pytest.mark.services
def test_news_reaches_the_sockets_of_another_process(tmp_path):
    try:
        redis.from_url(REDIS, socket_connect_timeout=2).ping()
    except redis.RedisError as error:
        missing("Redis", REDIS, error)
    with postgres_database(tmp_path) as environment:
        environment |= {
            "TAPROOM_REDIS": REDIS,
            "TAPROOM_REDIS_PREFIX": f"test-{uuid.uuid4().hex[:8]}",
            "TAPROOM_PROCESSES": "2",
            "TAPROOM_SECRET_KEY": "k" * 60,
        }
        one, two = free_port(), free_port()
        with server(environment, one) as first, server(environment, two) as second:
            asyncio.run(_hears_across(first, second))


async def _hears_across(first: str, second: str) -> None:
    ana = Browser()
    _url, home = await asyncio.to_thread(ana.get, f"{first}/")
    url, _status = await asyncio.to_thread(
        ana.post, f"{first}/start/", token_in(home), host_name="Ana", table_name="The Swan"
    )
    path = urllib.parse.urlparse(url).path
    _url, page = await asyncio.to_thread(ana.get, url)
    for socket_at, tap_at, number in ((second, first, 7), (first, second, 8)):
        address = socket_at.replace("http", "ws") + f"/ws{path}phone/1/"
        headers = {"Cookie": ana.cookies()}
        opening = websockets.connect(address, origin=socket_at, additional_headers=headers)
        async with opening as line:
            first_push = json.loads(await asyncio.wait_for(line.recv(), 10))
            await line.send(json.dumps({"ack": first_push["seq"]}))
            asked = time.monotonic()
            await asyncio.to_thread(
                ana.post, f"{tap_at}{path}act/", token_in(page), action="pick_number",
                seat=1, number=number, tap=f"tap-{number}",
            )  # fmt: skip
            while True:
                push = json.loads(await asyncio.wait_for(line.recv(), 10))
                await line.send(json.dumps({"ack": push.get("seq", 0)}))
                if any(f"number {number}" in t["text"] for t in push.get("told", ())):
                    break
            # Sooner than the readers' own look, which heals a lost wake-up after five seconds.
            assert time.monotonic() - asked < 4
