"""Who may do what now, listed; `why_not` knows what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

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
    Turn,
    Wear,
    Wield,
)
from games.rules.knave_fight.model import MOST_COMBATANTS, Fighter, Side, State
from games.rules.knave_fight.why_not import turn_fault

Ids = tuple[str, ...]
Pairs = tuple[tuple[str, str], ...]
Placed = tuple[tuple[str, bool, int, bool], ...]
"""Combatants by id: with a rating or not, below 0 dead and at 0 unconscious, fled or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """Who is in the fight, and what the referee may do about them (`words`).

    `ids` is everybody, `here` who can be a target (neither dead nor fled), `up` who can act.
    Moments at which these are the same share one object, so it is compared by identity.
    """

    ids: Ids
    here: Ids
    up: Ids
    words: tuple[AnyAction, ...]


Partners = tuple[str, ...]
Listed = tuple[Fighter, Partners, Around, bool, list[AnyAction]]
"""A combatant's listed actions, behind everything that they were listed from. They hold as long as
each of those is the same object (of the partners, equal)."""

_STR = Ability.STRENGTH
MOST_KEPT = 4000
# What the round has against an action does not depend on whose it is or whom it is for.
_ATTACKS = tuple(Attack(by="", on="", rolled_by="attacker", both=both) for both in (False, True))
_STUNTS = tuple(Stunt(by="", on="", ability=_STR, against=_STR, both=b) for b in (False, True))
_CAST = Cast(by="", spell="")
_kept: dict[tuple[object, ...], list[AnyAction]] = {}
# A state follows on another, and most of its combatants are the very same objects.
_listed: dict[int, Listed] = {}
MOST_LISTED = 600


def legal_actions(state: State, seat: Seat | None) -> list[AnyAction]:
    """List what this seat may do now; seat None is the referee, who may do everything.

    What the player fills in is left open: who rolls, edges, modifiers, ideal
    weapons, abilities, effects, spells, weapons, amounts, who rests and who
    joins. `fault` judges the action once it is filled in.
    """
    if state.is_over:
        return []
    around = _around(state)
    if seat is None:
        return _everybodys(state, around)
    party = state.party
    if not 0 <= seat < len(party) or not party[seat].is_up:
        return []
    one = party[seat]
    partners = _melees(state.engaged).get(one.id, ())
    return _listing(state, one, partners, around).copy()


def _everybodys(state: State, around: Around) -> list[AnyAction]:
    """Return what all who are up may do, and what only the referee does."""
    found: list[AnyAction] = []
    melees = _melees(state.engaged)
    party, foes = state.has_turn(Side.PARTY), state.has_turn(Side.FOES)
    for one in state.fighters:
        if one.hp <= 0 or one.fled:
            continue
        has_turn = party if one.side is Side.PARTY else foes
        partners = melees.get(one.id, ())
        last = _listed.get(id(one))
        if last is not None:
            # The combatant is kept with it, so no other can have that id.
            _combatant, fought, placed, had_turn, actions = last
            if placed is around and had_turn is has_turn and fought == partners:
                found += actions
                continue
        found += _listing(state, one, partners, around)
    found += around.words
    return found


@lru_cache(maxsize=MOST_KEPT)
def _melees(engaged: Pairs) -> dict[str, Partners]:
    """Return with whom each combatant is in melee (KN-14)."""
    found: dict[str, Partners] = {}
    for one, other in engaged:
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


def must(state: State) -> tuple[Seat, ...]:
    """List the seats the table waits for: who of the party has a combat action left (KN-13).

    While the foes act first, it waits for the party once every foe who is up is done.
    """
    if state.is_over or not state.has_turn(Side.PARTY):
        return ()
    foes = (one for one in state.fighters if one.side is Side.FOES and one.is_up)
    begun = state.second_began or all(state.is_done(one) for one in foes)
    if state.first is Side.FOES and not begun:
        return ()
    # Not for the other half of an attack and a stunt: who has no weapon for it any more can't act.
    return tuple(seat for seat, one in enumerate(state.party) if one.is_up and not one.has_acted)


def _around(state: State) -> Around:
    """Return who is in the fight; the same object as long as nobody falls, rises, comes or goes.

    By id: who goes over to the other side changes places, and nothing that anybody may do.
    """
    everybody = [
        (one.id, one.morale is not None, -1 if one.hp < 0 else one.hp > 0, one.fled)
        for one in state.fighters
    ]
    everybody.sort()
    return _placed(tuple(everybody))


@lru_cache(maxsize=MOST_KEPT)
def _placed(fighters: Placed) -> Around:
    """Place combatants."""
    return Around(
        ids=tuple(who for who, *_how in fighters),
        here=tuple(who for who, _rated, hp, fled in fighters if hp >= 0 and not fled),
        up=tuple(who for who, _rated, hp, fled in fighters if hp > 0 and not fled),
        words=tuple(_words(fighters)),
    )


def _listing(state: State, fighter: Fighter, partners: Partners, around: Around) -> list[AnyAction]:
    """Return a combatant's own actions, and keep them by the combatant's identity.

    A combatant is never changed in place, and comparing two by value is slower than listing.
    """
    if len(_listed) >= MOST_LISTED:
        _listed.clear()
    found = _recalled(state, fighter, partners, around)
    has_turn = state.has_turn(fighter.side)
    _listed[id(fighter)] = (fighter, partners, around, has_turn, found)
    return found


def _recalled(
    state: State, fighter: Fighter, partners: Partners, around: Around
) -> list[AnyAction]:
    """Return a combatant's own actions, listed once for all moments that are alike for them.

    The key holds everything that `_own` and the round's faults look at.
    """
    me, hand, done = fighter.id, fighter.weapon, None
    if state.has_turn(fighter.side):
        done = (fighter.attacked, fighter.stunted, fighter.cast, fighter.both, fighter.attacks)
    key = (
        me,
        hand is not None and (True, hand.ranged),
        tuple([w is not None and (True, w.ranged) for w in fighter.weapons]),
        done,
        partners,
        around,
    )
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        found = _kept[key] = _own(state, fighter, partners, around)
    return found


def _own(state: State, fighter: Fighter, partners: Partners, around: Around) -> list[AnyAction]:
    """List a combatant's own actions; the round is asked once, not for every target."""
    me, here, up = fighter.id, around.here, around.up
    in_melee = bool(partners)
    found: list[AnyAction] = []
    found += _strikes(state, fighter, here, in_melee=in_melee)
    for both in (False, True):
        if turn_fault(state, fighter, _STUNTS[both]) is None:
            found += _stunts(me, here, both)
    found += _saves(me, around.ids)
    if turn_fault(state, fighter, _CAST) is None:
        found.append(Cast(by=me, spell=""))
    if in_melee:
        found.append(Disengage(by=me))
        found += [one for one in _engages(me, up) if one.on not in partners]
    else:
        found += _engages(me, up)
    found += (Wield(by=me, weapon=None), Flee(of=me))
    return found


def _strikes(state: State, fighter: Fighter, here: Ids, *, in_melee: bool) -> list[AnyAction]:
    """List a combatant's attacks with each of its weapons; none that shoots in melee (KN-14)."""
    found: list[AnyAction] = []
    hows = [both for both in (False, True) if turn_fault(state, fighter, _ATTACKS[both]) is None]
    for index in (None, *range(len(fighter.weapons))):
        weapon = fighter.weapon_at(index)
        if weapon is None or (weapon.ranged and in_melee):
            continue
        for both in hows:
            found += _attacks(fighter.id, here, both, index)
    return found


# Actions are frozen, and the same ones are listed at every moment of a fight.


@lru_cache(maxsize=MOST_KEPT)
def _attacks(me: str, here: Ids, both: bool, index: int | None) -> tuple[AnyAction, ...]:
    return tuple(
        Attack(by=me, on=on, rolled_by="attacker", both=both, with_=index)
        for on in here
        if on != me
    )


@lru_cache(maxsize=MOST_KEPT)
def _stunts(me: str, here: Ids, both: bool) -> tuple[AnyAction, ...]:
    return tuple(
        Stunt(by=me, on=on, ability=_STR, against=_STR, both=both) for on in here if on != me
    )


@lru_cache(maxsize=MOST_KEPT)
def _saves(me: str, ids: Ids) -> tuple[AnyAction, ...]:
    opponents = (None, *(Opponent(who=who, ability=_STR) for who in ids))
    return tuple(Save(by=me, ability=_STR, against=against) for against in opponents)


@lru_cache(maxsize=MOST_KEPT)
def _engages(me: str, up: Ids) -> tuple[Engage, ...]:
    return tuple(Engage(by=me, on=on) for on in up if on != me)


def _words(everybody: Placed) -> Iterator[AnyAction]:
    """List the referee's words about combatants."""
    yield Initiative()
    yield from (Morale(of=who) for who, has_morale, _hp, _fled in everybody if has_morale)
    yield Rest(kind="night")
    yield Rest(kind="haven")
    for who, _has_morale, hp, fled in everybody:
        if hp >= 0:
            yield Hurt(on=who, amount=0)
            yield Heal(on=who, amount=0)
            yield Wear(by=who)
        if hp > 0 and not fled:
            yield Turn(of=who)
    if len(everybody) < MOST_COMBATANTS:
        yield from (Join(side=side, combatant=NEWCOMER) for side in Side)
    yield End()
