"""A server on one core and the load generator on the other: started, asked, measured, ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = ROOT / "var" / "bench"
SERVER_CORE, LOAD_CORE = 0, 1
# What is played, and by how many devices at a table.
GAMES, SEATS = ("brave_or_knave", "knave_fight", "wicked_sequence"), 7
READY_SECONDS = 120
# For an order of the load generator's that ends by its seconds: more actions than it ever gets to.
ENDLESS = 9_999_999
TICK = os.sysconf("SC_CLK_TCK")


class Missing(Exception):
    """Something that this host lacks; the message says what, and what is left out for it."""


def pinned(core: int, command: list[str]) -> list[str]:
    """Tie a command to one core, where the host can."""
    cores = os.sched_getaffinity(0)
    if shutil.which("taskset") is None or core not in cores:
        return command
    return ["taskset", "-c", str(core), *command]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Watched:
    """A process whose work and memory are read: one that runs already, or one started here."""

    pid: int
    port: int

    def cpu_seconds(self) -> float:
        """Return processor time used so far, in user and kernel, by all of its processes."""
        stats = [stat_of(pid) for pid in family(self.pid)]
        return sum(int(s[11]) + int(s[12]) for s in stats if s) / TICK

    def memory_mb(self) -> float:
        """Return resident memory in MB, of all of its processes."""
        return memory_mb(self.pid)


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process and its descendants in MB."""
    pages = 0
    for one in family(pid):
        try:
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def family(pid: int) -> list[int]:
    """Return the process and its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            stat = stat_of(int(entry.name))
            if stat:
                parents[int(entry.name)] = int(stat[1])
    found, added = {pid}, True
    while added:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found, added = found | more, bool(more)
    return sorted(found)


def stat_of(pid: int) -> list[str]:
    """Return the fields of a process's `stat` from its state on; none when it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


class Server(Watched):
    """A server started on the first core, in a session of its own, ended with all it started."""

    def __init__(
        self, command: list[str], port: int, *, cwd: Path, env: Mapping[str, str], log: Path
    ) -> None:
        self.log = log
        with log.open("w") as out:
            self.process = subprocess.Popen(
                pinned(SERVER_CORE, command),
                cwd=cwd,
                env={**os.environ, **env},
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        super().__init__(self.process.pid, port)
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.1)
            else:
                time.sleep(0.5)
                return
        self.stop()
        raise Missing(f"no server on port {self.port}: {self.log.read_text()[-600:]}")

    def stop(self) -> None:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(5)
            except (subprocess.TimeoutExpired, ProcessLookupError):
                continue

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()


def taproom(data: Path, *, app: Path = ROOT, server: str) -> Server:
    """Start Taproom as a host does, by `manage.py play`, with its tables in a data folder."""
    port = free_port()
    return Server(
        [str(python()), "manage.py", "play", "--host", "127.0.0.1", "--port", str(port)],
        port,
        cwd=app,
        env={"TAPROOM_DATA": str(data), "TAPROOM_SERVER": server},
        log=data / "server.log",
    )


def python() -> Path:
    return ROOT / ".venv" / "bin" / "python"


class Load:
    """The load generator, kept open: `order("load closed 50 2 0 999999")` returns what it saw."""

    def __init__(self, port: int, *options: str) -> None:
        self.process = subprocess.Popen(
            pinned(LOAD_CORE, [str(built()), "-p", str(port), *options]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def order(self, words: str) -> dict[str, Any]:
        """Give one order. Raises Missing with its last words when it has ended."""
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(words + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            assert self.process.stderr
            raise Missing(f"the load generator ended: {self.process.stderr.read()[-400:]}")
        return json.loads(answer)  # type: ignore[no-any-return]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.communicate()


def built() -> Path:
    """Return the load generator, compiled anew when its source is newer.

    Raises Missing without a C compiler or zlib's headers.
    """
    sources = sorted((HERE / "loadgen").glob("*.c"))
    made = WORK / "loadgen"
    newest = max(path.stat().st_mtime for path in (HERE / "loadgen").iterdir())
    if made.exists() and made.stat().st_mtime > newest:
        return made
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise Missing("no C compiler: the load generator cannot be built")
    WORK.mkdir(parents=True, exist_ok=True)
    fresh = made.with_suffix(f".{os.getpid()}")
    done = subprocess.run(
        [compiler, "-O2", "-o", str(fresh), *map(str, sources), "-lz", "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Missing(f"the load generator could not be built: {done.stderr[-400:]}")
    fresh.rename(made)
    return made
