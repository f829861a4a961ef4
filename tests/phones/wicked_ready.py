"""A wicked table made ready by hand-made requests, and what no screen offers to ask for."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import APIResponse

from tests.phones.people import Company, Person
from tests.phones.wicked import CAMPAIGN, ORACLE, TOP_CARDS, key, line_key, referee

Step = Callable[[Company, Person, list[Person]], None]
AWAY = "about:blank"
LINES = ("a spearwoman", "a potter's widow", "a stable slave", "a collector", "a rival")
CAST = {"Ben": "Sarel", "Cleo": "Imra", "Dora": "Dovan"}
NPCS = ("Old Kesh", "Iri the Tally")


def asks(person: Person, action: str, **fields: Any) -> APIResponse:
    """Post an action as the page would, and return the answer whatever it is."""
    if person.page.url != AWAY:
        person.form_words = _form_words(person)
    headers, seat = person.form_words
    given = {"seat": seat, "tap": uuid.uuid4().hex}
    return person.context.request.post(
        f"{person.address}/t/{person.code}/act/",
        data=urlencode({"action": action, **given, **fields}, doseq=True),
        headers={
            **headers,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": person.address,
        },
    )


def _form_words(person: Person) -> tuple[dict[str, str], str]:
    """Return what every form of a page is sent with: headers, and whose it is."""
    headers = person.sees("body").get_attribute("hx-headers") or "{}"
    return json.loads(headers), person.sees("input[name=seat]").first.get_attribute("value") or ""


@contextmanager
def nobody_looks(company: Company) -> Iterator[None]:
    """Put every screen away meanwhile: what only leads up to a test is drawn for nobody."""
    looking = [(one, one.page.url) for one in company.people if one.page.url != AWAY]
    for person, _url in looking:
        person.form_words = _form_words(person)
        person.page.goto(AWAY)
    yield
    for person, url in looking:
        person.page.goto(url)
        person.is_live()


def posts(person: Person, action: str, **fields: Any) -> None:
    """Post an action, and let nobody refuse it."""
    answer = asks(person, action, **fields)
    assert answer.status in (200, 204), f"{person.name}, {action}: {answer.status} {answer.text()}"


def at_sheets(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter at its sheets: each player has taken one of the list, two are the GM's."""
    return _brought(company, count, options, _to_sheets)


def at_interests(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter at its best interests: everybody has a name."""
    return _brought(company, count, options, _to_sheets, _to_interests)


def in_play(company: Company, count: int = 3, **options: Any) -> tuple[Person, list[Person]]:
    """A first chapter in play: everybody wants something of somebody."""
    return _brought(company, count, options, _to_sheets, _to_interests, _to_play)


def _brought(
    company: Company, count: int, options: dict[str, Any], *steps: Step
) -> tuple[Person, list[Person]]:
    ana = referee(company, **options)
    players = [company.joined(name, **options) for name in list(CAST)[:count]]
    with nobody_looks(company):
        for step in steps:
            step(company, ana, players)
    return ana, players


def _to_sheets(company: Company, ana: Person, players: list[Person]) -> None:
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
    for name, text in zip(NPCS, LINES[3:], strict=True):
        posts(ana, "make_npc", name=name, line=line_key(ana, text))
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
            posts(
                person,
                "name_interest",
                character=key(person, name),
                text=text,
                targets=key(person, other),
            )
    posts(ana, "begin_play")


def own_key(person: Person) -> int:
    """The key of the newest character that somebody plays."""
    query = (
        "select max(x.id)"
        + CAMPAIGN.format("character").replace(
            " where", " join campaigns_member m on m.id = x.owner_id where"
        )
        + " and m.name = ?"
    )
    return int(person.house.one(query, person.code, person.name))
