"""Fingers lost and found, players out, the die passed on, the bout won."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from games.rules.brave_or_knave.events import (
    DieTaken,
    FingersLost,
    FingersRegained,
    Out,
    ShoutingOpened,
    TookControl,
    WagerOff,
    Won,
)
from games.rules.brave_or_knave.model import HAND, Cause, Phase, State
from games.rules.engine import Event, Seat

Log = list[Event]

ROUND_BEGINS: Final[dict[str, Any]] = {
    "challenger": None,
    "call": None,
    "standing": None,
    "setter": None,
    "from_shouts": False,
    "bounced": False,
    "shouts": (),
    "knocks": 0,
    "caller": None,
    "blind_call": None,
    "hidden": None,
    "cupped": False,
    "wager": False,
    "namer": None,
    "naming_why": None,
    "deal_amount": 0,
    "settling": None,
}
"""What a round leaves behind when it ends."""


def open_round(state: State, seat: Seat, log: Log) -> State:
    """Hand the die to this player for an opening roll (BK-7)."""
    log.append(DieTaken(seat))
    return replace(state, **ROUND_BEGINS | {"phase": Phase.OPEN, "roller": seat})


def open_shouting(state: State, seat: Seat, number: int, log: Log) -> State:
    """Let everybody but `seat`, who rolled it, shout against the number (BK-7, BK-13)."""
    log.append(ShoutingOpened(seat, number))
    fresh = {"phase": Phase.SHOUT, "roller": seat, "standing": number}
    return replace(state, **ROUND_BEGINS | fresh)


def take_control(state: State, owner: Seat, roller: Seat, number: int, log: Log) -> State:
    """Give the die to the number's owner, who names the next challenger (BK-18)."""
    log.append(TookControl(owner, number, roller))
    fresh = {
        "phase": Phase.NAME,
        "roller": roller,
        "standing": number,
        "namer": owner,
        "naming_why": "control",
    }
    return replace(state, **ROUND_BEGINS | fresh)


def tell_wager_off(state: State, face: int, log: Log) -> None:
    """Say that this number makes a Shroud's wager void (BK-23); its round ends with this roll."""
    if state.caller is not None:
        log.append(WagerOff(state.caller, face))


def lose(
    state: State,
    losses: Mapping[Seat, int],
    log: Log,
    doomed: Mapping[Seat, Cause] = MappingProxyType({}),
) -> State:
    """Take fingers from several players at the same instant, and see whether that ends the bout.

    Those in `doomed` lose them all, for a cause of their own, and nobody
    counts theirs. The last one with a finger wins (BK-22); if the last ones
    fell together, they share the win (BK-24).
    """
    before = state.living()
    fingers = list(state.fingers)
    for seat in doomed:
        fingers[seat] = 0
    for seat, count in sorted(losses.items()):
        lost = min(count, fingers[seat])
        fingers[seat] -= lost
        log.append(FingersLost(seat, lost, fingers[seat]))
    log.extend(Out(seat, doomed.get(seat, "fingers")) for seat in before if not fingers[seat])
    return _crown(replace(state, fingers=tuple(fingers)), before, log)


def put_out(state: State, seat: Seat, cause: Cause, log: Log) -> State:
    """Put a player out at once, however many fingers they had (BK-16)."""
    return lose(state, {}, log, doomed={seat: cause})


def regain(state: State, seat: Seat, count: int, log: Log) -> State:
    """Give a player fingers back, never above five (BK-24, BK-25).

    Which ones come back is decided by when they were given up: the first stay lost.
    """
    left = min(HAND, state.fingers[seat] + count)
    gained = left - state.fingers[seat]
    if not gained:
        return state
    log.append(FingersRegained(seat, gained, left))
    fingers = tuple(left if at == seat else old for at, old in enumerate(state.fingers))
    given = tuple(old[: HAND - left] if at == seat else old for at, old in enumerate(state.given))
    return replace(state, fingers=fingers, given=given)


def _crown(state: State, before: tuple[Seat, ...], log: Log) -> State:
    alive = state.living()
    if len(alive) > 1:
        return state
    winners = alive or before
    log.append(Won(winners))
    return replace(state, **ROUND_BEGINS | {"phase": Phase.OVER, "winners": winners})
