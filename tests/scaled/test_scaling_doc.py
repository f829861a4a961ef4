"""`docs/scaling.md` says what was measured, and nothing else under its name."""

from __future__ import annotations

import json

from bench.scaling_doc import BLOCK, DOC, FIGURES, STEPS, arithmetic, each_of, filled
from bench.scaling_sim import EVERY_SECONDS, RESULTS


def test_the_figures_are_those_that_were_measured():
    """Simulations among them: their chance is seeded, so they come out the same."""
    text = DOC.read_text()
    assert [name for _head, name, _end in BLOCK.findall(text)] == list(FIGURES)
    assert filled(text, json.loads(RESULTS.read_text())) == text
    other = text.replace("| phones |", "| phones | 1 ", 1)
    assert filled(other, json.loads(RESULTS.read_text())) != other, "the control"


def test_the_arithmetic_multiplies_what_was_measured():
    results = json.loads(RESULTS.read_text())
    lines = [line.split("|")[1:-1] for line in arithmetic(results).splitlines()]
    told = {line[0].strip(): [cell.strip() for cell in line[1:]] for line in lines}
    assert told["phones"] == [f"{7 * tables:,}" for tables in (50, 1000, 10_000)] + ["1,000,000"]
    rate = 10_000 / EVERY_SECONDS
    assert told["actions a second"][2] == f"{rate:,.0f}"
    each = each_of(results)
    rows = float(told["rows written a second"][2].replace(",", ""))
    assert abs(rows - rate * each.rows) <= 0.01 * rows
    assert len(STEPS) == 4
