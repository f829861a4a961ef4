"""What a seat may know of a bout, and what it may not."""

from __future__ import annotations

import random
from typing import Literal

import msgspec

from games.rules.brave_or_knave.house import rule_for
from games.rules.brave_or_knave.legal import must
from games.rules.brave_or_knave.model import (
    DIE,
    Call,
    Digit,
    HouseRule,
    NamingWhy,
    Phase,
    State,
)
from games.rules.engine import Seat


class ShoutSeen(msgspec.Struct, frozen=True):
    """A shout as everybody sees it: when, whether too late, whether in one breath with another."""

    seat: Seat
    call: Call
    at_ms: int
    late: bool
    unison: bool


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A bout as anybody at the table may see it; the number under a Shroud has no field here."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    fingers: tuple[int, ...]
    hands: tuple[tuple[Digit, ...], ...]
    alive: tuple[bool, ...]
    owed: tuple[int, ...]
    phase: Phase
    roller: Seat
    challenger: Seat | None
    call: Call | None
    standing: int | None
    shouts: tuple[ShoutSeen, ...]
    knocks: int
    caller: Seat | None
    cupped: bool
    blind_call: Call | None
    wager: bool
    namer: Seat | None
    naming_why: NamingWhy | None
    deal_amount: int
    direction: Literal[1, -1]
    shroud: bool
    nine_sisters: bool
    house_rules: tuple[HouseRule, ...]
    picked_for: HouseRule | None
    heal_open: bool
    must: tuple[Seat, ...]
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """List what this seat may know; a field not listed never leaves the server.

    Everybody sees the same: those who are out see everything (BK-21), and the
    only secret, the die under a Shroud, is nobody's (BK-23).
    """
    return View(
        names=state.names,
        numbers=state.numbers,
        fingers=state.fingers,
        hands=tuple(state.hand(each) for each in state.seats),
        alive=tuple(state.is_alive(each) for each in state.seats),
        owed=tuple(state.owed(each) for each in state.seats),
        phase=state.phase,
        roller=state.roller,
        challenger=state.challenger,
        call=state.call,
        standing=state.standing,
        shouts=_shouts(state),
        knocks=state.knocks,
        caller=state.caller,
        cupped=state.cupped,
        blind_call=state.blind_call,
        wager=state.wager,
        namer=state.namer,
        naming_why=state.naming_why,
        deal_amount=state.deal_amount,
        direction=state.direction,
        shroud=state.shroud,
        nine_sisters=state.nine_sisters,
        house_rules=state.house_rules,
        picked_for=_picked_for(state),
        heal_open=state.may_heal(),
        must=must(state),
        winners=state.winners,
    )


def _picked_for(state: State) -> HouseRule | None:
    """Return the house rule that waits for somebody's pick, if one does (BK-25)."""
    if state.naming_why != "house" or state.settling is None or state.standing is None:
        return None
    return rule_for(state, state.standing, state.settling)


def _shouts(state: State) -> tuple[ShoutSeen, ...]:
    """Show the shouts in the order they were pressed (BK-10)."""
    breath = state.in_unison()
    together = breath if len(breath) > 1 else ()
    return tuple(
        ShoutSeen(heard.seat, heard.call, heard.at_ms, heard.late, heard in together)
        for heard in sorted(state.shouts, key=lambda heard: heard.at_ms)
    )


def scramble(state: State, seat: Seat | None, rng: random.Random) -> State:
    """Return a state this seat cannot tell from the given one: another die lies under the Shroud.

    For the secrecy test: a view that differs between the two has leaked.
    """
    if state.hidden is None:
        return state
    others = [face for face in range(1, DIE + 1) if face != state.hidden]
    return msgspec.structs.replace(state, hidden=rng.choice(others))
