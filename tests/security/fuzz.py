"""`make fuzz`: the goals S1 to S10 and the rules' own fuzzers, in full size.

`--quick` takes the sizes of `make test`; `--only S1,S8` some goals. A line for
each goal says what was counted and whether it was met; in full size a test that
was skipped is a goal that was not met. Ends with 1 when one was not.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

from tests.security.figures import FIGURES

ROOT = Path(__file__).resolve().parents[2]
# Figures that are added up; of all others the largest counts.
TOTALS = (
    "frames", "requests", "cells", "payloads", "pages", "cases", "files", "turned", "bytes",
    "places", "presses", "regions",
)  # fmt: skip

GOALS: dict[str, tuple[str, list[str]]] = {
    "S1": ("nonsense in frames, forms, files and requests", [
        "tests/security/test_frames.py", "tests/security/test_requests.py",
        "tests/security/test_strolls.py",
        "tests/games/test_bad_input.py", "tests/characters/test_knave_input.py",
        "tests/characters/test_knave_extremes.py", "tests/campaigns/test_wicked_input.py",
        "tests/campaigns/test_files.py", "tests/campaigns/test_spoilt_files.py",
        "tests/campaigns/test_fuzzed_files.py", "tests/campaigns/test_files_of_play.py"]),
    "S2": ("what is hidden, in bytes to another seat", [
        "tests/security/test_two_worlds.py", "tests/games/test_secrecy.py",
        "tests/characters/test_knave_secrecy.py", "tests/games/test_safety.py",
        "tests/games/test_content_lines.py",
        "tests/phones/test_shroud.py", "tests/phones/test_knave_secrets.py"]),
    "S3": ("every route and action, for every role", [
        "tests/security/test_routes.py", "tests/games/test_roles.py",
        "tests/characters/test_knave_roles.py", "tests/campaigns/test_wicked_roles.py"]),
    "S4": ("join codes", ["tests/security/test_codes.py", "tests/games/test_door.py"]),
    "S5": ("sockets from elsewhere", [
        "tests/security/test_revoked.py::test_a_socket_from_elsewhere_is_answered_403",
        "tests/test_settings.py"]),
    "S6": ("who is turned out hears nothing more", [
        "tests/security/test_revoked.py::test_who_is_turned_out_hears_nothing_more",
        "tests/security/test_revoked.py::test_one_that_is_not_turned_out_would_be_seen",
        "tests/games/test_live.py", "tests/games/test_live_sockets.py"]),
    "S7": ("scripts for names, in a browser", ["tests/security/test_scripts.py"]),
    "S8": ("the API does what it says", [
        "tests/security/test_api_schema.py", "tests/games/test_api.py"]),
    "S9": ("a phone that is handed on", ["tests/security/test_shared_device.py"]),
    "S10": ("tools", ["tests/security/test_tools.py", "tests/security/test_document.py"]),
    "screens": ("what was pushed adds up on every screen", ["tests/phones/test_adds_up.py"]),
    "rules": ("whatever is played, the rules hold", ["tests/rules"]),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="goals, with commas between")
    asked = parser.parse_args()
    wanted = [g for g in asked.only.split(",") if g] or list(GOALS)
    unknown = set(wanted) - set(GOALS)
    if unknown:
        parser.error(f"no such goal: {', '.join(sorted(unknown))}")
    print(f"{'quick' if asked.quick else 'full'} size, {datetime.date.today()}", flush=True)
    met = [tried(goal, is_full=not asked.quick) for goal in wanted]
    return 0 if all(met) else 1


def tried(goal: str, *, is_full: bool) -> bool:
    """Run a goal's tests and print its line; tell whether it was met."""
    title, tests = GOALS[goal]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="taproom-fuzz-") as folder:
        report, figures = Path(folder) / "report.xml", Path(folder) / "figures"
        environment = {k: v for k, v in os.environ.items() if k != "TAPROOM_SIZE"}
        environment |= {FIGURES: str(figures), **({"TAPROOM_SIZE": "full"} if is_full else {})}
        told = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-q", "--tb=short", "--show-capture=no",
             f"--junitxml={report}", *tests],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        counts = _counts(report)
        counted = _gathered(figures)
    # With every change, what needs the network is left to the full size.
    is_met = told.returncode == 0 and (not counts["skipped"] or not is_full)
    seconds = round(time.monotonic() - began)
    words = ", ".join(f"{what}: {count:,g}" for what, count in counted.items())
    tests_run = f"{counts['tests'] - counts['skipped']} tests"
    skipped = f", {counts['skipped']} SKIPPED" if counts["skipped"] else ""
    print(
        f"{goal:>5}  {'met' if is_met else 'NOT MET':<8} {title}: {words or 'no figures'} "
        f"({tests_run}{skipped}, {seconds} s)",
        flush=True,
    )
    if not is_met:
        print(told.stdout[-6000:], told.stderr[-1000:], sep="\n", flush=True)
    return is_met


def _counts(report: Path) -> dict[str, int]:
    """Return how many tests ran, failed and were skipped."""
    names = ("tests", "failures", "errors", "skipped")
    if not report.exists():
        return dict.fromkeys(names, 0)
    suites = list(ET.parse(report).getroot().iter("testsuite"))
    return {name: sum(int(s.get(name, 0)) for s in suites) for name in names}


def _gathered(figures: Path) -> dict[str, float]:
    """Add up what the tests have counted; of a time or a size the largest counts."""
    found: defaultdict[str, float] = defaultdict(float)
    for line in figures.read_text().splitlines() if figures.exists() else ():
        _goal, what, count = json.loads(line)
        is_total = what.split()[0] in TOTALS
        found[what] = found[what] + count if is_total else max(found[what], count)
    return dict(found)


if __name__ == "__main__":
    sys.exit(main())
