"""Tables to be played at: `python -m bench.tables brave_or_knave 50 plan`.

Runs with a server's own settings in its own data folder, before the server starts. Every table has
seven seats on seven devices with sessions of their own: the host on the host's page, five players
on phones, a tablet as the shared screen. What they will tap is played once here, by the one way
in, and written down with how far the log came: so the load generator knows for every tap which
number must reach the last screen, and a table that goes another way is noticed.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.http import HttpRequest, QueryDict  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402

from games import clock, snapshot  # noqa: E402
from games.devices import SESSION_KEY  # noqa: E402
from games.forms import read_action, read_tap  # noqa: E402
from games.models import Device, Seat, Table  # noqa: E402
from games.services.act import Actor, act  # noqa: E402
from games.services.tables import open_table, sit_down  # noqa: E402

HOST, SCREEN = 0, 6
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Edda", "Finn", "Tess")
PAGES = {Seat.Role.GM: "gm", Seat.Role.PLAYER: "phone", Seat.Role.SCREEN: "screen"}
# A move of the house that is due later than this is none that the script waits for.
SOON_MS = 1000


@dataclass
class Step:
    """One tap: whose, the form, how many events it writes, and where the log then stands.

    `pause_ms` is how long the phone waits first; negative when the tap must follow at once.
    `until` counts from the cycle's first number and is 0 when the next tap need not wait for a
    move of the house; `saw` is the scene, from the same number on, None where the form has none.
    """

    phone: int
    body: str
    own: int
    until: int = 0
    saw: int | None = None
    pause_ms: int = 0


@dataclass
class Here:
    """A table and its seven devices, by the places in `NAMES`."""

    table: Table
    seats: list[Seat]
    devices: list[Device]

    def fresh(self) -> Table:
        return Table.objects.get(pk=self.table.pk)


class Play(Protocol):
    """What is played at a table: `rules` names the game, `gather` brings a table to a cycle's
    beginning and puts the keys of its rows into `names`, `cycle` taps once round."""

    rules: str

    def gather(self, taps: Taps) -> None: ...

    def cycle(self, taps: Taps) -> None: ...


@dataclass
class Taps:
    """Somebody tapping at a table, in this process, and what was noted of it.

    A field may hold `{name}` for a key in `names`, which every table has its own of, or
    `{sequence}` for what the pages name at the time.
    """

    here: Here
    names: dict[str, object] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    base: int = 0
    count: int = 0

    def tap(
        self, phone: int, action: str, *, pause_ms: int = 0, settles: bool = True, **fields: Any
    ) -> None:
        """Tap as the phone's form would, let the house do what is due soon, and note it."""
        before, scene = self.here.fresh().seq, self._scene()
        seat, self.count = self.here.seats[phone], self.count + 1
        given = {"action": action, "seat": seat.number, **fields}
        form = urlencode(given, safe="{},")
        words = QueryDict(f"{form.format_map(self.names)}&tap=prep-{self.count}")
        actor = Actor(seat.number, self.here.devices[phone].pk)
        act(self.here.table.pk, actor, read_action(words), read_tap(words))
        own = self.here.fresh().seq - before
        seq = self._settle() if settles else before + own
        until = seq - self.base if seq > before + own else 0
        saw = None if scene is None or scene <= self.base else scene - self.base
        self.steps.append(Step(phone, form, own, until, saw, pause_ms))

    def begin(self) -> None:
        """Forget what was tapped: a cycle begins here."""
        self.steps, self.base = [], self.here.fresh().seq

    def _scene(self) -> int | None:
        game = self.here.table.games.first()
        return game.scene if game and game.status == "playing" else None

    def _settle(self) -> int:
        """Play what falls due without a tap, as a table's reader does; return the log's number."""
        while True:
            now = snapshot.load(self.here.table.pk)
            due = clock.due_moves(
                now.table, now.game if now.is_playing else None, list(now.entrants)
            )
            if not due or due[0].at_ms > time.time() * 1000 + SOON_MS:
                return now.seq
            time.sleep(max(0.0, due[0].at_ms / 1000 - time.time()) + 0.001)
            clock.play_due(self.here.table.pk)


def gathered(rules: str) -> Here:
    """Seat seven devices at a new table."""
    devices = [Device.objects.create() for _name in NAMES]
    with transaction.atomic():
        table, host = open_table(
            devices[HOST], host_name=NAMES[HOST], language="en", table_name="Bench", rules=rules
        )
        seats = [host]
        for device, name in zip(devices[1:], NAMES[1:], strict=True):
            role = Seat.Role.SCREEN if name == NAMES[SCREEN] else Seat.Role.PLAYER
            seats.append(sit_down(table.pk, device, name=name, role=role, language="en"))
    return Here(table, seats, devices)


def _session(device: Device) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(device.pk)
    session.create()
    return str(session.session_key)


def _phone(seat: Seat, device: Device) -> str:
    """Write the line of the plan that says which page a device shows, and its cookies."""
    request = HttpRequest()
    token = get_token(request)
    cookies = {
        settings.SESSION_COOKIE_NAME: _session(device),
        settings.CSRF_COOKIE_NAME: request.META["CSRF_COOKIE"],
    }
    joined = ";|".join(f"{name}={value}" for name, value in cookies.items())
    return f"phone {PAGES[Seat.Role(seat.role)]} {seat.number} {joined} {token}"


def _step(step: Step) -> str:
    saw = -1 if step.saw is None else step.saw
    return f"step {step.phone} {step.own} {step.until} {saw} {step.pause_ms} {step.body}"


def lines_of(play: Play, count: int) -> list[str]:
    """Make the tables and return the plan's lines."""
    scripts: list[str] = []
    tables: list[str] = []
    steps: list[Step] = []
    for number in range(count):
        here = gathered(play.rules)
        taps = Taps(here)
        play.gather(taps)
        taps.begin()
        if not steps:
            play.cycle(taps)
            steps = taps.steps
            steps[-1].until = here.fresh().seq - taps.base
        name = f"t{number}" if taps.names else "all"
        if taps.names or not scripts:
            names = {**taps.names, "sequence": "{sequence}"}
            scripts += [f"script {name}", *(_step(s).format_map(names) for s in steps)]
        tables.append(f"table {here.table.code} {name}")
        tables += [_phone(s, d) for s, d in zip(here.seats, here.devices, strict=True)]
    return scripts + tables


def main() -> None:
    game, count, plan = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    call_command("migrate", verbosity=0, interactive=False)
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")  # nothing here is worth a disk's wait
    play: Play = importlib.import_module(f"bench.plays.{game}").PLAY
    plan.write_text("\n".join(lines_of(play, count)) + "\n")


if __name__ == "__main__":
    main()
