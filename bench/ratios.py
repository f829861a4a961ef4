"""Ratios to the anchors of the same run, their history, and what counts as having fallen.

A machine's kind is its processor's name and its number of cores; figures of one kind say nothing of
another. Every ratio is turned so that more is better. A ratio has fallen when it is more than 20 %
below its reference: the last run of this kind and size, or the median of the last five if that is
higher, so that many small steps down are seen and one lucky run binds nobody. A latency counts as
fallen only when it is also more than `CHANCE_MS` longer than it was: below that a p99 is chance.
And nothing has fallen that is as near to stock Django's figure of the same run as it was: a machine
may be slower for Python and its disk without being so for a rival that keeps all in memory.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.processes import HERE, ROOT

HISTORY = HERE / "history.jsonl"
MOST_FALL = 0.2
CHANCE_MS = 2.0
REMEMBERED = 5


@dataclass(frozen=True)
class Ratio:
    """Ours against an anchor's: `value` is more where we are better, `ms` our latency, if any.

    `beside` is the same against stock Django's figure, where that was measured too.
    """

    name: str
    value: float
    ms: float | None = None
    beside: float | None = None


def more(
    name: str, ours: float | None, theirs: float | None, stock: float | None = None
) -> Iterable[Ratio]:
    """Yield a ratio of two figures of which more is better, if both were measured."""
    if ours is not None and theirs:
        yield Ratio(name, ours / theirs, beside=ours / stock if stock else None)


def less(
    name: str, ours: float | None, theirs: float | None, stock: float | None = None
) -> Iterable[Ratio]:
    """Yield a ratio of two latencies in milliseconds, if both were measured, with nothing lost."""
    if ours is not None and theirs is not None and ours > 0 and theirs > 0:
        yield Ratio(name, theirs / ours, ours, stock / ours if stock else None)


def machine() -> dict[str, Any]:
    """Return what the kind of machine is told by."""
    names = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {"processor": names[0] if names else "unknown", "cores": os.cpu_count()}


def commit() -> str:
    """Return the commit that is measured, with a mark when files differ from it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def entry(ratios: Sequence[Ratio], size: str) -> dict[str, Any]:
    """Return a run as the history keeps it."""
    return {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": commit(),
        "machine": machine(),
        "size": size,
        "ratios": [asdict(one) for one in ratios],
    }


def kept(path: Path = HISTORY) -> list[dict[str, Any]]:
    """Return every run that was kept, oldest first."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def keep(run: dict[str, Any], path: Path = HISTORY) -> None:
    with path.open("a") as file:
        file.write(json.dumps(run) + "\n")


def fallen(run: dict[str, Any], before: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Say in words, by name, which of a run's ratios have fallen too far; the first has none."""
    alike = [r for r in before if r["machine"] == run["machine"] and r["size"] == run["size"]]
    found = {}
    for ratio in run["ratios"]:
        past = [old for r in alike for old in r["ratios"] if old["name"] == ratio["name"]]
        past = past[-REMEMBERED:]
        if not past:
            continue
        reference = _reference([old["value"] for old in past])
        has_fallen = ratio["value"] < reference * (1 - MOST_FALL)
        if has_fallen and not _is_chance(ratio, past) and not _is_the_machine(ratio, past):
            found[ratio["name"]] = (
                f"{ratio['name']}: {ratio['value']:.2f}, was {reference:.2f}"
                f" ({ratio['value'] / reference - 1:+.0%})"
            )
    return found


def better(ratios: Iterable[Ratio], others: Iterable[Ratio]) -> list[Ratio]:
    """Return ratios, each as the better of what two looks have found."""
    second = {one.name: one for one in others}
    return [max(one, second.get(one.name, one), key=lambda r: r.value) for one in ratios]


def _reference(past: Sequence[float]) -> float:
    return max(past[-1], statistics.median(past))


def _is_the_machine(ratio: dict[str, Any], past: Sequence[dict[str, Any]]) -> bool:
    """Tell whether stock Django has become slower with us. Runs before 27 November have no word."""
    beside = [old["beside"] for old in past if old.get("beside")]
    if not beside or not ratio.get("beside"):
        return False
    return bool(ratio["beside"] >= _reference(beside) * (1 - MOST_FALL))


def _is_chance(ratio: dict[str, Any], past: Sequence[dict[str, Any]]) -> bool:
    """Tell whether a latency is so little longer than it was that it means nothing."""
    times = [old["ms"] for old in past if old["ms"] is not None]
    if ratio["ms"] is None or not times:
        return False
    return bool(ratio["ms"] - statistics.median(times) < CHANCE_MS)
