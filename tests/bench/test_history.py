"""A ratio fallen by more than 20 % fails the run; chance, another machine and luck do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench import profiling, ratios
from bench.load import Figures
from bench.ratios import Ratio
from bench.results import Results, ratios_told

HERE = {"processor": "one", "cores": 2}


def run_of(
    value: float, *, ms: float | None = None, beside: float | None = None, **other: Any
) -> dict[str, Any]:
    one = {"name": "saturation", "value": value, "ms": ms, "beside": beside}
    return {"machine": HERE, "size": "full", "ratios": [one], **other}


@pytest.mark.parametrize(
    ("now", "before", "falls"),
    [
        (1.0, [], False),
        (0.81, [1.0], False),
        (0.79, [1.0], True),
        (1.5, [1.0], False),
        # Many small steps down: the last run alone would let it pass.
        (0.7, [1.0, 1.0, 1.0, 0.9, 0.8], True),
        # One lucky run long ago binds nobody.
        (0.9, [3.0, 1.0, 1.0, 1.0, 1.0, 1.0], False),
    ],
)
def test_a_fall_is_a_fifth_below_the_last_run_or_the_median_of_five(
    now: float, before: list[float], falls: bool
):
    assert bool(ratios.fallen(run_of(now), [run_of(old) for old in before])) is falls


def test_other_machines_and_sizes_are_not_compared():
    before = [
        run_of(9, machine={"processor": "two", "cores": 2}),
        run_of(9, machine={"processor": "one", "cores": 8}),
        run_of(9, size="quick"),
    ]
    assert not ratios.fallen(run_of(1), before)
    assert ratios.fallen(run_of(1), [*before, run_of(9)])


def test_a_latency_falls_only_by_more_than_chance():
    assert not ratios.fallen(run_of(0.5, ms=3.0), [run_of(1.0, ms=1.5)])
    assert ratios.fallen(run_of(0.5, ms=9.0), [run_of(1.0, ms=4.5)])


def test_what_fell_with_stock_django_is_the_machines_fall():
    before = [run_of(0.4, beside=2.5)]
    assert not ratios.fallen(run_of(0.2, beside=2.4), before)
    assert ratios.fallen(run_of(0.2, beside=1.3), before)
    # Who was never measured beside it, or is not now, is judged without it.
    assert ratios.fallen(run_of(0.2), before)
    assert ratios.fallen(run_of(0.2, beside=2.4), [run_of(0.4)])


def test_of_two_looks_the_better_counts_and_what_was_looked_at_once_stays():
    first = [Ratio("p99", 0.5, 9.0), Ratio("saturation", 0.2)]
    assert ratios.better(first, [Ratio("p99", 0.8, 5.0), Ratio("another", 1.0)]) == [
        Ratio("p99", 0.8, 5.0),
        Ratio("saturation", 0.2),
    ]
    assert ratios.better(first, [Ratio("p99", 0.4, 11.0)]) == first


def test_a_run_is_kept_and_read_again(tmp_path: Path):
    path = tmp_path / "history.jsonl"
    run = ratios.entry([Ratio("saturation", 0.8)], "full")
    ratios.keep(run, path)
    ratios.keep(run, path)
    assert ratios.kept(path) == [run, run]
    assert ratios.kept(tmp_path / "none") == []


def seen(p99: float, **more: Any) -> dict[str, Any]:
    return {"p50": p99 / 2, "p99": p99, "lost": 0, "broken": 0, **more}


def test_more_is_better_in_every_ratio():
    """Half the latency and half the throughput of the rival: 2 and 0.5."""
    found = Results()
    found.anchor(Figures("boardgame.io", many=seen(4.0), saturation=3000))
    found.anchor(Figures("boardgame.io", many=seen(6.0), saturation=1000))
    found.anchor(Figures("stock Django", many=seen(10.0), saturation=100))
    found.ours(Figures("bout", many=seen(2.5), saturation=1000))
    values = {one.name: (one.value, one.beside) for one in found.ratios()}
    assert values["50 tables p99 (bout)"] == (2.0, 4.0)
    assert values["saturation (bout)"] == (0.5, 10.0)
    told = ratios_told(found)
    assert "met           p99 at 50 tables" in told
    assert "NOT MET       saturation" in told


def test_without_an_anchor_only_its_ratios_are_left_out(capsys: pytest.CaptureFixture[str]):
    found = Results()
    found.miss("boardgame.io: no node")
    found.ours(Figures("bout", many=seen(2.5), saturation=1000))
    found.rules = {"python-chess": 30_000.0, "brave_or_knave": 60_000.0}
    assert [one.name for one in found.ratios()] == ["brave_or_knave against python-chess"]
    assert "NOT MEASURED: boardgame.io" in capsys.readouterr().out


def test_a_lost_action_below_saturation_is_no_success():
    found = Results()
    found.ours(Figures("bout", many=seen(-1.0, lost=1)))
    assert found.broken == ["bout"]
    assert found.ratios() == []


def test_a_profile_counts_each_function_once_and_no_waiting():
    samples = "\n".join(
        [
            "run (games/a.py:1);draw (games/b.py:2);draw (games/b.py:3);loads (json.py:2) 3",
            "run (games/a.py:9);dumps (json.py:7) 1",
            "run (games/a.py:9);wait (threading.py:7) 900",
        ]
    )
    told = profiling.top_tens(samples)
    assert "of 4 samples" in told
    assert "75.0 %  loads (json.py)" in told
    assert "100.0 %  run (games/a.py)" in told
    assert "75.0 %  draw (games/b.py)" in told
