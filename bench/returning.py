"""A house that is back: `python -m bench.returning [--game knave_fight] [--tables 286]`.

Every phone of the house has its socket open when the server is killed. A server starts on the same
data, and all phones come back at once, as theirs do: within two seconds. What is measured is how
long each waits from its first knock to the whole of its first push.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench import load
from bench.processes import LOAD_CORE, Missing, taproom

WITHIN_SECONDS, PATIENCE_SECONDS = 2.0, 120.0
# How a message begins that is whole, or ends one that came in chunks.
WHOLE = ("{", ".")
LOST = (OSError, WebSocketException)


@dataclass(frozen=True)
class Phone:
    """A device's page: where its socket goes, and what it says who it is by."""

    path: str
    cookies: str

    async def comes(self, port: int, wait: float) -> tuple[float, ClientConnection]:
        """Return how many seconds it took until a first push was there, and the open socket."""
        await asyncio.sleep(wait)
        begun = time.monotonic()
        socket = await connect(
            f"ws://127.0.0.1:{port}{self.path}",
            origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookies},
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        )
        while not str(await socket.recv()).startswith(WHOLE):
            pass
        return time.monotonic() - begun, socket


def phones_of(plan: Path) -> Iterator[Phone]:
    """Read a plan's devices."""
    code = ""
    for line in plan.read_text().splitlines():
        match line.split(" "):
            case ["table", at, *_script]:
                code = at
            case ["phone", page, seat, cookies, *_token]:
                path = f"/ws/t/{code}/{page}/{seat}/?seq=0&have="
                yield Phone(path, cookies.replace(";|", "; "))


async def all_come(
    port: int, phones: list[Phone], then: Callable[[], None] | None = None
) -> tuple[list[float], int]:
    """Return the seconds that each waited who got in, and how many did not.

    `then` is done while the sockets of all are still open.
    """
    lot = random.Random(7)
    coming = [
        asyncio.ensure_future(one.comes(port, lot.uniform(0, WITHIN_SECONDS))) for one in phones
    ]
    came, late = await asyncio.wait(coming, timeout=PATIENCE_SECONDS)
    for one in late:
        one.cancel()
    lost = {one for one in came if isinstance(one.exception(), LOST)}
    waited = [one.result()[0] for one in came - lost]
    if then is not None:
        then()
    return waited, len(lost) + len(late)


def measure(game: str, server: str, tables: int = load.MANY) -> dict[str, float]:
    """Return how many phones came back, the seconds they waited, and the server's for each.

    Raises Missing when the tables cannot be made, or nobody comes back.
    """
    before = os.sched_getaffinity(0)
    with load.copied(game, tables, reuse=True) as data:
        phones = list(phones_of(data / "plan"))
        os.sched_setaffinity(0, before & {LOAD_CORE} or before)
        try:
            with taproom(data, server=server) as one:
                kill = partial(os.killpg, one.process.pid, signal.SIGKILL)
                asyncio.run(all_come(one.port, phones, kill))
            with taproom(data, server=server) as again:
                used = again.cpu_seconds()
                waited, lost = asyncio.run(all_come(again.port, phones))
                used = again.cpu_seconds() - used
        finally:
            os.sched_setaffinity(0, before)
    if not waited:
        raise Missing(f"none of {lost} phones came back within {PATIENCE_SECONDS:.0f} s")
    waited.sort()
    return {
        "phones": len(waited),
        "lost": lost,
        "median s": statistics.median(waited),
        "p99 s": waited[int(len(waited) * 0.99) - 1],
        "last s": waited[-1],
        "server ms a phone": used * 1000 / len(waited),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.returning")
    parser.add_argument("--game", default="brave_or_knave")
    parser.add_argument("--server", default="daphne", choices=("daphne", "uvicorn"))
    parser.add_argument("--tables", type=int, default=load.MANY)
    options = parser.parse_args()
    seen = measure(options.game, options.server, options.tables)
    print(", ".join(f"{name} {value:,.2f}" for name, value in seen.items()))
    return 1 if seen["lost"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Missing as missing:
        sys.exit(str(missing))
