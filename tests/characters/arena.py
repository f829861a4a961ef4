"""Knaves with gear, goblins, and a fight between them, for tests of Knave at a table."""

from __future__ import annotations

from typing import Any

from characters.models import Character, Encounter, Item, Monster, Party
from games import stored
from games.models import Event, Game, Table
from games.rules import knave_fight as kf
from tests.games.party import Party as Cast
from tests.games.party import Person, done

SWORD = {"kind": "weapon", "die": 8, "hands": 1, "quality": 3, "max_quality": 3}
BOW = {"kind": "weapon", "die": 6, "hands": 2, "quality": 3, "max_quality": 3, "is_ranged": True}
GAMBESON = {"kind": "armor", "defense": 12, "quality": 3, "max_quality": 3}
SHIELD = {"kind": "shield", "bonus": 1, "hands": 1, "quality": 1, "max_quality": 1}


def knave(who: Person, name: str, **more: Any) -> Character:
    """Put a knave of somebody's on the table: +1 in everything but what is said."""
    figures = {"hp": 5, "max_hp": 5, **more}
    return Character.objects.create(
        table=who.table, seat=who.row, state=Character.State.UP, name=name, **figures
    )


def holds(character: Character, name: str, **figures: Any) -> Item:
    """Put a thing on a sheet, at hand where it is fought with."""
    is_gear = figures.get("kind") in ("weapon", "armor", "shield", "helmet")
    return Item.objects.create(
        table=character.table,
        holder=character,
        name=name,
        **{"is_equipped": is_gear, **figures},
    )


def rations(character: Character, count: int = 1) -> Item:
    return holds(character, "rations", kind="ration", count=count)


def goblin(**more: Any) -> Monster:
    """Write a goblin into the book: 4 hit points, defense 12, +1, a d6, morale 7."""
    figures = {
        "name": "Goblin",
        "name_es": "Trasgo",
        "hp": 4,
        "armor_defense": 12,
        "attack_bonus": 1,
        "attacks": [{"name": "club", "name_es": "porra", "count": 1, "damage": "d6", "die": 6}],
        "attacks_all": True,
        "morale": 7,
    }
    return Monster.objects.create(key="cave-goblin", is_own=True, **{**figures, **more})


class Arena:
    """Ana is the host; Ben plays Ash, with a sword and a gambeson. Goblins wait in the dark."""

    def __init__(self, cast: Cast, **ash: Any) -> None:
        self.cast, self.dice = cast, cast.dice
        self.ana, self.ben = cast.ana, cast.ben
        self.ash = knave(cast.ben, "Ash", **{"strength": 2, **ash})
        self.sword = holds(self.ash, "sword", **SWORD)
        self.gambeson = holds(self.ash, "gambeson", **GAMBESON)
        self.monster = goblin()
        Party.objects.get_or_create(table=self.table)

    def prepares(self, count: int = 1, name: str = "Ambush") -> Encounter:
        done(self.ana.does("prepare_encounter", name=name))
        done(self.ana.does("add_foes", encounter=0, monster=self.monster.pk, count=count))
        return self.table.encounters.first()

    def begins(self, count: int = 1, *, face: int | None = 6) -> None:
        """Start a fight against so many goblins, and roll the first initiative."""
        done(self.ana.does("start_fight", encounter=self.prepares(count).pk))
        if face is not None:
            self.rolls_initiative(face)

    def rolls_initiative(self, face: int) -> None:
        self.dice.fall(face)
        done(self.ana.does("fight-initiative"))

    def ash_strikes(self, *faces: int, on: str = "cave-goblin-1", **more: Any) -> None:
        if self.state.first is kf.Side.FOES and not self.state.second_began:
            self.ana.does("side_done")  # refused when every foe has acted
        self.dice.fall(*faces)
        asked = {"by": self.id, "on": on, "rolled_by": "attacker", **more}
        done(self.ben.does("fight-attack", **asked))

    def goblin_strikes(self, *faces: int, by: str = "cave-goblin-1", on: str = "") -> None:
        self.dice.fall(*faces)
        asked = {"by": by, "on": on or self.id, "rolled_by": "attacker"}
        done(self.ana.does("fight-attack", **asked))

    @property
    def id(self) -> str:
        return f"k{self.ash.pk}"

    @property
    def table(self) -> Table:
        return self.ana.table

    @property
    def game(self) -> Game:
        return self.table.games.filter(rules=kf.NAME).first()

    @property
    def state(self) -> kf.State:
        return stored.state_of(self.game)

    @property
    def party(self) -> Party:
        return Party.objects.get(table=self.table)

    def of(self, who: str) -> kf.Fighter:
        return self.state.of(who)

    def events(self, kind: str) -> list[Event]:
        return list(self.table.events.filter(kind=kind))

    def last(self, kind: str) -> Event:
        return self.events(kind)[-1]

    def undoes(self, kind: str, who: Person | None = None) -> None:
        done((who or self.ana).does("undo", event=self.last(kind).seq, sure="true"))


def foes_of(encounter: Encounter) -> list[str]:
    return [foe["name"] for foe in Encounter.objects.get(pk=encounter.pk).foes]


def seen_by_all(table: Table) -> str:
    """Return all that the log tells everybody, as one text to search."""
    return "\n".join(f"{e.kind} {e.data}" for e in table.events.filter(to=None))
