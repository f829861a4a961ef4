"""What happens in a fight at somebody's word. The tags are the words records use.

Beyond those of the rules page, of our own making: `engage` and `disengage` (who
is in melee with whom, which only these two say), `wield`, `wear`, `flee`,
`join`, `cast` and `end`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from games.rules.engine import Action, is_within_bounds
from games.rules.knave.abilities import Ability
from games.rules.knave.saves import Edge
from games.rules.knave_fight.model import (
    MOST_COMBATANTS,
    MOST_HP,
    MOST_MODIFIER,
    Abilities,
    Armor,
    Combatant,
    Guard,
    Id,
    Rating,
    Side,
    Weapon,
)

Modifier = Annotated[int, Meta(ge=-MOST_MODIFIER, le=MOST_MODIFIER)]
"""What the referee adds to a roll (KN-10)."""
Amount = Annotated[int, Meta(ge=0, le=MOST_HP)]
Many = Annotated[tuple[Id, ...], Meta(max_length=MOST_COMBATANTS)]
RolledBy = Literal["attacker", "defender"]

NEWCOMER: Final = Combatant(id="newcomer", bonus=Abilities(), hp=1, max_hp=1)
"""Stands for whoever joins in the list of legal actions."""


class FightAction(
    Action, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """An action of a fight."""

    def blank(self) -> Self:
        """Leave open what the player fills in; a figure out of bounds stays and is refused."""
        return self.opened() if is_within_bounds(self) else self

    def opened(self) -> Self:
        """Return the action with everything open that no rule of the moment depends on."""
        return self


class Initiative(FightAction, frozen=True, tag="initiative"):
    """Roll which side acts first; a new round begins (KN-12)."""


class Attack(FightAction, frozen=True, kw_only=True, tag="attack"):
    """Attack somebody, by the attacker's d20 or the defender's (KN-14).

    `edge` and `modifier` belong to whoever rolls. `both` goes with a stunt in
    the same round and without an edge (KN-18). `with` is an index into the
    combatant's further weapons; absent, the weapon in hand is used.
    """

    by: Id
    on: Id
    rolled_by: RolledBy
    edge: Edge | None = None
    modifier: Modifier = 0
    ideal: bool = False
    both: bool = False
    with_: Annotated[int, Meta(ge=0, le=19)] | None = field(default=None, name="with")

    def opened(self) -> Self:
        """Keep who, whom, what with and `both`, with the edge it forbids."""
        edge = self.edge if self.both else None
        return replace(self, rolled_by="attacker", edge=edge, modifier=0, ideal=False)


class Stunt(FightAction, frozen=True, kw_only=True, tag="stunt"):
    """Stun, shove, trip or the like: an opposed save, its effect in words (KN-17)."""

    by: Id
    on: Id
    ability: Ability
    against: Ability
    edge: Edge | None = None
    modifier: Modifier = 0
    effect: Annotated[str, Meta(max_length=500)] = ""
    both: bool = False

    def opened(self) -> Self:
        """Keep who, whom and `both`, with the edge it forbids."""
        return replace(
            self,
            ability=Ability.STRENGTH,
            against=Ability.STRENGTH,
            edge=self.edge if self.both else None,
            modifier=0,
            effect="",
        )


class Opponent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose defense opposes a save, and in which ability (KN-9)."""

    who: Id
    ability: Ability


class Save(FightAction, frozen=True, kw_only=True, tag="save"):
    """Save against a danger (KN-8), or against somebody (KN-9)."""

    by: Id
    ability: Ability
    against: Opponent | None = None
    edge: Edge | None = None
    modifier: Modifier = 0

    def opened(self) -> Self:
        """Keep who, and against whom."""
        against = self.against and replace(self.against, ability=Ability.STRENGTH)
        return replace(self, ability=Ability.STRENGTH, against=against, edge=None, modifier=0)


class Cast(FightAction, frozen=True, kw_only=True, tag="cast"):
    """Read a spell aloud: the round's combat action; its saves are actions of their own (KN-25)."""

    by: Id
    spell: Annotated[str, Meta(max_length=200)]
    on: Many = ()

    def opened(self) -> Self:
        """Keep who casts."""
        return replace(self, spell="", on=())


class Morale(FightAction, frozen=True, kw_only=True, tag="morale"):
    """Roll whether somebody holds (KN-20).

    `rating` is told where the referee has changed theirs since they came, and
    is theirs from then on.
    """

    of: Id
    rating: Rating | None = None

    def opened(self) -> Self:
        """Keep whom."""
        return replace(self, rating=None)


class Rest(FightAction, frozen=True, kw_only=True, tag="rest"):
    """Rest for a night, with a d8 each in the order of `who`, or in a safe haven (KN-21).

    A haven heals everybody who is not dead and needs no `who`. Records write
    `who` as the names beside the dice.
    """

    kind: Literal["night", "haven"]
    who: Many = ()

    def opened(self) -> Self:
        """Keep the kind."""
        return replace(self, who=())


class Hurt(FightAction, frozen=True, kw_only=True, tag="hurt"):
    """Take hit points from somebody at the referee's word."""

    on: Id
    amount: Amount

    def opened(self) -> Self:
        """Keep whom."""
        return replace(self, amount=0)


class Heal(FightAction, frozen=True, kw_only=True, tag="heal"):
    """Give somebody hit points back, never above the maximum (KN-21)."""

    on: Id
    amount: Amount

    def opened(self) -> Self:
        """Keep whom."""
        return replace(self, amount=0)


class Engage(FightAction, frozen=True, kw_only=True, tag="engage"):
    """Stand in melee with somebody, who then is in melee too (KN-14)."""

    by: Id
    on: Id


class Disengage(FightAction, frozen=True, kw_only=True, tag="disengage"):
    """Step out of every melee."""

    by: Id


class Wield(FightAction, frozen=True, kw_only=True, tag="wield"):
    """Take a weapon in hand, or none."""

    by: Id
    weapon: Weapon | None

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, weapon=None)


class Wear(FightAction, frozen=True, kw_only=True, tag="wear"):
    """Say all that somebody wears from now on; what is absent is off (KN-5)."""

    by: Id
    armor: Armor | None = None
    shield: Guard | None = None
    helmet: Guard | None = None

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, armor=None, shield=None, helmet=None)


class Flee(FightAction, frozen=True, kw_only=True, tag="flee"):
    """Leave the fight without a roll: a retreat, or the referee's word."""

    of: Id


class Turn(FightAction, frozen=True, kw_only=True, tag="turn"):
    """Go over to the other side: bought, charmed or a traitor, at the referee's word."""

    of: Id


class Join(FightAction, frozen=True, kw_only=True, tag="join"):
    """Come into the fight late; in the party this is a new last seat."""

    side: Side
    combatant: Combatant

    def opened(self) -> Self:
        """Keep the side."""
        return replace(self, combatant=NEWCOMER)


class End(FightAction, frozen=True, tag="end"):
    """Close the fight for good."""


AnyAction = (
    Initiative
    | Attack
    | Stunt
    | Save
    | Cast
    | Morale
    | Rest
    | Hurt
    | Heal
    | Engage
    | Disengage
    | Wield
    | Wear
    | Flee
    | Turn
    | Join
    | End
)
"""Every action, for decoding by tag."""

ACTIONS: Final[dict[str, type[AnyAction]]] = {
    "initiative": Initiative,
    "attack": Attack,
    "stunt": Stunt,
    "save": Save,
    "cast": Cast,
    "morale": Morale,
    "rest": Rest,
    "hurt": Hurt,
    "heal": Heal,
    "engage": Engage,
    "disengage": Disengage,
    "wield": Wield,
    "wear": Wear,
    "flee": Flee,
    "turn": Turn,
    "join": Join,
    "end": End,
}
"""Every action by the word records use for it."""
