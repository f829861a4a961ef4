"""R4 and R5: broken lines lose nothing and double nothing, and the screen is soon right again."""

from __future__ import annotations

from tests.chaos import cuts
from tests.chaos.house import Zygote


async def test_fifty_cuts_lose_nothing_and_double_nothing(mother: Zygote):
    found = await cuts.cuts(mother, cuts=50, longest=1.0)
    assert found["cuts"] == 50, found
    assert found["events"] > 10, found
    assert cuts.is_met(found), found
    assert found["beyond"] == 0


async def test_a_phone_that_forgets_what_it_was_told_is_told_twice(mother: Zygote):
    """The control: without the number in the socket's address."""
    found = await cuts.cuts(mother, cuts=5, watchers=2, longest=0.2, forgets_seq=True)
    assert found["doubled"] > 0
    assert not cuts.is_met(found)


async def test_a_phone_that_claims_more_than_it_saw_misses_it(mother: Zygote):
    """The control: a cursor that does not tell what was seen."""
    found = await cuts.overclaiming(mother)
    assert found["missed"] > 0, found
    assert not cuts.is_met(found)


async def test_without_wake_ups_and_looks_screens_stay_behind(mother: Zygote):
    """The control: nobody is woken, and no heartbeat heals it."""
    found = await cuts.cuts(
        mother, cuts=1, watchers=2, hooks={"no_wakes": True}, goes_on=1, settles_within=3
    )
    assert not found["settled"], found


async def test_the_screen_is_right_within_seconds_of_the_networks_return(mother: Zygote):
    """Each kind of outage once; the full size has hundreds, and the figures of R5.

    The control is in it: without a network no screen is right.
    """
    found = await cuts.returns(mother, outages=4, watchers=4, seconds=(0.3, 1.0))
    assert found["count"] == 16
    assert found["early"] == 0, found
    assert found["max"] <= 10, found
