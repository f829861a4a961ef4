"""A Knave evening's people: the referee's page, knaves made with known dice, things to be found.

Functions about a `Person` of `people.py`, in the words of the table; whatever is done here is done
by taps on what the screen shows, unless it says that requests do it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import ViewportSize, expect

from tests.phones import arriving
from tests.phones.arriving import posts
from tests.phones.people import Company, Person
from tests.phones.wire import Wire

LAPTOP: ViewportSize = {"width": 1180, "height": 820}
# The weapons in the order of the price list: a new knave's die says which.
WEAPONS = (
    *("cudgel", "dagger", "sickle", "sling", "staff", "axe", "flail", "mace"),
    *("spear", "sword", "bow", "battle-axe", "halberd", "long-sword", "war-hammer", "crossbow"),
)
TRAITS = 11


@dataclass(frozen=True)
class Build:
    """The dice of a new knave as they fall (KN-1 to KN-7); `gear` are the six table rolls.

    The gear begins with body armor, then helmet and shield: 1 is none, 10 a gambeson.
    """

    bonuses: tuple[int, int, int, int, int, int] = (1, 1, 3, 1, 1, 1)
    hp: int = 6
    gear: tuple[int, int, int, int, int, int] = (1, 1, 1, 7, 3, 1)
    weapon: str = "sword"

    @property
    def faces(self) -> tuple[int, ...]:
        abilities = (face for bonus in self.bonuses for face in (6, bonus, 6))
        weapon = WEAPONS.index(self.weapon) + 1
        return (*abilities, self.hp, *self.gear, weapon, *range(1, TRAITS + 1))


def referee(company: Company, **options: Any) -> Person:
    """Ana opens a Knave table and is its referee; her laptop can be touched."""
    ana = company.person("Ana", **{"viewport": LAPTOP, **options})
    company.code = arriving.opens(ana, "knave")
    return ana


def player_alone(company: Company, **options: Any) -> Person:
    """Seat Ben at a Knave table that Ana has just opened; nobody looks at a page but he."""
    referee(company)
    ben = company.joined("Ben", **options)
    company.only(ben)
    return ben


def makes_a_knave(person: Person, build: Build | None = None, button: str = "#new-knave") -> int:
    """Roll a whole knave by one tap, and take it; return its number."""
    person.presses("#tab-sheet")
    person.house.dice_fall(*(build or Build()).faces)
    does(person, button)
    does(person, "#confirm")
    expect(person.sees("#sheet-name")).to_have_text(name_of(person))
    return key_of(person)


def has_a_knave(person: Person, build: Build | None = None) -> int:
    """Give somebody a whole knave by requests; return its number."""
    person.house.dice_fall(*(build or Build()).faces)
    posts(person, "new_knave")
    made = int(person.house.one("select max(id) from characters_character"))
    posts(person, "confirm_knave", character=made)
    return made


def unfolds(person: Person, selector: str) -> None:
    """Open what is folded, if it is."""
    if person.sees(selector).get_attribute("open") is None:
        person.presses(f"{selector} > summary")
    expect(person.sees(selector)).to_have_attribute("open", "")


def does(person: Person, selector: str) -> None:
    """Tap what acts, and let nobody refuse it; the referee's page answers with a receipt."""
    status = person.taps(selector)
    said = person.answered[-1].text
    assert status in (200, 204), f"{person.name}, {selector}: {status}, {said()}"
    person.catches_up()


def wait_until(person: Person, is_so: Callable[[], bool], seconds: float = 8) -> None:
    """Wait for what more than one screen has to show."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it never came"
        person.page.wait_for_timeout(50)


def on_own_sheet(company: Company, wire: Wire) -> Person:
    """Ben, with a knave, on its page beside the table; his line goes over the wire."""
    ben = player_alone(company, address=wire.address)
    has_a_knave(ben)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    expect(ben.sees("html")).to_have_attribute("data-line", "on")
    return ben


def in_a_fight(company: Company, foes: int = 2, first: int = 5) -> tuple[Person, Person]:
    """Ana's table, and Ben's phone in a fight with so many orcs; `first` is its initiative."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben, Build(hp=8))
    begins_fight(ana, company, "orc", foes, first)
    return ana, ben


# --- what the database says ----------------------------------------------------------------------
KNAVES = (
    " from characters_character c join games_seat s on s.id = c.seat_id"
    " join games_table t on t.id = s.table_id where t.code = ? and s.name = ?"
    " and c.kind = 'knave' and c.state in ('up', 'unconscious')"
)


def key_of(person: Person) -> int:
    """The number of the living knave that somebody plays."""
    return int(person.house.one("select c.id" + KNAVES, person.code, person.name))


def forms_of(person: Person) -> str:
    """What the ids of a knave's forms in a fight end in: whose they are, and of which scene."""
    scene = "select g.scene from games_game g join games_table t on t.id = g.table_id"
    fought = " where t.code = ? and g.rules = 'knave_fight' and g.status = 'playing'"
    return f"k{key_of(person)}-{person.house.one(scene + fought, person.code)}"


def name_of(person: Person) -> str:
    return str(person.house.one("select c.name" + KNAVES, person.code, person.name))


def figure(person: Person, column: str) -> int:
    """One number of somebody's living knave."""
    return int(person.house.one(f"select c.{column}" + KNAVES, person.code, person.name))


def thing(person: Person, article: str) -> int:
    """The number of a thing that somebody's knave holds."""
    return int(
        person.house.one(
            "select i.id from characters_item i join characters_article a on a.id = i.article_id"
            " where i.holder_id = ? and a.key = ? order by i.id",
            key_of(person),
            article,
        )
    )


def has(person: Person, article: str) -> int:
    """How many of a thing somebody's knave holds."""
    return int(
        person.house.one(
            "select coalesce(sum(i.count), 0) from characters_item i"
            " join characters_article a on a.id = i.article_id"
            " where i.holder_id = ? and a.key = ?",
            key_of(person),
            article,
        )
    )


def in_pile(company: Company, article: str) -> int:
    """The number of a thing that lies about at the table."""
    return int(
        company.house.one(
            "select i.id from characters_item i join characters_article a on a.id = i.article_id"
            " join characters_pile p on p.id = i.pile_id join games_table t on t.id = p.table_id"
            " where t.code = ? and a.key = ? and p.is_open order by i.id desc",
            company.code,
            article,
        )
    )


def of_the_list(company: Company, article: str) -> int:
    """The number of an article of the price list."""
    return int(company.house.one("select id from characters_article where key = ?", article))


def newest(company: Company, what: str) -> int:
    """The number of the newest call, pile, encounter or goal of the table."""
    return int(
        company.house.one(
            f"select max(x.id) from characters_{what} x join games_table t on t.id = x.table_id"
            " where t.code = ?",
            company.code,
        )
    )


# --- the referee's page --------------------------------------------------------------------------
def prepares(ana: Person, company: Company, monster: str, count: int, name: str = "") -> int:
    """Put foes from the book into a new encounter; return its number."""
    unfolds(ana, "#new-encounter")
    ana.page.fill("#encounter-name", name)
    does(ana, "#prepare-encounter")
    key = company.house.one("select id from characters_monster where key = ?", monster)
    ana.page.select_option("#foe-monster", str(key))
    ana.page.fill("#foe-count", str(count))
    does(ana, "#add-foes")
    return newest(company, "encounter")


def begins_fight(ana: Person, company: Company, monster: str, count: int, first: int) -> None:
    """Foes from the book, the fight begun, and its first initiative: all by requests."""
    posts(ana, "prepare_encounter")
    encounter = newest(company, "encounter")
    key = company.house.one("select id from characters_monster where key = ?", monster)
    posts(ana, "add_foes", encounter=encounter, monster=key, count=count)
    posts(ana, "start_fight", encounter=encounter)
    next_round(ana, first)


def next_round(ana: Person, first: int) -> None:
    """The referee has the round's initiative rolled, with this die: by a request."""
    ana.house.dice_fall(first)
    posts(ana, "fight-initiative")


def is_struck(target: Person, ana: Person, foe: str, *faces: int) -> None:
    """A foe hits at somebody's knave, with these dice: by the referee's request."""
    ana.house.dice_fall(*faces)
    blow = {"by": foe, "on": f"k{key_of(target)}", "rolled_by": "attacker"}
    posts(ana, "fight-attack", **blow)


def initiative(ana: Person, face: int) -> None:
    ana.house.dice_fall(face)
    does(ana, "#initiative")


def strikes(ana: Person, foe: str, target: Person, *faces: int) -> None:
    """A foe hits at somebody's knave, with these dice."""
    ana.house.dice_fall(*faces)
    does(ana, f"#strike-{foe}-k{key_of(target)}")


def attacks(person: Person, foe: str, *faces: int) -> None:
    """Somebody's knave attacks, with these dice."""
    person.presses("#tab-game")
    person.house.dice_fall(*faces)
    does(person, f"#attack-k{key_of(person)}-{foe}")
