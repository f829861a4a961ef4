"""Who may do what now, listed; `why_not` knows what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

from games.rules.engine import Seat
from games.rules.wicked_sequence.actions import (
    NEWCOMER,
    Agree,
    AnyAction,
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
    Settle,
)
from games.rules.wicked_sequence.model import Fighter, Phase, State
from games.rules.wicked_sequence.sheets import MOST
from games.rules.wicked_sequence.why_not import is_about_to_roll, moment_fault


def legal_actions(state: State, seat: Seat | None) -> list[AnyAction]:
    """List what this seat may do now; seat None is the table, which may do everything.

    A seat is one participant, also an NPC: that only the GM acts for NPCs is
    for the app to see to. What the player fills in is left open: forms,
    strengths, who answers, words, terms and lots. `fault` judges the action once
    it is filled in.
    """
    if state.phase is Phase.OVER or not (seat is None or 0 <= seat < len(state.participants)):
        return []
    acting = state.participants if seat is None else (state.participants[seat],)
    found = [action for one in acting for action in _own(state, one)]
    if seat is None:
        found += _tables(state)
    elif acting[0].is_in:
        found.append(NextRound())
    return [action for action in found if moment_fault(state, action) is None]


def must(state: State) -> tuple[Seat, ...]:
    """List the seats the table waits for; nobody where it waits for lots."""
    return tuple(state.seat_of(who) for who in awaited(state))


def awaited(state: State) -> tuple[str, ...]:
    """List the participants the table waits for, by their ids."""
    match state.phase:
        case Phase.CHOOSE:
            return tuple(one.id for one in state.participants if one.is_in and not one.chosen)
        case Phase.ROLL:
            return state.to_roll
        case Phase.TIE:
            return state.to_roll or tuple(one for one in state.tied if one not in state.backing)
        case Phase.TURN:
            return () if state.mover is None else (state.mover,)
        case Phase.ANSWER:
            return state.to_answer[:1]
        case Phase.SETTLE:
            return () if state.settlement is None else (state.settlement.winner,)
        case Phase.BETWEEN:
            return state.inside
        case Phase.LOTS | Phase.OVER:
            return ()


# What a phase has room for at all; the moment decides which of it.
_ROOM: Final[dict[Phase, tuple[type[Own], ...]]] = {
    Phase.CHOOSE: (Choose,),
    Phase.ROLL: (Roll,),
    Phase.TIE: (Roll, BackAway, Press),
    Phase.TURN: (Roll, Move),
    Phase.ANSWER: (Roll, LetPass, Interfere),
    Phase.BETWEEN: (Leave,),
}
_BUYS: Final = (Phase.CHOOSE, Phase.ROLL, Phase.TURN, Phase.ANSWER, Phase.BETWEEN)


def _own(state: State, fighter: Fighter) -> Iterator[AnyAction]:
    """Name what a participant might do in this phase."""
    if not fighter.is_in:
        return
    me = fighter.id
    yield from _named(me, state.phase)
    if state.phase in _BUYS and fighter.player is not None and is_about_to_roll(state, me):
        for name in dict.fromkeys(owed.name for owed in state.owe_list):
            yield Buy(by=me, strike=name)
    if state.settlement is not None and state.settlement.winner == me:
        loser = state.settlement.loser
        yield Settle(winner=me, loser=loser, as_="exhausted")
        yield Settle(winner=me, loser=loser, as_="injured")


@lru_cache(maxsize=500)
def _named(who: str, phase: Phase) -> tuple[Any, ...]:
    """Return a participant's actions; they are frozen, and the same at every moment."""
    return tuple(kind(by=who) for kind in _ROOM.get(phase, ()))


def _tables(state: State) -> Iterator[AnyAction]:
    """Name what is done beside the participants' own actions."""
    yield from (Lots(), Correct(), NextRound(), End())
    if state.settlement is not None:
        yield Agree(winner=state.settlement.winner, loser=state.settlement.loser)
    elif state.phase is Phase.BETWEEN:
        yield from (Agree(winner=a, loser=b) for a, b in permutations(state.inside, 2))
    if len(state.inside) < MOST:
        yield Join(participant=NEWCOMER)
