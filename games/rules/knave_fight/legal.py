"""Who may do what now, listed; `why_not` knows what is legal."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.engine import Seat
from games.rules.knave.abilities import Ability
from games.rules.knave_fight.actions import (
    NEWCOMER,
    AnyAction,
    Attack,
    Cast,
    Disengage,
    End,
    Engage,
    Flee,
    Heal,
    Hurt,
    Initiative,
    Join,
    Morale,
    Opponent,
    Rest,
    Save,
    Stunt,
    Wear,
    Wield,
)
from games.rules.knave_fight.model import MOST_COMBATANTS, Fighter, Side, State, Status
from games.rules.knave_fight.why_not import fault_now

_STR = Ability.STRENGTH


def legal_actions(state: State, seat: Seat | None) -> list[AnyAction]:
    """List what this seat may do now; seat None is the referee, who may do everything.

    What the player fills in is left open: who rolls, edges, modifiers, ideal
    weapons, abilities, effects, spells, weapons, amounts, who rests and who
    joins. `fault` judges the action once it is filled in.
    """
    party = state.party
    if state.is_over or not (seat is None or 0 <= seat < len(party)):
        return []
    acting = state.fighters if seat is None else (party[seat],)
    found = [action for one in acting if one.is_up for action in _own(state, one)]
    if seat is None:
        found += _referees(state)
    return found


def must(state: State) -> tuple[Seat, ...]:
    """List the seats the table waits for: those of the party that have a combat action left.

    While the foes act first, it waits for the party once every foe who is up has acted.
    """
    if state.is_over or state.first is None or not state.has_turn(Side.PARTY):
        return ()
    foes = (one for one in state.fighters if one.side is Side.FOES and one.is_up)
    begun = state.second_began or all(one.has_acted for one in foes)
    if state.first is Side.FOES and not begun:
        return ()
    return tuple(seat for seat, one in enumerate(state.party) if one.is_up and not one.has_acted)


def _own(state: State, fighter: Fighter) -> Iterator[AnyAction]:
    """List a combatant's own actions; the round is asked once, not for every target."""
    me = fighter.id
    targets = [
        one.id
        for one in state.fighters
        if one.id != me and one.status not in (Status.DEAD, Status.FLED)
    ]
    if targets:
        yield from _attacks(state, fighter, targets)
        yield from _stunts(state, fighter, targets)
    yield Save(by=me, ability=_STR)
    for who in state.ids:
        yield Save(by=me, ability=_STR, against=Opponent(who=who, ability=_STR))
    others = (Engage(by=me, on=on) for on in targets)
    rest: tuple[AnyAction, ...] = (Cast(by=me, spell=""), Disengage(by=me), *others)
    yield from (action for action in rest if fault_now(state, action) is None)
    yield Wield(by=me, weapon=None)
    yield Flee(of=me)


def _attacks(state: State, fighter: Fighter, targets: list[str]) -> Iterator[AnyAction]:
    for index in (None, *range(len(fighter.weapons))):
        for both in (False, True):
            first, *more = (
                Attack(by=fighter.id, on=on, rolled_by="attacker", both=both, with_=index)
                for on in targets
            )
            if fault_now(state, first) is None:
                yield from (first, *more)


def _stunts(state: State, fighter: Fighter, targets: list[str]) -> Iterator[AnyAction]:
    for both in (False, True):
        first, *more = (
            Stunt(by=fighter.id, on=on, ability=_STR, against=_STR, both=both) for on in targets
        )
        if fault_now(state, first) is None:
            yield from (first, *more)


def _referees(state: State) -> Iterator[AnyAction]:
    """List what only the referee does."""
    yield Initiative()
    for one in state.fighters:
        if one.morale is not None:
            yield Morale(of=one.id)
    yield Rest(kind="night")
    yield Rest(kind="haven")
    for one in state.fighters:
        if one.status is not Status.DEAD:
            yield Hurt(on=one.id, amount=0)
            yield Heal(on=one.id, amount=0)
            yield Wear(by=one.id)
    if len(state.fighters) < MOST_COMBATANTS:
        yield from (Join(side=side, combatant=NEWCOMER) for side in Side)
    yield End()
