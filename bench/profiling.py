"""Where the server's time goes under load: py-spy's samples, by self time and by our functions."""

from __future__ import annotations

import argparse
import subprocess
import threading
from collections import Counter
from pathlib import Path

from bench.processes import ENDLESS, ROOT, WORK, Load, Server

SECONDS = 12
RATE = 100
TOP = 10
# A thread that waits holds no processor, whatever py-spy says of it.
WAITS = ("wait (threading", "_worker (concurrent", "select (selectors", "poll (", "get (queue")
# Who holds the interpreter; and where threads stand, which shows waiting for the database's lock.
KINDS = {"interpreter": ["--gil"], "threads": []}
OURS = (*(f"{app.parent.name}/" for app in ROOT.glob("*/apps.py")), "config/", "templates/")


def profile(load: Load, server: Server, options: argparse.Namespace) -> int:
    """Sample the server while all tables are busy; keep the samples, print both top tens."""
    from bench.load import MANY

    load.order(f"connect {MANY}")
    load.order(f"load closed {MANY} 240 0 {MANY}")
    name = f"profile-{options.game}-{options.server}-{options.transport}"
    for what, more in KINDS.items():
        kept = WORK / f"{name}-{what}.txt"
        sampler = threading.Thread(target=_sample, args=(server.pid, kept, more))
        sampler.start()
        seen = load.order(f"load closed {MANY} {SECONDS + 3} 0 {ENDLESS}")
        sampler.join()
        print(f"{options.game}, {options.server}, {what}: {seen['done']} actions meanwhile")
        print(top_tens(kept.read_text()))
        print(f"samples: {kept.relative_to(ROOT)}")
    return 0


def _sample(pid: int, kept: Path, more: list[str]) -> None:
    spy = ROOT / ".venv" / "bin" / "py-spy"
    asked = [str(spy), "record", "-d", str(SECONDS), "-r", str(RATE), "-f", "raw", "-o", str(kept)]
    subprocess.run([*asked, *more, "--pid", str(pid)], check=True, capture_output=True)


def top_tens(samples: str) -> str:
    """Write the two top tens of raw samples: innermost frames, and innermost frames of ours.

    >>> print(top_tens("run (games/a.py:1);loads (json.py:2) 3"))
    of 3 samples, by self time:
      100.0 %  loads (json.py)
    with all that was called from there, by our own functions:
      100.0 %  run (games/a.py)
    """
    own: Counter[str] = Counter()
    ours: Counter[str] = Counter()
    total = 0
    for line in samples.splitlines():
        stack, _, count = line.rpartition(" ")
        frames = [_without_line(frame) for frame in stack.split(";")]
        if not count.isdigit() or any(wait in frames[-1] for wait in WAITS):
            continue
        total += int(count)
        own[frames[-1]] += int(count)
        for frame in {f for f in frames if any(f"({o}" in f or f"/{o}" in f for o in OURS)}:
            ours[frame] += int(count)
    lines = [f"of {total} samples, by self time:", *_shares(own, total)]
    lines += ["with all that was called from there, by our own functions:", *_shares(ours, total)]
    return "\n".join(lines)


def _shares(counted: Counter[str], total: int) -> list[str]:
    return [f"  {100 * n / total:5.1f} %  {name}" for name, n in counted.most_common(TOP)]


def _without_line(frame: str) -> str:
    """Drop the line number: `loads (json.py:2)` is `loads (json.py)`."""
    head, colon, tail = frame.rpartition(":")
    return f"{head})" if colon and tail.rstrip(")").isdigit() else frame
