"""How a bout goes on: every action but the die's own, and the door to them all."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from games.rules.brave_or_knave.actions import (
    AnyAction,
    Award,
    Blind,
    Close,
    Deal,
    Finger,
    Knock,
    Leave,
    Name,
    Roll,
    Shout,
    Shroud,
)
from games.rules.brave_or_knave.events import (
    CalledBlind,
    Dealt,
    FingerGiven,
    Knocked,
    NeedsName,
    Shouted,
    ShroudCalled,
    Unison,
)
from games.rules.brave_or_knave.fate import Log, lose, open_round, put_out
from games.rules.brave_or_knave.model import KNOCKS, WAGER, Heard, Phase, State, Why
from games.rules.brave_or_knave.rolling import challenge, reveal, roll, settle
from games.rules.engine import Dice, Event, Outcome, Seat


def apply(
    state: State, seat: Seat | None, action: AnyAction, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """Play a legal action; return the new state and what the table saw."""
    log: Log = []
    if isinstance(action, Close):
        state = _close(state, log)
    elif isinstance(action, Knock):
        state = _knock(state, log)
    else:
        assert seat is not None
        state = _player_acts(state, seat, action, dice, log)
    return state, tuple(log)


def _player_acts(
    state: State,
    seat: Seat,
    action: Shroud | Roll | Blind | Shout | Award | Name | Deal | Finger | Leave,
    dice: Dice,
    log: Log,
) -> State:
    match action:
        case Roll():
            return roll(state, action, dice, log)
        case Shout():
            return _shout(state, seat, action, log)
        case Award():
            return _award(state, action, log)
        case Name():
            return _name(state, action, log)
        case Shroud():
            log.append(ShroudCalled(seat))
            return replace(state, caller=seat)
        case Blind():
            return _blind(state, seat, action, log)
        case Deal():
            return _deal(state, seat, action, log)
        case Finger():
            return _give(state, seat, action, log)
        case Leave():
            return _leave(state, seat, log)
    assert_never(action)


def outcome(state: State) -> Outcome | None:
    """Say who won, once the bout is over (BK-22)."""
    return Outcome(state.winners) if state.phase is Phase.OVER else None


def _shout(state: State, seat: Seat, action: Shout, log: Log) -> State:
    late = state.phase is Phase.CHALLENGE
    log.append(Shouted(seat, action.call, action.at_ms, late))
    heard = Heard(seat, action.call, action.at_ms, late)
    return replace(state, shouts=(*state.shouts, heard))


def _close(state: State, log: Log) -> State:
    """Find the first shout, or let the roller judge one breath (BK-9)."""
    breath = state.in_unison()
    if len(breath) == 1:
        shouting = replace(state, from_shouts=True)
        return challenge(shouting, breath[0].seat, breath[0].call, "shout", log)
    log.append(Unison(tuple(heard.seat for heard in breath)))
    return replace(state, phase=Phase.AWARD)


def _knock(state: State, log: Log) -> State:
    """Count a knock; after the third the roller names a challenger (BK-11)."""
    knocks = state.knocks + 1
    log.append(Knocked(knocks))
    if knocks < KNOCKS:
        return replace(state, knocks=knocks)
    log.append(NeedsName(state.roller))
    return replace(state, knocks=knocks, phase=Phase.NAME, namer=state.roller, naming_why="knocks")


def _award(state: State, action: Award, log: Log) -> State:
    """Give the challenge to a shouter, under that shouter's own call (BK-9, BK-10)."""
    call = next(heard.call for heard in state.shouts if heard.seat == action.to)
    why: Why = "award" if state.phase is Phase.AWARD else "overruled"
    return challenge(replace(state, from_shouts=True), action.to, call, why, log)


def _name(state: State, action: Name, log: Log) -> State:
    if state.settling is not None:
        picked = replace(state.settling, picked=action.to)
        return settle(replace(state, namer=None, naming_why=None), picked, log)
    assert action.call is not None
    why: Why = "control" if state.naming_why == "control" else "named"
    named = replace(state, setter=state.namer, namer=None, naming_why=None)
    return challenge(named, action.to, action.call, why, log)


def _blind(state: State, seat: Seat, action: Blind, log: Log) -> State:
    """Take the blind call, then lift the hand, unless only the roller can read the die (BK-23)."""
    log.append(CalledBlind(seat, action.call))
    called = replace(state, blind_call=action.call)
    if state.hidden is None:
        return replace(called, phase=Phase.OPEN)
    return reveal(called, state.hidden, log)


def _deal(state: State, seat: Seat, action: Deal, log: Log) -> State:
    """Take the fingers a Shroud won, then go on by BK-13 and BK-18 (BK-23)."""
    assert state.settling is not None
    log.append(Dealt(seat, action.fingers))
    losses = {to: count for to, count in enumerate(action.fingers) if count}
    dealt = lose(replace(state, deal_amount=0), losses, log)
    return dealt if dealt.phase is Phase.OVER else settle(dealt, state.settling, log)


def _give(state: State, seat: Seat, action: Finger, log: Log) -> State:
    log.append(FingerGiven(seat, action.which))
    given = tuple((*old, action.which) if at == seat else old for at, old in enumerate(state.given))
    return replace(state, given=given)


def _leave(state: State, seat: Seat, log: Log) -> State:
    """Put a leaver out, and end the round if it cannot go on without them."""
    needed = _is_needed(state, seat)
    left = put_out(state, seat, "left", log)
    if left.phase is Phase.OVER:
        return left
    if needed:
        return open_round(left, left.next_living(seat), log)
    left = replace(left, shouts=tuple(heard for heard in left.shouts if heard.seat != seat))
    if left.phase is Phase.AWARD and not left.shouts:
        left = replace(left, phase=Phase.SHOUT)
    if left.phase is Phase.DEAL:
        others = sum(left.fingers) - left.fingers[left.roller]
        left = replace(left, deal_amount=min(WAGER, others))
    if left.caller == seat:
        left = replace(left, caller=None)
    return left


def _is_needed(state: State, seat: Seat) -> bool:
    """Tell whether the round waits for this player, or may come back to them (BK-10, BK-15)."""
    waiting = {state.roller, state.challenger, state.namer}
    if state.phase is Phase.BLIND or state.cupped:
        waiting.add(state.caller)
    return seat in waiting
