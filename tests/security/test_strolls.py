"""S1 by what pages show: every button, filled in as a browser lets people, every link.

Nothing is a fault of ours, a refusal has words, no link leads nowhere, and what a page offers
without anything to type is taken.
"""

from __future__ import annotations

import random

import pytest

from tests.games.party import Clock, dice_fall_by
from tests.security.figures import measured
from tests.security.strolling import gathered
from tests.sizes import size

GAMES = ("brave_or_knave", "knave", "wicked_age")
SEEDS = range(size(1, 6))
STEPS = size(40, 1000)

# What is offered all the same, because the refusal says what to do about it.
SAYS_WHAT_TO_DO = {
    "undo": "asks whether later moves may go back with it",
    "buy_item": "says what it costs and what the purse holds, or that the slots are full",
    "repair_item": "says what it costs and what the purse holds",
    "change_hp": "says that there are all hit points already (a button stays in its place)",
    "move_item": "says that the thing is at the end already",
    "put_inside": "says that it is full",
    "share_coins": "says that there are too few for everybody",
    "mark_character": "one chip of a row is what is so already; says who has dice on the table",
    "mark_interest": "one chip of a row is what is so already",
    "leave_table": "says that somebody else must be the host first",
    "make_camp": "says that there is a fight, or that nobody is alive",
    "add_regular": "says that all of the house's regulars sit here",
    **dict.fromkeys(("use_item", "light_item"), "says who lies unconscious (KN-16)"),
    **dict.fromkeys(
        ("claim_item", "claim_pile", "claim_coins", "give_item", "leave_home", "split_item"),
        "says that the slots are full (KN-4)",
    ),
}


@pytest.mark.parametrize("is_trial", [False, True], ids=["new", "trial"])
@pytest.mark.parametrize("rules", GAMES)
def test_whatever_a_page_shows_can_be_pressed(db, clock: Clock, monkeypatch, rules, is_trial):
    for seed in SEEDS:
        luck = random.Random(f"{rules} {is_trial} {seed}")
        dice_fall_by(luck, monkeypatch)
        seen = gathered(rules, luck, clock, is_trial=is_trial).goes_on(STEPS)
        measured("S1", "pages strolled through", seen.pages)
        measured("S1", "cases of buttons pressed", seen.taps)
        dead = {what: n for what, n in seen.refused.items() if what[0] not in SAYS_WHAT_TO_DO}
        assert (seen.wrong, dead) == ([], {}), f"seed {seed}"
        assert seen.taps > STEPS / 3
