"""R13 in all three games and with its controls, each in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from tests.chaos.house import Zygote, house_of, zygote

GAMES = ("brave_or_knave", "knave", "wicked_age")
BROKEN = ("loses a region", "forgets")
# So much is done before anything else happens, however short an evening Hypothesis wants.
BEGINS_WITH = 8
# An evening's process is begun anew now and then: what is wrong is said the sooner.
AT_A_TIME = 100
CONTROL_TRIES = 6


async def in_all_games(mother: Zygote, *, evenings: int, steps: int) -> dict[str, Any]:
    """Share the evenings among the games, which are played side by side: thousands take hours.

    Return what was done and what was wrong.
    """
    share = -(-evenings // len(GAMES))
    games = await asyncio.gather(
        *(asyncio.to_thread(_in_one, rules, evenings=share, steps=steps) for rules in GAMES)
    )
    controls = [await asyncio.to_thread(control, mother, broken) for broken in BROKEN]
    return {
        "wrong": "; ".join(filter(None, (game["wrong"] for game in games))),
        "done": sum(game["done"] for game in games),
        "kinds": sum(game["kinds"] for game in games),
        "controls": sum("Difference" in one["wrong"] for one in controls),
    }


def _in_one(rules: str, *, evenings: int, steps: int) -> dict[str, Any]:
    """Play one game's evenings, up to the first difference."""
    found: dict[str, Any] = {"wrong": "", "done": 0, "kinds": 0}
    with zygote() as mother:
        for begun in range(0, evenings, AT_A_TIME):
            one = _play(mother, rules, min(AT_A_TIME, evenings - begun), steps)
            found["done"] += one["done"]
            found["kinds"] = max(found["kinds"], one["kinds"])
            if evenings > AT_A_TIME:  # hours: whoever ends it sooner knows how far it came
                at = min(begun + AT_A_TIME, evenings)
                print(f"R13: {rules}, {at} of {evenings}", file=sys.stderr, flush=True)
            if one["wrong"]:
                return found | {"wrong": f"{rules}: {one['wrong']}"}
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
