"""R5 for a house that stands still, as when the lid of the host's laptop is shut during play.

Its process has its memory and its sockets when it goes on. The phones have waited, sent again, or
given it up; what they sent lies with the system, some of it more than once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from typing import Any

from tests.chaos import cuts
from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until
from tests.chaos.play import Picker, at_work, phones_at

PLAYS_FOR = 1.0
RIGHT_WITHIN = 30.0


async def standstills(
    mother: Zygote, *, lasting: Sequence[float], phones: int = 4, way: str = "post"
) -> dict[str, Any]:
    """Stop the house for so many seconds at a time, while everybody taps.

    `waits` are from its going on until all screens are right; `while_still` is how many taps
    were answered meanwhile; `twice` how many have happened more than once. `closes` is how many
    sockets phones had given up.
    """
    with house_of(mother) as house:
        [table] = house.seed(1, phones)
        await house.opens()
        async with phones_at(house.port, [table], lambda _seat: Habits(way=way)) as everybody:
            await until(lambda: all(p.account.pushes for p in everybody), PATIENCE)
            async with at_work(*(Picker(phone).goes_on(cuts.A_BREATH) for phone in everybody)):
                stops = [await _stands(house, everybody, table["id"], s) for s in lasting]
            await until(lambda: not any(p.unsent for p in everybody), PATIENCE)
            settled = await cuts.settles(house, everybody, table["id"])
            gave_up = sum(len(phone.account.closes) for phone in everybody)
            found = await cuts.account_of(house, everybody, table)
        return {
            "settled": settled,
            "while_still": sum(answered for answered, _wait in stops),
            "waits": [round(wait, 2) for _answered, wait in stops],
            "twice": sum(count > 1 for count in house.taps().values()),
            "closes": gave_up,
            **found,
        }


async def _stands(
    house: House, everybody: list[Phone], table: int, seconds: float
) -> tuple[int, float]:
    """Stop it once; return how many taps were answered meanwhile, and how long screens took."""
    await asyncio.sleep(PLAYS_FOR)
    os.kill(house.pid, signal.SIGSTOP)
    await asyncio.sleep(cuts.A_BREATH)  # what was on its way is heard
    before = _answered(everybody)
    await asyncio.sleep(seconds)
    answered = _answered(everybody) - before
    goes_on_at = time.monotonic()
    os.kill(house.pid, signal.SIGCONT)
    await until(lambda: _answered(everybody) > before, RIGHT_WITHIN)
    head = house.head(table)
    await asyncio.gather(*(phone.shows(head, RIGHT_WITHIN) for phone in everybody))
    return answered, time.monotonic() - goes_on_at


def _answered(everybody: list[Phone]) -> int:
    return sum(len(phone.account.answers) for phone in everybody)


def is_met(found: dict[str, Any], within: float = 3.0) -> bool:
    return cuts.is_met(found) and not found["twice"] and max(found["waits"]) <= within
