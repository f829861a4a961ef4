"""A real server that can be killed and started again in a moment, in a folder of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.phones.house import free_port

ROOT = Path(__file__).resolve().parents[2]
# Sessions are made by one process and read by another.
SECRET_KEY = "chaos" * 12
DATABASE = "taproom.sqlite3"


class Zygote:
    """The process that forks servers; see `tests.chaos.zygote`."""

    def __init__(self, folder: Path, template: Path | None = None, **environment: str) -> None:
        self.folder = folder
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
        kept = {k: v for k, v in os.environ.items() if k == "TAPROOM_SERVER"}
        env = {
            **clean,
            **kept,
            "DJANGO_SETTINGS_MODULE": "tests.chaos.settings",
            "TAPROOM_DATA": str(folder),
            "TAPROOM_SECRET_KEY": SECRET_KEY,
            **environment,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.zygote"],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._answer() == {"ready": True}
        self._template = template

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the zygote has died"
        return dict(json.loads(line))

    def asks(self, **wish: Any) -> dict[str, Any]:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(wish).encode() + b"\n")
        self._process.stdin.flush()
        return self._answer()

    def job(self, name: str, *, log: Path, database: Path | None = None, **how: Any) -> Any:
        """Run a function of `tests.chaos.jobs` and return what it found."""
        told = self.asks(
            job=name, how=how, log=str(log), database=str(database) if database else ""
        )
        if "error" in told:
            raise RuntimeError(told["error"])
        return told["found"]

    @property
    def template(self) -> Path:
        """Return an empty database with all that a migration brings; made once."""
        if self._template is None:
            path = self.folder / "template.sqlite3"
            self.job("migrate", log=self.folder / "migrate.log", database=path)
            self._template = path
        return self._template

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()


@contextmanager
def zygote(**environment: str) -> Iterator[Zygote]:
    """Import everything once, for as many houses as are wanted."""
    folder = Path(tempfile.mkdtemp(prefix="taproom-chaos-"))
    one = Zygote(folder, **environment)
    try:
        yield one
    finally:
        one.close()
        shutil.rmtree(folder, ignore_errors=True)


class House:
    """One server with a database of its own; `hooks` are those of `tests.chaos.hooks`."""

    starts_within = 60.0

    def __init__(self, mother: Zygote, folder: Path | None = None, *, is_file: bool = True) -> None:
        self.mother = mother
        self.folder = folder or Path(tempfile.mkdtemp(dir=mother.folder))
        self.folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.pid = 0
        self.log = self.folder / "server.log"
        self.database = self.folder / DATABASE if is_file else None
        if self.database and not self.database.exists():
            shutil.copy(mother.template, self.database)

    def job(self, name: str, **how: Any) -> Any:
        return self.mother.job(name, log=self.log, database=self.database, **how)

    def seed(self, tables: int, seats: int, rules: str = "brave_or_knave", **how: Any) -> Any:
        return self.job("seed", tables=tables, seats=seats, rules=rules, **how)

    async def opens(self, **hooks: Any) -> House:
        """Start it, and wait until it answers.

        One that is to die by its own hand may be dead before: phones knock as well.
        """
        self.start(**hooks)
        until = time.monotonic() + self.starts_within
        may_die = any(hook.startswith("die_") for hook in hooks)
        while True:
            try:
                await self._asks_for_a_page()
            except OSError:
                if not self.is_alive:
                    assert may_die, self.log.read_text()[-3000:]
                    return self
                assert time.monotonic() < until, "the server did not open"
                await asyncio.sleep(0.02)
            else:
                return self

    async def _asks_for_a_page(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"GET /offline/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(64), 10)
            if b" 200 " not in answer:
                raise OSError(answer)
        finally:
            writer.close()

    def start(self, **hooks: Any) -> None:
        told = self.mother.asks(
            serve=self.port,
            hooks=hooks,
            log=str(self.log),
            database=str(self.database) if self.database else "",
        )
        self.pid = told["pid"]

    @property
    def is_alive(self) -> bool:
        """Tell whether the server's process is there; a killed one is gone at once."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    async def dies(self) -> None:
        """kill -9, and wait until nothing is left of it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        await self.is_dead()

    async def is_dead(self, within: float = 30) -> None:
        """Wait for a server that kills itself."""
        until = time.monotonic() + within
        while self.is_alive:
            assert time.monotonic() < until, "it lives on"
            await asyncio.sleep(0.005)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read the database as it is on disk."""
        assert self.database
        with closing(sqlite3.connect(self.database, timeout=20)) as db:
            return db.execute(query, values).fetchall()

    def taps(self) -> dict[tuple[int, str], int]:
        """Return how often each tap happened, by table and the tap's name with its seat."""
        found: dict[tuple[int, str], int] = {}
        for table, tap in self.rows("SELECT table_id, tap FROM games_play"):
            found[table, tap] = found.get((table, tap), 0) + 1
        return found

    def head(self, table: int) -> int:
        """Return the number of the newest event of a table."""
        [(head,)] = self.rows("SELECT seq FROM games_table WHERE id = ?", table)
        return int(head)

    def public_events(self, table: int, after: int = 0) -> list[int]:
        """Return the numbers of the events that everybody may know."""
        return [
            seq
            for (seq,) in self.rows(
                "SELECT seq FROM games_event WHERE table_id = ? AND to_id IS NULL AND seq > ? "
                "ORDER BY seq",
                table,
                after,
            )
        ]

    def rss_mb(self) -> float:
        """Return the memory that the server's process holds."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise AssertionError("no such process")


@contextmanager
def house_of(mother: Zygote, **how: Any) -> Iterator[House]:
    """A house that is closed in the end, whatever happened."""
    house = House(mother, **how)
    try:
        yield house
    finally:
        if house.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(house.pid, signal.SIGKILL)
