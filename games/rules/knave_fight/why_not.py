"""Why not: the one place that knows what is legal, and the reason against the rest."""

from __future__ import annotations

from games.rules.engine import Action, IllegalAction, Seat, is_within_bounds
from games.rules.knave_fight import refusals
from games.rules.knave_fight.actions import (
    Attack,
    Cast,
    Disengage,
    End,
    Engage,
    FightAction,
    Flee,
    Heal,
    Hurt,
    Initiative,
    Join,
    Morale,
    Rest,
    Save,
    Stunt,
    Turn,
    Wear,
    Wield,
)
from games.rules.knave_fight.model import (
    MOST_COMBATANTS,
    MOST_MODIFIER,
    Fighter,
    State,
    Status,
)
from games.rules.knave_fight.start import combatant_fault
from games.rules.words import Reason, refuse

OWN = (Attack, Stunt, Save, Cast, Engage, Disengage, Wield)
"""What a player does, each with their own character as `by`; retreating is `Flee`."""
_NOT_UP = {
    Status.DEAD: refusals.DEAD,
    Status.UNCONSCIOUS: refusals.UNCONSCIOUS,
    Status.FLED: refusals.FLED,
}


def refusal(state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Say why this seat may not do this now, with the rule that refuses it."""
    return refuse(fault(state, seat, action) or refusals.UNKNOWN)


def fault(state: State, seat: Seat | None, action: Action) -> Reason | None:
    """Return the reason against an action, or None for one that the rules allow."""
    if state.is_over:
        return refusals.OVER
    if not isinstance(action, FightAction):
        return refusals.UNKNOWN
    return _seat_fault(state, seat, action) or _bounds_fault(action) or fault_now(state, action)


def fault_now(state: State, action: FightAction) -> Reason | None:
    """Return the moment's reason against an action, whoever does it."""
    match action:
        case Attack() | Stunt() | Cast():
            return _combat_fault(state, action)
        case Save():
            known = action.against is None or state.find(action.against.who)
            return _actor_fault(state, action.by) or (None if known else refusals.STRANGER)
        case Morale():
            return _morale_fault(state, action)
        case Rest():
            return _rest_fault(state, action)
        case Join():
            return _join_fault(state, action)
        case Hurt() | Heal():
            dead = refusals.ON_DEAD if isinstance(action, Hurt) else refusals.HEAL_DEAD
            return _living_fault(state, action.on, dead)
        case Initiative() | End():
            return None
        case _:
            return _move_fault(state, action)


def _move_fault(state: State, action: FightAction) -> Reason | None:
    match action:
        case Engage():
            return _engage_fault(state, action)
        case Disengage():
            there = None if state.is_engaged(action.by) else refusals.NOT_ENGAGED
            return _actor_fault(state, action.by) or there
        case Wield():
            return _actor_fault(state, action.by)
        case Wear():
            return _living_fault(state, action.by, refusals.ON_DEAD)
        case Flee() | Turn():
            return _actor_fault(state, action.of)
        case _:
            return refusals.UNKNOWN


def turn_fault(state: State, fighter: Fighter, action: Attack | Stunt | Cast) -> Reason | None:
    """Return what the round has against a combatant's action (KN-12, KN-13, KN-18)."""
    if state.first is None:
        return refusals.NO_INITIATIVE
    if not state.has_turn(fighter.side):
        return refusals.SECOND_BEGAN
    if isinstance(action, Cast):
        return refusals.ONE_ACTION if fighter.has_acted else None
    if not fighter.has_acted:
        return None
    if fighter.cast:
        return refusals.ONE_ACTION
    if action.both != fighter.both:
        return refusals.BOTH_LATE if action.both else _plain_fault(fighter)
    if isinstance(action, Stunt):
        used = fighter.stunted or not action.both
        made = refusals.STUNT_MADE if fighter.stunted else refusals.ONE_ACTION
        return made if used else None
    if fighter.stunted and not action.both:
        return refusals.ONE_ACTION
    most = 1 if action.both else fighter.attacks
    return refusals.ATTACKS_MADE if fighter.attacked >= most else None


def _plain_fault(fighter: Fighter) -> Reason:
    finished = fighter.attacked and fighter.stunted
    return refusals.ONE_ACTION if finished else refusals.BOTH_BEGUN


def _seat_fault(state: State, seat: Seat | None, action: FightAction) -> Reason | None:
    if seat is None:
        return None
    party = state.party
    if not 0 <= seat < len(party):
        return refusals.NO_SEAT
    if isinstance(action, Flee):
        who = action.of
    elif isinstance(action, OWN):
        who = action.by
    else:
        return refusals.ONLY_REFEREE
    return None if who == party[seat].id else refusals.NOT_YOURS


def _bounds_fault(action: FightAction) -> Reason | None:
    if is_within_bounds(action):
        return None
    if isinstance(action, Attack | Stunt | Save) and abs(action.modifier) > MOST_MODIFIER:
        return refusals.MODIFIER
    return refusals.AMOUNT if isinstance(action, Hurt | Heal) else refusals.BOUNDS


def _actor_fault(state: State, who: str) -> Reason | None:
    fighter = state.find(who)
    if fighter is None:
        return refusals.STRANGER
    return None if fighter.is_up else _NOT_UP[fighter.status]


def _living_fault(state: State, who: str, dead: Reason) -> Reason | None:
    fighter = state.find(who)
    if fighter is None:
        return refusals.STRANGER
    return dead if fighter.status is Status.DEAD else None


def _target_fault(state: State, by: str, on: str) -> Reason | None:
    if by == on:
        return refusals.ON_SELF
    target = state.find(on)
    if target is not None and target.status is Status.FLED:
        return refusals.ON_FLED
    return _living_fault(state, on, refusals.ON_DEAD)


def _combat_fault(state: State, action: Attack | Stunt | Cast) -> Reason | None:
    reason = _actor_fault(state, action.by)
    if reason is not None:
        return reason
    fighter = state.of(action.by)
    reason = turn_fault(state, fighter, action)
    if reason is not None:
        return reason
    if isinstance(action, Cast):
        return None if all(state.find(who) for who in action.on) else refusals.STRANGER
    if action.both and action.edge is not None:
        return refusals.BOTH_EDGE
    reason = _target_fault(state, action.by, action.on)
    return reason or (_weapon_fault(state, fighter, action) if isinstance(action, Attack) else None)


def _weapon_fault(state: State, fighter: Fighter, action: Attack) -> Reason | None:
    weapon = fighter.weapon_at(action.with_)
    if weapon is None:
        return refusals.NO_WEAPON if action.with_ is None else refusals.NO_SUCH_WEAPON
    engaged = weapon.ranged and state.is_engaged(fighter.id)
    return refusals.RANGED_ENGAGED if engaged else None


def _engage_fault(state: State, action: Engage) -> Reason | None:
    reason = _actor_fault(state, action.by) or _target_fault(state, action.by, action.on)
    if reason is not None:
        return reason
    if not state.of(action.on).is_up:
        return refusals.ON_DOWN
    pairs = ((action.by, action.on), (action.on, action.by))
    return refusals.ENGAGED if any(pair in state.engaged for pair in pairs) else None


def _morale_fault(state: State, action: Morale) -> Reason | None:
    """Refuse only who has no rating: the rules page's own record rolls for a dead goblin."""
    fighter = state.find(action.of)
    if fighter is None:
        return refusals.STRANGER
    return refusals.NO_MORALE if fighter.morale is None else None


def _rest_fault(state: State, action: Rest) -> Reason | None:
    if action.kind == "haven":
        return refusals.REST_HAVEN if action.who else None
    if len(set(action.who)) < len(action.who):
        return refusals.REST_TWICE
    faults = (_living_fault(state, who, refusals.REST_DEAD) for who in action.who)
    return next((reason for reason in faults if reason), None)


def _join_fault(state: State, action: Join) -> Reason | None:
    if len(state.fighters) >= MOST_COMBATANTS:
        return refusals.TOO_MANY
    if state.find(action.combatant.id) is not None:
        return refusals.SAME_ID
    return combatant_fault(action.combatant)
