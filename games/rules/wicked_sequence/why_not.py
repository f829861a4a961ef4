"""Why not: the one place that knows what is legal, and the reason against the rest."""

from __future__ import annotations

from games.rules.engine import Action, IllegalAction, Seat
from games.rules.wicked_sequence import refusals
from games.rules.wicked_sequence.actions import (
    Agree,
    BackAway,
    Buy,
    Choose,
    Correct,
    End,
    Interfere,
    Join,
    Leave,
    LetPass,
    Lots,
    Move,
    NextRound,
    Own,
    Press,
    Roll,
    SequenceAction,
    Settle,
    Tables,
)
from games.rules.wicked_sequence.contents import content_fault
from games.rules.wicked_sequence.model import Phase, State
from games.rules.wicked_sequence.refusals import Reason, refuse
from games.rules.wicked_sequence.sheets import LAST_ROUND, is_within_bounds


def refusal(state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Say why this seat may not do this now, with the rule that refuses it."""
    return fault(state, seat, action) or refuse(refusals.UNKNOWN)


def fault(state: State, seat: Seat | None, action: Action) -> IllegalAction | None:
    """Return what refuses an action, or None for one that the rules allow."""
    reason = _reason(state, seat, action)
    return None if reason is None else refuse(reason)


def _reason(state: State, seat: Seat | None, action: Action) -> Reason | None:
    if state.phase is Phase.OVER:
        return refusals.OVER
    if not isinstance(action, SequenceAction):
        return refusals.UNKNOWN
    if not is_within_bounds(action):
        return refusals.BOUNDS
    return (
        _seat_fault(state, seat, action)
        or moment_fault(state, action)
        or content_fault(state, action)
    )


def moment_fault(state: State, action: SequenceAction) -> Reason | None:
    """Return the moment's reason against an action, whoever does it and whatever fills it."""
    if state.phase is Phase.SETTLE and not isinstance(action, Settle | Agree | Correct):
        return refusals.SETTLE_FIRST
    if isinstance(action, Own):
        return _who_fault(state, action.by) or _own_fault(state, action)
    match action:
        case Settle() | Agree():
            return _settlement_fault(state, action)
        case Correct():
            return None
        case Lots():
            return None if state.phase is Phase.LOTS else refusals.NO_LOTS
        case Join() | NextRound() | End():
            when = refusals.JOIN_WHEN if isinstance(action, Join) else refusals.NOT_BETWEEN
            return None if state.phase is Phase.BETWEEN else when
        case _:
            return refusals.UNKNOWN


def _own_fault(state: State, action: Own) -> Reason | None:
    match action:
        case Choose():
            return _choose_fault(state, action.by)
        case Buy():
            return _buy_fault(state, action)
        case Roll():
            return _roll_fault(state, action.by)
        case BackAway() | Press():
            return _tie_fault(state, action)
        case Move():
            return _move_fault(state, action.by)
        case LetPass():
            return _answer_fault(state, action.by)
        case Interfere():
            return _interfere_fault(state, action.by)
        case Leave():
            return None if state.phase is Phase.BETWEEN else refusals.NOT_BETWEEN
        case _:
            return refusals.UNKNOWN


def is_about_to_roll(state: State, who: str) -> bool:
    """Tell whether somebody may buy a die now: a roll of hers is due, or comes next (WA-65).

    **Ruling:** a tie's one die takes no pips, so nothing is bought for it; between
    rounds the next roll is everybody's.
    """
    match state.phase:
        case Phase.ROLL:
            return who in state.to_roll
        case Phase.TURN:
            return who == state.mover and state.standing is None
        case Phase.ANSWER:
            return who in state.to_answer
        case Phase.BETWEEN:
            return who in state.inside
        case _:
            return False


def _seat_fault(state: State, seat: Seat | None, action: SequenceAction) -> Reason | None:
    """Let a seat act for its own participant, and roll on; seat None may do everything (WA-40)."""
    if seat is None:
        return None
    if not 0 <= seat < len(state.participants):
        return refusals.NO_SEAT
    who = state.participants[seat].id
    match action:
        case Own():
            return None if action.by == who else refusals.NOT_YOURS
        case Settle():
            return None if action.winner == who else refusals.WINNERS_CHOICE
        case NextRound():
            return _who_fault(state, who)
        case Tables():
            return refusals.ONLY_TABLE
        case _:
            return refusals.UNKNOWN


def _who_fault(state: State, who: str) -> Reason | None:
    member = state.find(who)
    if member is None:
        return refusals.STRANGER
    return None if member.is_in else refusals.NOT_IN


def _choose_fault(state: State, who: str) -> Reason | None:
    if state.of(who).chosen:
        return refusals.CHOSEN
    return None if state.phase is Phase.CHOOSE else refusals.NOT_CHOOSING


def _buy_fault(state: State, action: Buy) -> Reason | None:
    buyer = state.of(action.by)
    if buyer.kind == "npc":
        return refusals.GM_BUYS
    owed = [one for one in state.owe_list if one.name == action.strike]
    if not owed:
        return refusals.NOT_OWED
    if buyer.player is None or all(one.player != buyer.player for one in owed):
        return refusals.NOT_HER_NAME
    return None if is_about_to_roll(state, action.by) else refusals.NOT_BEFORE_ROLL


def _roll_fault(state: State, who: str) -> Reason | None:
    match state.phase:
        case Phase.ROLL:
            return None if who in state.to_roll else refusals.ROLLED
        case Phase.TIE:
            if who not in state.tied:
                return refusals.NOT_TIED
            if not state.to_roll:
                return refusals.NOT_PRESSED
            return None if who in state.to_roll else refusals.ROLLED
        case Phase.TURN:
            if who != state.mover:
                return refusals.NOT_HER_TURN
            first = refusals.STANDS if who == state.order[0] else refusals.ROLLED
            return first if state.standing == who else None
        case Phase.ANSWER:
            return _answer_fault(state, who)
        case _:
            return refusals.NOT_ROLLING


def _answer_fault(state: State, who: str) -> Reason | None:
    """Let only the next one answer: the order is the turn order (WA-57)."""
    if state.phase is not Phase.ANSWER:
        return refusals.NO_ANSWER
    if who not in state.to_answer:
        return refusals.NOT_NAMED
    return None if who == state.to_answer[0] else refusals.NOT_NEXT


def _interfere_fault(state: State, who: str) -> Reason | None:
    if state.phase is not Phase.ANSWER:
        return refusals.NO_ANSWER
    if who == state.mover:
        return refusals.OWN_MOVE
    return refusals.IS_NAMED if who in state.named else None


def _tie_fault(state: State, action: Own) -> Reason | None:
    if state.phase is not Phase.TIE:
        return refusals.NO_TIE
    if action.by not in state.tied:
        return refusals.NOT_AT_TOP
    if state.to_roll:
        return refusals.IS_PRESSED
    again = isinstance(action, BackAway) and action.by in state.backing
    return refusals.IS_BACKING if again else None


def _move_fault(state: State, who: str) -> Reason | None:
    if state.phase is not Phase.TURN:
        return refusals.NO_TURN
    if who != state.mover:
        return refusals.NOT_HER_TURN
    return None if state.standing == who else refusals.ROLL_FIRST


def _settlement_fault(state: State, action: Settle | Agree) -> Reason | None:
    if state.settlement is not None:
        two = (state.settlement.winner, state.settlement.loser)
        if state.find(action.winner) is None or state.find(action.loser) is None:
            return refusals.STRANGER
        return None if (action.winner, action.loser) == two else refusals.OTHER_SETTLEMENT
    if isinstance(action, Settle):
        return refusals.NO_SETTLEMENT
    if state.phase is not Phase.BETWEEN or state.round >= LAST_ROUND:
        return refusals.NO_AGREEMENT
    reason = _who_fault(state, action.winner) or _who_fault(state, action.loser)
    return reason or (refusals.WITH_SELF if action.winner == action.loser else None)
