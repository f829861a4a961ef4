"""What happens in a fight, for logs, sentences and sounds.

Every event is for the whole table, so none tells a foe's hit points, bonuses,
qualities or morale rating: those fields are None where the combatant is a foe.
A roll's `target` is told even if it is a foe's armor defense, which players
learn by swinging at it; screens decide whether they print it.
"""

from __future__ import annotations

from typing import Literal

from games.rules.engine import Event
from games.rules.knave.abilities import Ability
from games.rules.knave.saves import Edge
from games.rules.knave_fight.model import Side

Piece = Literal["armor", "shield", "helmet"]


class RoundBegun(Event, frozen=True, kw_only=True):
    """Initiative fell: this side acts first in the round (KN-12)."""

    round: int
    first: Side
    face: int


class Attacked(Event, frozen=True, kw_only=True):
    """An attack was rolled (KN-14, KN-15, KN-19).

    `success` is the roller's, `hit` the attacker's. `faces` are the d20s and
    `counted` the one that counts; `damage_faces` are empty without a hit, and
    `plus`, what the weapon adds to them, is then 0.
    """

    by: str
    on: str
    rolled_by: Literal["attacker", "defender"]
    edge: Edge | None
    faces: tuple[int, ...]
    counted: int
    total: int
    target: int
    success: bool
    hit: bool
    critical: bool
    fumble: bool
    ideal: bool
    both: bool
    weapon: str
    die: int
    damage_faces: tuple[int, ...]
    damage: int
    plus: int = 0


class Damaged(Event, frozen=True, kw_only=True):
    """Hit points were lost, by an attack or, without `by`, at the referee's word (KN-15)."""

    on: str
    amount: int
    left: int | None
    by: str | None


class ArmorWorn(Event, frozen=True, kw_only=True):
    """A critical cost a piece of armor 1 quality (KN-19)."""

    who: str
    piece: Piece
    left: int | None


class ArmorBroken(Event, frozen=True, kw_only=True):
    """A piece of armor was destroyed, and protects no more (KN-19)."""

    who: str
    piece: Piece


class WeaponWorn(Event, frozen=True, kw_only=True):
    """A fumble cost a weapon 1 quality (KN-19)."""

    who: str
    weapon: str
    left: int | None


class WeaponBroken(Event, frozen=True, kw_only=True):
    """A weapon was destroyed (KN-19)."""

    who: str
    weapon: str


class FellUnconscious(Event, frozen=True, kw_only=True):
    """A combatant is at 0 hit points; `by` is the attacker, if there was one (KN-16)."""

    who: str
    by: str | None


class Died(Event, frozen=True, kw_only=True):
    """A combatant is dead; `by` is the attacker, if there was one (KN-16)."""

    who: str
    by: str | None


class Woke(Event, frozen=True, kw_only=True):
    """An unconscious combatant is up again."""

    who: str


class Stunted(Event, frozen=True, kw_only=True):
    """A stunt was rolled (KN-17)."""

    by: str
    on: str
    ability: Ability
    against: Ability
    edge: Edge | None
    faces: tuple[int, ...]
    counted: int
    total: int
    target: int
    success: bool
    effect: str
    both: bool


class Saved(Event, frozen=True, kw_only=True):
    """A save was rolled, against a danger or against somebody (KN-8, KN-9)."""

    by: str
    ability: Ability
    who: str | None
    against: Ability | None
    edge: Edge | None
    faces: tuple[int, ...]
    counted: int
    total: int
    target: int
    success: bool


class SpellCast(Event, frozen=True, kw_only=True):
    """A spell was read aloud (KN-25)."""

    by: str
    spell: str
    on: tuple[str, ...]


class MoraleDue(Event, frozen=True, kw_only=True):
    """The rules ask for these combatants' morale (KN-20)."""

    of: tuple[str, ...]


class MoraleRolled(Event, frozen=True, kw_only=True):
    """Morale was rolled; the rating itself stays the referee's (KN-20)."""

    of: str
    faces: tuple[int, ...]
    total: int
    holds: bool


class Fled(Event, frozen=True, kw_only=True):
    """A combatant left the fight (KN-20)."""

    who: str


class Turned(Event, frozen=True, kw_only=True):
    """A combatant went over to the other side, which is this one now."""

    who: str
    side: Side


class Rested(Event, frozen=True, kw_only=True):
    """A combatant rested; a haven has no die (KN-21)."""

    who: str
    kind: Literal["night", "haven"]
    face: int | None
    left: int | None


class Mended(Event, frozen=True, kw_only=True):
    """Hit points came back at the referee's word (KN-21)."""

    on: str
    amount: int
    left: int | None


class Engaged(Event, frozen=True, kw_only=True):
    """Two combatants are in melee (KN-14)."""

    by: str
    on: str


class Disengaged(Event, frozen=True, kw_only=True):
    """A combatant stepped out of melee."""

    by: str


class Wielded(Event, frozen=True, kw_only=True):
    """A combatant took a weapon in hand, or with None dropped it."""

    by: str
    weapon: str | None


class Dressed(Event, frozen=True, kw_only=True):
    """A combatant wears these pieces of armor now (KN-5)."""

    who: str
    pieces: tuple[Piece, ...]


class Joined(Event, frozen=True, kw_only=True):
    """Somebody came into the fight."""

    who: str
    name: str
    side: Side


class Ended(Event, frozen=True, kw_only=True):
    """The fight was closed; `standing` of the party won if no foe was up."""

    standing: tuple[str, ...]
    is_won: bool


AnyEvent = (
    RoundBegun
    | Attacked
    | Damaged
    | ArmorWorn
    | ArmorBroken
    | WeaponWorn
    | WeaponBroken
    | FellUnconscious
    | Died
    | Woke
    | Stunted
    | Saved
    | SpellCast
    | MoraleDue
    | MoraleRolled
    | Fled
    | Turned
    | Rested
    | Mended
    | Engaged
    | Disengaged
    | Wielded
    | Dressed
    | Joined
    | Ended
)
"""Every event, for decoding by tag."""
