"""A move and its answers: WA-54 to WA-61."""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.wicked_sequence.actions import Interfere, LetPass, Move
from games.rules.wicked_sequence.events import (
    Compared,
    Interfered,
    LetItPass,
    Moved,
    MoveLost,
)
from games.rules.wicked_sequence.harm import settlement_of
from games.rules.wicked_sequence.model import Advantage, Last, Phase, Result, State, Status, Turn
from games.rules.wicked_sequence.reading import compare
from games.rules.wicked_sequence.rounds import Log, go_on, picked_up, take_out


def move(state: State, action: Move, log: Log) -> State:
    """Make a move; those named answer in turn order, and if nobody is it happens (WA-56, WA-57)."""
    log.append(Moved(by=action.by, named=action.to, says=action.says))
    state = state.put(replace(state.of(action.by), turn=Turn.MOVED))
    return go_on(_asked(state, action.to), log)


def interfere(state: State, action: Interfere, log: Log) -> State:
    """Join those who have to answer, at her place in turn order (WA-56)."""
    log.append(Interfered(by=action.by, says=action.says))
    return _asked(state, (action.by,))


def let_pass(state: State, action: LetPass, log: Log) -> State:
    """Answer without dice: the move succeeds against her, and her own is lost (WA-56, WA-58)."""
    log.append(LetItPass(by=action.by, says=action.says))
    return go_on(_answered(state, action.by, log), log)


def answer(state: State, who: str, log: Log) -> State:
    """Compare an answer that has just been rolled with the roll that stands (WA-49, WA-50)."""
    mover = state.mover
    assert mover is not None
    standing, rolled = state.of(mover).throw, state.of(who).throw
    assert standing is not None
    assert rolled is not None
    result = compare(rolled, standing, state.round)
    log.append(
        Compared(
            mover=mover,
            answerer=who,
            result=result,
            standing=standing.total,
            answer=rolled.total,
        )
    )
    met = (*state.met, (mover, who)) if state.round == 1 else state.met
    state = replace(state, last=Last(mover, who, result), met=met)
    state = _answered(state.put(picked_up(state.of(who))), who, log)
    return _resolved(state, result, mover, who, log)


def _resolved(state: State, result: Result, mover: str, who: str, log: Log) -> State:
    """Take the loser out at once, or remember who takes the pair's die (WA-60, WA-61, WA-63)."""
    winner, loser = (who, mover) if result.startswith("wins") else (mover, who)
    if result.endswith("absolutely"):
        settlement = settlement_of(state, winner, loser)
        state = take_out(state, loser, Status.LOST)
        return replace(state, phase=Phase.SETTLE, settlement=settlement)
    taken = Advantage(winner, loser)
    by_pair = {one.pair: one for one in state.transfers} | {taken.pair: taken}
    return go_on(replace(state, transfers=tuple(by_pair.values())), log)


def _asked(state: State, who: tuple[str, ...]) -> State:
    """Add people to those who answer, in turn order (WA-57)."""
    named, to_answer = {*state.named, *who}, {*state.to_answer, *who}
    return replace(
        state,
        named=tuple(one for one in state.order if one in named),
        to_answer=tuple(one for one in state.order if one in to_answer),
    )


def _answered(state: State, who: str, log: Log) -> State:
    """Count an answer as given; before her turn it costs her move (WA-58)."""
    fighter = state.of(who)
    if fighter.turn is Turn.WAITING:
        log.append(MoveLost(who=who))
        state = state.put(replace(fighter, turn=Turn.LOST))
    return replace(state, to_answer=tuple(one for one in state.to_answer if one != who))
