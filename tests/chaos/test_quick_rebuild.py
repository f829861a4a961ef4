"""R13: what each viewer was sent adds up to what is there, in all three games.

The quick number is 2 evenings of 15 steps a game; TAPROOM_SIZE=full asks for 50 of 40,
TAPROOM_EVENINGS for another number; `make chaos` plays thousands.
"""

from __future__ import annotations

import os

import pytest

from tests.chaos.house import Zygote, house_of
from tests.chaos.rebuild_sizes import BEGINS_WITH, BROKEN, GAMES, control
from tests.sizes import size

EVENINGS, STEPS = int(os.environ.get("TAPROOM_EVENINGS", size(2, 50))), size(15, 40)


@pytest.mark.parametrize("rules", GAMES)
def test_what_a_viewer_was_sent_is_what_is_there(mother: Zygote, rules: str):
    with house_of(mother) as house:
        found = house.job("rebuild", rules=rules, examples=EVENINGS, steps=STEPS)
    assert found["wrong"] == "", found
    # Hypothesis begins with an evening that is as short as can be.
    assert found["done"] >= EVENINGS * BEGINS_WITH, found


@pytest.mark.parametrize("broken", BROKEN)
def test_a_push_that_lacks_something_would_be_found(mother: Zygote, broken: str):
    """The controls: a region that is not sent; a socket that begins too early."""
    found = control(mother, broken)
    assert "Difference" in found["wrong"], found
