"""R13 in all three games and with its controls, each in a process of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.chaos.house import Zygote, house_of

GAMES = ("brave_or_knave", "knave", "wicked_age")
BROKEN = ("loses a region", "forgets")
# So much is done before anything else happens, however short an evening Hypothesis wants.
BEGINS_WITH = 8
# An evening's process is begun anew now and then: what is wrong is said the sooner.
AT_A_TIME = 100
CONTROL_TRIES = 6


async def in_all_games(mother: Zygote, *, evenings: int, steps: int) -> dict[str, Any]:
    """Share the evenings among the games; return what was done and what was wrong."""
    found: dict[str, Any] = {"wrong": "", "done": 0, "kinds": 0, "controls": 0}
    for rules in GAMES:
        left, kinds = -(-evenings // len(GAMES)), 0
        while left > 0 and not found["wrong"]:
            now = min(left, AT_A_TIME)
            one = await asyncio.to_thread(_play, mother, rules, now, steps)
            found["done"] += one["done"]
            kinds = max(kinds, one["kinds"])
            if one["wrong"]:
                found["wrong"] = f"{rules}: {one['wrong']}"
            left -= now
        found["kinds"] += kinds
    for broken in BROKEN:
        one = await asyncio.to_thread(control, mother, broken)
        found["controls"] += "Difference" in one["wrong"]
    return found


def control(mother: Zygote, broken: str) -> Any:
    """Play with something broken until that shows: somebody has to come back while much happens."""
    for _attempt in range(CONTROL_TRIES):
        found = _play(mother, GAMES[0], 6, 15, broken)
        # Hypothesis may find the difference and then fault the play, which another time went on.
        if "Difference" in found["wrong"]:
            break
    return found


def _play(mother: Zygote, rules: str, examples: int, steps: int, broken: str = "") -> Any:
    with house_of(mother) as house:
        return house.job("rebuild", rules=rules, examples=examples, steps=steps, broken=broken)
