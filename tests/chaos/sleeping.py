"""R6: phones that sleep through thousands of events, and what they cost those who are awake."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from tests.chaos import cuts
from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until
from tests.chaos.play import Picker, phones_at

AWAKE = 3
# Events between two looks at the clock, in turn with nobody and with somebody asleep.
ROUND = 25
# After each tap: so three who take turns are no flood (S1), by which their sockets would be closed.
REST = 0.02


async def sleeps(mother: Zygote, *, events: int, sleepers: int) -> dict[str, Any]:
    """Let phones take one push and nothing more, while so many events happen; then wake them.

    The awake are measured with and without sleepers, in turns: the time from a tap
    to its push on another phone. Growth is the server's memory per sleeping phone,
    beyond what the same events cost without any.
    """
    with house_of(mother) as house:
        calm, slept = house.seed(2, AWAKE + sleepers)
        await house.opens()
        async with phones_at(house.port, [calm, slept], seats=AWAKE) as awake:
            quiet, busy = awake[:AWAKE], awake[AWAKE:]
            await until(lambda: all(p.account.pushes for p in awake), PATIENCE)
            asleep = _beds(house, slept, sleepers)
            for phone in asleep:
                await phone.__aenter__()
            await until(lambda: all(p.account.pushes for p in asleep), PATIENCE)
            try:
                figures = await _happens(house, quiet, busy, events)
                return {**figures, **await _wakes(house, slept, asleep, figures)}
            finally:
                for phone in asleep:
                    await phone.__aexit__()


def _beds(house: House, table: dict[str, Any], sleepers: int) -> list[Phone]:
    seats = range(AWAKE, AWAKE + sleepers)
    return [Phone(house.port, table, seat, habits=Habits(deaf=True)) for seat in seats]


async def _happens(
    house: House, quiet: list[Phone], busy: list[Phone], events: int
) -> dict[str, Any]:
    """Let things happen at both tables in turns; the first rounds only warm up."""
    waits: dict[str, list[float]] = {"quiet": [], "busy": []}
    grown = {"quiet": 0.0, "busy": 0.0}
    tables = {"quiet": [Picker(p) for p in quiet], "busy": [Picker(p) for p in busy]}
    for people in tables.values():
        await _rounds(people, min(ROUND, events // 2))
    count = {"quiet": 0, "busy": 0}
    while count["busy"] < events:
        for name, people in tables.items():
            before = house.rss_mb()
            now = min(ROUND, events - count[name])
            waits[name] += await _rounds(people, now)
            grown[name] += house.rss_mb() - before
            count[name] += now
    return {
        "events": count["busy"],
        "grown_mb": {k: round(v, 2) for k, v in grown.items()},
        "awake_quiet": cuts.in_short(waits["quiet"]),
        "awake_busy": cuts.in_short(waits["busy"]),
        "opened_again": sum(p.account.opened - 1 for p in (*quiet, *busy)),
    }


async def _rounds(people: list[Picker], count: int) -> list[float]:
    """Tap in turn, and wait for it to be on every awake screen; return how long each took."""
    waits = []
    phones = [one.phone for one in people]
    for n in range(count):
        before, began = max(p.seq for p in phones), time.monotonic()
        assert await people[n % len(people)].taps().answer == 204
        await asyncio.gather(*(p.shows(before + 1) for p in phones))
        waits.append(time.monotonic() - began)
        await asyncio.sleep(REST)
    return waits


async def _wakes(
    house: House, table: dict[str, Any], asleep: list[Phone], figures: dict[str, Any]
) -> dict[str, Any]:
    """Wake everybody: each has slept with one push in hand, and now takes all there is."""
    pushes_asleep = max(len(p.account.pushes) for p in asleep)
    for phone in asleep:
        phone.habits.deaf = False
        await phone._says(ack=phone.seq)
    settled = await cuts.settles(house, asleep, table["id"])
    found = await cuts.account_of(house, asleep, table)
    grown = figures["grown_mb"]["busy"] - figures["grown_mb"]["quiet"]
    return {
        "settled": settled,
        **found,
        "sleepers": len(asleep),
        "pushes_asleep": pushes_asleep,
        "mb_a_phone": round(max(0.0, grown) / len(asleep), 3),
    }


def is_met(found: dict[str, Any], *, slack: float = 1.25) -> bool:
    """Nothing lost, memory flat, and the awake no slower than the slack and two milliseconds.

    Whose socket was opened again has waited for that, and its time is no measure.
    """
    bound = found["awake_quiet"]["p99"] * slack + 0.002
    is_cheap = found["mb_a_phone"] <= 5
    is_as_quick = found["awake_busy"]["p99"] <= bound and not found["opened_again"]
    return cuts.is_met(found) and is_cheap and is_as_quick
