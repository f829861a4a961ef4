"""R13: what each viewer was sent adds up to what is there, in all three games.

The quick number is 50 evenings of 40 steps, most of them of the game that is quickest to compare;
TAPROOM_SIZE=full asks for 50 a game, TAPROOM_EVENINGS for another number a game; `make chaos` plays
thousands.
"""

from __future__ import annotations

import os

import pytest

from tests.chaos.house import Zygote, house_of
from tests.chaos.rebuild_sizes import BEGINS_WITH, BROKEN, GAMES, control
from tests.sizes import size

QUICK = {"brave_or_knave": 38, "knave": 7, "wicked_age": 5}
STEPS = 40


@pytest.mark.parametrize("rules", GAMES)
def test_what_a_viewer_was_sent_is_what_is_there(mother: Zygote, rules: str):
    evenings = int(os.environ.get("TAPROOM_EVENINGS", size(QUICK[rules], 50)))
    with house_of(mother) as house:
        found = house.job("rebuild", rules=rules, examples=evenings, steps=STEPS)
    assert found["wrong"] == "", found
    # Hypothesis begins with an evening that is as short as can be.
    assert found["done"] >= evenings * BEGINS_WITH, found


@pytest.mark.parametrize("broken", BROKEN)
def test_a_push_that_lacks_something_would_be_found(mother: Zygote, broken: str):
    """The controls: a region that is not sent; a socket that begins too early."""
    found = control(mother, broken)
    assert "Difference" in found["wrong"], found
