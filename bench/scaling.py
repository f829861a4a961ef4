"""What an action and a sleeping phone cost on PostgreSQL and Redis: `python -m bench.scaling`.

One process, then two behind the deployment's proxy, with a table's phones at one process or spread
over both. Counts processor time of each part while every table taps all the time (it depends less
than seconds do on what else the machine does), database writes, bytes of write-ahead log and Redis'
commands for an action, and the same for a phone that sleeps. `docs/scaling.md` quotes what this
writes to `bench/scaling.json`.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from bench.processes import (
    ENDLESS,
    GAMES,
    ROOT,
    SEATS,
    WORK,
    Load,
    Missing,
    free_port,
    memory_mb,
    python,
)
from bench.ratios import commit
from bench.scaling_stack import (
    PREPARED,
    cpu_seconds,
    database,
    needed,
    postgres,
    stack,
    started,
)

RESULTS = ROOT / "bench" / "scaling.json"
# How many processes, and how a table's phones are spread over them (see `stack`).
SHAPES: dict[str, tuple[int, str | None]] = {
    "one process": (1, None),
    "one behind the proxy": (1, ""),
    "two, a table at one": (2, ""),
    "two, a table at both": (2, "round_robin"),
}
# The statistics of PostgreSQL are handed in about once a second.
TOLD_SECONDS = 1.5
# One for the tables and for those who serve them: cookies are signed with it.
KEY = {"TAPROOM_SECRET_KEY": "k" * 60}


@dataclass
class Sizes:
    """Tables, actions that are counted after as many that warm up, and seconds of idling."""

    tables: int = 50
    actions: int = 1500
    closed: float = 8
    idle: float = 30
    patience: int = 400


QUICK = Sizes(tables=10, actions=150, closed=2, idle=6)


@dataclass
class House:
    """Everything whose work is counted."""

    database: str
    redis: redis.Redis
    parts: dict[str, list[int]]

    def counts(self) -> dict[str, float]:
        """Return what has been used and written so far, by name."""
        found = {
            f"{name} cpu_ms": 1000 * sum(map(cpu_seconds, pids))
            for name, pids in self.parts.items()
        }
        told: Any = self.redis.info("commandstats")
        found |= {
            f"redis {command.removeprefix('cmdstat_')}": stats["calls"]
            for command, stats in told.items()
            if command.split("|")[0] in ("cmdstat_publish", "cmdstat_subscribe")
        }
        found["redis bytes out"] = self.redis.info("stats")["total_net_output_bytes"]
        with psycopg.connect(self.database, autocommit=True) as db:
            row = db.execute(
                "SELECT xact_commit, tup_inserted, tup_updated, tup_deleted,"
                " pg_database_size(current_database()) FROM pg_stat_database"
                " WHERE datname = current_database()"
            ).fetchone()
            wal = db.execute("SELECT wal_bytes, wal_sync FROM pg_stat_wal").fetchone()
            calls = db.execute(
                "SELECT coalesce(sum(calls), 0), coalesce(sum(calls) FILTER (WHERE query ~* "
                "'^(insert|update|delete)'), 0) FROM pg_stat_statements s JOIN pg_database d"
                " ON d.oid = s.dbid WHERE d.datname = current_database()"
            ).fetchone()
        assert row
        assert wal
        assert calls
        names = ("commits", "rows inserted", "rows updated", "rows deleted", "database bytes")
        found |= dict(zip(names, map(float, row), strict=True))
        found |= {"log bytes": float(wal[0]), "log syncs": float(wal[1])}
        return found | {"statements": float(calls[0]), "writing statements": float(calls[1])}


def between(before: dict[str, float], after: dict[str, float], by: float) -> dict[str, float]:
    """Return what was used between two countings, for each of so many things."""
    return {
        name: round((count - before.get(name, 0)) / by, 3)
        for name, count in after.items()
        if count - before.get(name, 0)
    }


def ordered(load: Load, order: str) -> dict[str, Any]:
    """Give an order. Raises Missing, and says why, when a table did not go as it was planned."""
    seen = load.order(order)
    if seen["broken"]:
        raise Missing(f"{seen['broken']} tables broke: {seen['reason']}")
    return seen


def actions(house: House, load: Load, sizes: Sizes) -> dict[str, Any]:
    """Count what an action costs, and how many a closed loop gets through in a second."""
    load.order(f"connect {sizes.tables}")
    ordered(load, f"load closed {sizes.tables} {sizes.patience} 0 {sizes.tables * 2}")
    time.sleep(TOLD_SECONDS)
    before = house.counts()
    seen = ordered(load, f"load closed {sizes.tables} {sizes.patience} 0 {sizes.actions}")
    time.sleep(TOLD_SECONDS)
    each = between(before, house.counts(), max(1, seen["done"]))
    busy = ordered(load, f"load closed {sizes.tables} {sizes.closed} 0 {ENDLESS}")
    return {
        "an action": each,
        "actions": seen["done"],
        "closed loop": {k: busy[k] for k in ("per_s", "p50", "p99", "client_cpu", "lost")},
        "a push": {page: told["wire"] for page, told in seen["pages"].items()},
    }


def sleeping(house: House, load: Load, sizes: Sizes) -> dict[str, Any]:
    """Count what a phone costs that only keeps its socket open, for a second and in memory."""
    pids = house.parts["processes"]
    load.order("connect 1")
    time.sleep(TOLD_SECONDS)
    bare = sum(map(memory_mb, pids))
    load.order(f"connect {sizes.tables}")
    load.order("idle 3")
    phones = (sizes.tables - 1) * SEATS
    memory = (sum(map(memory_mb, pids)) - bare) * 1000 / phones
    time.sleep(TOLD_SECONDS)
    before = house.counts()
    load.order(f"idle {sizes.idle}")
    time.sleep(TOLD_SECONDS)
    each = between(before, house.counts(), sizes.idle * sizes.tables * SEATS)
    return {"a phone's second": each, "kb": round(memory, 1), "phones": phones + SEATS}


@contextmanager
def house_of(
    address: str, postmaster: int, cache: int, shape: str, data: Path
) -> Iterator[tuple[int, House]]:
    """Start one shape of house on a fresh copy of the prepared tables."""
    processes, spread = SHAPES[shape]
    made = database(address, "house", PREPARED)
    environment = {
        "TAPROOM_DATABASE": made,
        "TAPROOM_REDIS": f"redis://127.0.0.1:{cache}/0",
        "TAPROOM_DATA": str(data),
        **KEY,
    }
    known = redis.Redis(port=cache)
    with stack(environment, processes, spread) as (port, pids, proxy):
        parts = {"processes": pids, "postgres": [postmaster], "redis": [known.info()["process_id"]]}
        if proxy:
            parts["proxy"] = [proxy]
        yield port, House(made, known, parts)


def prepared(address: str, game: str, count: int, data: Path) -> None:
    """Make the tables that every shape is given a copy of; `plan` lies in the data folder."""
    made = database(address, PREPARED)
    env = {**os.environ, **KEY, "TAPROOM_DATABASE": made, "TAPROOM_DATA": str(data)}
    for command in (
        ["-m", "bench.tables", game, str(count), str(data / "plan")],
        ["manage.py", "prepare"],
    ):
        done = subprocess.run(
            [str(python()), *command],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Missing(f"no tables of {game}: {done.stderr[-1500:]}")


def game_measured(
    game: str, shapes: list[str], sizes: Sizes, transport: str
) -> dict[str, dict[str, Any]]:
    """Measure one game in every shape of house."""
    data, cache = WORK / "scaling" / f"{game}-{os.getpid()}", free_port()
    data.mkdir(parents=True, exist_ok=True)
    found: dict[str, dict[str, Any]] = {}
    quiet = ["--port", str(cache), "--save", "", "--appendonly", "no"]
    try:
        with postgres() as (address, pid), started([needed("redis-server"), *quiet]):
            prepared(address, game, sizes.tables, data)
            for shape in shapes:
                with house_of(address, pid, cache, shape, data) as (port, house):
                    options = ["-f", str(data / "plan"), *(["-w"] if transport == "socket" else [])]
                    with Load(port, *options) as load:
                        seen = actions(house, load, sizes)
                    with Load(port, *options, "-b") as load:
                        found[shape] = {**seen, **sleeping(house, load, sizes)}
                print(game, shape, json.dumps(found[shape]), flush=True)
    finally:
        shutil.rmtree(data, ignore_errors=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling")
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--transport", default="socket", choices=("form", "socket"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--note", default="", help="what the reader of the figures has to know")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    # Told to end, it ends what it started.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(1))
    sizes = QUICK if options.quick else Sizes()
    results: dict[str, Any] = {
        "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes"),
        "commit": commit(),
        "cores": len(os.sched_getaffinity(0)),
        "tables": sizes.tables,
        "transport": options.transport,
        "note": options.note,
        "games": {},
    }
    for game in options.games:
        try:
            results["games"][game] = game_measured(game, options.shapes, sizes, options.transport)
        except Missing as missing:
            print(f"{game.upper()} WAS NOT MEASURED: {missing}", file=sys.stderr)
    options.out.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if results["games"] else 1


if __name__ == "__main__":
    sys.exit(main())
