"""What `docs/security.md` names is there: every test that it says holds something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
ROWS = 16


def missing(text: str) -> list[str]:
    """Return the tests that a text names and nobody has written."""
    found = []
    for path, name in NAMED.findall(text):
        file = ROOT / path
        tree = ast.parse(file.read_text()) if file.exists() else ast.Module([], [])
        if name not in {getattr(node, "name", "") for node in tree.body}:
            found.append(f"{path}::{name}")
    return found


def threats() -> list[str]:
    text = (ROOT / "docs" / "security.md").read_text()
    table = text.split("## Who might want what")[1].split("## ")[0]
    return [line for line in table.splitlines() if line.startswith("| ")][1:]


def test_every_test_that_is_named_is_there():
    assert missing((ROOT / "docs" / "security.md").read_text()) == []


def test_every_threat_is_held_by_a_test():
    assert len(threats()) >= ROWS
    assert [line for line in threats() if not NAMED.search(line)] == []


def test_a_test_that_is_gone_would_be_missed():
    """The control."""
    gone = "`tests/security/test_document.py::test_nothing`, `tests/nowhere.py::test_x`"
    assert len(missing(gone)) == 2


def test_every_goal_has_a_row_and_the_figures_of_its_day():
    text = (ROOT / "docs" / "security.md").read_text()
    for goal in (f"S{n}" for n in range(1, 11)):
        (row,) = [line for line in text.splitlines() if line.startswith(f"| {goal} ")]
        assert re.search(r"20\d\d-\d\d-\d\d", row), goal
