"""Who may do what now; `why_not` has the reasons against the rest."""

from __future__ import annotations

from typing import Final

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
from games.rules.brave_or_knave.model import Call, Digit, Phase, State
from games.rules.engine import Seat

_CALLS: Final = (Call.BRAVE, Call.KNAVE)
_SHOUTS: Final[list[AnyAction]] = [Shout(call) for call in _CALLS]
_BLINDS: Final[list[AnyAction]] = [Blind(call) for call in _CALLS]
_FINGERS: Final[dict[Digit, AnyAction]] = {finger: Finger(finger) for finger in Digit}


def legal_actions(state: State, seat: Seat | None) -> list[AnyAction]:
    """List what this seat may do now; seat None is the table itself (BK-9, BK-11).

    A shout is listed with its moment left open. Living players may pick the
    fingers they owe (BK-20) and leave at any time.
    """
    if seat is None:
        return _table_may(state)
    if state.phase is Phase.OVER or not state.is_alive(seat):
        return []
    found = _seat_may(state, seat)
    if state.owed(seat):
        found += [act for finger, act in _FINGERS.items() if finger not in state.given[seat]]
    found.append(Leave())
    return found


def must(state: State) -> tuple[Seat, ...]:
    """List who the table waits for, in seating order."""
    match state.phase:
        case Phase.SHOUT:
            return state.may_shout()
        case Phase.CHALLENGE:
            waiting: Seat | None = state.challenger
        case Phase.OPEN | Phase.AWARD | Phase.DEAL:
            waiting = state.roller
        case Phase.BLIND:
            waiting = state.caller
        case Phase.NAME:
            waiting = state.namer
        case Phase.OVER:
            waiting = None
    return () if waiting is None else (waiting,)


def _table_may(state: State) -> list[AnyAction]:
    if state.phase is not Phase.SHOUT:
        return []
    return [Close()] if state.shouts else [Knock()]


def _seat_may(state: State, seat: Seat) -> list[AnyAction]:
    match state.phase:
        case Phase.SHOUT:
            knocks = seat == state.roller and not state.shouts
            return [Knock()] if knocks else _shouts(state, seat)
        case Phase.CHALLENGE:
            return _challenge(state, seat)
        case Phase.OPEN:
            return _open(state, seat)
        case Phase.BLIND:
            return [*_BLINDS] if seat == state.caller else []
        case Phase.AWARD:
            return _awards(state) if seat == state.roller else []
        case Phase.NAME:
            return _names(state) if seat == state.namer else []
        case _:
            return _deals(state) if seat == state.roller else []


def _open(state: State, seat: Seat) -> list[AnyAction]:
    if seat == state.roller:
        may_cup = state.caller is not None and not state.cupped
        return [Roll(), Roll(cupped=True)] if may_cup else [Roll()]
    return [Shroud()] if state.shroud and state.caller is None else []


def _challenge(state: State, seat: Seat) -> list[AnyAction]:
    found: list[AnyAction] = [Roll()] if seat == state.challenger else []
    if state.hears_late_shouts():
        found += _awards(state) if seat == state.roller else _shouts(state, seat)
    return found


def _shouts(state: State, seat: Seat) -> list[AnyAction]:
    if seat == state.roller or state.has_shouted(seat):
        return []
    return [*_SHOUTS, Shout(Call.HEAL)] if state.may_heal() else [*_SHOUTS]


def _awards(state: State) -> list[AnyAction]:
    return [Award(heard.seat) for heard in state.shouts if heard.seat != state.challenger]


def _names(state: State) -> list[AnyAction]:
    if state.naming_why == "house":
        return [Name(seat) for seat in state.living()]
    but = state.namer if state.naming_why == "knocks" else None
    return [Name(seat, call) for seat in state.living(but=but) for call in _CALLS]


def _deals(state: State) -> list[AnyAction]:
    limits = [0 if seat == state.roller else left for seat, left in enumerate(state.fingers)]
    return [Deal(split) for split in _splits(limits, state.deal_amount)]


def _splits(limits: list[int], amount: int) -> list[tuple[int, ...]]:
    """List every way to deal the amount out within the limits.

    >>> _splits([1, 0, 5], 3)
    [(0, 0, 3), (1, 0, 2)]
    """
    if not limits:
        return [] if amount else [()]
    return [
        (first, *rest)
        for first in range(min(limits[0], amount) + 1)
        for rest in _splits(limits[1:], amount - first)
    ]
