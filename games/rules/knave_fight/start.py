"""The beginning of a fight: the checks of its set-up, and its first state."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from games.rules.engine import Dice, is_within_bounds
from games.rules.knave_fight import refusals
from games.rules.knave_fight.model import (
    MOST_COMBATANTS,
    Combatant,
    Fighter,
    Setup,
    Side,
    State,
)
from games.rules.knave_fight.moments import moments_of
from games.rules.words import Reason, refuse


def setup(table: Setup, dice: Dice) -> State:
    """Line up the party and the foes; nothing is rolled until the first initiative.

    Who comes wounded comes anyway: what KN-20 asks for at this moment does not count.
    Raises IllegalAction for a set-up that cannot be.
    """
    reason = _fault(table)
    if reason is not None:
        raise refuse(reason)
    party = [enlist(one, Side.PARTY) for one in table.party]
    state = State(fighters=(*party, *(enlist(one, Side.FOES) for one in table.foes)))
    return replace(state, moments=tuple(moments_of(state)))


def enlist(combatant: Combatant, side: Side) -> Fighter:
    """Return a combatant ready to fight."""
    fighter = Fighter(**asdict(combatant), side=side)
    return without_broken(replace(fighter, name=combatant.name or combatant.id))


def without_broken(fighter: Fighter) -> Fighter:
    """Take away what has no quality left: it is destroyed (KN-19)."""
    gone = {
        piece: None
        for piece in ("armor", "shield", "helmet", "weapon")
        if getattr(getattr(fighter, piece), "quality", None) == 0
    }
    weapons = tuple(None if one and one.quality == 0 else one for one in fighter.weapons)
    return replace(fighter, **gone, weapons=weapons)


def combatant_fault(combatant: Combatant) -> Reason | None:
    """Say what is wrong with a combatant, whoever else fights."""
    if not is_within_bounds(combatant):
        return refusals.SETUP_BOUNDS
    return refusals.TOO_HEALTHY if combatant.hp > combatant.max_hp else None


def _fault(table: Setup) -> Reason | None:
    everybody = (*table.party, *table.foes)
    checks = (
        (bool(table.party), refusals.NO_PARTY),
        (bool(table.foes), refusals.NO_FOES),
        (len(everybody) <= MOST_COMBATANTS, refusals.TOO_MANY),
        (len({one.id for one in everybody}) == len(everybody), refusals.SAME_ID),
    )
    faults = [reason for holds, reason in checks if not holds]
    faults += [fault for one in everybody if (fault := combatant_fault(one))]
    return faults[0] if faults else None
