"""Hit points lost and found, gear worn out, melees that end."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.rules.engine import Event
from games.rules.knave_fight.events import (
    ArmorBroken,
    ArmorWorn,
    Damaged,
    Died,
    FellUnconscious,
    Fled,
    Piece,
    WeaponBroken,
    WeaponWorn,
    Woke,
)
from games.rules.knave_fight.model import Fighter, Side, State, Status

Log = list[Event]

PIECES: Final[tuple[Piece, ...]] = ("armor", "shield", "helmet")
"""The order in which a critical finds a piece to wear down (KN-19)."""


def told(fighter: Fighter, number: int) -> int | None:
    """Return a number that only the party's combatants show to everybody."""
    return number if fighter.side is Side.PARTY else None


def hurt(state: State, who: str, amount: int, by: str | None, log: Log) -> State:
    """Take hit points: at 0 somebody is unconscious, below it dead (KN-16)."""
    before = state.of(who)
    after = replace(before, hp=before.hp - amount)
    log.append(Damaged(on=who, amount=amount, left=told(after, after.hp), by=by))
    if after.status is not before.status:
        fallen = Died if after.status is Status.DEAD else FellUnconscious
        log.append(fallen(who=who, by=by))
    state = state.put(after)
    return state if after.is_up else leave_melee(state, who)


def mend(state: State, who: str, amount: int, log: Log) -> State:
    """Give hit points back, never above the maximum; the unconscious wake (KN-21)."""
    before = state.of(who)
    after = replace(before, hp=before.mended(amount))
    if after.status is not before.status:
        log.append(Woke(who=who))
    return state.put(after)


def run_away(state: State, who: str, log: Log) -> State:
    """Take somebody out of the fight alive (KN-20)."""
    log.append(Fled(who=who))
    return leave_melee(state.put(replace(state.of(who), fled=True)), who)


def leave_melee(state: State, who: str) -> State:
    """End every melee a combatant is in (KN-14)."""
    if not state.is_engaged(who):
        return state
    return replace(state, engaged=tuple(pair for pair in state.engaged if who not in pair))


def wear_armor(state: State, who: str, log: Log) -> State:
    """Take 1 quality from the first piece that has any: armor, shield, helmet (KN-19).

    **Ruling:** a monster's hide has no quality, so a shield before it is worn;
    who has no piece with a quality loses nothing.
    """
    fighter = state.of(who)
    for piece in PIECES:
        worn = getattr(fighter, piece)
        if worn is None or worn.quality is None:
            continue
        left = worn.quality - 1
        if left:
            log.append(ArmorWorn(who=who, piece=piece, left=told(fighter, left)))
            return state.put(replace(fighter, **{piece: replace(worn, quality=left)}))
        log.append(ArmorBroken(who=who, piece=piece))
        return state.put(replace(fighter, **{piece: None}))
    return state


def wear_weapon(state: State, who: str, index: int | None, log: Log) -> State:
    """Take 1 quality from the weapon of a fumble (KN-19).

    A further one that breaks keeps its place, by which attacks name it.
    """
    fighter = state.of(who)
    weapon = fighter.weapon_at(index)
    if weapon is None or weapon.quality is None:
        return state
    left = weapon.quality - 1
    worn = replace(weapon, quality=left) if left else None
    if left:
        log.append(WeaponWorn(who=who, weapon=weapon.name, left=told(fighter, left)))
    else:
        log.append(WeaponBroken(who=who, weapon=weapon.name))
    if index is None:
        return state.put(replace(fighter, weapon=worn))
    weapons = (*fighter.weapons[:index], worn, *fighter.weapons[index + 1 :])
    return state.put(replace(fighter, weapons=weapons))
