"""How a fight goes on: the door to every action, and those that roll no d20."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from games.rules.engine import Dice, Event, Outcome, Seat
from games.rules.knave.abilities import Ability
from games.rules.knave_fight.actions import (
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
    Rest,
    Save,
    Stunt,
    Turn,
    Wear,
    Wield,
)
from games.rules.knave_fight.events import (
    Disengaged,
    Dressed,
    Ended,
    Engaged,
    Joined,
    Mended,
    MoraleRolled,
    Rested,
    RoundBegun,
    SpellCast,
    Turned,
    Wielded,
)
from games.rules.knave_fight.harm import (
    PIECES,
    Log,
    hurt,
    leave_melee,
    mend,
    run_away,
    told,
)
from games.rules.knave_fight.model import D6, D8, Last, Side, State, Status
from games.rules.knave_fight.moments import ask_for_morale, come_as_they_are
from games.rules.knave_fight.rolling import attack, save, stunt, used_turn
from games.rules.knave_fight.start import enlist, without_broken
from games.rules.knave_fight.why_not import fault
from games.rules.words import refuse


def apply(
    state: State, seat: Seat | None, action: AnyAction, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """Play an action; return the new state and what the table saw.

    2026-11-21: unlike other games' this asks once more whether the action is
    legal, before any die is rolled. Who rests, whom a spell is for and under
    which id somebody joins are left open in the list of legal actions, and yet
    the moment decides whether they are right. Raises IllegalAction if not.
    """
    reason = fault(state, seat, action)
    if reason is not None:
        raise refuse(reason)
    log: Log = []
    after = _act(state, action, dice, log)
    if after.fighters is not state.fighters:  # or nobody's morale is another than before
        after = ask_for_morale(after, log)
    return after, tuple(log)


def outcome(state: State) -> Outcome | None:
    """Say who won, once the fight is closed: the party's seats still up, if no foe is."""
    return Outcome(_winners(state)) if state.is_over else None


def _winners(state: State) -> tuple[Seat, ...]:
    if any(one.is_up for one in state.fighters if one.side is Side.FOES):
        return ()
    return tuple(seat for seat, one in enumerate(state.party) if one.is_up)


def _act(state: State, action: AnyAction, dice: Dice, log: Log) -> State:
    match action:
        case Initiative():
            return _begin_round(state, dice, log)
        case Attack():
            return attack(state, action, dice, log)
        case Stunt():
            return stunt(state, action, dice, log)
        case Save():
            return save(state, action, dice, log)
        case Cast():
            log.append(SpellCast(by=action.by, spell=action.spell, on=action.on))
            return used_turn(state, replace(state.of(action.by), cast=True))
        case Morale():
            return _morale(state, action, dice, log)
        case Rest():
            return _rest(state, action, dice, log)
        case Hurt():
            return hurt(state, action.on, action.amount, None, log)
        case Heal():
            return _heal(state, action, log)
        case _:
            return _move(state, action, log)


def _move(
    state: State, action: Engage | Disengage | Wield | Wear | Flee | Turn | Join | End, log: Log
) -> State:
    match action:
        case Engage():
            log.append(Engaged(by=action.by, on=action.on))
            return replace(state, engaged=(*state.engaged, (action.by, action.on)))
        case Disengage():
            log.append(Disengaged(by=action.by))
            return leave_melee(state, action.by)
        case Wield():
            return _wield(state, action, log)
        case Wear():
            return _wear(state, action, log)
        case Flee():
            return run_away(state, action.of, log)
        case Turn():
            return _turn(state, action, log)
        case Join():
            return _join(state, action, log)
        case End():
            over = replace(state, is_over=True)
            standing = tuple(one.id for one in over.party if one.is_up)
            log.append(Ended(standing=standing, is_won=bool(_winners(over))))
            return over
    assert_never(action)


def _begin_round(state: State, dice: Dice, log: Log) -> State:
    """Roll who acts first; 1 to 3 are the enemies, and nobody has acted yet (KN-12)."""
    face = dice.roll(D6)
    first = Side.FOES if face <= 3 else Side.PARTY
    log.append(RoundBegun(round=state.round + 1, first=first, face=face))
    fighters = tuple(
        replace(one, attacked=0, stunted=False, cast=False, both=False, both_on="")
        if one.has_acted
        else one
        for one in state.fighters
    )
    return replace(state, fighters=fighters, round=state.round + 1, first=first, second_began=False)


def _morale(state: State, action: Morale, dice: Dice, log: Log) -> State:
    """Roll 2d6: more than the rating and they leave the fight (KN-20).

    **Ruling:** who has fallen may be rolled for as well, for a table that rolls
    late; the roll is told, and they lie where they are.
    """
    fighter = state.of(action.of)
    rating = fighter.morale if action.rating is None else action.rating
    assert rating is not None
    faces = (dice.roll(D6), dice.roll(D6))
    total = sum(faces)
    holds = total <= rating
    log.append(MoraleRolled(of=action.of, faces=faces, total=total, holds=holds))
    last = Last(total, rating, holds, fighter.side is Side.FOES)
    if rating != fighter.morale:
        state = state.put(replace(fighter, morale=rating))
    due = tuple(who for who in state.morale_due if who != action.of)
    state = replace(state, last=last, morale_due=due)
    return run_away(state, action.of, log) if fighter.is_up and not holds else state


def _rest(state: State, action: Rest, dice: Dice, log: Log) -> State:
    """Heal sleepers by d8 and Constitution, or everybody in a haven (KN-21)."""
    if action.kind == "haven":
        who = tuple(one.id for one in state.fighters if one.status is not Status.DEAD)
    else:
        who = action.who
    for sleeper in who:
        fighter = state.of(sleeper)
        face = None if action.kind == "haven" else dice.roll(D8)
        gain = fighter.max_hp if face is None else face + fighter.bonus.of(Ability.CONSTITUTION)
        left = told(fighter, fighter.mended(gain))
        log.append(Rested(who=sleeper, kind=action.kind, face=face, left=left))
        state = mend(state, sleeper, gain, log)
    return state


def _heal(state: State, action: Heal, log: Log) -> State:
    fighter = state.of(action.on)
    left = told(fighter, fighter.mended(action.amount))
    log.append(Mended(on=action.on, amount=action.amount, left=left))
    return mend(state, action.on, action.amount, log)


def _wield(state: State, action: Wield, log: Log) -> State:
    fighter = without_broken(replace(state.of(action.by), weapon=action.weapon))
    name = None if fighter.weapon is None else fighter.weapon.name
    log.append(Wielded(by=action.by, weapon=name))
    return state.put(fighter)


def _wear(state: State, action: Wear, log: Log) -> State:
    worn = {piece: getattr(action, piece) for piece in PIECES}
    fighter = without_broken(replace(state.of(action.by), **worn))
    pieces = tuple(piece for piece in PIECES if getattr(fighter, piece) is not None)
    log.append(Dressed(who=action.by, pieces=pieces))
    return state.put(fighter)


def _turn(state: State, action: Turn, log: Log) -> State:
    """Put somebody behind all the others on the other side; who they fought they fight no more.

    **Ruling:** what they did this round stays done: nobody acts twice by it (KN-13). Like
    who joins wounded, they are not asked for their morale by coming (KN-20).
    """
    before = state.of(action.of)
    after = replace(before, side=before.side.other)
    log.append(Turned(who=after.id, side=after.side))
    others = tuple(one for one in state.fighters if one is not before)
    state = leave_melee(replace(state, fighters=(*others, after)), after.id)
    return come_as_they_are(state, after.id)


def _join(state: State, action: Join, log: Log) -> State:
    """Add somebody after all the others, so that no seat moves."""
    fighter = enlist(action.combatant, action.side)
    log.append(Joined(who=fighter.id, name=fighter.name, side=action.side))
    return come_as_they_are(replace(state, fighters=(*state.fighters, fighter)), fighter.id)
