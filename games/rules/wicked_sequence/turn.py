"""How a sequence goes on: the door to every action."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from games.rules.engine import Dice, Event, Outcome, Seat
from games.rules.wicked_sequence.actions import (
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
    Press,
    Roll,
    Settle,
)
from games.rules.wicked_sequence.answering import answer, interfere, let_pass, move
from games.rules.wicked_sequence.events import (
    BackedAway,
    BackingAway,
    Bought,
    Chosen,
    Joined,
    LotsDrawn,
    Pressed,
    Purpose,
    Rolled,
)
from games.rules.wicked_sequence.harm import depart, leave, settle
from games.rules.wicked_sequence.model import Phase, State, Status, Throw
from games.rules.wicked_sequence.reading import rethrow, throw
from games.rules.wicked_sequence.rounds import (
    Log,
    begin_round,
    finish,
    go_on,
    lots_due,
    open_rolls,
    rank_rolls,
    set_order,
    take_out,
)
from games.rules.wicked_sequence.sheets import FEWEST, Participant
from games.rules.wicked_sequence.start import enlist
from games.rules.wicked_sequence.why_not import fault
from games.rules.words import refuse


def apply(
    state: State, seat: Seat | None, action: AnyAction, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """Play an action; return the new state and what the table saw.

    As a Knave fight's, this asks once more whether the action is legal, before
    any die is rolled: forms, names, terms and lots are left open in the list of
    legal actions. Raises IllegalAction if it is not.
    """
    reason = fault(state, seat, action)
    if reason is not None:
        raise refuse(reason)
    log: Log = []
    return _act(state, action, dice, log), tuple(log)


def outcome(state: State) -> Outcome | None:
    """Name those who were in it to the end, once it is over (WA-60)."""
    if state.phase is not Phase.OVER:
        return None
    return Outcome(tuple(seat for seat, one in enumerate(state.participants) if one.is_in))


def draw_lots(state: State, dice: Dice) -> Lots:
    """Draw the lots that are due, for the app that draws them (WA-53)."""
    left = list(lots_due(state))
    return Lots(order=tuple(left.pop(dice.roll(len(left)) - 1) for _ in lots_due(state)))


def _act(state: State, action: AnyAction, dice: Dice, log: Log) -> State:
    match action:
        case Choose():
            return _choose(state, action, log)
        case Buy():
            return _buy(state, action, log)
        case Roll():
            return _roll(state, action.by, dice, log)
        case Lots():
            return _lots(state, action, log)
        case BackAway():
            return _back_away(state, action.by, log)
        case Press():
            log.append(Pressed(by=action.by))
            return replace(state, to_roll=state.tied)
        case Move():
            return move(state, action, log)
        case LetPass():
            return let_pass(state, action, log)
        case Interfere():
            return interfere(state, action, log)
        case _:
            return _between(state, action, log)


def _between(
    state: State, action: Settle | Agree | Join | Leave | Correct | NextRound | End, log: Log
) -> State:
    """Play what is done beside the dice: settling, coming, going, rolling on."""
    match action:
        case Settle():
            return go_on(settle(state, action, log), log)
        case Agree():
            return _agree(state, action, log)
        case Join():
            newcomer = enlist(action.participant)
            log.append(Joined(who=newcomer.id))
            return replace(state, participants=(*state.participants, newcomer))
        case Leave():
            return _unless_alone(depart(state, action.by, log), log)
        case Correct():
            return _correct(state, action)
        case NextRound():
            return begin_round(state, log)
        case End():
            return finish(state, log)
    assert_never(action)


def _choose(state: State, action: Choose, log: Log) -> State:
    fighter = replace(state.of(action.by), chosen=action.forms, using=action.strengths)
    log.append(
        Chosen(by=fighter.id, forms=action.forms, strengths=action.strengths, dice=fighter.base)
    )
    return open_rolls(state.put(fighter), log)


def _buy(state: State, action: Buy, log: Log) -> State:
    """Strike the highest occurrence of the name for a die that stays to the end (WA-65)."""
    fighter = state.of(action.by)
    place = next(
        at
        for at, owed in enumerate(state.owe_list)
        if owed.name == action.strike and owed.player == fighter.player
    )
    log.append(Bought(by=fighter.id, name=action.strike))
    return replace(
        state.put(replace(fighter, bought=fighter.bought + 1)),
        owe_list=(*state.owe_list[:place], *state.owe_list[place + 1 :]),
    )


def _roll(state: State, who: str, dice: Dice, log: Log) -> State:
    fighter = state.of(who)
    if state.phase is Phase.TIE:
        assert fighter.throw is not None
        fallen = rethrow(fighter.throw, dice)
    else:
        fallen = throw(state, who, dice)
    log.append(_rolled(who, _PURPOSE[state.phase], fallen))
    sizes = fighter.first_sizes or tuple(die.sides for die in fallen.dice)
    state = state.put(replace(fighter, throw=fallen, first_sizes=sizes))
    if state.phase is Phase.ANSWER:
        return answer(state, who, log)
    to_roll = tuple(one for one in state.to_roll if one != who)
    waits = state.phase is Phase.TURN or to_roll
    state = replace(state, to_roll=to_roll)
    return state if waits else rank_rolls(state, log)


_PURPOSE: dict[Phase, Purpose] = {
    Phase.ROLL: "order",
    Phase.TIE: "tie",
    Phase.TURN: "move",
    Phase.ANSWER: "answer",
}


def _rolled(who: str, purpose: Purpose, fallen: Throw) -> Rolled:
    return Rolled(by=who, purpose=purpose, dice=fallen.dice, pips=fallen.pips, total=fallen.total)


def _lots(state: State, action: Lots, log: Log) -> State:
    """Put the highest of those tied below the top into the order drawn (WA-53)."""
    log.append(LotsDrawn(order=action.order))
    at = state.ranking.index(lots_due(state))
    drawn = tuple((who,) for who in action.order)
    ranking = (*state.ranking[:at], *drawn, *state.ranking[at + 1 :])
    return set_order(replace(state, ranking=ranking), log)


def _back_away(state: State, who: str, log: Log) -> State:
    """Let all who are tied go once each has said so; the rest is ranked anew (WA-52)."""
    backing = (*state.backing, who)
    log.append(BackingAway(by=who))
    if set(backing) < set(state.tied):
        return replace(state, backing=backing)
    log.append(BackedAway(who=state.tied))
    for one in state.tied:
        state = take_out(state, one, Status.LEFT)
    return rank_rolls(state, log)


def _agree(state: State, action: Agree, log: Log) -> State:
    """Settle by negotiation, after an absolute result or between rounds (WA-70, WA-74)."""
    was_two = len(state.inside) == FEWEST
    is_between = state.phase is Phase.BETWEEN
    state = settle(state, action, log)
    if not is_between:
        return go_on(state, log)
    state = leave(state, action, log)
    return finish(state, log) if was_two else _unless_alone(state, log)


def _correct(state: State, action: Correct) -> State:
    """Take over sheets, players and the owe list as they are now; dice that lie stay (WA-111)."""
    sheets = (
        (state.of(who), Participant(id=who, kind=state.of(who).kind, forms=forms))
        for who, forms in action.forms.items()
    )
    state = state.put(*(replace(fighter, forms=sheet.dice) for fighter, sheet in sheets))
    handed = action.players.items()
    state = state.put(*(replace(state.of(who), player=player) for who, player in handed))
    return state if action.owe_list is None else replace(state, owe_list=action.owe_list)


def _unless_alone(state: State, log: Log) -> State:
    return state if len(state.inside) >= FEWEST else finish(state, log)
