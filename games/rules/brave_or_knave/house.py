"""House rules at work: what a table's own numbers do when they fall (BK-25)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from games.rules.brave_or_knave.events import PickAsked, Reversed
from games.rules.brave_or_knave.fate import ROUND_BEGINS, Log, lose, regain
from games.rules.brave_or_knave.model import Effect, HouseRule, Phase, Settling, State
from games.rules.brave_or_knave.start import TARGETLESS
from games.rules.engine import Seat


def rule_for(state: State, number: int, settling: Settling) -> HouseRule | None:
    """Find the house rule that acts on this number on this kind of roll (BK-25)."""
    occasion = "opening" if settling.against is None else "challenge"
    for rule in state.house_rules:
        if rule.number == number and rule.on in ("both", occasion):
            return rule
    return None


def act(
    state: State, rule: HouseRule, settling: Settling, log: Log
) -> tuple[State, Settling | None]:
    """Do the rule's effects in order, from where `settling` left off (BK-25).

    Returns no Settling when nothing is left to settle for now: the bout is
    over, or somebody must pick first. One pick serves the whole rule; who is
    out picks nobody, and what nobody was picked for does not happen.
    """
    for at in range(settling.effect, len(rule.effects)):
        effect = rule.effects[at]
        if _needs_pick(effect, settling):
            if not state.is_alive(settling.seat):
                continue
            return _ask(state, replace(settling, effect=at), log), None
        state, settling = _do(state, effect, settling, log)
        if state.phase is Phase.OVER:
            return state, None
    return state, settling


def _needs_pick(effect: Effect, settling: Settling) -> bool:
    picks = effect.target == "picked" and effect.kind not in TARGETLESS
    return picks and settling.picked is None


def _ask(state: State, settling: Settling, log: Log) -> State:
    log.append(PickAsked(settling.seat))
    waiting = {
        "phase": Phase.NAME,
        "roller": settling.seat,
        "standing": state.standing,
        "namer": settling.seat,
        "naming_why": "house",
        "settling": settling,
    }
    return replace(state, **ROUND_BEGINS | waiting)


def _do(state: State, effect: Effect, settling: Settling, log: Log) -> tuple[State, Settling]:
    targets = _targets(state, effect, settling)
    match effect.kind:
        case "lose":
            state = lose(state, dict.fromkeys(targets, effect.amount), log)
        case "regain":
            for seat in targets:
                state = regain(state, seat, effect.amount, log)
        case "reverse":
            log.append(Reversed())
            state = replace(state, direction=-1 if state.direction == 1 else 1)
        case "roll_again":
            settling = replace(settling, next_seat=settling.seat)
        case "pass_die" | "roll_next":
            for seat in targets:
                settling = replace(settling, next_seat=seat, next_call=effect.call)
        case _:
            assert_never(effect.kind)
    return state, settling


def _targets(state: State, effect: Effect, settling: Settling) -> tuple[Seat, ...]:
    """List the living players an effect is meant for."""
    seat: Seat | None
    match effect.target:
        case "everyone":
            return state.living()
        case "everyone_else":
            return state.living(but=settling.seat)
        case "roller":
            seat = settling.seat if settling.against is None else settling.against
        case "challenger":
            seat = None if settling.against is None else settling.seat
        case "left" | "right":
            seat = state.neighbour(settling.seat, effect.target)
        case "picked":
            seat = settling.picked
        case _:
            assert_never(effect.target)
    return (seat,) if seat is not None and state.is_alive(seat) else ()
