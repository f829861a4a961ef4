"""A sequence as everybody sees it: nothing in it is hidden."""

from __future__ import annotations

import random

import msgspec

from games.rules.engine import Seat
from games.rules.wicked_sequence.legal import awaited
from games.rules.wicked_sequence.model import (
    Advantage,
    Die,
    Fighter,
    Last,
    Phase,
    Settlement,
    State,
    Status,
    Throw,
    Turn,
)
from games.rules.wicked_sequence.rounds import lots_due
from games.rules.wicked_sequence.sheets import Condition, Kind, Owed, StrengthDie


class Roll(msgspec.Struct, frozen=True):
    """Dice as they last lay, read: base dice with their faces, pips, total, and ranks (WA-46)."""

    dice: tuple[Die, ...]
    pips: tuple[int, ...]
    total: int
    ranked: tuple[int, ...]
    lies: bool


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A participant as everybody sees her.

    `dice` are the base dice in hand, `over` those she holds a won advantage die
    over, `beaten` those she takes one from at the round's end (WA-63).
    """

    id: str
    seat: Seat
    name: str
    kind: Kind
    player: str | None
    forms: dict[str, tuple[int, ...]]
    strengths: tuple[StrengthDie, ...]
    chosen: tuple[str, ...]
    using: tuple[str, ...]
    dice: tuple[Die, ...]
    roll: Roll | None
    over: tuple[str, ...]
    beaten: tuple[str, ...]
    bought: int
    turn: Turn
    status: Status
    is_out: bool
    condition: Condition | None
    is_awaited: bool


class Standing(msgspec.Struct, frozen=True):
    """The roll that answers are compared with (WA-51, WA-54)."""

    by: str
    total: int
    dice: tuple[int, ...]
    pips: tuple[int, ...]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence as anybody may see it; `must` names whom it waits for, `lots` who draws them."""

    participants: tuple[Seen, ...]
    act: str
    needs_far_reach: bool
    phase: Phase
    round: int
    order: tuple[str, ...]
    mover: str | None
    named: tuple[str, ...]
    to_answer: tuple[str, ...]
    tied: tuple[str, ...]
    backing: tuple[str, ...]
    is_pressed: bool
    lots: tuple[str, ...]
    standing: Standing | None
    last: Last | None
    advantage: tuple[Advantage, ...]
    transfers: tuple[Advantage, ...]
    settlement: Settlement | None
    owe_list: tuple[Owed, ...]
    must: tuple[str, ...]
    is_over: bool


def view(state: State, seat: Seat | None) -> View:
    """List what this seat may know, which is everything, for every seat and bystander."""
    is_pressed = state.phase is Phase.TIE and bool(state.to_roll)
    return View(
        participants=tuple(_seen(state, one) for one in state.participants),
        act=state.act,
        needs_far_reach=state.needs_far_reach,
        phase=state.phase,
        round=state.round,
        order=state.order,
        mover=state.mover,
        named=state.named,
        to_answer=state.to_answer,
        tied=state.tied,
        backing=() if is_pressed else state.backing,  # one press is enough (WA-52)
        is_pressed=is_pressed,
        lots=lots_due(state),
        standing=standing(state),
        last=state.last,
        advantage=state.won,
        transfers=state.transfers,
        settlement=state.settlement,
        owe_list=state.owe_list,
        must=awaited(state),
        is_over=state.phase is Phase.OVER,
    )


def standing(state: State) -> Standing | None:
    """Return the roll that stands, its base dice as they are read, if one does (WA-46, WA-51)."""
    who = state.standing
    throw = None if who is None else state.of(who).throw
    if who is None or throw is None:
        return None
    return Standing(who, throw.total, throw.ranked, throw.pips)


def scramble(state: State, seat: Seat | None, rng: random.Random) -> State:
    """Return the state itself: there is nothing that this seat may not know."""
    return state


def _seen(state: State, one: Fighter) -> Seen:
    return Seen(
        id=one.id,
        seat=state.seat_of(one.id),
        name=one.name,
        kind=one.kind,
        player=one.player,
        forms=one.forms,
        strengths=one.strengths,
        chosen=one.chosen,
        using=one.using,
        dice=one.base,
        roll=_roll(one.throw),
        over=tuple(won.over for won in state.won if won.holder == one.id),
        beaten=tuple(won.over for won in state.transfers if won.holder == one.id),
        bought=one.bought,
        turn=one.turn,
        status=one.status,
        is_out=one.is_out,
        condition=one.condition,
        is_awaited=one.id in awaited(state),
    )


def _roll(throw: Throw | None) -> Roll | None:
    if throw is None:
        return None
    return Roll(throw.dice, throw.pips, throw.total, throw.ranked, throw.lies)
