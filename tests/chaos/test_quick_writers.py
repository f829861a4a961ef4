"""R8: two hundred who tap at one instant are all answered, and nobody hears of a lock.

`tests/games/test_races.py` has the control: a transaction that reads before it locks breaks.
"""

from __future__ import annotations

from games.management.serving import LOCK_SECONDS
from tests.chaos import writers
from tests.chaos.account import POST_TIMEOUT
from tests.chaos.house import Zygote
from tests.sizes import size


async def test_two_hundred_taps_at_one_instant_are_all_done(mother: Zygote):
    found = await writers.at_once(mother, writers=200, taps=1)
    assert found["answers"] == 200, found
    assert writers.is_met(found), found


async def test_a_locked_database_would_be_heard_of(mother: Zygote):
    """The control: somebody holds the write lock for longer than the server waits."""
    found = await writers.with_a_held_lock(mother)
    assert not writers.is_met(found), found


async def test_a_tap_that_waits_for_another_program_is_answered_before_its_phone_gives_up(
    mother: Zygote,
):
    """The first wait was for twenty seconds, in which the phone heard nothing."""
    assert LOCK_SECONDS < POST_TIMEOUT - 1
    # Less than those twenty, and more than a phone's patience: for a machine that is busy. That the
    # server waits for as long as it is set to shows with two seconds as it does with six.
    found = await writers.while_another_writes(mother, patience=16, waits=size(2, LOCK_SECONDS))
    assert found == {"told": 1, "status": 204, "done": 1}
