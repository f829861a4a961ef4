"""R7: Redis is killed while two processes serve one table. Nothing stops and nothing is missed."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.chaos import cuts
from tests.chaos.house import House, Zygote, free_port
from tests.chaos.phone import PATIENCE, Phone, until
from tests.chaos.play import Picker, at_work, phones_at
from tests.games.databases import postgres_database

OUTAGE = (0.3, 2.0)
# The readers' own look, which heals a lost wake-up, and a moment to draw and send.
HEALS_WITHIN = 5.0
A_BREATH = 0.2
# Who is connected, or slow, is told every 20 seconds besides: a message can be lost in the moment
# in which Redis is back for one process and not yet for the other.
TOLD_WITHIN = 40.0


class Redis:
    """A Redis of our own, to be killed."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"redis://127.0.0.1:{self.port}/0"

    def starts(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise FileNotFoundError("redis-server IS NOT THERE. R7 IS NOT TESTED.")
        self._process = subprocess.Popen(
            [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            stdout=subprocess.DEVNULL,
        )

    def dies(self) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def is_dead(self) -> bool:
        return self._process.poll() is not None


class SharedHouse(House):
    """One of several processes on one PostgreSQL database."""

    def __init__(self, mother: Zygote, address: str) -> None:
        super().__init__(mother, is_file=False)
        self.address = address

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.address) as db:
            return db.execute(query.replace("?", "%s"), values).fetchall()


@contextmanager
def two_processes(redis: Redis) -> Iterator[tuple[SharedHouse, SharedHouse]]:
    """Two servers on a PostgreSQL database and this Redis; they are not open yet."""
    folder = Path(tempfile.mkdtemp(prefix="taproom-chaos-"))
    try:
        with postgres_database(folder, is_migrated=True) as environment:
            mother = Zygote(
                folder,
                folder,
                TAPROOM_DATABASE=environment["TAPROOM_DATABASE"],
                TAPROOM_REDIS=redis.address,
                TAPROOM_REDIS_PREFIX=f"chaos-{uuid.uuid4().hex[:8]}",
                TAPROOM_PROCESSES="2",
            )
            houses = [SharedHouse(mother, environment["TAPROOM_DATABASE"]) for _n in range(2)]
            try:
                yield houses[0], houses[1]
            finally:
                mother.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Pair(NamedTuple):
    """A Redis, and two processes that speak by it; they are not open yet, or no more."""

    redis: Redis
    here: SharedHouse
    there: SharedHouse


@contextmanager
def pair() -> Iterator[Pair]:
    redis = Redis()
    redis.starts()
    try:
        with two_processes(redis) as houses:
            yield Pair(redis, *houses)
    finally:
        redis.dies()


@asynccontextmanager
async def opened(among: Pair, **hooks: Any) -> AsyncIterator[None]:
    """Open both; in the end they are dead and Redis is there, for whoever comes next."""
    redis, *houses = among
    try:
        await asyncio.gather(*(house.opens(**hooks) for house in houses))
        yield
    finally:
        for house in houses:
            if house.pid:
                await house.dies()
        if redis.is_dead:
            redis.starts()


async def redis_dies(among: Pair, *, kills: int, **hooks: Any) -> dict[str, Any]:
    """Kill Redis so often during play; watch what phones at the other process are shown.

    `silence_over` is by how much the longest silence outlasted its outage. With
    `no_looks` among the hooks nobody looks by themselves: the control.
    """
    no_looks = bool(hooks.get("no_looks"))
    luck = random.Random(kills)
    redis, here, there = among
    [table] = here.seed(1, 4)
    table_of_two = {**table, "seats": table["seats"][2:]}
    async with (
        opened(among, **hooks),
        Phone(here.port, table, 0) as host,
        Phone(here.port, table, 1) as near,
        phones_at(there.port, [table_of_two]) as far,
    ):
        await until(lambda: all(p.account.pushes for p in [host, near, *far]), PATIENCE)
        outages = Outages(redis, here, host, far, table["id"], no_looks)
        for _n in range(kills):
            await outages.one(luck.uniform(*OUTAGE))
        phones, within = [host, near, *far], 0 if no_looks else TOLD_WITHIN
        found = await cuts.account_of(here, phones, table, within)
    return {"kills": kills, **outages.found(), **found}


class Outages:
    """What was done and seen while Redis was away."""

    def __init__(
        self, redis: Redis, here: House, host: Phone, far: list[Phone], table: int, no_looks: bool
    ) -> None:
        self.redis, self.here, self.host, self.far = redis, here, host, far
        self.table, self.no_looks = table, no_looks
        self.commits = self.stayed_behind = 0
        self.over: list[float] = []

    async def one(self, seconds: float) -> None:
        before = len(self.host.account.answers)
        self.redis.dies()
        died = time.monotonic()
        async with at_work(Picker(self.host).goes_on(A_BREATH)):
            await asyncio.sleep(seconds)
        await until(lambda: not self.host.unsent, 30)
        self.commits += len(self.host.account.answers) > before
        self.redis.starts()
        head = self.here.head(self.table)
        within = HEALS_WITHIN + 1 if self.no_looks else 30
        try:
            await asyncio.gather(*(p.shows(head, within) for p in self.far))
        except AssertionError:
            self.stayed_behind += 1
        self.over.append(time.monotonic() - died - seconds)
        await asyncio.sleep(0.3)

    def found(self) -> dict[str, Any]:
        return {
            "commits_in_outages": self.commits,
            "stayed_behind": self.stayed_behind,
            "silence_over": round(max(self.over), 2),
        }


def is_met(found: dict[str, Any], slack: float = 1.0) -> bool:
    seen = found["stayed_behind"] == 0 and found["silence_over"] <= HEALS_WITHIN + slack
    goes_on = found["commits_in_outages"] == found["kills"]
    return cuts.is_met({"settled": True, **found}) and seen and goes_on
