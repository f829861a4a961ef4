"""A way to tell fights, die by die, and those who usually have them."""

from __future__ import annotations

from typing import Any, Self

import pytest

from games.rules import engine
from games.rules import knave_fight as kf
from games.rules.dice import TypedDice
from games.rules.engine import Event, IllegalAction
from games.rules.knave.abilities import Ability
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Attack,
    Combatant,
    Fighter,
    Initiative,
    Setup,
    Stunt,
    Weapon,
)
from games.rules.words import Reason

STR, DEX, INT = Ability.STRENGTH, Ability.DEXTERITY, Ability.INTELLIGENCE
ONES = Abilities(1, 1, 1, 1, 1, 1)
SWORD, BOW = Weapon(8, quality=3, name="sword"), Weapon(6, quality=3, ranged=True, name="bow")


def knave(id: str = "ash", **told: Any) -> Combatant:
    """Somebody of the party: unarmored, Strength +2, a sword, 8 hit points."""
    usual = {"bonus": Abilities(2, 1, 1, 1, 1, 1), "hp": 8, "max_hp": 8, "weapon": SWORD}
    return Combatant(id=id, **usual | told)


def goblin(id: str = "goblin", **told: Any) -> Combatant:
    """A foe: hide of 12, a d6, 4 hit points, morale 7."""
    usual = {"hp": 4, "max_hp": 4, "armor": Armor(12), "weapon": Weapon(6), "morale": 7}
    return Combatant(id=id, **{"bonus": ONES} | usual | told)


class Fight:
    """A fight told in the order of the table; every line says all its dice."""

    def __init__(self, party: list[Combatant], foes: list[Combatant]) -> None:
        self.setup = Setup(tuple(party), tuple(foes))
        self.state = kf.setup(self.setup, TypedDice(()))
        self.moves: list[engine.Play] = []
        self.log: list[Event] = []

    def plays(self, action: kf.FightAction, *faces: int, seat: int | None = None) -> Self:
        dice = TypedDice(faces)
        self.state, events = engine.play(kf, self.state, seat, action, dice)
        assert not dice.unused, "a die too many was told"
        self.moves.append((seat, action, faces))
        self.log += events
        return self

    def begins(self, side: str = "party") -> Self:
        return self.plays(Initiative(), 6 if side == "party" else 1)

    def attacks(self, by: str, on: str, *faces: int, **told: Any) -> Self:
        return self.plays(Attack(by=by, on=on, **{"rolled_by": "attacker"} | told), *faces)

    def stunts(self, by: str, on: str, *faces: int, **told: Any) -> Self:
        usual = {"ability": STR, "against": DEX}
        return self.plays(Stunt(by=by, on=on, **usual | told), *faces)

    def refuses(self, reason: Reason, action: engine.Action, seat: int | None = None) -> Self:
        with pytest.raises(IllegalAction) as refused:
            engine.play(kf, self.state, seat, action, TypedDice(()))
        assert (refused.value.why, refused.value.rule) == reason
        return self

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.log if isinstance(event, kind)]

    def who(self, id: str) -> Fighter:
        return self.state.of(id)

    @property
    def last(self) -> tuple[int, int, bool]:
        told = self.state.last
        assert told is not None
        return told.total, told.target, told.success


def duel(**told: Any) -> Fight:
    """Begin a round in which Ash acts first against a goblin."""
    return Fight([knave(**told)], [goblin()]).begins()


BOTH = {"both": True}


def swing(by: str = "ash", on: str = "goblin", **told: Any) -> Attack:
    return Attack(by=by, on=on, rolled_by="attacker", **told)


def trip(by: str = "ash", on: str = "goblin", **told: Any) -> Stunt:
    return Stunt(by=by, on=on, ability=STR, against=DEX, **told)


def big(**told: Any) -> Combatant:
    return goblin(**{"hp": 40, "max_hp": 40} | told)
