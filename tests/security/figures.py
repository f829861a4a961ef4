"""What the tests of security have counted, for `python -m tests.security.fuzz` to gather."""

from __future__ import annotations

import json
import os

FIGURES = "TAPROOM_FIGURES"


def measured(goal: str, what: str, count: float) -> None:
    """Keep a figure for a goal, where somebody gathers them; `fuzz` says which are added up."""
    path = os.environ.get(FIGURES)
    if path:
        with open(path, "a") as file:
            file.write(json.dumps([goal, what, count]) + "\n")
