"""The simulation behind `docs/scaling.md`, held against what is known of a single queue.

M/M/1: the time in the house is exponential with rate (service rate - arrival rate). M/D/1: the
mean wait in the queue is half of that.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bench.scaling_sim import (
    EVERY_SECONDS,
    Costs,
    Disk,
    at_tables,
    exponential,
    most_tables,
    simulate,
    tables_at,
)

SERVICE_MS = 10.0
TAPS = 30_000


@pytest.mark.parametrize("busy", [0.5, 0.7])
def test_service_at_random_is_as_m_m_1(busy: float):
    costs = Costs(SERVICE_MS, shape=exponential)
    seen = simulate(costs, busy * 1000 / SERVICE_MS, taps=TAPS)
    mean = SERVICE_MS / (1 - busy)
    assert seen.mean == pytest.approx(mean, rel=0.08)
    assert seen.at(0.99) == pytest.approx(mean * math.log(100), rel=0.15)
    assert seen.busy == pytest.approx(busy, rel=0.05)


@pytest.mark.parametrize("busy", [0.5, 0.7])
def test_service_that_is_always_the_same_is_as_m_d_1(busy: float):
    seen = simulate(Costs(SERVICE_MS), busy * 1000 / SERVICE_MS, taps=TAPS)
    wait = busy * SERVICE_MS / (2 * (1 - busy))
    assert seen.mean == pytest.approx(SERVICE_MS + wait, rel=0.08)
    # The control: the other formula's wait, twice as long, would be told apart.
    assert seen.mean != pytest.approx(SERVICE_MS + 2 * wait, rel=0.08)


def test_processes_that_share_nothing_are_queues_of_their_own():
    one = simulate(Costs(SERVICE_MS, shape=exponential), 60, taps=TAPS)
    four = simulate(Costs(SERVICE_MS, shape=exponential), 240, processes=4, taps=TAPS)
    assert four.mean == pytest.approx(one.mean, rel=0.1)


def test_a_table_at_two_processes_is_drawn_twice():
    costs = Costs(play=2.0, draw=2.0)
    together = simulate(costs, 100, processes=2, taps=TAPS)
    apart = simulate(costs, 100, processes=2, spread=2, taps=TAPS)
    assert apart.busy == pytest.approx(1.5 * together.busy, rel=0.02)
    assert apart.mean > together.mean


def test_the_disk_writes_together_what_waits():
    disk = Disk(sync=10.0)
    assert [disk.done_at(at) for at in (0, 1, 5, 9.9, 12, 35)] == [10, 20, 20, 20, 30, 45]
    assert disk.syncs == 4
    seen = simulate(Costs(play=0.1, sync=10.0), 500, taps=5000)
    assert seen.syncs < 5000 / 4
    assert seen.at(0.99) < 3 * 10


def test_phones_that_sleep_leave_less_for_the_taps():
    """Half of the processor left for taps is a processor half as quick."""
    asleep = Costs(SERVICE_MS, asleep=20.0, shape=exponential)
    tables = tables_at(asleep, 0.75)
    assert tables == pytest.approx(750 / (SERVICE_MS / EVERY_SECONDS + 20))
    left = 1 - tables * 20 / 1000
    as_slow = Costs(SERVICE_MS / left, shape=exponential)
    seen = at_tables(asleep, tables)
    assert seen.mean == pytest.approx(simulate(as_slow, tables / EVERY_SECONDS).mean)
    awake = replace(asleep, asleep=0.0)
    assert seen.mean > at_tables(awake, tables).mean, "the control"
    assert most_tables(asleep) < most_tables(awake)
