"""A wicked table made ready by hand-made requests (`arriving.posts`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.phones.arriving import posts
from tests.phones.people import Company, Person
from tests.phones.wicked import (
    CAMPAIGN,
    ORACLE,
    TOP_CARDS,
    key,
    line_key,
    newest_fight,
    referee,
)

Step = Callable[[Company, Person, list[Person]], None]
LINES = ("a spearwoman", "a potter's widow", "a stable slave", "a collector", "a rival")
CAST = {"Ben": "Sarel", "Cleo": "Imra", "Dora": "Dovan"}
NPCS = ("Old Kesh", "Iri the Tally")


def all_chosen(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter before its sheets: who plays whom is said, and two are the GM's."""
    return _brought(company, count, options, _to_choices)


def at_sheets(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter at its sheets, which nobody has written on."""
    return _brought(company, count, options, _to_choices, _to_sheets)


def at_interests(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter at its best interests: everybody has a name."""
    return _brought(company, count, options, _to_choices, _to_sheets, _to_interests)


def in_play(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter in play: everybody wants something of somebody."""
    return _brought(company, count, options, _to_choices, _to_sheets, _to_interests, _to_play)


def _brought(
    company: Company, count: int, options: dict[str, Any], *steps: Step
) -> tuple[Person, list[Person]]:
    ana = referee(company, **options)
    players = [company.joined(name, **options) for name in list(CAST)[:count]]
    for step in steps:
        step(company, ana, players)
    return ana, players


def _to_choices(company: Company, ana: Person, players: list[Person]) -> None:
    ben = players[0]
    posts(ana, "begin_campaign")
    posts(ben, "open_chapter")
    posts(ben, "choose_oracle", oracle=ORACLE)
    company.house.dice_fall(*TOP_CARDS)
    posts(ben, "deal_cards")
    for text in LINES:
        posts(ben, "add_cast", text=text)
    posts(ben, "step_on")
    for person, text in zip(players, LINES, strict=False):
        posts(person, "take_cast", line=line_key(person, text))
    for name, text in zip(NPCS, LINES[-2:], strict=True):
        posts(ana, "make_npc", name=name, line=line_key(ana, text))


def _to_sheets(_company: Company, ana: Person, _players: list[Person]) -> None:
    posts(ana, "step_on")


def _to_interests(_company: Company, ana: Person, players: list[Person]) -> None:
    for person in players:
        posts(person, "write_sheet", character=own_key(person), name=CAST[person.name])
    posts(ana, "step_on")


def _to_play(_company: Company, ana: Person, players: list[Person]) -> None:
    names = [*(CAST[person.name] for person in players), *NPCS]
    for person, name in [*((p, CAST[p.name]) for p in players), *((ana, n) for n in NPCS)]:
        other = names[names.index(name) - 2]
        for text in (f"{other} has to go", f"{other} owes her"):
            wants(person, name, text, other)
    posts(ana, "begin_play")


def wants(person: Person, name: str, text: str, about: str) -> None:
    """Name a best interest of somebody's."""
    who, target = key(person, name), key(person, about)
    posts(person, "name_interest", character=who, text=text, targets=target)


def own_key(person: Person) -> int:
    """The key of the newest character that somebody plays."""
    is_hers = " and x.owner_id in (select id from campaigns_member where name = ?)"
    query = "select max(x.id)" + CAMPAIGN.format("character") + is_hers
    return int(person.house.one(query, person.code, person.name))


# --- a fight -------------------------------------------------------------------------------------
def about(person: Person, fight: int = 0) -> dict[str, int]:
    """What a form of a fight says: which one it is, and the scene that its buttons answer."""
    query = (
        "select g.scene from games_game g join campaigns_sequence s on s.game_id = g.id"
        " where s.id = ?"
    )
    fight = fight or newest_fight(person)
    return {"sequence": fight, "saw": int(person.house.one(query, fight))}


def has_started(person: Person, act: str, actor: str, *others: str) -> int:
    """Say that somebody does something, and who interferes; return the number of the sequence."""
    who = [key(person, name) for name in others]
    posts(person, "start_sequence", act=act, actor=key(person, actor), who=who)
    return newest_fight(person)


def has_taken(person: Person, name: str, *forms: str) -> None:
    """Take up the dice of these forms in the newest fight."""
    posts(person, "take_dice", who=key(person, name), forms=list(forms), **about(person))


def has_rolled(person: Person, name: str, *faces: int, fight: int = 0) -> None:
    """Tell what real dice show."""
    dice = ",".join(map(str, faces))
    posts(person, "roll_forms", who=key(person, name), dice=dice, **about(person, fight))


def has_moved(person: Person, name: str, at: str, fight: int = 0) -> None:
    """Make a move that one other has to answer."""
    to = key(person, at)
    posts(person, "make_move", who=key(person, name), to=to, **about(person, fight))


def has_won(ben: Person, ana: Person) -> int:
    """Sarel has won over Old Kesh at once, and both may talk about it; return the sequence."""
    fight = has_started(ben, "She cuts the rope", "Sarel", "Old Kesh")
    has_taken(ben, "Sarel", "covertly", "directly")
    has_taken(ana, "Old Kesh", "action")
    has_rolled(ben, "Sarel", 9, 8)
    has_rolled(ana, "Old Kesh", 2, 1)
    has_moved(ben, "Sarel", "Old Kesh")
    has_rolled(ana, "Old Kesh", 2, 1)
    return fight
