"""How a table stands when somebody tries something: from the gathering to the end of a bout."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from tests.games.party import Party, Person, done

HOUSE_RULE = {
    "name": "The Cat", "cry": "Meow!", "number": 10, "on": "both",
    "effects": [{"kind": "reverse"}],
}  # fmt: skip


def gathering(party: Party) -> None:
    """Ana, Ben and Dora have come; Kim knocks at the door; a house rule is in the book."""
    party.welcomes("Dora")
    done(party.ana.does("add_house_rule", rule=json.dumps(HOUSE_RULE)))
    done(party.ana.does("set_door", door="ask"))
    party.kim = Person("Kim")
    party.kim.joins(party.table)
    party.kim.has_come()


def ready(party: Party) -> None:
    gathering(party)
    for number, person in enumerate(party.players, start=17):
        done(person.does("pick_number", number=number))


@cache
def playing(first: str = "ana", *numbers: int, **settings: Any) -> Callable[[Party], None]:
    def scene(party: Party) -> None:
        gathering(party)
        party.begins(*numbers, first=getattr(party, first), **settings)
        party.clock.passes(1000)

    return scene


def blind(party: Party) -> None:
    playing(has_shroud="true")(party)
    done(party.ben.does("shroud"))
    party.rolls(party.ana, 6)


def dealing(party: Party) -> None:
    blind(party)
    done(party.ben.does("blind", call="brave"))
    party.rolls(party.ben, 11)


@cache
def shouting(first: str, **settings: Any) -> Callable[[Party], None]:
    def scene(party: Party) -> None:
        playing(first, **settings)(party)
        party.rolls(getattr(party, first), 7)
        party.clock.passes(600)

    return scene


def one_breath(party: Party) -> None:
    shouting("ben")(party)
    party.shouts(party.ana, "brave").shouts(party.others[0], "knave", after_ms=20).closes()


def naming(party: Party) -> None:
    playing("ana", 17, 13)(party)
    party.rolls(party.ana, 13)


def a_finger_owed(party: Party) -> None:
    playing()(party)
    party.rolls(party.ana, 12).challenges(party.ben, "knave", 14)


def over(party: Party) -> None:
    playing()(party)
    done(party.others[0].does("leave"))
    party.rolls(party.ana, 9).challenges(party.ben, "knave", 1)


def paused(party: Party) -> None:
    gathering(party)
    done(party.ana.does("pause"))


def heard_aloud(party: Party) -> None:
    shouting("ben", shouting="mouth")(party)
    done(party.ben.does("heard", who=party.others[0].seat, call="brave"))
    party.closes()


def a_line_kept(party: Party) -> None:
    gathering(party)
    done(party.ben.does("add_content_line", text="Spiders"))
