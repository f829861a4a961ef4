"""Every goal with its two sizes: what is run, what is said of it, and whether it is met."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos import (
    badline,
    clocks,
    cuts,
    keeping,
    kill,
    rebuild_sizes,
    repeats,
    restarts,
    sleeping,
    standstills,
    wakeups,
    writers,
)
from tests.chaos.house import Zygote
from tests.games import crowd
from tests.games.databases import postgres_database

Figures = dict[str, Any]
Database = Callable[[Path], AbstractContextManager[dict[str, str]]]
PORTION = 1000
# For how many seconds a laptop's lid is shut; phones give a house up that says nothing.
STANDSTILLS = (2.0, 12.0, 30.0, 90.0)


@dataclass(frozen=True)
class Verdict:
    """What came of a goal: a line of figures, and whether they are as asked for."""

    said: str
    is_met: bool


@dataclass(frozen=True)
class Goal:
    """One row of the list in docs/reliability.md."""

    number: str
    what: str
    quick: Callable[[Zygote], Awaitable[Verdict]]
    full: Callable[[Zygote, float], Awaitable[Verdict]]


def _of(count: int, scale: float) -> int:
    return max(1, round(count * scale))


# --- R1 -------------------------------------------------------------------------------------------


async def _kills(mother: Zygote, kills: int, acks: int) -> Verdict:
    found = await kill.kills(mother, kills=kills, acks=acks)
    control = await kill.kills(mother, kills=3, acks=30, ack_first=0.3)
    said = (
        f"{kills} kills ({found['by_its_own_hand']} between commit and answer or wake-up), "
        f"{found['acks']} acks: {found['lost']} lost, {found['doubled']} doubled, "
        f"{found['committed_unanswered']} committed and unanswered, integrity "
        f"{found['integrity']}, {len(found['replayed_wrong'])} of {found['games']} games replay "
        f"otherwise; control lost {control['lost']}"
    )
    met = kill.is_met(found) and control["lost"] > 0
    if kill.has_strace():
        synced = await kill.syncs(mother, taps=20)
        met = met and synced["answers_without_sync"] == 0
        said += f"; {synced['syncs']} syncs for {synced['taps']} answers"
    else:
        said += "; strace IS NOT THERE: syncs NOT COUNTED"
    return Verdict(said, met)


# --- R2, R3 ---------------------------------------------------------------------------------------


async def _repeats(mother: Zygote, crowded: int, lines: int) -> Verdict:
    folder = tempfile.mkdtemp(dir=mother.folder)
    inside = repeats.in_crowds({"TAPROOM_DATA": folder}, taps=crowded)
    outside = await repeats.over_lines(mother, taps=lines)
    control = await repeats.over_lines(mother, taps=10, fresh_ids=True)
    said = "; ".join(
        f"{f['taps']} taps sent {f['sends']} times {where}: {f['happened']} happened"
        + (f", {f['locked']} refused for a lock" if f.get("locked") else "")
        + (f", errors {f['errors']}" if f["errors"] else "")
        for f, where in ((inside, "by 4 processes"), (outside, "over lines that break"))
    )
    met = repeats.is_met(inside) and repeats.is_met(outside)
    is_real = control["happened"] > control["taps"]
    return Verdict(f"{said}; control {control['happened']} of 10", met and is_real)


@contextmanager
def _sqlite(folder: Path) -> Iterator[dict[str, str]]:
    yield {"TAPROOM_DATA": str(folder)}


def _run_races(mother: Zygote, database: Database, races: int) -> Counter[str]:
    """Run races in portions, each in a database of its own, which stays as small as a house's."""
    found: Counter[str] = Counter(errors=0)
    for begun in range(0, races, PORTION):
        with database(Path(tempfile.mkdtemp(dir=mother.folder))) as environment:
            now = min(PORTION, races - begun)
            one = crowd.run(environment, "shout_races", within=repeats.PATIENCE_S, races=now)
        found["errors"] += one.pop("errors").total()
        found.update(one)
    return found


async def _races(mother: Zygote, sqlite: int, postgres: int) -> Verdict:
    found = _run_races(mother, _sqlite, sqlite)
    other = _run_races(mother, postgres_database, postgres)
    said = "; ".join(
        f"{f['races']} races on {name}: {f['one challenger']} with exactly one challenger, the "
        f"first in {f['the first was first']}"
        for f, name in ((found, "SQLite"), (other, "PostgreSQL"))
    )
    met = all(
        f["one challenger"] == f["the first was first"] == f["no gap"] == f["races"]
        and not f["errors"]
        for f in (found, other)
    )
    return Verdict(said, met)


# --- R4, R5 ---------------------------------------------------------------------------------------


def _of_cuts(found: Figures) -> str:
    return (
        f"{found['missed']} missed, {found['doubled']} doubled, {found['disorder']} out of order, "
        f"{' '.join(found['wrong_regions']) or 'no'} wrong regions"
    )


async def _cuts(mother: Zygote, count: int, sleepers: int, seconds: float) -> Verdict:
    found = await cuts.cuts(mother, cuts=count, watchers=8 if count > 100 else 4)
    met = cuts.is_met(found)
    said = f"{found['cuts']} cuts, {found['events']} events: {_of_cuts(found)}"
    if sleepers:
        slept = await cuts.long_sleeps(mother, phones=sleepers, seconds=seconds, events=40)
        met = met and cuts.is_met(slept)
        said += f"; {slept['phones']} of {seconds:.0f} s: {_of_cuts(slept)}"
    control = await cuts.overclaiming(mother)
    return Verdict(f"{said}; control missed {control['missed']}", met and control["missed"] > 0)


async def _returns(
    mother: Zygote, told: int, untold: int, cold: int, still: Sequence[float]
) -> Verdict:
    lasting = (0.5, 15.0) if told > 8 else (0.3, 1.5)
    with_word = await cuts.returns(mother, outages=told, seconds=lasting)
    without = await cuts.returns(mother, outages=untold, seconds=lasting, tells=False)
    opened = await restarts.restarts(mother, times=cold)
    stood = await standstills.standstills(mother, lasting=still)
    said = (
        f"{with_word['count']} returns: p50 {with_word['p50']} s, p99 {with_word['p99']} s, max "
        f"{with_word['max']} s; where the system says nothing: p99 {without['p99']} s, max "
        f"{without['max']} s; {cold} cold restarts: max {opened['max']} s; {len(still)} "
        f"standstills of up to {max(still):.0f} s: max {max(stood['waits'])} s, {stood['twice']} "
        "taps twice"
    )
    met = with_word["p99"] <= 3 and with_word["max"] <= 10 and without["max"] <= 10
    met = met and with_word["early"] == without["early"] == 0
    return Verdict(said, met and opened["max"] <= 10 and standstills.is_met(stood))


# --- R6 to R9 -------------------------------------------------------------------------------------


async def _sleeps(mother: Zygote, events: int, sleepers: int) -> Verdict:
    found = await sleeping.sleeps(mother, events=events, sleepers=sleepers)
    calm, busy = found["awake_quiet"]["p99"], found["awake_busy"]["p99"]
    said = (
        f"{sleepers} phones asleep through {found['events']} events: {_of_cuts(found)}; "
        f"{found['mb_a_phone']} MB a phone; others' p99 {1000 * busy:.0f} ms, without sleepers "
        f"{1000 * calm:.0f} ms"
    )
    return Verdict(said, sleeping.is_met(found))


async def _redis(_mother: Zygote, kills: int) -> Verdict:
    with wakeups.pair() as among:
        found = await wakeups.redis_dies(among, kills=kills)
        control = await wakeups.redis_dies(among, kills=1, no_looks=True)
    said = (
        f"{kills} kills of Redis: {_of_cuts(found)}; actions committed in "
        f"{found['commits_in_outages']} of {kills}; silence at most the outage and "
        f"{found['silence_over']} s; control stays behind {control['stayed_behind']} of 1"
    )
    return Verdict(said, wakeups.is_met(found) and control["stayed_behind"] == 1)


async def _writers(mother: Zygote, count: int, minutes: float) -> Verdict:
    found = await writers.at_once(mother, writers=count, taps=1 if not minutes else 5)
    said = f"{count} writers at once: {found['said_locked']} heard of a lock"
    met = writers.is_met(found)
    if minutes:
        soaked = await writers.soak(mother, minutes=minutes, tables=20, phones=8)
        met = met and writers.is_met(soaked, ack_p99=0.150)
        said += (
            f"; {minutes:g} min of 8 phones x 20 tables: {soaked['answers']} acks, "
            f"{soaked['said_locked']} heard of a lock, ack p99 {1000 * soaked['ack']['p99']:.0f} "
            f"ms, memory {soaked['rss_mb'][0]} to {soaked['rss_mb'][1]} MB"
        )
    return Verdict(said, met)


async def _bad_line(mother: Zygote, taps: int, cut: int, *, is_bad: bool) -> Verdict:
    weather = badline.BAD if is_bad else badline.SMOKE
    found = await badline.on_a_bad_line(mother, taps=taps, cut=cut, weather=weather)
    once = found["repeats"]
    said = (
        f"{once['taps']} taps sent {once['sends']} times: {once['happened']} happened; "
        f"{found['cuts']['cuts']} cuts: {_of_cuts(found['cuts'])}"
    )
    return Verdict(said, badline.is_met(found))


# --- R10, R13 -------------------------------------------------------------------------------------


async def _clocks(mother: Zygote, times: int) -> Verdict:
    steps = [(clocks.DAY, 0.0), (0.0, clocks.STEP), (0.0, -clocks.STEP), (clocks.DAY, -clocks.STEP)]
    found = [
        await clocks.shouts(mother, phone_off=off, step=step)
        for _n in range(times)
        for off, step in steps
    ]
    dead = [
        await clocks.the_dead_stay_dead(mother, step=s * clocks.STEP)
        for _n in range(times)
        for s in (1, -1)
    ]
    right = sum(map(clocks.is_met, found))
    gone = sum(map(clocks.stays_dead, dead))
    said = (
        f"phones ±24 h, server ±2 h: {right} of {len(found)} shoutings in order and closed; "
        f"{gone} of {len(dead)} removed phones stay out"
    )
    return Verdict(said, right == len(found) and gone == len(dead))


async def _rebuild(mother: Zygote, evenings: int, steps: int) -> Verdict:
    found = await rebuild_sizes.in_all_games(mother, evenings=evenings, steps=steps)
    said = (
        f"{evenings} evenings x {steps} steps in three games, {found['done']} actions of "
        f"{found['kinds']} kinds: {found['wrong'] or '0 differences'}; control found "
        f"{found['controls']} of 2"
    )
    return Verdict(said, not found["wrong"] and found["controls"] == 2)


# --- R11, R12 and what breaks in a machine --------------------------------------------------------


async def _backups(_mother: Zygote, rounds: int) -> Verdict:
    return Verdict(*await keeping.backups_under_load(rounds))


async def _kept(_mother: Zygote, *names: str, full: bool) -> Verdict:
    return Verdict(*await keeping.tests_of(*names, full=full))


FAULTS = (
    "test_faults", "test_postgres", "test_postgres_killed", "test_postgres_restores",
    "test_together",
)  # fmt: skip
SOAK_MINUTES = float(os.environ.get("TAPROOM_SOAK_MINUTES", "60"))

GOALS = (
    # A few more than are asked for: of the last life's answers some may be refusals.
    Goal("R1", "Acknowledged, then kill -9", lambda m: _kills(m, 20, 100),
         lambda m, s: _kills(m, _of(500, s), _of(50_050, s))),
    Goal("R2", "The same tap 1-5 times", lambda m: _repeats(m, 1000, 100),
         lambda m, s: _repeats(m, _of(50_000, s), _of(2_000, s))),
    Goal("R3", "Shout races of 8 rivals", lambda m: _races(m, 200, 300),
         lambda m, s: _races(m, _of(10_000, s), _of(10_000, s))),
    Goal("R4", "Cut lines", lambda m: _cuts(m, 50, 0, 0),
         lambda m, s: _cuts(m, _of(5_000, s), 20, 125 if s >= 0.1 else 20)),
    Goal("R5", "The screen after the network's return",
         lambda m: _returns(m, 4, 4, 1, STANDSTILLS[:2]),
         lambda m, s: _returns(m, _of(80, s), _of(40, s), _of(10, s), STANDSTILLS)),
    Goal("R6", "Sleeping phones", lambda m: _sleeps(m, 60, 3),
         lambda m, s: _sleeps(m, _of(10_000, s), 5)),
    Goal("R7", "Redis dies", lambda m: _redis(m, 1), lambda m, s: _redis(m, _of(50, s))),
    Goal("R8", "Nobody hears of a lock", lambda m: _writers(m, 200, 0),
         lambda m, s: _writers(m, 200, SOAK_MINUTES * s)),
    Goal("R9", "A bad line", lambda m: _bad_line(m, 12, 4, is_bad=False),
         lambda m, s: _bad_line(m, _of(300, s), _of(60, s), is_bad=True)),
    Goal("R10", "Wrong clocks", lambda m: _clocks(m, 1), lambda m, s: _clocks(m, _of(10, s))),
    Goal("R11", "Backups under load", lambda m: _backups(m, 1),
         lambda m, s: _backups(m, _of(50, s))),
    Goal("R12", "A house of every release", lambda m: _kept(m, "test_releases", full=False),
         lambda m, s: _kept(m, "test_releases", full=True)),
    Goal("FAULTS", "Disk full, read only, gone; PostgreSQL killed",
         lambda m: _kept(m, *FAULTS, full=False), lambda m, s: _kept(m, *FAULTS, full=True)),
    Goal("R13", "What was sent is what is there", lambda m: _rebuild(m, 50, 40),
         lambda m, s: _rebuild(m, _of(5_000, s), 100)),
)  # fmt: skip
