"""R10: phones a day off, a server stepped by two hours: order, closing and endings stay right.

That a step is felt at all shows in `tests/games/test_clock.py` and in the control here.
"""

from __future__ import annotations

import pytest

from tests.chaos import clocks, hooks
from tests.chaos.house import Zygote, house_of


@pytest.mark.parametrize(
    ("phone_off", "step"), [(clocks.DAY, 0.0), (0.0, clocks.STEP), (0.0, -clocks.STEP)]
)
async def test_who_shouted_first_is_first_and_the_shouting_closes(
    mother: Zygote, phone_off: float, step: float
):
    found = await clocks.shouts(mother, phone_off=phone_off, step=step)
    assert clocks.is_met(found), found


async def test_who_was_removed_stays_so_when_the_clock_is_set_back(mother: Zygote):
    found = await clocks.the_dead_stay_dead(mother, step=-clocks.STEP)
    assert clocks.stays_dead(found), found


async def test_the_servers_clock_is_really_stepped(mother: Zygote):
    """The control: what is logged after the step carries the wrong time."""
    with house_of(mother) as house:
        clock = house.folder / "clock"
        hooks.set_clock(clock, clocks.STEP)
        [table] = house.seed(1, 1)
        await house.opens(clock=str(clock))
        async with clocks.Phone(house.port, table, 0) as phone:
            assert await phone.does("pick_number", number=5) == 204
        early, late = (at for (at,) in house.rows("SELECT at FROM games_event ORDER BY seq"))
        assert late[:13] > early[:13]
