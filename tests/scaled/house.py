"""The phones' house as two processes on PostgreSQL and Redis, spread behind one door."""

from __future__ import annotations

import subprocess
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg.types.string import TextLoader

from config.addresses import local_addresses
from tests.games.databases import REDIS, missing, postgres_database
from tests.phones.house import House, free_port
from tests.scaled.front import spread_over

PROCESSES = 2


class Row(tuple[Any, ...]):
    """A row that is read by place or by name, as SQLite's are."""

    names: dict[str, int]

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names[key] if isinstance(key, str) else key)


def _rows_with_names(cursor: psycopg.Cursor[Any]) -> Any:
    names = {column.name: place for place, column in enumerate(cursor.description or ())}

    def make(values: Any) -> Row:
        row = Row(values)
        row.names = names
        return row

    return make


class ScaledHouse(House):
    """Several `manage.py serve` behind the deployment's proxy: whoever asks may reach any."""

    def __init__(self, folder: Path, shared: dict[str, str]) -> None:
        self.shared = shared
        super().__init__(folder)

    def starts(self) -> None:
        here = next(iter(local_addresses()), "127.0.0.1")
        self.env |= self.shared | {
            "TAPROOM_PROCESSES": str(PROCESSES),
            "TAPROOM_PROXY": "127.0.0.1",
            "TAPROOM_SECRET_KEY": "k" * 60,
            "TAPROOM_LAN_ORIGIN": f"http://{here}:{self.port}",
        }
        if self._manage("prepare", stdout=self._log, stderr=self._log).wait(300):
            raise RuntimeError(f"The house could not be prepared:\n{self.log()}")
        self.ports = [free_port() for _process in range(PROCESSES)]
        self.processes = [self.serves(port) for port in self.ports]
        self.door = spread_over(self.folder, self.port, self.ports)

    def serves(self, port: int) -> subprocess.Popen[bytes]:
        """Start one process."""
        return self._manage("serve", "--port", str(port), stdout=self._log, stderr=self._log)

    def opens(self, seconds: float = 90) -> ScaledHouse:
        """Wait until every process answers, and then the door."""
        until = time.monotonic() + seconds
        for port in self.ports:
            self.waits_for(port, until)
        super().opens(seconds)
        return self

    def waits_for(self, port: int, until: float) -> None:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/offline/", timeout=5).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise RuntimeError(f"A process did not open:\n{self.log()}") from None
                time.sleep(0.1)

    def closes(self) -> None:
        self.door.close()
        super().closes()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Read the database as it is committed; JSON comes as the text it is."""
        with closing(psycopg.connect(self.shared["TAPROOM_DATABASE"])) as db:
            db.adapters.register_loader("jsonb", TextLoader)
            cursor = db.cursor(row_factory=_rows_with_names)
            return cursor.execute(query.replace("%", "%%").replace("?", "%s"), values).fetchall()


def scaled_house_in(folder: Path) -> Iterator[ScaledHouse]:
    """Open a house on a database and a Redis prefix of its own; both have to be there."""
    with postgres_database(folder, is_migrated=True) as shared:
        yield from _house_on(folder, shared | redis_of_its_own())


def _house_on(folder: Path, shared: dict[str, str]) -> Iterator[ScaledHouse]:
    house = ScaledHouse(folder, shared)
    try:
        yield house.opens()
    finally:
        house.closes()


def redis_of_its_own() -> dict[str, str]:
    """Return the settings of the shared Redis under a new prefix."""
    try:
        redis.from_url(REDIS, socket_connect_timeout=2).ping()
    except redis.RedisError as error:
        missing("Redis", REDIS, error)
    prefix = f"test-{uuid.uuid4().hex[:8]}"
    return {"TAPROOM_REDIS": REDIS, "TAPROOM_REDIS_PREFIX": prefix}
