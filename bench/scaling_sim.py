"""How long a tap waits when many tables share processes: `python -m bench.scaling_sim`.

Taps fall at random. A process does one thing at a time: it plays the action, waits for the disk
beside other work, then draws and sends. Where a table's phones are at several processes, each of
them draws, the others after a wake-up through Redis. The disk writes down together what waits for
it. Service times are what `bench/scaling.json` measured; what this adds is the waiting, which
`tests/scaled/test_simulation.py` holds against the formulas for a single queue.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.load import P99_MS
from bench.processes import SEATS

RESULTS = Path(__file__).resolve().parent / "scaling.json"
# So many taps tell a share of 99 in 100 well enough, and so many halvings find a rate within 1 %.
TAPS, HALVINGS = 5_000, 7
# An evening's table: somebody taps every so many seconds, all games and pauses together.
EVERY_SECONDS = 4.0
# Of an action's processor time, playing it and writing it; the rest is drawing and sending.
PLAYING = 0.5


@dataclass(frozen=True)
class Costs:
    """Milliseconds: to play an action, to draw and send it in one process, of the disk, of Redis.

    `asleep` is what a table's phones take of each second though nobody taps. `shape` gives a
    service time from its mean: the same each time, or at random.
    """

    play: float
    draw: float = 0.0
    sync: float = 0.0
    wake: float = 0.0
    asleep: float = 0.0
    shape: Callable[[random.Random, float], float] = lambda _chance, mean: mean


def exponential(chance: random.Random, mean: float) -> float:
    """Return a service time that is often short and sometimes long."""
    return chance.expovariate(1 / mean) if mean else 0.0


@dataclass
class Disk:
    """Writes down together what came while it was writing: a group commit."""

    sync: float
    ends: float = 0.0
    next_ends: float | None = None
    syncs: int = 0

    def done_at(self, at: float) -> float:
        """Return when what comes now is on the disk. Asked in the order of coming."""
        if self.next_ends is not None and at >= self.ends:
            self.ends, self.next_ends = self.next_ends, None
        if at >= self.ends:
            self.ends, self.syncs = at + self.sync, self.syncs + 1
            return self.ends
        if self.next_ends is None:
            self.next_ends, self.syncs = self.ends + self.sync, self.syncs + 1
        return self.next_ends


@dataclass
class Seen:
    """Milliseconds from each tap until the last screen showed it, and how busy everything was."""

    waits: list[float] = field(default_factory=list)
    busy: float = 0.0
    syncs: int = 0

    def at(self, share: float) -> float:
        """Return the wait that this share of all taps stayed under."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]

    @property
    def mean(self) -> float:
        return sum(self.waits) / len(self.waits)


def _taps(
    chance: random.Random, per_second: float, taps: int, processes: int
) -> list[tuple[float, int, str, int]]:
    """Return each tap as what happens first: when, which, that it is played, by which process."""
    at, events = 0.0, []
    for tap in range(taps):
        at += chance.expovariate(per_second / 1000)
        events.append((at, tap, "play", chance.randrange(processes)))
    return events  # in their order, so a heap already


def simulate(
    costs: Costs,
    per_second: float,
    *,
    processes: int = 1,
    spread: int = 1,
    taps: int = TAPS,
) -> Seen:
    """Let so many taps a second fall on the processes together; each table's phones are at
    `spread` of them. The first tenth, while the queues fill, is not counted."""
    chance, free, disk, seen = random.Random(1), [0.0] * processes, Disk(costs.sync), Seen()
    events = _taps(chance, per_second, taps, processes)
    begun, left, last = [at for at, *_rest in events], [spread] * taps, [0.0] * taps

    def serve(process: int, now: float, mean: float) -> float:
        took = costs.shape(chance, mean)
        seen.busy += took
        free[process] = max(now, free[process]) + took
        return free[process]

    while events:
        now, tap, what, process = heapq.heappop(events)
        if what == "play":
            played = serve(process, now, costs.play)
            heapq.heappush(events, (played, tap, "commit", process))
        elif what == "commit":
            done = disk.done_at(now) if costs.sync else now
            for n in range(spread):
                wake = costs.wake if n else 0.0
                other = (process + n) % processes
                heapq.heappush(events, (done + wake, tap, "draw", other))
        else:
            last[tap] = max(last[tap], serve(process, now, costs.draw) if costs.draw else now)
            left[tap] -= 1
    assert not any(left)
    seen.waits = [last[tap] - begun[tap] for tap in range(taps // 10, taps)]
    seen.busy /= processes * (max(last) or 1.0)
    seen.syncs = disk.syncs
    return seen


def tables_at(costs: Costs, share: float, *, spread: int = 1) -> float:
    """Return how many tables keep a process busy for this share of the time, each tapping every
    `EVERY_SECONDS`, with what their phones take meanwhile."""
    taps = (costs.play + spread * costs.draw) / EVERY_SECONDS
    return share * 1000 / (taps + costs.asleep)


def at_tables(costs: Costs, tables: float, *, processes: int = 1, spread: int = 1) -> Seen:
    """Let so many tables for each process play. What their phones take is in small portions, all
    the time: taps have what is left of the processor, so each takes longer by as much."""
    left = 1 - tables * costs.asleep / 1000
    slowed = replace(costs, play=costs.play / left, draw=costs.draw / left)
    rate = processes * tables / EVERY_SECONDS
    return simulate(slowed, rate, processes=processes, spread=spread)


def most_tables(costs: Costs, *, processes: int = 1, spread: int = 1) -> int:
    """Return how many tables a process bears, each tapping every `EVERY_SECONDS`, while 99 of 100
    taps are on the last screen within `P99_MS`."""
    low, high = 0.0, tables_at(costs, 1.0, spread=spread)
    for _halving in range(HALVINGS):
        tables = (low + high) / 2
        seen = at_tables(costs, tables, processes=processes, spread=spread)
        low, high = (tables, high) if seen.at(0.99) <= P99_MS else (low, tables)
    return int(low)


def costs_of(measured: dict[str, Any]) -> Costs:
    """Return the service times of one game as it was measured."""
    cpu = float(measured["an action"]["processes cpu_ms"])
    asleep = SEATS * float(measured["a phone's second"]["processes cpu_ms"])
    play, draw = PLAYING * cpu, (1 - PLAYING) * cpu
    return Costs(play, draw, sync=1.0, wake=1.0, asleep=asleep, shape=exponential)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling_sim")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    for game, shapes in json.loads(options.results.read_text())["games"].items():
        costs = costs_of(shapes["one process"])
        work = costs.play + costs.draw
        print(f"{game}: {work:.1f} CPU-ms an action")
        for share in (0.25, 0.5, 0.7, 0.8, 0.9):
            seen = at_tables(costs, tables_at(costs, share))
            print(f"  {share:4.0%} busy: p50 {seen.at(0.5):7.1f} ms  p99 {seen.at(0.99):7.1f} ms")
        for processes, spread in ((1, 1), (2, 1), (2, 2), (8, 1), (8, 2), (8, 7)):
            tables = most_tables(costs, processes=processes, spread=spread)
            where = "one process" if spread == 1 else f"{spread} processes"
            print(f"  {processes} processes, a table at {where}: {tables} tables each")


if __name__ == "__main__":
    main()
