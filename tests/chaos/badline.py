"""R9: a line of 200 ms ± 100, one chunk in twenty stalled, 1 KB a second. R2 and R4 hold."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.chaos import cuts, repeats
from tests.chaos.house import Zygote
from tests.chaos.proxy import Weather

BAD = Weather(delay=0.2, jitter=0.1, stalls=0.05, stall=1.0, rate=1024)
# The same, quick enough for every change; the trickle is what takes its time.
SMOKE = Weather(delay=0.1, jitter=0.05, stalls=0.05, stall=0.3, rate=16 * 1024)
# A first push of 20 KB takes a phone on such a line 20 seconds.
SETTLES_WITHIN = 240


async def on_a_bad_line(
    mother: Zygote, *, taps: int, cut: int, weather: Weather = BAD, at_once: bool = False
) -> dict[str, Any]:
    """Repeat taps (R2) and cut lines (R4) on a bad network; return what came of both.

    Each has a house of its own; with `at_once` they do not wait for each other.
    """
    repeated = repeats.over_lines(mother, taps=taps, weather=weather)
    cutting = cuts.cuts(
        mother,
        cuts=cut,
        watchers=3,
        weather=weather,
        goes_on=2.0,
        settles_within=SETTLES_WITHIN,
    )
    if at_once:
        found = await asyncio.gather(repeated, cutting)
    else:
        found = [await repeated, await cutting]
    return {"repeats": found[0], "cuts": found[1]}


def is_met(found: dict[str, Any]) -> bool:
    return repeats.is_met(found["repeats"]) and cuts.is_met(found["cuts"])
