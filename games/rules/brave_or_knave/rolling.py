"""What the die does: opening rolls, challenges, ties, and the numbers that mean more."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from games.rules.brave_or_knave import house
from games.rules.brave_or_knave.actions import Roll
from games.rules.brave_or_knave.events import (
    Bounced,
    Challenged,
    CupRolled,
    Failed,
    Grave,
    Healed,
    HealFailed,
    HouseRuleActed,
    Revealed,
    Rolled,
    Stave,
    Succeeded,
    WagerWon,
)
from games.rules.brave_or_knave.fate import (
    ROUND_BEGINS,
    Log,
    lose,
    open_round,
    open_shouting,
    put_out,
    regain,
    take_control,
    tell_wager_off,
)
from games.rules.brave_or_knave.model import (
    DIE,
    GRAVE,
    HAND,
    STAVE,
    WAGER,
    Call,
    Phase,
    Settling,
    State,
    Why,
)
from games.rules.engine import Dice, Seat


def roll(state: State, action: Roll, dice: Dice, log: Log) -> State:
    """Roll the die for whoever must (BK-7, BK-12), hidden if a Shroud was called (BK-23)."""
    if state.phase is Phase.CHALLENGE:
        return _challenge_roll(state, dice.roll(DIE), log)
    if state.cupped:
        return reveal(state, dice.roll(DIE), log)
    if state.caller is not None:
        log.append(CupRolled(state.roller))
        hidden = None if action.cupped else dice.roll(DIE)
        return replace(state, phase=Phase.BLIND, hidden=hidden, cupped=action.cupped)
    face = dice.roll(DIE)
    log.append(Rolled(state.roller, face, "opening"))
    return _opening(state, face, log)


def reveal(state: State, face: int, log: Log) -> State:
    """Lift the cupped hand; the number acts as on any opening roll (BK-23)."""
    log.append(Revealed(state.roller, face))
    return _opening(replace(state, hidden=None, cupped=False), face, log)


def challenge(state: State, seat: Seat, call: Call, why: Why, log: Log) -> State:
    """Make a player roll next against the standing number (BK-12)."""
    assert state.standing is not None
    log.append(Challenged(seat, call, state.standing, why))
    return replace(state, phase=Phase.CHALLENGE, challenger=seat, call=call)


def settle(state: State, settling: Settling, log: Log) -> State:
    """Finish a judged roll: first a house rule, then a personal number, then the round.

    A challenger who came through is the new roller (BK-13); one who failed
    opens the next round (BK-14).
    """
    number = state.standing
    assert number is not None
    rule = house.rule_for(state, number, settling)
    if rule is not None:
        if settling.picked is None:
            log.append(HouseRuleActed(rule.name, rule.cry, number, settling.seat))
        state, settled = house.act(state, rule, settling, log)
        if settled is None:
            return state
        settling = settled
    if settling.next_seat is not None:
        return _sent_on(state, settling, number, log)
    owner = state.living_owner(number)
    if owner is not None:
        return take_control(state, owner, settling.seat, number, log)
    if not state.is_alive(settling.seat):
        return open_round(state, state.next_living(settling.seat), log)
    if settling.succeeded:
        return open_shouting(state, settling.seat, number, log)
    return open_round(state, settling.seat, log)


def _sent_on(state: State, settling: Settling, number: int, log: Log) -> State:
    """Let a house rule say who has the die next (BK-25)."""
    seat = settling.next_seat
    assert seat is not None
    if not state.is_alive(seat):
        return open_round(state, state.next_living(seat), log)
    if settling.next_call is None:
        return open_round(state, seat, log)
    state = open_round(state, settling.seat, [])
    state = replace(state, standing=number)
    return challenge(state, seat, settling.next_call, "house", log)


def _opening(state: State, face: int, log: Log) -> State:
    roller = state.roller
    if face == GRAVE:
        return _grave(state, roller, log)
    if face == STAVE:
        return _stave(state, roller, log)
    opened = Settling(roller, against=None, succeeded=True)
    special = house.rule_for(state, face, opened) or state.living_owner(face) is not None
    if state.caller is not None and state.blind_call is not None and not special:
        standing = replace(state, standing=face, wager=True)
        return challenge(standing, state.caller, state.blind_call, "shroud", log)
    tell_wager_off(state, face, log)
    return settle(replace(state, standing=face), opened, log)


def _challenge_roll(state: State, face: int, log: Log) -> State:
    """Judge a roll in the order of BK-12: GRAVE, STAVE, a tie, then higher or lower."""
    seat, number, call = state.challenger, state.standing, state.call
    assert seat is not None
    assert number is not None
    assert call is not None
    kind: Literal["bounce", "challenge"] = "bounce" if state.bounced else "challenge"
    log.append(Rolled(seat, face, kind))
    if face == GRAVE:
        return _grave(state, seat, log)
    if face == STAVE:
        return _stave(state, seat, log)
    if face == number:
        return _bounce(state, seat, number, call, log)
    succeeded = face > number if call is Call.BRAVE else face < number
    judged = Succeeded if succeeded else Failed
    log.append(judged(seat, face, number, call))
    settling = Settling(seat, against=state.roller, succeeded=succeeded)
    if call is Call.HEAL:
        return _heal(state, face, settling, log)
    if state.wager and seat == state.caller:
        return _wager(state, face, settling, log)
    tell_wager_off(state, face, log)
    state = replace(state, standing=face)
    if not succeeded:
        state = lose(state, {seat: 1}, log)
        if state.phase is Phase.OVER:
            return state
    return settle(state, settling, log)


def _grave(state: State, seat: Seat, log: Log) -> State:
    log.append(Grave(seat))
    tell_wager_off(state, GRAVE, log)
    state = put_out(state, seat, "grave", log)
    return state if state.phase is Phase.OVER else open_round(state, state.next_living(seat), log)


def _stave(state: State, seat: Seat, log: Log) -> State:
    """Cost every other living player a finger (BK-17); a healer falls with it (BK-24)."""
    log.append(Stave(seat))
    losses = dict.fromkeys(state.living(but=seat), 1)
    if state.call is Call.HEAL:
        log.append(HealFailed(seat))
        state = lose(state, losses, log, doomed={seat: "heal"})
    else:
        tell_wager_off(state, STAVE, log)
        state = lose(state, losses, log)
    if state.phase is Phase.OVER:
        return state
    return open_round(state, seat if state.is_alive(seat) else state.next_living(seat), log)


def _bounce(state: State, seat: Seat, number: int, call: Call, log: Log) -> State:
    """Send a tie back to who had rolled the number, or to the nearest to that (BK-15).

    Whoever tied is the roller then, also where nobody else is left to take the die. A healer's 9
    is no tie: they roll again (BK-24).
    """
    roller, to = seat, state.roller
    if not state.is_alive(to):
        setter = state.setter
        to = setter if setter is not None and state.is_alive(setter) else seat
    if call is Call.HEAL:
        roller, to = state.roller, seat
    log.append(Bounced(seat, to, number, call))
    return replace(state, roller=roller, challenger=to, bounced=True)


def _heal(state: State, face: int, settling: Settling, log: Log) -> State:
    seat = settling.seat
    if settling.succeeded:
        log.append(Healed(seat))
        state = regain(state, seat, HAND, log)
    else:
        log.append(HealFailed(seat))
        state = put_out(state, seat, "heal", log)
        if state.phase is Phase.OVER:
            return state
    return settle(replace(state, standing=face), settling, log)


def _wager(state: State, face: int, settling: Settling, log: Log) -> State:
    """Settle a Shroud: three fingers to deal out, or three fingers lost (BK-23)."""
    seat = settling.seat
    state = replace(state, standing=face)
    if not settling.succeeded:
        state = lose(state, {seat: WAGER}, log)
        return state if state.phase is Phase.OVER else settle(state, settling, log)
    amount = min(WAGER, sum(state.fingers) - state.fingers[seat])
    log.append(WagerWon(seat, amount))
    waiting = {
        "phase": Phase.DEAL,
        "roller": seat,
        "standing": face,
        "deal_amount": amount,
        "settling": settling,
    }
    return replace(state, **ROUND_BEGINS | waiting)
