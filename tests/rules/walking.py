"""Bouts walked at random through their legal actions."""

from __future__ import annotations

import random
from typing import Any

from games.rules import engine
from games.rules.brave_or_knave import Effect, Finger, HouseRule, Leave, Setup, Shout
from games.rules.brave_or_knave.model import Call
from games.rules.dice import RecordedDice, SeededDice

HOUSE_RULES = (
    HouseRule("The Cat", "Meow!", 10, "both", (Effect("reverse"), Effect("lose", "picked", 2))),
    HouseRule("The Toast", "Cheers!", 11, "opening", (Effect("regain", "everyone"),)),
    HouseRule("The Dare", "You!", 11, "challenge", (Effect("roll_next", "left", 1, Call.KNAVE),)),
    HouseRule("The Draught", "Brr!", 12, "both", (Effect("lose", "everyone", 2),)),
    HouseRule("The Thief", "Mine!", 13, "both", (Effect("pass_die", "picked"),)),
    HouseRule("The Bell", "Ding!", 14, "challenge", (Effect("roll_again"),)),
)


def table_of(seats: int, *, variations: bool = True, rules: bool = False) -> Setup:
    """Set up a table of up to twelve whose numbers leave room for the house rules."""
    free = [2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19] if rules else range(2, 20)
    return Setup(
        names=tuple(f"Guild {seat + 1}" for seat in range(seats)),
        numbers=tuple(free)[:seats],
        first=0,
        shroud=variations,
        nine_sisters=variations,
        house_rules=HOUSE_RULES if rules else (),
    )


def choices(rules: engine.Rules, state: Any) -> list[tuple[int | None, Any]]:
    """List what somebody may do; leaving comes only where nothing else is left."""
    seats = (None, *range(len(state.names)))
    found = [(seat, action) for seat in seats for action in rules.legal_actions(state, seat)]
    return [one for one in found if not isinstance(one[1], Leave)]


def walk(
    rules: engine.Rules, table: Any, seed: int
) -> tuple[list[Any], list[engine.Play], list[engine.Event]]:
    """Play a game at random; return its states, its plays and its events."""
    rng, dice = random.Random(seed), RecordedDice(SeededDice(seed))
    states, plays, story = [rules.setup(table, dice)], [], []
    while rules.outcome(states[-1]) is None:
        seat, action = rng.choice(choices(rules, states[-1]))
        if isinstance(action, Shout):
            action = Shout(action.call, rng.randrange(1000))
        dice.faces = []
        state, events = engine.play(rules, states[-1], seat, action, dice)
        plays.append((seat, action, tuple(dice.faces)))
        states.append(state)
        story += events
    return states, plays, story


def is_progress(action: Any) -> bool:
    """Tell whether an action moves the game on: not leaving, not picking a lost finger."""
    return not isinstance(action, Leave | Finger)
