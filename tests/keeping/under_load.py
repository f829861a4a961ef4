"""R11: backups while people play hard, each restored and proved; and plain copies, which fail.

`python -m tests.keeping.under_load [ROUNDS]` prints the figures: 50 rounds is the full size.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FULL, QUICK = 50, 1


def rounds() -> int:
    return FULL if os.environ.get("TAPROOM_SIZE") == "full" else QUICK


class Measured(NamedTuple):
    """What so many rounds have shown; `behind` is the most acknowledged lines a backup lacked."""

    rounds: int
    whole: int
    behind: int
    copies_bad: int
    acked: int
    plays_a_second: float
    longest_backup_s: float
    longest_restore_s: float


# --- those who play -------------------------------------------------------------------------------
def play_hard(acks: Path, seed: int) -> None:
    """Play bout after bout at random, writing down every number that was acknowledged."""
    import django

    django.setup()
    from games.errors import Refused
    from games.models import Device, Game
    from games.rules import brave_or_knave as bk
    from games.services.act import Actor, Tap, act
    from games.services.tables import open_trial
    from games.stored import state_of

    rng, taps = random.Random(seed), 0
    with acks.open("a") as out:
        while True:
            table, _seat = open_trial(Device.objects.create(), name="Ana", language="en")
            game = Game.objects.get(table=table)
            numbers = list(game.entrants.values_list("seat__number", flat=True))
            for _turn in range(400):
                game.refresh_from_db()
                if game.status != "playing":
                    break
                state, taps = state_of(game), taps + 1
                legal: list[Any] = [
                    (Actor(number, is_house=True), action)
                    for index, number in enumerate(numbers)
                    for action in bk.legal_actions(state, index)
                    if not isinstance(action, bk.Leave)
                ]
                if state.shouts:
                    legal.append((Actor(None, is_house=True), bk.Close()))
                actor, action = rng.choice(legal)
                try:
                    done = act(table.pk, actor, action, Tap(f"load-{taps}", pressed_ms=None))
                except Refused:
                    continue
                out.write(f"{table.code} {done.seq}\n")
                out.flush()


@contextmanager
def people_play(folder: Path) -> Iterator[list[Path]]:
    """Let processes of their own play at the house in a folder."""
    acks = [folder / f"acks-{n}" for n in range(2 if rounds() == FULL else 1)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
    environment |= {"TAPROOM_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tests.keeping.under_load", "--play"]
    players = [
        subprocess.Popen([*command, str(path), str(n)], cwd=ROOT, env=environment)
        for n, path in enumerate(acks)
    ]
    try:
        until = time.monotonic() + 60
        while not all(path.exists() and path.stat().st_size for path in acks):
            assert time.monotonic() < until, "nobody plays"
            assert all(player.poll() is None for player in players)
            time.sleep(0.05)
        yield acks
        assert all(player.poll() is None for player in players), "somebody could not play on"
    finally:
        for player in players:
            player.kill()
            player.wait(10)


def acked(acks: list[Path]) -> dict[str, int]:
    """Return the last number of each table that was acknowledged by now."""
    found: dict[str, int] = {}
    for path in acks:
        for line in path.read_text().rpartition("\n")[0].splitlines():
            code, seq = line.split()
            found[code] = max(found.get(code, 0), int(seq))
    return found


# --- what is measured -----------------------------------------------------------------------------
def measure(folder: Path, count: int, acks: list[Path]) -> Measured:
    """Make backups and plain copies of the house that stands in, while people play at it."""
    from games.keeping import archive, making
    from games.keeping.drilling import drill

    begun, first = time.monotonic(), sum(acked(acks).values())
    whole = behind = copies_bad = 0
    backup_s: list[float] = []
    restore_s: list[float] = []
    for _round in range(count):
        before = acked(acks)
        copies_bad += not is_sound(copied(folder), before)
        before, at = acked(acks), time.monotonic()
        path = making.make()
        backup_s.append(time.monotonic() - at)
        with archive.opened(path) as (_whole, manifest):
            behind = max(behind, *(n - manifest.heads.get(code, 0) for code, n in before.items()))
        done = drill(path)
        restore_s.append(done.seconds)
        whole += not done.proof.faults
        path.unlink()
    played = sum(acked(acks).values()) - first
    rate = played / (time.monotonic() - begun)
    return Measured(count, whole, behind, copies_bad, played, rate, max(backup_s), max(restore_s))


def copied(folder: Path) -> Path:
    """Copy the database's file as somebody does who knows no better."""
    to = folder / "copy.sqlite3"
    shutil.copy(folder / "taproom.sqlite3", to)
    return to


def is_sound(file: Path, acked: dict[str, int] | None = None) -> bool:
    """Look at a copy with the same eyes as the drill, and for the lines that were acknowledged."""
    from django.db import DatabaseError

    from games.keeping import KeepingError, sqlite
    from games.keeping.proving import prove
    from games.keeping.stand_in import file_standing_in
    from games.models import Table

    try:
        sqlite.check(file)
        with file_standing_in(file):
            heads = dict(Table.objects.values_list("code", "seq"))
            lacks = any(heads.get(code, 0) < seq for code, seq in (acked or {}).items())
            return not (lacks or prove().faults)
    except (KeepingError, DatabaseError):
        return False


def main(count: int) -> int:
    """Run so many rounds in a folder of their own; return what a program's end tells."""
    with tempfile.TemporaryDirectory() as name:
        os.environ |= {"TAPROOM_DATA": name, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with people_play(Path(name)) as acks:
            found = measure(Path(name), count, acks)
    is_met = found.whole == found.rounds and found.behind <= 0
    is_met = is_met and (count < FULL or found.copies_bad > 0)  # or nothing was tested
    print(
        f"{found.whole} of {count} backups whole and proved, {found.behind} acknowledged lines "
        f"missing, {found.acked} acknowledged at {found.plays_a_second:.0f} a second; plain copies "
        f"bad: {found.copies_bad}; longest backup {found.longest_backup_s:.1f} s, longest restore "
        f"{found.longest_restore_s:.1f} s"
    )
    return 0 if is_met else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play_hard(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else rounds()))
