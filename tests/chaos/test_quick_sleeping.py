"""R6: who sleeps loses nothing, and costs the others nothing."""

from __future__ import annotations

from tests.chaos import cuts, sleeping
from tests.chaos.house import Zygote


async def test_phones_sleep_through_an_evening_and_lose_nothing(mother: Zygote):
    found = await sleeping.sleeps(mother, events=60, sleepers=3)
    assert cuts.is_met(found), found
    assert found["mb_a_phone"] <= 5, found
    assert found["opened_again"] == 0, found


async def test_a_sleeping_phone_is_sent_no_second_push(mother: Zygote):
    """The control of how it sleeps: one push lies in its hand, unacknowledged, and no more."""
    found = await sleeping.sleeps(mother, events=10, sleepers=1)
    assert found["pushes_asleep"] == 1, found
