"""`make bench`: the live table against the anchors, and against the runs before.

`python -m bench [--quick] [--no-history] [--only PART...]`, by default all `PARTS`. Prints the
tables of bench/README.md, then goals and ratios; exits with 1 when a ratio has fallen, a page of an
old campaign is too slow or something broke.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, closing

from bench import comparing, load, memory, ratios, results, returning, rules
from bench.load import QUICK, Sizes
from bench.processes import (
    GAMES,
    LOAD_CORE,
    SERVER_CORE,
    Load,
    Missing,
    Server,
    pinned,
    python,
)
from bench.results import Results

PARTS = ("load", "anchors", "memory", "back", "rules", "phone", "pages")
FULL = Sizes(light=15, light_actions=500, every=20, closed=3, open=4)
BUSY = 0.7
TURNS = 7
FULL_HOUSE = (GAMES[0], 286)
ANCHORS: dict[str, Callable[[int], AbstractContextManager[tuple[Server, Load]]]] = {
    "bare sockets": comparing.bare,
    results.RIVAL: comparing.boardgame,
    "Colyseus": comparing.colyseus,
    results.STOCK: comparing.stock,
}
QUICK_ANCHORS = ("bare sockets", results.RIVAL)
COMPARED = (results.RIVAL, results.STOCK)


def variants(quick: bool) -> list[tuple[str, str, str]]:
    """List game, server and transport of every run of ours; the first is the primary one."""
    first = [(GAMES[0], "daphne", "socket")]
    if quick:
        return [*first, (GAMES[0], "uvicorn", "socket")]
    others = [("daphne", "form"), ("uvicorn", "socket"), ("uvicorn", "form")]
    first += [(GAMES[0], server, transport) for server, transport in others]
    return first + [(g, s, "socket") for g in GAMES[1:] for s in ("daphne", "uvicorn")]


def run_anchors(found: Results, sizes: Sizes, names: Iterable[str]) -> None:
    """Play anchors. boardgame.io is played again at the end, and the mean of both counts."""
    for name in names:
        try:
            with ANCHORS[name](load.MANY) as (server, generator):
                found.anchor(load.play(generator, server, name, sizes, load.ALL))
        except Missing as missing:
            found.miss(f"{name}: {missing}")


def run_ours(found: Results, sizes: Sizes, those: Iterable[tuple[str, str, str]]) -> None:
    """Play our own server in each of these variants."""
    for game, server, transport in those:
        name = f"{game}, {server}, {transport}"
        asked = ["--game", game, "--server", server, "--transport", transport, "--reuse"]
        # What browsers offer and what phones send beside their taps.
        options = load.arguments().parse_args([*asked, "--deflate", "--beats"])
        try:
            with (
                load.ours(game, options) as (started, data),
                Load(started.port, *load.flags(options, data / "plan")) as generator,
            ):
                found.ours(load.play(generator, started, name, sizes, load.ALL))
        except Missing as missing:
            found.miss(f"{name}: {missing}")


def run_memory(found: Results, *, quick: bool) -> None:
    for server in ("daphne",) if quick else ("daphne", "uvicorn"):
        try:
            found.memory[server] = memory.measure(server, many=700 if quick else 2002)
        except Missing as missing:
            found.miss(f"memory, {server}: {missing}")


def run_back(found: Results, *, quick: bool) -> None:
    """Let all phones come back to a house that was killed."""
    games = GAMES[:1] if quick else GAMES
    for game, tables in [(game, load.MANY) for game in games] + ([] if quick else [FULL_HOUSE]):
        name = f"{game}, daphne, {tables} tables"
        try:
            found.back[name] = returning.measure(game, "daphne", tables)
        except Missing as missing:
            found.miss(f"a house that is back, {name}: {missing}")


def run_rules(found: Results) -> None:
    """Play our engines and others without any server, all on the server's core.

    By turns: where a machine's speed changes by the minute each has its share of every minute.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before & {SERVER_CORE} or before)
    lot = random.Random(11)
    with ExitStack() as stack:
        others: Callable[[], dict[str, float | None]] = dict
        try:
            others = stack.enter_context(closing(comparing.Engines())).measure
        except Missing as missing:
            found.miss(f"python-chess and OpenSpiel: {missing}")
        turns = [{**rules.measure(lot), **others()} for _turn in range(TURNS)]
    os.sched_setaffinity(0, before)
    for name in turns[0]:
        figures = [figure for turn in turns if (figure := turn[name]) is not None]
        found.rules[name] = statistics.median(figures) if figures else None


def run_phone(found: Results, *, quick: bool) -> None:
    try:
        from bench import phone

        found.phone = phone.measure(GAMES[:1] if quick else GAMES)
    except Missing as missing:
        found.miss(f"the phone: {missing}")


def run_pages() -> bool:
    """Compare an old campaign's pages with a young one's; tell whether they are as quick."""
    command = [str(python()), "-m", "bench.campaign_pages"]
    return subprocess.run(pinned(LOAD_CORE, command), check=False).returncode == 0


def measured(options: argparse.Namespace) -> tuple[Results, bool]:
    sizes = QUICK if options.quick else FULL
    found, is_well = Results(), True
    if "anchors" in options.only:
        run_anchors(found, sizes, QUICK_ANCHORS if options.quick else ANCHORS)
    if "load" in options.only:
        for game in dict.fromkeys(v[0] for v in variants(options.quick)):
            load.prepared(game, load.MANY)
        run_ours(found, sizes, variants(options.quick))
    if "memory" in options.only:
        run_memory(found, quick=options.quick)
    if "back" in options.only:
        run_back(found, quick=options.quick)
    if "rules" in options.only:
        run_rules(found)
    if "phone" in options.only:
        run_phone(found, quick=options.quick)
    if "pages" in options.only and not options.quick:
        is_well = run_pages()
    if "anchors" in options.only and not options.quick:
        # The machine may have been quicker before than now.
        run_anchors(found, sizes, [results.RIVAL])
    return found, is_well


def _second_look(suspects: Iterable[str], options: argparse.Namespace) -> Results:
    """Play what seems to have fallen again, right after the anchors that it is compared with.

    A host that is shared is slower for minutes, and not for all that is measured alike.
    """
    sizes = QUICK if options.quick else FULL
    those = [v for v in variants(options.quick) if any(f"({', '.join(v)})" in s for s in suspects)]
    found = Results()
    if those:
        print(f"\nA second look at {len(those)} that seem to have fallen:")
        run_anchors(found, sizes, QUICK_ANCHORS[1:] if options.quick else COMPARED)
        run_ours(found, sizes, those)
    return found


def judged(found: Results, options: argparse.Namespace, *, is_quiet: bool) -> bool:
    """Print goals and ratios, look twice at what fell, keep the run; tell whether all is well."""
    size = "quick" if options.quick else "full"
    run = ratios.entry(found.ratios(), size)
    print(results.ratios_told(found))
    if not is_quiet:
        print(
            "OTHER WORK RUNS HERE: these figures are neither kept nor compared with earlier ones."
        )
        return True
    if options.no_history or not run["ratios"]:
        return True
    fallen = ratios.fallen(run, ratios.kept())
    is_whole = True
    if fallen:
        looked = _second_look(fallen, options)
        is_whole = not looked.broken
        run = ratios.entry(ratios.better(found.ratios(), looked.ratios()), size)
        fallen = ratios.fallen(run, ratios.kept())
    for one in fallen.values():
        print(f"FALLEN by more than {ratios.MOST_FALL:.0%}: {one}")
    ratios.keep(run)
    return is_whole and not fallen


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("--quick", action="store_true", help="a short look, under three minutes")
    parser.add_argument("--no-history", action="store_true", help="keep and compare nothing")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    is_quiet = os.getloadavg()[0] < BUSY
    if len(os.sched_getaffinity(0)) < 2:
        print("ONE CORE ONLY: server and load generator share it, the figures mean little.")
    found, is_well = measured(options)
    print(results.told(found))
    return 0 if judged(found, options, is_quiet=is_quiet) and is_well and not found.broken else 1


if __name__ == "__main__":
    sys.exit(main())
