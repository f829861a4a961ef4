"""The door before several processes: Caddy with the file of `deploy/`, or a loud stand-in."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import threading
import time
import warnings
from pathlib import Path

import pytest

from tests.relay import hang_up, relay

ROOT = Path(__file__).resolve().parents[2]
CADDYFILE = ROOT / "deploy" / "Caddyfile"
# The phones of one table at different processes, which is the harder case.
SPREAD = "round_robin"


class Caddy:
    """Caddy as `deploy/Caddyfile` sets it up; only addresses are ours."""

    def __init__(self, folder: Path, site: str, ports: list[int], **more: str) -> None:
        upstreams = " ".join(f"127.0.0.1:{port}" for port in ports)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "TAPROOM_SITE": site,
            "TAPROOM_UPSTREAMS": upstreams,
            "TAPROOM_CADDY_ADMIN": "off",
            **more,
        }
        self.log = folder / "caddy.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["caddy", "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class StandIn:
    """A relay that gives each connection to the next process, and passes over a dead one."""

    def __init__(self, port: int, ports: list[int]) -> None:
        self._processes = [("127.0.0.1", each) for each in ports]
        self._turn = itertools.cycle(range(len(ports)))
        self._ear = socket.create_server(("0.0.0.0", port), reuse_port=False)
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        hang_up(self._ear)

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                phone, _address = self._ear.accept()
                threading.Thread(target=self._serve, args=(phone,), daemon=True).start()

    def _serve(self, phone: socket.socket) -> None:
        begin = next(self._turn)
        order = [*self._processes[begin:], *self._processes[:begin]]
        for address in order:
            try:
                process = socket.create_connection(address, timeout=2)
            except OSError:
                continue
            process.settimeout(None)
            relay(phone, process)
            return
        hang_up(phone)


def has_caddy() -> bool:
    return shutil.which("caddy") is not None


def spread_over(folder: Path, port: int, ports: list[int]) -> Caddy | StandIn:
    """Open a door on a port of this machine before the processes on these ports.

    Without Caddy a relay of ours stands in, and a warning says so; where
    TAPROOM_REQUIRE_CADDY=1 that is a failure.
    """
    if not has_caddy():
        text = "CADDY IS NOT INSTALLED: a relay of the tests stands in for deploy/Caddyfile"
        if os.environ.get("TAPROOM_REQUIRE_CADDY") == "1":
            pytest.fail(text)
        warnings.warn(text, stacklevel=2)
        return StandIn(port, ports)
    door = Caddy(folder, f"http://:{port}", ports, TAPROOM_SPREAD=SPREAD)
    until = time.monotonic() + 20
    while time.monotonic() < until and door.process.poll() is None:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return door
        time.sleep(0.05)
    door.close()
    raise RuntimeError(f"Caddy did not open:\n{door.log.read_text(errors='replace')}")
