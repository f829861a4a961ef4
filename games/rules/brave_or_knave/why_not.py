"""Why not: the most helpful reason to refuse an action."""

from __future__ import annotations

from games.rules.brave_or_knave import refusals
from games.rules.brave_or_knave.actions import (
    Award,
    Blind,
    Close,
    Deal,
    Finger,
    Knock,
    Name,
    Roll,
    Shout,
    Shroud,
)
from games.rules.brave_or_knave.model import Phase, State
from games.rules.engine import Action, IllegalAction, Seat
from games.rules.words import Reason, refuse


def refusal(state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Say why this seat may not do this now, with the rule that refuses it."""
    if state.phase is Phase.OVER:
        return refuse(refusals.OVER)
    if seat is None:
        return refuse(_why_not_table(state, action))
    if seat not in state.seats:
        return refuse(refusals.NO_SEAT)
    if not state.is_alive(seat):
        return refuse(refusals.OUT)
    return refuse(_why_not(state, seat, action))


def _why_not_table(state: State, action: Action) -> Reason:
    if isinstance(action, Close):
        return refusals.CLOSE_SILENCE if state.phase is Phase.SHOUT else refusals.CLOSE_NOT_NOW
    if isinstance(action, Knock):
        return refusals.KNOCK_SHOUTED if state.phase is Phase.SHOUT else refusals.KNOCK_NOT_NOW
    return refusals.ONLY_PLAYERS


def _why_not(state: State, seat: Seat, action: Action) -> Reason:
    match action:
        case Shroud():
            return _why_no_shroud(state, seat)
        case Roll():
            return _why_no_roll(state, seat)
        case Blind():
            return _why_no_blind(state, seat)
        case Shout():
            return _why_no_shout(state, seat, action)
        case Close():
            return refusals.ONLY_TABLE
        case Knock():
            return _why_no_knock(state, seat)
        case Award():
            return _why_no_award(state, seat, action)
        case Name():
            return _why_no_name(state, seat, action)
        case Deal():
            return _why_no_deal(state, seat, action)
        case Finger():
            return refusals.FINGER_GONE if state.owed(seat) else refusals.FINGER_NONE
        case _:
            return refusals.UNKNOWN


def _why_no_shroud(state: State, seat: Seat) -> Reason:
    if not state.shroud:
        return refusals.SHROUD_SWITCHED_OFF
    if state.phase is not Phase.OPEN:
        return refusals.SHROUD_TOO_LATE
    if seat == state.roller:
        return refusals.SHROUD_ROLLER
    return refusals.SHROUD_TAKEN


def _why_no_roll(state: State, seat: Seat) -> Reason:
    if state.phase is Phase.OPEN:
        if seat != state.roller:
            return refusals.ROLL_OPENING_NOT_YOU
        return refusals.CUP_LIES if state.cupped else refusals.CUP_WITHOUT_SHROUD
    if state.phase is Phase.CHALLENGE:
        mine = seat == state.challenger
        return refusals.CUP_WITHOUT_SHROUD if mine else refusals.ROLL_NOT_YOU
    return refusals.ROLL_NOT_NOW


def _why_no_blind(state: State, seat: Seat) -> Reason:
    if state.phase is not Phase.BLIND:
        return refusals.BLIND_NOT_NOW
    return refusals.BLIND_CALL if seat == state.caller else refusals.BLIND_ONLY_CALLER


def _why_no_shout(state: State, seat: Seat, action: Shout) -> Reason:
    if state.phase is not Phase.SHOUT and not state.hears_late_shouts():
        return refusals.SHOUT_NOT_NOW
    if seat == state.roller:
        return refusals.SHOUT_ROLLER
    if state.has_shouted(seat):
        return refusals.SHOUT_TWICE
    if action.at_ms < 0:
        return refusals.SHOUT_EARLY
    return refusals.HEAL_NOT_NOW if state.nine_sisters else refusals.HEAL_SWITCHED_OFF


def _why_no_knock(state: State, seat: Seat) -> Reason:
    if state.phase is not Phase.SHOUT:
        return refusals.KNOCK_NOT_NOW
    return refusals.KNOCK_SHOUTED if seat == state.roller else refusals.KNOCK_ROLLER


def _why_no_award(state: State, seat: Seat, action: Award) -> Reason:
    if state.phase not in (Phase.AWARD, Phase.CHALLENGE):
        return refusals.AWARD_NOT_NOW
    if seat != state.roller:
        return refusals.AWARD_ROLLER
    if state.phase is Phase.CHALLENGE and not state.hears_late_shouts():
        return refusals.AWARD_TOO_LATE
    same = action.to == state.challenger
    return refusals.AWARD_SAME if same else refusals.AWARD_SILENT


def _why_no_name(state: State, seat: Seat, action: Name) -> Reason:
    if state.phase is not Phase.NAME:
        return refusals.NAME_NOT_NOW
    if seat != state.namer:
        return refusals.NAME_NOT_YOU
    if not state.is_alive(action.to):
        return refusals.NAME_OUT
    if state.naming_why == "knocks" and action.to == seat:
        return refusals.NAME_SELF
    return refusals.NAME_NO_CALL if state.naming_why == "house" else refusals.NAME_CALL


def _why_no_deal(state: State, seat: Seat, action: Deal) -> Reason:
    if state.phase is not Phase.DEAL:
        return refusals.DEAL_NOT_NOW
    if seat != state.roller:
        return refusals.DEAL_NOT_YOU
    if len(action.fingers) != len(state.fingers):
        return refusals.DEAL_SUM
    if action.fingers[seat]:
        return refusals.DEAL_SELF
    too_many = any(count > left for count, left in zip(action.fingers, state.fingers, strict=True))
    return refusals.DEAL_TOO_MANY if too_many else refusals.DEAL_SUM
