"""`docs/scaling.md` says what was measured, and nothing else under its name."""

from __future__ import annotations

import json
import math

import pytest

from bench.scaling_doc import (
    BLOCK,
    BUSY,
    DOC,
    FIGURES,
    STEPS,
    arithmetic,
    each_of,
    filled,
    waiting,
)
from bench.scaling_sim import EVERY_SECONDS, RESULTS


def _lines(table: str) -> dict[str, list[str]]:
    """Return each line's cells by what stands before them."""
    cells = [line.split("|")[1:-1] for line in table.splitlines()]
    return {line[0].strip(): [cell.strip() for cell in line[1:]] for line in cells}


def test_the_figures_are_those_that_were_measured(monkeypatch: pytest.MonkeyPatch):
    """Simulations among them: their chance is seeded, so they come out the same."""
    text = DOC.read_text()
    assert [name for _head, name, _end in BLOCK.findall(text)] == list(FIGURES)
    results = json.loads(RESULTS.read_text())
    # They take seconds: the control has the same ones.
    measured = {name: made(results) for name, made in FIGURES.items()}
    for name, told in measured.items():
        monkeypatch.setitem(FIGURES, name, lambda _results, told=told: told)
    assert filled(text, results) == text
    other = text.replace("| phones |", "| phones | 1 ", 1)
    assert filled(other, results) != other, "the control"


def test_the_arithmetic_multiplies_what_was_measured():
    results = json.loads(RESULTS.read_text())
    told = _lines(arithmetic(results))
    assert told["phones"] == [f"{7 * tables:,}" for tables in (50, 1000, 10_000)] + ["1,000,000"]
    rate = 10_000 / EVERY_SECONDS
    assert told["actions a second"][2] == f"{rate:,.0f}"
    each = each_of(results)
    rows = float(told["rows written a second"][2].replace(",", ""))
    assert abs(rows - rate * each.rows) <= 0.01 * rows
    assert len(STEPS) == 4


def test_the_arithmetic_counts_what_phones_cost_that_sleep():
    """Of the proxy that is more than all taps together: with one core for 1,000 tables, as the page
    said, it would have had work for more than one."""
    results = json.loads(RESULTS.read_text())
    each, told = each_of(results), _lines(arithmetic(results))
    for label, action_ms, phone_ms in (
        ("cores of PostgreSQL", each.postgres_ms, each.idle_postgres_ms),
        ("cores of Redis and the proxy", each.beside_ms, each.idle_beside_ms),
    ):
        busy_ms = 1000 / EVERY_SECONDS * action_ms + 7000 * phone_ms
        assert float(told[label][1]) == pytest.approx(busy_ms / 1000 / BUSY, rel=0.01), label


def test_a_process_has_as_many_tables_where_it_waits_as_in_the_arithmetic():
    """Half busy is the plan of both; without sleeping phones it had half as many tables again."""
    results = json.loads(RESULTS.read_text())
    tables = float(_lines(waiting(results))[f"{BUSY:.0%}"][0])
    processes = float(_lines(arithmetic(results))["processes (cores of their own)"][1])
    assert math.ceil(1000 / tables) == processes
