"""The house as `deploy/` describes it: the very commands and settings, at addresses of a test.

What cannot be had here is replaced, and nothing else: the installation's and the data's folder,
the ports, the database's and Redis' address, the public name (localhost, for which Caddy has a
certificate of its own), and the secrets that the examples leave to be changed.
"""

from __future__ import annotations

import os
import shlex
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.collected import brings_static
from tests.games.databases import postgres_database
from tests.phones.house import free_port
from tests.scaled.front import ROOT, SPREAD, Caddy, StandIn, has_caddy, spread_over
from tests.scaled.house import redis_of_its_own

DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
INSTALLED = "/opt/taproom"
STARTS_WITHIN = 300


def variables_of(path: Path) -> dict[str, str]:
    """Read a file of NAME=value lines as systemd and compose do."""
    lines = path.read_text().splitlines()
    pairs = [line.split("=", 1) for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def unit(name: str) -> dict[str, list[str]]:
    """Read a unit's settings: `Section.Key` with every value it is given, in order."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in (UNITS / name).read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(f"{section}.{key}", []).append(value)
    return found


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


class Deployed:
    """Several processes and the proxy with https, as one of the two ways of deployment says."""

    def __init__(self, folder: Path, shared: dict[str, str]) -> None:
        self.folder, self.port = folder, free_port()
        self.is_https = has_caddy()
        self.address = f"{'https' if self.is_https else 'http'}://localhost:{self.port}"
        self.ports = [free_port(), free_port()]
        self.secrets = {
            **shared,
            "TAPROOM_ORIGIN": self.address,
            "TAPROOM_SECRET_KEY": "k" * 64,
            "TAPROOM_DATA": str(folder),
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        self.door: Caddy | StandIn | None = None

    # --- the two ways ----------------------------------------------------------------------------

    def with_units(self) -> Deployed:
        """Run what the units run, with the variables of `.env.example`."""
        told = variables_of(DEPLOY / ".env.example")
        self.environment = {k: v for k, v in told.items() if k.startswith("TAPROOM_")}
        self.environment |= self.secrets
        for command in unit("taproom-prepare.service")["Service.ExecStart"]:
            self.runs_once(shlex.split(command))
        serve = unit("taproom@.service")
        for line in serve["Service.Environment"]:
            self.environment |= dict([line.split("=", 1)])
        self.command = serve["Service.ExecStart"][0]
        self.processes = [self.serves(port) for port in self.ports]
        self.door_settings = variables_of(DEPLOY / "proxy.env.example")
        return self

    def with_compose(self) -> Deployed:
        """Run what compose.yaml's services run, each process at a port of its own."""
        services = compose()["services"]
        self.environment = {
            **variables_of(DEPLOY / services["app"]["env_file"].replace(".env", ".env.example")),
            **services["app"]["environment"],
            **self.secrets,
            # Where the proxy is: its fixed address within the containers' network.
            "TAPROOM_PROXY": "127.0.0.1",
        }
        self.runs_once(services["prepare"]["command"])
        host, port = "--host 0.0.0.0", "--port 8000"
        self.command = shlex.join(services["app"]["command"])
        assert host in self.command
        self.command = self.command.replace(host, "--host 127.0.0.1").replace(port, "--port %i")
        self.processes = [self.serves(port_of_its_own) for port_of_its_own in self.ports]
        self.door_settings = services["proxy"]["environment"]
        return self

    def _opens_the_door(self) -> None:
        """Start the proxy: at a time when it finds every process, or it passes one over."""
        given = set(self.door_settings) - {"TAPROOM_SPREAD"}
        assert given == {"TAPROOM_SITE", "TAPROOM_UPSTREAMS"}
        if self.is_https:
            ports = {"TAPROOM_HTTP_PORT": str(free_port()), "TAPROOM_HTTPS_PORT": str(self.port)}
            site, spread = f"localhost:{self.port}", {"TAPROOM_SPREAD": SPREAD}
            self.door = Caddy(self.folder, site, self.ports, **ports, **spread)
        else:
            self.door = spread_over(self.folder, self.port, self.ports)

    # --- processes -------------------------------------------------------------------------------

    def runs_once(self, command: list[str]) -> None:
        process = self._starts(command)
        if process.wait(STARTS_WITHIN):
            raise RuntimeError(f"{command} failed:\n{self.log()}")

    def serves(self, port: int) -> subprocess.Popen[bytes]:
        """Start the process of one port."""
        return self._starts(shlex.split(self.command.replace("%i", str(port))))

    def _starts(self, command: list[str]) -> subprocess.Popen[bytes]:
        command = [
            part.replace(f"{INSTALLED}/.venv/bin/python", sys.executable) for part in command
        ]
        paths = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        with (self.folder / "server.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env={**self.environment, "PATH": paths}, stdout=log, stderr=log
            )

    def opens(self) -> Deployed:
        """Wait until each process answers, and the door with its certificate."""
        until = time.monotonic() + STARTS_WITHIN
        for port in self.ports:
            self.waits_for(port, until)
        self._opens_the_door()
        while True:
            try:
                urllib.request.urlopen(self.address + "/offline/", context=self.trust()).close()
                return self
            except OSError:
                if time.monotonic() > until:
                    raise RuntimeError(f"The door did not open:\n{self.log()}") from None
                time.sleep(0.1)

    def waits_for(self, port: int, until: float) -> None:
        """Wait until a process answers, in the words that only its proxy may use."""
        asking = urllib.request.Request(
            f"http://127.0.0.1:{port}/offline/",
            headers={"Host": "localhost", "X-Forwarded-Proto": "https"},
        )
        while True:
            try:
                urllib.request.urlopen(asking, timeout=5).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise RuntimeError(f"A process did not open:\n{self.log()}") from None
                time.sleep(0.1)

    def trust(self) -> ssl.SSLContext | None:
        """Return a context that believes Caddy's own certificate for localhost."""
        if not self.is_https:
            return None
        root = self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return ssl.create_default_context(cafile=str(root) if root.exists() else None)

    def closes(self) -> None:
        if self.door:
            self.door.close()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")


@contextmanager
def deployed(folder: Path, way: str, *, is_migrated: bool = False) -> Iterator[Deployed]:
    """Open a house by its units or by compose.yaml, with a database and Redis prefix of its own.

    One that is migrated is a copy of what all workers of a run share, and so are its static files.
    """
    if is_migrated:
        brings_static(folder)
    with postgres_database(folder, is_migrated=is_migrated) as shared:
        house = Deployed(folder, shared | redis_of_its_own())
        try:
            yield getattr(house, f"with_{way}")().opens()
        finally:
            house.closes()
