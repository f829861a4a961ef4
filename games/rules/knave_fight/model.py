"""What a Knave fight is made of: its combatants, its state, and questions to it."""

from __future__ import annotations

import enum
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from games.rules.engine import CHOSEN, Seat
from games.rules.knave.abilities import FLOOR, Ability, Bonuses
from games.rules.knave.damage import MOST_DICE, MOST_PLUS, MOST_SIDES
from games.rules.knave.growth import HIGHEST_LEVEL
from games.rules.knave.numbers import UNARMORED

FORMAT: Final = 1
D6: Final = 6
D8: Final = 8
D20: Final = 20
MOST_COMBATANTS: Final = 60
"""How many a fight holds, the fallen included: a bound of ours that keeps every tap quick."""
LONGEST_ID: Final = 60
MOST_MODIFIER: Final = 20
MOST_HP: Final = 9999
LOWEST_BONUS: Final = -20
HIGHEST_BONUS: Final = 99
MOST_DEFENSE: Final = 40
MOST_QUALITY: Final = 99
MOST_MORALE: Final = 12
MOST_ATTACKS: Final = 20

Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID), CHOSEN]
"""A combatant's name in records, unique in its fight."""
Quality = Annotated[int, Meta(ge=0, le=MOST_QUALITY)]
Bonus = Annotated[int, Meta(ge=LOWEST_BONUS, le=HIGHEST_BONUS)]
Rating = Annotated[int, Meta(ge=0, le=MOST_MORALE)]
"""What 2d6 must not exceed for somebody to hold (KN-20)."""


class Abilities(Bonuses, frozen=True, forbid_unknown_fields=True):
    """A combatant's six bonuses, within bounds and with no seventh.

    Declares them anew for their bounds, and because a record that names an
    unknown ability is refused.
    """

    str: Bonus = 0
    dex: Bonus = 0
    con: Bonus = 0
    int: Bonus = 0
    wis: Bonus = 0
    cha: Bonus = 0


class Side(enum.StrEnum):
    """Who fights together."""

    PARTY = "party"
    FOES = "foes"

    @property
    def other(self) -> Side:
        """Return the side against this one."""
        return Side.FOES if self is Side.PARTY else Side.PARTY


class Status(enum.StrEnum):
    """What has become of a combatant (KN-16, KN-20)."""

    UP = "up"
    UNCONSCIOUS = "unconscious"
    DEAD = "dead"
    FLED = "fled"


class Armor(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Body armor, or a monster's hide, which has no quality and so never wears (KN-19)."""

    defense: Annotated[int, Meta(ge=0, le=MOST_DEFENSE)]
    quality: Quality | None = None


class Guard(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A shield or a helmet: 1 more armor defense (KN-5)."""

    quality: Quality | None = None


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a combatant attacks with: a die's sides, and Wisdom instead of Strength if ranged.

    Of our own making: `dice`, how many of that die a hit rolls, and `plus`, what
    is added to them once, for foes whose damage is "2d4" or "d6+2" (KN-15).
    `ideal_against` is a note for the referee, who says at each attack whether
    the weapon is ideal (KN-15). A weapon without a quality never wears.
    """

    die: Annotated[int, Meta(ge=1, le=MOST_SIDES)]
    quality: Quality | None = None
    ranged: bool = False
    name: Annotated[str, Meta(max_length=120)] = ""
    ideal_against: Annotated[str, Meta(max_length=200)] = ""
    dice: Annotated[int, Meta(ge=1, le=MOST_DICE)] = 1
    plus: Annotated[int, Meta(ge=-MOST_PLUS, le=MOST_PLUS)] = 0


class Combatant(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Somebody who fights, as the set-up or a late arrival brings them.

    Of our own making, and all optional: `name`; `attack`, a monster's bonus to
    every attack; `attacks`, how many it makes a round; `weapons`, further ones
    to choose from (None where one broke); `leader` and `group` for KN-20.
    """

    id: Id
    level: Annotated[int, Meta(ge=0, le=HIGHEST_LEVEL)] = 1
    bonus: Abilities
    hp: Annotated[int, Meta(ge=-MOST_HP, le=MOST_HP)]
    max_hp: Annotated[int, Meta(ge=1, le=MOST_HP)]
    armor: Armor | None = None
    shield: Guard | None = None
    helmet: Guard | None = None
    weapon: Weapon | None = None
    morale: Rating | None = None
    name: Annotated[str, Meta(max_length=120)] = ""
    attack: Bonus | None = None
    attacks: Annotated[int, Meta(ge=1, le=MOST_ATTACKS)] = 1
    weapons: Annotated[tuple[Weapon | None, ...], Meta(max_length=20)] = ()
    leader: bool = False
    group: Annotated[str, Meta(max_length=60)] = ""

    @property
    def armor_defense(self) -> int:
        """What an attack's total must exceed; shield and helmet add 1 each (KN-5)."""
        worn = UNARMORED if self.armor is None else self.armor.defense
        return worn + (self.shield is not None) + (self.helmet is not None)

    @property
    def armor_bonus(self) -> int:
        """What a defender adds to the d20 (KN-5)."""
        return self.armor_defense - FLOOR

    def weapon_at(self, index: int | None) -> Weapon | None:
        """Return the weapon in hand, or one of the further ones; None if there is none."""
        if index is None:
            return self.weapon
        return self.weapons[index] if 0 <= index < len(self.weapons) else None

    def attack_bonus(self, weapon: Weapon) -> int:
        """What this weapon's attack adds: a monster's own, or Strength or Wisdom (KN-14)."""
        if self.attack is not None:
            return self.attack
        return self.bonus.of(Ability.WISDOM if weapon.ranged else Ability.STRENGTH)


class Fighter(Combatant, frozen=True, kw_only=True, omit_defaults=True):
    """A combatant in the fight, as they are now, with what they did this round (KN-18).

    `both_on` is the foe that an attack and a stunt together are against.
    """

    side: Side
    fled: bool = False
    attacked: int = 0
    stunted: bool = False
    cast: bool = False
    both: bool = False
    both_on: str = ""

    @property
    def status(self) -> Status:
        """Tell what has become of them; below 0 hit points nobody comes back (KN-16)."""
        if self.hp < 0:
            return Status.DEAD
        if self.fled:
            return Status.FLED
        return Status.UP if self.hp else Status.UNCONSCIOUS

    @property
    def is_up(self) -> bool:
        """Tell whether they can act."""
        return self.hp > 0 and not self.fled

    @property
    def has_acted(self) -> bool:
        """Tell whether they used a combat action this round (KN-13)."""
        return bool(self.attacked or self.stunted or self.cast)

    @property
    def is_half_down(self) -> bool:
        """Tell whether half their hit points are gone (KN-20)."""
        return self.hp * 2 <= self.max_hp

    def mended(self, amount: int) -> int:
        """Return their hit points after this much healing: no fewer, and at most all (KN-21)."""
        return min(self.max_hp, self.hp + max(0, amount))


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fight about to begin: the party in the order of its seats, and the foes."""

    party: tuple[Combatant, ...]
    foes: tuple[Combatant, ...]


class Last(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last roll that had a target; `is_secret` if the target tells a foe's own number."""

    total: int
    target: int
    success: bool
    is_secret: bool = False


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fight at one moment.

    `fighters` holds the party in seat order, then the foes, then whoever
    joined or went over. `second_began` ends the first side's turn (KN-12). `engaged` holds
    pairs in melee, only of those who are up. `morale_due` names whose morale
    KN-20 asks for now, until it is rolled; `moments` remembers what has asked already.
    """

    format: int = FORMAT
    fighters: tuple[Fighter, ...]
    round: int = 0
    first: Side | None = None
    second_began: bool = False
    last: Last | None = None
    engaged: tuple[tuple[str, str], ...] = ()
    morale_due: tuple[str, ...] = ()
    moments: tuple[str, ...] = ()
    is_over: bool = False

    @property
    def party(self) -> tuple[Fighter, ...]:
        """List the party; a seat is an index into this, which nobody who comes shifts."""
        return tuple(one for one in self.fighters if one.side is Side.PARTY)

    @property
    def ids(self) -> tuple[str, ...]:
        """List every combatant's id."""
        return tuple(one.id for one in self.fighters)

    def find(self, who: str) -> Fighter | None:
        """Return a combatant, or None for a stranger."""
        for one in self.fighters:  # asked so often that a generator would be half of it
            if one.id == who:
                return one
        return None

    def of(self, who: str) -> Fighter:
        """Return a combatant who is known to be here."""
        found = self.find(who)
        assert found is not None
        return found

    def seat_of(self, who: str) -> Seat | None:
        """Return the seat a combatant sits on; None for a foe."""
        return next((seat for seat, one in enumerate(self.party) if one.id == who), None)

    def put(self, fighter: Fighter) -> State:
        """Return the state with this combatant in place of the one of the same id."""
        fighters = tuple(fighter if one.id == fighter.id else one for one in self.fighters)
        return replace(self, fighters=fighters)

    def is_engaged(self, who: str) -> bool:
        """Tell whether a combatant is in melee with somebody (KN-14)."""
        return any(who in pair for pair in self.engaged)

    def is_done(self, one: Fighter) -> bool:
        """Tell whether somebody's combat action of this round is over, and not only begun.

        A creature makes every attack of its own in its turn (KN-13); who began an
        attack and a stunt has the other half as long as the foe is there (KN-18).
        """
        if not one.has_acted or one.cast:
            return one.has_acted
        if not one.both:
            return one.stunted or one.attacked >= one.attacks
        foe = self.find(one.both_on)
        if foe is None or foe.side is one.side or foe.status in {Status.DEAD, Status.FLED}:
            return True
        return bool(one.attacked and one.stunted)

    def has_turn(self, side: Side) -> bool:
        """Tell whether this side may act: the first until the second has begun (KN-12)."""
        if self.first is None:
            return False
        return side is not self.first or not self.second_began
