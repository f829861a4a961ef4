"""Why not: the one place that knows what is legal, and the reason against the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.rules.engine import Action, IllegalAction, Seat, is_within_bounds
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
from games.rules.words import Reason, refuse


def refusal(state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Say why this seat may not do this now, with the rule that refuses it."""
    return refuse(fault(state, seat, action) or refusals.UNKNOWN)


def fault(state: State, seat: Seat | None, action: Action) -> Reason | None:
    """Return the reason against an action, or None for one that the rules allow."""
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
    kind = type(action)
    if state.phase is Phase.SETTLE and kind not in _SETTLES:
        return refusals.SETTLE_FIRST
    if isinstance(action, Own):
        own = _OWN_FAULTS.get(kind)
        reason = _who_fault(state, action.by)
        return reason or (own(state, action) if own else refusals.UNKNOWN)
    judge = _TABLES_FAULTS.get(kind)
    return judge(state, action) if judge else refusals.UNKNOWN


def is_about_to_roll(state: State, who: str) -> bool:
    """Tell whether somebody may buy a die now: a roll of hers is due, or comes next (WA-65).

    **Ruling:** a tie's one die takes no pips, so nothing is bought for it; while
    forms are chosen and between rounds the next roll is everybody's.
    """
    match state.phase:
        case Phase.ROLL:
            return who in state.to_roll
        case Phase.TURN:
            return who == state.mover and state.standing is None
        case Phase.ANSWER:
            return who in state.to_answer
        case Phase.CHOOSE | Phase.BETWEEN:
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
    fighter = state.find(who)
    if fighter is None:
        return refusals.STRANGER
    return None if fighter.is_in else refusals.NOT_IN


def _choose_fault(state: State, action: Choose) -> Reason | None:
    if state.of(action.by).chosen:
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


def _roll_fault(state: State, action: Roll) -> Reason | None:
    who = action.by
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
            return _answer_fault(state, action)
        case _:
            return refusals.NOT_ROLLING


def _answer_fault(state: State, action: Roll | LetPass) -> Reason | None:
    """Let only the next one answer: the order is the turn order (WA-57)."""
    if state.phase is not Phase.ANSWER:
        return refusals.NO_ANSWER
    if action.by not in state.to_answer:
        return refusals.NOT_NAMED
    return None if action.by == state.to_answer[0] else refusals.NOT_NEXT


def _interfere_fault(state: State, action: Interfere) -> Reason | None:
    if state.phase is not Phase.ANSWER:
        return refusals.NO_ANSWER
    if action.by == state.mover:
        return refusals.OWN_MOVE
    return refusals.IS_NAMED if action.by in state.named else None


def _tie_fault(state: State, action: Own) -> Reason | None:
    if state.phase is not Phase.TIE:
        return refusals.NO_TIE
    if action.by not in state.tied:
        return refusals.NOT_AT_TOP
    if state.to_roll:
        return refusals.IS_PRESSED
    again = isinstance(action, BackAway) and action.by in state.backing
    return refusals.IS_BACKING if again else None


def _move_fault(state: State, action: Move) -> Reason | None:
    """Ask for a roll that stands only where somebody answers it (WA-54, WA-56)."""
    if state.phase is not Phase.TURN:
        return refusals.NO_TURN
    if action.by != state.mover:
        return refusals.NOT_HER_TURN
    return refusals.ROLL_FIRST if action.to and state.standing is None else None


def _settlement_fault(state: State, action: Settle | Agree) -> Reason | None:
    if state.settlement is not None:
        two = (state.settlement.winner, state.settlement.loser)
        if state.find(action.winner) is None or state.find(action.loser) is None:
            return refusals.STRANGER
        return None if (action.winner, action.loser) == two else refusals.OTHER_SETTLEMENT
    if isinstance(action, Settle):
        return refusals.NO_SETTLEMENT
    if state.phase is not Phase.BETWEEN:
        return refusals.NO_AGREEMENT
    reason = _who_fault(state, action.winner) or _who_fault(state, action.loser)
    return reason or (refusals.WITH_SELF if action.winner == action.loser else None)


def _between_fault(state: State, action: SequenceAction) -> Reason | None:
    if state.phase is Phase.BETWEEN:
        return None
    return refusals.JOIN_WHEN if isinstance(action, Join) else refusals.NOT_BETWEEN


def _lots_fault(state: State, action: Lots) -> Reason | None:
    return None if state.phase is Phase.LOTS else refusals.NO_LOTS


def _never(state: State, action: Correct) -> None:
    return None


# By kind, and not by a pattern for each: every action on every list is judged here.
Judge = Callable[[State, Any], Reason | None]
_SETTLES: Final = frozenset({Settle, Agree, Correct})
_OWN_FAULTS: Final[dict[type[SequenceAction], Judge]] = {
    Choose: _choose_fault,
    Buy: _buy_fault,
    Roll: _roll_fault,
    BackAway: _tie_fault,
    Press: _tie_fault,
    Move: _move_fault,
    LetPass: _answer_fault,
    Interfere: _interfere_fault,
    Leave: _between_fault,
}
_TABLES_FAULTS: Final[dict[type[SequenceAction], Judge]] = {
    Settle: _settlement_fault,
    Agree: _settlement_fault,
    Correct: _never,
    Lots: _lots_fault,
    Join: _between_fault,
    NextRound: _between_fault,
    End: _between_fault,
}
