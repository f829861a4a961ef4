"""PostgreSQL, Redis, processes and their proxy, started for a measurement and ended after it.

A database cluster and a Redis of its own on ports of their own: what they count (write-ahead log,
commands) is this measurement's alone. The proxy runs by `deploy/Caddyfile`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from bench.processes import (
    READY_SECONDS,
    ROOT,
    TICK,
    WORK,
    Missing,
    free_port,
    python,
    stat_of,
)

CADDYFILE = ROOT / "deploy" / "Caddyfile"
PREPARED = "prepared"
PRELOADED = "-c shared_preload_libraries=pg_stat_statements -c max_connections=200"


@contextmanager
def started(command: list[str], **how: Any) -> Iterator[int]:
    """Run a program until the block ends; return its process's number."""
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "scaling.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, **how)
    try:
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def needed(program: str) -> str:
    """Return a program's path. Raises Missing when it is not installed."""
    found = shutil.which(program) or next(
        (str(p) for p in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))), None
    )
    if found is None:
        raise Missing(f"{program} is not installed")
    return found


def _as_nobody_special(folder: Path) -> dict[str, Any]:
    """Return how to run PostgreSQL's programs, which refuse to be root."""
    if os.geteuid():
        return {}
    who = pwd.getpwnam("postgres")
    os.chown(folder, who.pw_uid, who.pw_gid)
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


@contextmanager
def postgres() -> Iterator[tuple[str, int]]:
    """Start a cluster; return its address without a database's name, and its first process."""
    folder, port = Path(tempfile.mkdtemp(prefix="taproom-bench-")), free_port()
    who, data = {"cwd": "/", **_as_nobody_special(folder)}, folder / "data"
    control = [needed("pg_ctl"), "-D", str(data)]
    options = ["-l", str(folder / "log"), "-w", "-o", f"-p {port} -k {folder} {PRELOADED}"]
    making = [needed("initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"]
    quietly = {"stdout": subprocess.DEVNULL, **who}
    try:
        subprocess.run(making, check=True, **quietly)
        subprocess.run([*control, *options, "start"], check=True, **quietly)
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
        yield f"postgres://postgres@127.0.0.1:{port}", pid
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, **quietly)
        shutil.rmtree(folder, ignore_errors=True)


def database(address: str, name: str, template: str = "template1") -> str:
    """Make a database anew, as a copy of another, and return its address."""
    with psycopg.connect(f"{address}/postgres", autocommit=True) as house:
        house.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        house.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        house.execute("SELECT pg_stat_reset_shared('wal')")
    with psycopg.connect(f"{address}/{name}", autocommit=True) as made:
        made.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    return f"{address}/{name}"


@contextmanager
def stack(
    environment: dict[str, str], processes: int, spread: str | None
) -> Iterator[tuple[int, list[int], int | None]]:
    """Start processes, and a proxy when `spread` says how; return port, processes, proxy.

    `spread` is Caddy's `lb_policy`, empty for the deployment's own, None for no proxy.
    """
    ports = [free_port() for _process in range(processes)]
    serve = [str(python()), "manage.py", "serve", "--port"]
    env = {**os.environ, **environment, "TAPROOM_PROCESSES": str(processes)}
    with ExitStack() as all_of_it:
        pids = [
            all_of_it.enter_context(started([*serve, str(port)], cwd=ROOT, env=env))
            for port in ports
        ]
        for port in ports:
            _wait_for(port)
        if spread is None:
            yield ports[0], pids, None
            return
        door = free_port()
        told = {
            **os.environ,
            "HOME": environment["TAPROOM_DATA"],
            "XDG_DATA_HOME": environment["TAPROOM_DATA"],
            "TAPROOM_SITE": f"http://:{door}",
            "TAPROOM_UPSTREAMS": " ".join(f"127.0.0.1:{port}" for port in ports),
            "TAPROOM_CADDY_ADMIN": "off",
            **({"TAPROOM_SPREAD": spread} if spread else {}),
        }
        caddy = [needed("caddy"), "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
        proxy = all_of_it.enter_context(started(caddy, env=told))
        _wait_for(door)
        yield door, pids, proxy


def _wait_for(port: int) -> None:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/offline/", timeout=5).close()
            return
        time.sleep(0.1)
    raise Missing(f"nothing opened on port {port}; see {WORK / 'scaling.log'}")


def cpu_seconds(pid: int) -> float:
    """Return processor time of a process, of its children, and of those it has buried."""
    total = 0.0
    for entry in Path("/proc").iterdir():
        stat = stat_of(int(entry.name)) if entry.name.isdigit() else []
        if stat and int(entry.name) == pid:
            total += sum(map(int, stat[11:15]))
        elif stat and int(stat[1]) == pid:
            total += sum(map(int, stat[11:13]))
    return total / TICK
