"""A real server in a process and a folder of its own, and a look into its database file."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.collected import brings_static, keeps_static

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """`manage.py play`, listening on every address of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._dice = folder / "dice"
        self._dice.write_text("")
        self._log = (folder / "server.log").open("ab")
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TAPROOM_")},
            "DJANGO_SETTINGS_MODULE": "tests.phones.settings",
            "TAPROOM_DATA": str(folder),
            "TAPROOM_BACKUPS": "0",  # each is a process, and `tests/keeping` is about them
            "PHONES_DICE": str(self._dice),
        }
        self.starts()

    def starts(self) -> None:
        command = ["play", "--host", "0.0.0.0", "--port", str(self.port)]
        self.processes = [self._manage(*command, stdout=self._log, stderr=self._log)]

    def _manage(self, *command: str, **pipes: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=self.env, **pipes
        )

    def opens(self, seconds: float = 240) -> House:
        """Wait until the front page is served."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and all(p.poll() is None for p in self.processes):
            try:
                urllib.request.urlopen(self.address + "/offline/", timeout=5).close()
            except OSError:
                time.sleep(0.1)
            else:
                return self
        raise RuntimeError(f"The server did not open:\n{self.log()}")

    def closes(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        self._log.close()

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def dice_fall(self, *faces: int) -> None:
        """Script the next dice, in this order."""
        self._dice.write_text("\n".join(map(str, faces)))

    def replay(self, record: bytes) -> dict[str, Any]:
        """Return what `manage.py replay -` says of a record. Raises AssertionError if it is bad."""
        pipe = subprocess.PIPE
        process = self._manage("replay", "-", stdin=pipe, stdout=pipe, stderr=pipe)
        out, err = process.communicate(record, timeout=60)
        assert process.returncode == 0, err.decode()
        return dict(json.loads(out.decode().splitlines()[-1]))

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Read the database as it is on disk."""
        with closing(sqlite3.connect(self.folder / "taproom.sqlite3", timeout=10)) as db:
            db.row_factory = sqlite3.Row
            return db.execute(query, values).fetchall()

    def one(self, query: str, *values: Any) -> Any:
        return self.rows(query, *values)[0][0]


def house_in(folder: Path) -> Iterator[House]:
    """Open a house; with TAPROOM_SCALED=1 one of several processes (see `tests/scaled`)."""
    if os.environ.get("TAPROOM_SCALED") == "1":
        from tests.scaled.house import scaled_house_in

        yield from scaled_house_in(folder)
        return
    brings_static(folder)
    house = House(folder)
    try:
        house.opens()
        keeps_static(folder)
        yield house
    finally:
        house.closes()
