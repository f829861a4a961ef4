"""What the table may know of a fight, what only the referee reads, and what tests scramble."""

from __future__ import annotations

import random
from typing import Literal

import msgspec
from msgspec.structs import replace

from games.rules.engine import Seat
from games.rules.knave_fight.legal import must
from games.rules.knave_fight.model import (
    Abilities,
    Armor,
    Fighter,
    Guard,
    Last,
    Side,
    State,
    Status,
    Weapon,
)

Wound = Literal["unhurt", "hurt", "half"]
"""How badly off somebody looks: whole, below the maximum, at half of it or less."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A combatant as everybody at the table sees them; a foe's figures are None.

    `is_done`: nothing is left of their round, be it a further attack or the
    other half of an attack and a stunt.
    """

    id: str
    name: str
    side: Side
    seat: Seat | None
    status: Status
    wound: Wound
    is_done: bool
    engaged_with: tuple[str, ...]
    hp: int | None = None
    max_hp: int | None = None
    armor_defense: int | None = None
    weapon: Weapon | None = None


class LastSeen(msgspec.Struct, frozen=True):
    """The last roll that had a target; None hides one that is a foe's own number."""

    total: int
    target: int | None
    success: bool


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A fight as anybody at the table may see it."""

    fighters: tuple[Seen, ...]
    round: int
    first: Side | None
    second_began: bool
    last: LastSeen | None
    must: tuple[Seat, ...]
    is_over: bool


def view(state: State, seat: Seat | None) -> View:
    """List what this seat may know; a field not listed never leaves the server.

    Every seat and every bystander sees the same. The referee, who plays the
    foes, reads the state.
    """
    return View(
        fighters=tuple(_seen(state, one) for one in state.fighters),
        round=state.round,
        first=state.first,
        second_began=state.second_began,
        last=_last_seen(state.last),
        must=must(state),
        is_over=state.is_over,
    )


def wound(fighter: Fighter) -> Wound:
    """Say how badly off a combatant looks."""
    if fighter.is_half_down:
        return "half"
    return "hurt" if fighter.hp < fighter.max_hp else "unhurt"


def _last_seen(last: Last | None) -> LastSeen | None:
    if last is None:
        return None
    return LastSeen(last.total, None if last.is_secret else last.target, last.success)


def _seen(state: State, one: Fighter) -> Seen:
    pairs = [pair for pair in state.engaged if one.id in pair]
    seen = Seen(
        id=one.id,
        name=one.name,
        side=one.side,
        seat=state.seat_of(one.id),
        status=one.status,
        wound=wound(one),
        is_done=state.is_done(one),
        engaged_with=tuple(b if a == one.id else a for a, b in pairs),
    )
    if one.side is Side.FOES:
        return seen
    return replace(
        seen,
        hp=one.hp,
        max_hp=one.max_hp,
        armor_defense=one.armor_defense,
        weapon=one.weapon,
    )


def scramble(state: State, seat: Seat | None, rng: random.Random) -> State:
    """Return a state that this seat cannot tell from the given one: the foes have other figures.

    For the secrecy test: a view that differs between the two has leaked.
    """
    fighters = tuple(
        one if one.side is Side.PARTY else _another(one, rng) for one in state.fighters
    )
    last = state.last
    if last is not None and last.is_secret:
        last = replace(last, target=last.target + rng.randint(1, 9))
    return replace(state, fighters=fighters, last=last, morale_due=())


def _another(foe: Fighter, rng: random.Random) -> Fighter:
    hp, max_hp = _other_points(foe, rng)
    bonus = rng.randint(0, 9)
    return replace(
        foe,
        hp=hp,
        max_hp=max_hp,
        bonus=Abilities(bonus, bonus, bonus, bonus, bonus, bonus),
        level=rng.randint(0, 9),
        armor=Armor(rng.randint(11, 19), rng.randint(1, 9)),
        shield=Guard(rng.randint(1, 9)),
        helmet=None,
        weapon=Weapon(rng.randint(2, 12), dice=rng.randint(1, 4), plus=rng.randint(0, 3)),
        weapons=(),
        attack=rng.randint(0, 9),
        attacks=_other_attacks(foe, rng),
        morale=rng.randint(5, 9),
        leader=bool(rng.randint(0, 1)),
        group=str(rng.randint(0, 9)),
    )


def _other_attacks(foe: Fighter, rng: random.Random) -> int:
    """Return another number of attacks: the table sees whether a turn is over, and no more."""
    if not foe.attacked:
        return rng.randint(1, 4)
    least = 1 if foe.attacked >= foe.attacks else foe.attacked + 1
    return rng.randint(least, least + 3 if least > foe.attacked else foe.attacked)


def _other_points(foe: Fighter, rng: random.Random) -> tuple[int, int]:
    """Return other hit points that look the same."""
    max_hp = rng.randint(4, 40)
    if foe.hp < 0:
        return -rng.randint(1, 9), max_hp
    if not foe.hp:
        return 0, max_hp
    match wound(foe):
        case "unhurt":
            return max_hp, max_hp
        case "hurt":
            return rng.randint(max_hp // 2 + 1, max_hp - 1), max_hp
        case "half":
            return rng.randint(1, max_hp // 2), max_hp
