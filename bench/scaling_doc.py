"""The figures of `docs/scaling.md`, written anew from `bench/scaling.json`:
`python -m bench.scaling_doc`.

What stands between `<!-- figures: name -->` and `<!-- end -->` is this program's; the words around
it are people's. `tests/scaled/test_scaling_doc.py` fails when the two have come apart.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bench.load import P99_MS
from bench.processes import ROOT, SEATS
from bench.scaling_sim import (
    EVERY_SECONDS,
    RESULTS,
    Costs,
    at_tables,
    costs_of,
    most_tables,
    tables_at,
)

DOC = ROOT / "docs" / "scaling.md"
NAMES = {
    "brave_or_knave": "Brave or Knave",
    "knave_fight": "Knave",
    "wicked_sequence": "In a Wicked Age",
}
BLOCK = re.compile(r"(<!-- figures: ([\w ]+) -->\n).*?(<!-- end -->)", re.S)
# A core is planned half busy: then taps wait about as long as they take, and a neighbour may die.
BUSY = 0.5
# Stated prices, in euros a month: a rented virtual core with 4 GB, and a TB sent.
CORE_PRICE, CORE_GB, TB_PRICE = 15.0, 4.0, 1.0
# Tables and what they stand for. A table plays this share of the day in the sum of traffic.
STEPS = {"a pub's 50 tables": 50, "1,000 tables": 1_000, "10,000 tables": 10_000,
         "a million phones": 1_000_000 // SEATS}  # fmt: skip
HOURS_A_DAY = 4
PROCESS_MB = 131.0
# What `make bench` finds for each of 2,000 sleeping phones: with few they fit into what is there.
FEWEST_KB = 23.8


@dataclass(frozen=True)
class Each:
    """What an action and a sleeping phone cost, all games weighing the same."""

    app_ms: float
    postgres_ms: float
    beside_ms: float  # Redis and the proxy
    rows: float
    statements: float
    publishes: float
    log_bytes: float
    kept_bytes: float
    push_bytes: float
    idle_app_ms: float
    idle_postgres_ms: float
    idle_beside_ms: float
    idle_publishes: float
    phone_kb: float


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _usual(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what was measured of each game at one process behind the proxy, or else alone."""
    shapes = results["games"].items()
    return {game: seen.get("one behind the proxy", seen["one process"]) for game, seen in shapes}


def each_of(results: dict[str, Any]) -> Each:
    """Return the mean of all games that were measured."""
    games = _usual(results).values()

    def action(*names: str) -> float:
        return _mean(sum(g["an action"].get(n, 0.0) for n in names) for g in games)

    def second(name: str) -> float:
        return _mean(g["a phone's second"].get(name, 0.0) for g in games)

    return Each(
        app_ms=action("processes cpu_ms"),
        postgres_ms=action("postgres cpu_ms"),
        beside_ms=action("redis cpu_ms", "proxy cpu_ms"),
        rows=action("rows inserted", "rows updated", "rows deleted"),
        statements=action("statements"),
        publishes=action("redis publish"),
        log_bytes=action("log bytes"),
        kept_bytes=action("database bytes"),
        push_bytes=_mean(_mean(g["a push"].values()) for g in games),
        idle_app_ms=second("processes cpu_ms"),
        idle_postgres_ms=second("postgres cpu_ms"),
        idle_beside_ms=second("redis cpu_ms") + second("proxy cpu_ms"),
        idle_publishes=second("redis publish"),
        phone_kb=max(FEWEST_KB, _mean(g["kb"] for g in games)),
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _told(value: float) -> str:
    """Write a number with three digits that count, and no more."""
    if value >= 1000:
        return f"{round(value, -max(0, len(str(int(value))) - 3)):,.0f}"
    return f"{value:.3g}"


def _told_memory(kb: float) -> str:
    """Write a phone's share; a few phones may fit into what the process had already."""
    return _told(kb) if kb > 0 else "none seen"


# --- what was measured ---------------------------------------------------------------------------


def when(results: dict[str, Any]) -> str:
    at = results["at"][:16].replace("T", " ")
    return (
        f"Measured {at} UTC at {results['commit']}, {results['cores']} cores shared by everything,"
        f" {results['tables']} tables of {SEATS}, taps by {results['transport']}."
        f"{' ' + results['note'] if results.get('note') else ''}\n"
    )


def an_action(results: dict[str, Any]) -> str:
    parts = {
        "process, CPU-ms": "processes cpu_ms",
        "PostgreSQL, CPU-ms": "postgres cpu_ms",
        "Redis, CPU-ms": "redis cpu_ms",
        "proxy, CPU-ms": "proxy cpu_ms",
        "statements": "statements",
        "rows inserted": "rows inserted",
        "rows updated": "rows updated",
        "bytes of write-ahead log": "log bytes",
        "bytes kept for good": "database bytes",
        "Redis messages": "redis publish",
    }
    games = _usual(results)
    rows = [
        [label, *(_told(seen["an action"].get(name, 0.0)) for seen in games.values())]
        for label, name in parts.items()
    ]
    rows.append(
        ["bytes of a push to a phone", *(_told(s["a push"]["phone"]) for s in games.values())]
    )
    return _table(["for each action", *(NAMES[game] for game in games)], rows)


def a_phone(results: dict[str, Any]) -> str:
    games = _usual(results)
    rows = [["memory of the process, KB", *(_told_memory(s["kb"]) for s in games.values())]]
    for label, name in {
        "process, CPU-ms a second": "processes cpu_ms",
        "proxy, CPU-ms a second": "proxy cpu_ms",
        "PostgreSQL, CPU-ms a second": "postgres cpu_ms",
        "statements a second": "statements",
        "Redis messages a second": "redis publish",
    }.items():
        rows.append([label, *(_told(s["a phone's second"].get(name, 0.0)) for s in games.values())])
    return _table(["for each sleeping phone", *(NAMES[game] for game in games)], rows)


def one_to_two(results: dict[str, Any]) -> str:
    rows = []
    for game, shapes in results["games"].items():
        first = shapes["one process"]["closed loop"]["per_s"]
        for shape, seen in shapes.items():
            cost, loop = seen["an action"], seen["closed loop"]
            rows.append(
                [
                    NAMES[game],
                    shape,
                    _told(loop["per_s"]),
                    f"{loop['per_s'] / first:.2f}" if first else "",
                    *(
                        _told(cost.get(f"{part} cpu_ms", 0.0))
                        for part in ("processes", "postgres", "redis", "proxy")
                    ),
                    _told(cost.get("redis publish", 0.0)),
                ]
            )
    head = ["game", "shape", "actions/s", "of one", "process", "PostgreSQL", "Redis", "proxy"]
    return _table([*head, "Redis messages"], rows)


# --- what follows from it ------------------------------------------------------------------------


def _costs(results: dict[str, Any]) -> Costs:
    each = each_of(results)
    seconds = {"a phone's second": {"processes cpu_ms": each.idle_app_ms}}
    return costs_of({"an action": {"processes cpu_ms": each.app_ms}, **seconds})


def waiting(results: dict[str, Any]) -> str:
    costs = _costs(results)
    rows = []
    for share in (0.25, 0.5, 0.7, 0.8, 0.9):
        tables = tables_at(costs, share)
        seen = at_tables(costs, tables)
        figures = [_told(tables), _told(seen.at(0.5)), _told(seen.at(0.99))]
        rows.append([f"{share:.0%}", *figures])
    return _table(["a process is busy", "tables it has", "p50 ms", "p99 ms"], rows)


def spreading(results: dict[str, Any]) -> str:
    costs = _costs(results)
    rows = [
        [str(processes), str(spread), _told(most_tables(costs, processes=processes, spread=spread))]
        for processes, spread in ((1, 1), (2, 1), (2, 2), (8, 1), (8, 2), (8, 7))
    ]
    head = ["processes", "at how many of them a table's phones are"]
    return _table([*head, f"tables a process bears at p99 < {P99_MS:.0f} ms"], rows)


def arithmetic(results: dict[str, Any]) -> str:
    each = each_of(results)
    rows = [[label, *values] for label, values in _steps(each)]
    return _table(["", *STEPS], rows)


def _steps(each: Each) -> Iterable[tuple[str, list[str]]]:
    """Work out every line of the arithmetic for every step."""
    rate = {step: tables / EVERY_SECONDS for step, tables in STEPS.items()}
    phones = {step: tables * SEATS for step, tables in STEPS.items()}

    def cores(step: str, action_ms: float, phone_ms: float) -> float:
        return (rate[step] * action_ms + phones[step] * phone_ms) / 1000 / BUSY

    app = {step: max(1.0, cores(step, each.app_ms, each.idle_app_ms)) for step in STEPS}
    base = {step: cores(step, each.postgres_ms, each.idle_postgres_ms) for step in STEPS}
    rest = {step: cores(step, each.beside_ms, each.idle_beside_ms) for step in STEPS}
    memory = {
        step: (app[step] * PROCESS_MB + phones[step] * each.phone_kb / 1000) / 1000
        for step in STEPS
    }
    sent = {step: rate[step] * each.push_bytes * SEATS for step in STEPS}
    rented = {
        step: max(app[step] + base[step] + rest[step], memory[step] / CORE_GB) for step in STEPS
    }
    tb = {step: sent[step] * HOURS_A_DAY * 3600 * 30 / 1e12 for step in STEPS}
    lines: dict[str, Callable[[str], float]] = {
        "phones": lambda step: phones[step],
        "actions a second": lambda step: rate[step],
        "processes (cores of their own)": lambda step: math.ceil(app[step]),
        "cores of PostgreSQL": lambda step: base[step],
        "cores of Redis and the proxy": lambda step: rest[step],
        "rows written a second": lambda step: rate[step] * each.rows,
        "MB of write-ahead log a second": lambda step: rate[step] * each.log_bytes / 1e6,
        "Redis messages a second": lambda step: (
            rate[step] * each.publishes + phones[step] * each.idle_publishes
        ),
        "GB of memory for processes": lambda step: memory[step],
        "Mbit/s to the phones": lambda step: sent[step] * 8 / 1e6,
        f"GB kept after a year, {HOURS_A_DAY} h a day": lambda step: (
            rate[step] * each.kept_bytes * HOURS_A_DAY * 3600 * 365 / 1e9
        ),
        "euros a month": lambda step: rented[step] * CORE_PRICE + tb[step] * TB_PRICE,
    }
    for label, line in lines.items():
        yield label, [_told(line(step)) for step in STEPS]


FIGURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "when": when,
    "an action": an_action,
    "a phone": a_phone,
    "one to two": one_to_two,
    "waiting": waiting,
    "spreading": spreading,
    "arithmetic": arithmetic,
}


def filled(text: str, results: dict[str, Any]) -> str:
    """Return the document with every block of figures written anew."""
    return BLOCK.sub(lambda m: m[1] + FIGURES[m[2]](results) + m[3], text)


def main() -> None:
    DOC.write_text(filled(DOC.read_text(), json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()
