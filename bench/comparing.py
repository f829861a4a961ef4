"""The anchors: what else carries an action to seven sockets, measured beside us in one run.

Their packages are installed below var/bench when they are missing: from npm for boardgame.io and
Colyseus, from PyPI into a venv of their own for picows, python-chess and OpenSpiel. What cannot be
installed is said loudly, and only its ratios are left out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import (
    HERE,
    SEATS,
    SERVER_CORE,
    WORK,
    Load,
    Missing,
    Server,
    free_port,
    pinned,
    python,
)

ANCHORS = HERE / "anchors"
NODE = WORK / "node"
VENV = WORK / "venv"
INSTALL_SECONDS = 400
BARE_BYTES = 1860


def node_packages() -> None:
    """Install what package.json pins. Raises Missing without node, npm or the registry."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Missing("no node or npm: boardgame.io and Colyseus are left out")
    wanted = (ANCHORS / "package.json").read_text()
    kept = NODE / "package.json"
    is_here = (NODE / "node_modules" / "boardgame.io").exists()
    if is_here and kept.exists() and kept.read_text() == wanted:
        return
    NODE.mkdir(parents=True, exist_ok=True)
    kept.write_text(wanted)
    _install(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], NODE, "npm")


def python_packages() -> Path:
    """Install what requirements.txt pins into a venv of its own; return its interpreter.

    Raises Missing without the registry.
    """
    wanted, kept = (ANCHORS / "requirements.txt").read_text(), VENV / "requirements.txt"
    if not (kept.exists() and kept.read_text() == wanted):
        _install([str(python()), "-m", "venv", str(VENV)], WORK, "a venv")
        pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        _install([*pip, "-r", str(ANCHORS / "requirements.txt")], WORK, "pip")
        kept.write_text(wanted)
    return VENV / "bin" / "python"


def _install(command: list[str], where: Path, what: str) -> None:
    where.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            command, cwd=where, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Missing(f"{what} did not end in {INSTALL_SECONDS} s") from error
    if done.returncode:
        raise Missing(f"{what} failed: {done.stderr[-300:]}")


def _started(command: list[str], port: int) -> Server:
    env = {"NODE_PATH": str(NODE / "node_modules"), "NODE_ENV": "production"}
    return Server(command, port, cwd=ANCHORS, env=env, log=WORK / "anchor.log")


@contextmanager
def boardgame(tables: int) -> Iterator[tuple[Server, Load]]:
    """boardgame.io, in memory."""
    node_packages()
    port = free_port()
    with (
        _started(["node", "boardgame.js", str(port)], port) as server,
        Load(port, "-d", "boardgame", "-t", str(tables)) as load,
    ):
        yield server, load


@contextmanager
def colyseus(tables: int) -> Iterator[tuple[Server, Load]]:
    """Colyseus, patches sent at once."""
    node_packages()
    port, reserving = free_port(), free_port()
    with _started(["node", "colyseus.js", str(port), str(reserving)], port) as server:
        asked = f"http://127.0.0.1:{reserving}/seats/{tables}"
        with urllib.request.urlopen(asked, timeout=60) as answer:
            paths = answer.read().decode().split("\n")
        plan = WORK / "colyseus.plan"
        lines = ["script none"]
        for table in range(tables):
            held = paths[table * SEATS : (table + 1) * SEATS]
            lines += [f"table r{table} none", *(f"phone socket 0 {path} -" for path in held)]
        plan.write_text("\n".join(lines) + "\n")
        with Load(port, "-d", "colyseus", "-f", str(plan)) as load:
            yield server, load


@contextmanager
def bare(tables: int) -> Iterator[tuple[Server, Load]]:
    """Bare sockets of picows that only repeat a number, padded to a push's usual size."""
    interpreter, port = python_packages(), free_port()
    with (
        _started([str(interpreter), "bare.py", str(port), str(BARE_BYTES)], port) as server,
        Load(port, "-d", "bare", "-t", str(tables)) as load,
    ):
        yield server, load


@contextmanager
def stock(tables: int) -> Iterator[tuple[Server, Load]]:
    """Django and Channels as their tutorials have them, on Daphne."""
    port, folder = free_port(), WORK / "stock"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with (
        _started([str(python()), "stock.py", str(port), str(folder)], port) as server,
        Load(port, "-d", "bare", "-t", str(tables)) as load,
    ):
        yield server, load


class Engines:
    """python-chess and OpenSpiel in a process of their own, on the server's core.

    Raises Missing when they can't be installed or don't play.
    """

    def __init__(self) -> None:
        command = pinned(SERVER_CORE, [str(python_packages()), str(ANCHORS / "rules.py")])
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.measure()

    def measure(self) -> dict[str, float | None]:
        """Return what they do in a second now; None stands for one that is not installed."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("again\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Missing(f"bench/anchors/rules.py ended with {self._process.wait()}")
        return json.loads(line)  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
