"""`python -m tests.chaos`: every goal in its full size, a line for each; fails when one is not met.

`--quick` runs the sizes of every change, `--only R1,R4` some of the goals, `--scale 0.1` a part of
each full size, as the line says. TAPROOM_SERVER names the server, as for play.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import time
import traceback

from tests.chaos.goals import GOALS, Goal, Verdict
from tests.chaos.house import Zygote, zygote


def main() -> int:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="goals, with commas between")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the full size")
    asked = parser.parse_args()
    wanted = [g for g in asked.only.upper().split(",") if g]
    goals = [g for g in GOALS if not wanted or g.number in wanted]
    unknown = set(wanted) - {g.number for g in GOALS}
    if not 0 < asked.scale < float("inf"):  # at -1 one tap met a goal of 50,000
        parser.error("--scale is a number above 0")
    if unknown:
        parser.error(f"no such goal: {', '.join(sorted(unknown))}")
    # Ended by a service or a timeout as by Ctrl+C: what it has started ends with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    missed = 0
    with zygote() as mother:
        for goal in goals:
            missed += not _runs(goal, mother, quick=asked.quick, scale=asked.scale)
    total = time.monotonic() - began
    print(f"{len(goals) - missed} of {len(goals)} goals met in {total:.0f} s", flush=True)
    return 1 if missed else 0


def _runs(goal: Goal, mother: Zygote, *, quick: bool, scale: float) -> bool:
    began = time.monotonic()
    try:
        work = goal.quick(mother) if quick else goal.full(mother, scale)
        verdict = asyncio.run(work)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        traceback.print_exc()
        verdict = Verdict(f"{type(fault).__name__}: {fault}"[:300], is_met=False)
    word = "met" if verdict.is_met else "NOT MET"
    if not quick and scale != 1:
        word += f" at {scale:g} of its size"
    seconds = time.monotonic() - began
    print(f"{goal.number:7}{goal.what}: {verdict.said} [{seconds:.0f} s] {word}", flush=True)
    return verdict.is_met


if __name__ == "__main__":
    sys.exit(main())
