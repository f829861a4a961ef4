"""A PostgreSQL server of a test's own, which can be killed and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.games.databases import missing
from tests.phones.house import free_port

OWNER = "postgres"

# Not pytest's own folder, which is closed to everybody else. A disk can be full, or a folder
# closed, for PostgreSQL's user alone.
PLACES = (tempfile.gettempdir(), "/var/tmp", "/dev/shm")


class NoClusterError(Exception):
    """PostgreSQL's program failed; this is what it said."""


def _programs() -> Path:
    """Return the folder with `initdb` and `pg_ctl`, wherever the system keeps it."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        missing("PostgreSQL's initdb", "PATH", FileNotFoundError("initdb"))
    return folders[-1].parent


class Cluster:
    """One server in a folder; nothing but a test knows it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._bin = _programs()
        folder.chmod(0o700)
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER, OWNER)
        options = ("--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8")
        self._run("initdb", *options, str(folder / "db"))

    @property
    def address(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def new_database(self, how: str = "") -> str:
        """Make an empty database; `how` goes into its `CREATE DATABASE`. Return its name."""
        name = f"house_{time.monotonic_ns()}"
        with psycopg.connect(self.address, autocommit=True) as line:
            line.execute(f"CREATE DATABASE {name} {how}")
        return name

    def starts(self) -> None:
        """Start it, after a crash as well, and wait until it answers."""
        # Only a machine that loses its power needs more than what the system was given.
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "db"), "-w", "-l", log, "-o", options, "start")

    def is_killed(self) -> None:
        """Stop it as a power cut does: no connection is told, nothing is written any more."""
        self._run("pg_ctl", "-D", str(self.folder / "db"), "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        # Root may not run it, and it may not read what is root's.
        user = {"user": OWNER} if os.geteuid() == 0 else {}
        # What it says goes to a file: a server that stays would hold a pipe open.
        with (self.folder / "said").open("w+") as said:
            done = subprocess.run(
                [str(self._bin / program), *arguments],
                check=False,
                cwd="/",
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                **user,  # type: ignore[call-overload]
            )
            said.seek(0)
            if done.returncode:
                raise NoClusterError(f"{program} ended with {done.returncode}: {said.read()}")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Make a server and start it; it is gone afterwards, with all that was in it.

    Raises `NoClusterError`, with what PostgreSQL said in each of the `PLACES`.
    """
    one = _made()
    try:
        one.starts()
        try:
            yield one
        finally:
            one.is_killed()
    finally:
        shutil.rmtree(one.folder, ignore_errors=True)


def _made() -> Cluster:
    said = []
    for place in PLACES:
        folder = Path(tempfile.mkdtemp(prefix="taproom-cluster-", dir=place))
        try:
            return Cluster(folder)
        except NoClusterError as refusal:
            said.append(f"{folder}: {refusal}")
            shutil.rmtree(folder, ignore_errors=True)
    raise NoClusterError("\n".join(said))
