"""One server under load: `python -m bench.load [--game knave_fight] [--tables 1 50] [--profile]`.

Makes tables, starts the server on the first core, plays from the second, and prints latency from
the send of a tap to its push on the last of seven screens, the highest rate that keeps p99 under
100 ms, and the server's processor time for an action. See bench/README.md for every option.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.processes import (
    ENDLESS,
    ROOT,
    WORK,
    Load,
    Missing,
    Server,
    Watched,
    python,
    taproom,
)

P99_MS = 100.0
MANY = 50
EVERY_SECONDS = 2.0
ALL = {"1", "50", "saturation"}
# For processor time alone: how many actions are counted, after how many, and how long it may take.
COUNTED, WARMING, PATIENCE = 150, 40, 240
STEPS = (1.0, 0.92, 0.84, 0.76, 0.68, 0.6, 0.5, 0.4, 0.3, 0.2)


@dataclass
class Sizes:
    """How long each part takes, in seconds; `light_actions` is a count."""

    light: float = 20
    light_actions: int = 500
    every: float = 30
    closed: float = 4
    open: float = 4


QUICK = Sizes(light=4, light_actions=150, every=6, closed=2, open=2)


@dataclass
class Figures:
    """What was seen of one server, in milliseconds and actions a second; None is not measured."""

    name: str
    one: dict[str, Any] = field(default_factory=dict)
    many: dict[str, Any] = field(default_factory=dict)
    closed: dict[str, Any] = field(default_factory=dict)
    saturation: float | None = None
    at_saturation: dict[str, Any] = field(default_factory=dict)
    memory: dict[int, float] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)


def measured(load: Load, server: Watched, order: str) -> dict[str, Any]:
    """Give an order and add the server's processor time for each action, and its share."""
    before = server.cpu_seconds()
    seen = load.order(order)
    if seen["broken"]:
        print(f"BROKE: {seen['broken']} tables. {seen['reason']}", file=sys.stderr)
    used = server.cpu_seconds() - before
    seen["server_cpu_ms"] = round(used * 1000 / max(1, seen["done"]), 3)
    seen["server_cpu"] = round(used / max(0.001, seen["seconds"]), 2)
    return seen


def saturate(load: Load, server: Watched, tables: int, sizes: Sizes, figures: Figures) -> None:
    """Find the highest tested share of the closed loop's rate whose p99 stays in bounds.

    Nothing may be lost. Actions fall at random and wait in the load generator when their
    table is busy; that time counts.
    """
    figures.closed = measured(load, server, f"load closed {tables} {sizes.closed} 0 {ENDLESS}")
    figures.saturation = 0.0
    for share in STEPS:
        rate = max(1.0, figures.closed["per_s"] * share)
        seen = measured(load, server, f"load open {tables} {sizes.open} {rate:.1f} {ENDLESS}")
        if seen["broken"]:
            figures.at_saturation = seen
            break
        if 0 <= seen["p99"] <= P99_MS and not seen["lost"]:
            figures.saturation, figures.at_saturation = seen["per_s"], seen
            break


def work(load: Load, server: Watched, tables: int, figures: Figures) -> None:
    """Take processor time alone, which a busy host hardly changes: of an action and of idling."""
    load.order("connect 1")
    load.order(f"load closed 1 {PATIENCE} 0 {WARMING}")
    seen = measured(load, server, f"load closed 1 {PATIENCE} 0 {COUNTED}")
    figures.work["an action, 1 table"] = seen["server_cpu_ms"]
    load.order(f"connect {tables}")
    load.order(f"load closed {tables} {PATIENCE} 0 {tables}")
    seen = measured(load, server, f"load closed {tables} {PATIENCE} 0 {2 * COUNTED}")
    figures.work[f"an action, {tables} tables"] = seen["server_cpu_ms"]
    before = server.cpu_seconds()
    seen = load.order("idle 10")
    used = (server.cpu_seconds() - before) * 1000 / seen["seconds"]
    figures.work[f"a second of {tables * 7} idle phones"] = round(used, 1)


def play(
    load: Load, server: Watched, name: str, sizes: Sizes, parts: set[str], tables: int = MANY
) -> Figures:
    """Take the figures of a server that is up, in the order: one table, many, saturation."""
    figures = Figures(name)
    if "cpu" in parts:
        work(load, server, tables, figures)
    if "1" in parts:
        load.order("connect 1")
        load.order(f"load closed 1 {PATIENCE} 0 {WARMING}")
        figures.one = measured(
            load, server, f"load light 1 {sizes.light} 0.01 {sizes.light_actions}"
        )
    if parts & {"cpu", "50", "saturation"}:
        load.order(f"connect {tables}")
        load.order("idle 0.5")
        figures.memory[tables * 7] = round(server.memory_mb(), 1)
        # Phones that have all just come in are one thing, an evening under way another.
        load.order(f"load closed {tables} {PATIENCE} 0 {2 * tables}")
    if "50" in parts:
        rate = tables / EVERY_SECONDS
        figures.many = measured(load, server, f"load every {tables} {sizes.every} {rate} {ENDLESS}")
    if "saturation" in parts:
        saturate(load, server, tables, sizes, figures)
    return figures


def prepared(game: str, count: int, app: Path = ROOT, *, reuse: bool = False) -> Path:
    """Make tables of a game in a data folder of their own and return it; `plan` lies within."""
    data = WORK / "tables" / f"{game}-{count}"
    if reuse and (data / "plan").exists():
        return data
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    done = subprocess.run(
        [str(python()), "-m", "bench.tables", game, str(count), str(data / "plan")],
        cwd=app,
        env={**os.environ, "TAPROOM_DATA": str(data), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Missing(f"no tables of {game}: {done.stderr[-1500:]}")
    return data


@contextmanager
def copied(game: str, count: int, app: Path = ROOT, *, reuse: bool = False) -> Iterator[Path]:
    """Copy a game's tables into a data folder to be played in, which is gone afterwards."""
    made = prepared(game, count, app, reuse=reuse)
    data = WORK / "run" / f"{game}-{count}-{os.getpid()}"
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(made, data)
    try:
        yield data
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def ours(
    game: str, options: argparse.Namespace, count: int = MANY
) -> Iterator[tuple[Server, Path]]:
    """Start our server on a copy of freshly made tables."""
    app = Path(options.app).resolve()
    with (
        copied(game, count, app, reuse=options.reuse) as data,
        taproom(data, app=app, server=options.server) as server,
    ):
        yield server, data


def flags(options: argparse.Namespace, plan: Path) -> list[str]:
    """Return the load generator's options for our own server."""
    given = ["-f", str(plan)]
    given += ["-z"] if options.deflate else []
    given += ["-b"] if options.beats else []
    given += ["-w"] if options.transport == "socket" else []
    return given


def told(figures: Figures) -> str:
    """Write the figures for somebody to read."""
    lines = [figures.name]
    parts = {
        "1 table": figures.one,
        f"{MANY} tables, each every {EVERY_SECONDS:.0f} s": figures.many,
        "closed loop": figures.closed,
        "saturation": figures.at_saturation,
    }
    for name, seen in parts.items():
        if not seen:
            continue
        lines.append(
            f"  {name:<28}p50 {seen['p50']:8.2f}  p99 {seen['p99']:8.2f} ms  {seen['per_s']:8.1f}/s"
            f"  server {seen['server_cpu_ms']:7.2f} CPU-ms an action ({seen['server_cpu']:.0%})"
            f"  client {seen['client_cpu']:.0%}  of {seen['done']}, lost {seen['lost']}"
        )
        pages = ", ".join(f"{k} {v['wire']:,.0f} B" for k, v in seen["pages"].items())
        lines.append(f"  {'':<28}a push: {pages}")
        if seen["broken"] or seen["reason"]:
            lines.append(f"  {seen['broken']} TABLES BROKE: {seen['reason']}")
    lines += [f"  {name:<32}{ms:8.2f} CPU-ms" for name, ms in figures.work.items()]
    if figures.saturation is not None:
        lines.append(f"  saturation at p99 < {P99_MS:.0f} ms: {figures.saturation:,.0f} actions/s")
    return "\n".join(lines)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.load")
    parser.add_argument("--game", default="brave_or_knave")
    parser.add_argument("--parts", nargs="*", default=sorted(ALL))
    parser.add_argument("--server", default="daphne", choices=("daphne", "uvicorn"))
    parser.add_argument("--transport", default="form", choices=("form", "socket"))
    parser.add_argument("--app", default=str(ROOT), help="another checkout to serve")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--reuse", action="store_true", help="tables as they were made last")
    parser.add_argument("--deflate", action="store_true", help="offer compression")
    parser.add_argument("--beats", action="store_true", help="send beats and clocks as phones do")
    parser.add_argument("--profile", action="store_true", help="py-spy, on the busy server")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tables", type=int, default=MANY)
    parser.add_argument("--prepare", metavar="FOLDER", help="only make tables, for --port")
    parser.add_argument("--plan", help="with --port and --pid: the plan in that server's folder")
    parser.add_argument("--port", type=int)
    parser.add_argument("--pid", type=int)
    return parser


def main() -> int:
    options = arguments().parse_args()
    sizes = QUICK if options.quick else Sizes()
    name = f"{options.game}, {options.server}, by {options.transport}"
    if options.prepare:
        made = prepared(
            options.game, options.tables, Path(options.app).resolve(), reuse=options.reuse
        )
        shutil.copytree(made, options.prepare, dirs_exist_ok=True)
        print(f"TAPROOM_DATA={options.prepare} serves them; --plan {options.prepare}/plan plays")
        return 0
    if options.port:
        server = Watched(options.pid, options.port)
        with Load(options.port, *flags(options, Path(options.plan))) as load:
            figures = play(load, server, name, sizes, set(options.parts), options.tables)
    else:
        with (
            ours(options.game, options, options.tables) as (started, data),
            Load(started.port, *flags(options, data / "plan")) as load,
        ):
            if options.profile:
                from bench.profiling import profile

                return profile(load, started, options)
            figures = play(load, started, name, sizes, set(options.parts), options.tables)
    print(json.dumps(asdict(figures)) if options.json else told(figures))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Missing as missing:
        sys.exit(str(missing))
