"""How a round begins, is ranked, goes from turn to turn and ends: WA-51 to 66, WA-76 to 80."""

from __future__ import annotations

from itertools import groupby

from msgspec.structs import replace

from games.rules.engine import Event
from games.rules.wicked_age.owe import smaller
from games.rules.wicked_sequence.events import (
    Ended,
    OrderSet,
    Owing,
    RoundBegun,
    RoundEnded,
    TiedAtTop,
)
from games.rules.wicked_sequence.model import Advantage, Fighter, Phase, State, Status, Turn
from games.rules.wicked_sequence.sheets import FEWEST, LAST_ROUND, Owed

Log = list[Event]
"""What the table sees of one action, in order."""


def begin_round(state: State, log: Log) -> State:
    """Open the next round; who joined for it chooses forms first (WA-108)."""
    state = replace(state, round=state.round + 1, order=())
    fighters = (replace(one, turn=Turn.WAITING) for one in state.participants)
    return open_rolls(replace(state, participants=tuple(fighters)), log)


def open_rolls(state: State, log: Log) -> State:
    """Let everybody still in roll, once all have chosen forms (WA-51)."""
    if any(one.is_in and not one.chosen for one in state.participants):
        return replace(state, phase=Phase.CHOOSE)
    log.append(RoundBegun(round=state.round))
    return replace(state, phase=Phase.ROLL, to_roll=state.inside)


def rank_rolls(state: State, log: Log) -> State:
    """Rank the rolls that lie: a tie at the top is fought out, one below it drawn (WA-51 to 53)."""
    state = replace(state, tied=(), backing=())
    if len(state.inside) < FEWEST:
        return end_round(state, log)
    lying = sorted((one for one in state.participants if one.is_in), key=_rank, reverse=True)
    ranking = tuple(tuple(one.id for one in group) for _, group in groupby(lying, key=_rank))
    if len(ranking[0]) > 1:
        log.append(TiedAtTop(tied=ranking[0]))
        return replace(state, phase=Phase.TIE, tied=ranking[0])
    return set_order(replace(state, ranking=ranking), log)


def lots_due(state: State) -> tuple[str, ...]:
    """Return who draws lots next: the highest of those tied below the top, or nobody (WA-53)."""
    return next((group for group in state.ranking if len(group) > 1), ())


def set_order(state: State, log: Log) -> State:
    """Set the turn order once no tie is left; only the highest roll stays on the table (WA-51)."""
    if lots_due(state):
        return replace(state, phase=Phase.LOTS)
    order = tuple(who for group in state.ranking for who in group)
    log.append(OrderSet(order=order))
    state = state.put(*(picked_up(one) for one in state.participants if one.id != order[0]))
    return replace(state, phase=Phase.TURN, ranking=(), order=order, mover=order[0])


def go_on(state: State, log: Log) -> State:
    """Hear the next answer, or go to the next turn (WA-57, WA-59)."""
    assert state.mover is not None
    enough = len(state.inside) >= FEWEST
    if enough and state.to_answer and state.of(state.mover).is_in:
        return replace(state, phase=Phase.ANSWER)
    state = state.put(picked_up(state.of(state.mover)))
    state = replace(state, named=(), to_answer=())
    waiting = (who for who in state.order if state.of(who).turn is Turn.WAITING)
    mover = next(waiting, None)
    if mover is None or not enough:
        return end_round(state, log)
    return replace(state, phase=Phase.TURN, mover=mover)


def end_round(state: State, log: Log) -> State:
    """Hand over the advantage dice and write the owe list; after round 3 it is over (WA-60, WA-63).

    **Ruling:** round 1 of a sequence that ends in it ends too, so its names are written.
    """
    won = dice_after_round(state)
    state = replace(state, phase=Phase.BETWEEN, won=won, transfers=(), mover=None)
    log.append(RoundEnded(round=state.round, advantage=won))
    if state.round == 1:
        state = _write_names(state, log)
    is_last = state.round == LAST_ROUND or len(state.inside) < FEWEST
    return finish(state, log) if is_last else state


def dice_after_round(state: State) -> tuple[Advantage, ...]:
    """List the won dice as they lie once this round's are handed over (WA-61, WA-63)."""
    by_pair = {one.pair: one for one in state.won} | {one.pair: one for one in state.transfers}
    return tuple(one for one in by_pair.values() if state.of(one.holder).is_in)


def finish(state: State, log: Log) -> State:
    """Close the sequence; all advantage dice are gone (WA-66)."""
    log.append(Ended(inside=state.inside))
    fighters = tuple(replace(picked_up(one), bought=0) for one in state.participants)
    return replace(state, phase=Phase.OVER, participants=fighters, won=(), mover=None)


def take_out(state: State, who: str, status: Status) -> State:
    """Take somebody out of the sequence with the dice she holds; others keep theirs (WA-63)."""
    fighter = replace(picked_up(state.of(who)), status=status, bought=0)
    won = tuple(one for one in state.won if one.holder != who)
    return replace(state.put(fighter), won=won)


def picked_up(fighter: Fighter) -> Fighter:
    """Return a participant whose roll, if she has one, no longer lies on the table (WA-51)."""
    return replace(fighter, throw=fighter.throw and replace(fighter.throw, lies=False))


def _rank(fighter: Fighter) -> tuple[int, ...]:
    assert fighter.throw is not None
    return fighter.throw.rank


def _write_names(state: State, log: Log) -> State:
    """Write who met bigger dice in round 1 and is still in, in turn order (WA-76 to WA-80)."""
    names = [state.of(who) for who in state.order if _met_bigger_dice(state, state.of(who))]
    log += [Owing(name=one.id) for one in names]
    owe_list = (*state.owe_list, *(Owed(one.id, one.player) for one in names))
    return replace(state, owe_list=owe_list)


def _met_bigger_dice(state: State, fighter: Fighter) -> bool:
    """Compare the base dice of the first rolls; equal ones owe nothing (WA-77)."""
    if fighter.kind == "npc" or not fighter.is_in:
        return False
    met = {who for pair in state.met if fighter.id in pair for who in pair}
    return any(smaller(fighter.first_sizes, state.of(who).first_sizes) for who in met)
