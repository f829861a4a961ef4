"""The records of a campaign, as somebody at the table opens them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.utils import translation

from games.sentences import tell
from tests.campaigns.troupe import Troupe
from tests.games.party import Person


def tess_of(troupe: Troupe) -> Person:
    """Lay the shared tablet down."""
    tess = Person("Tess")
    tess.joins(troupe.table, role="screen")
    return tess


def opens(person: Person, place: str, /, **asked: Any) -> str:
    answer = person.client.get(f"/t/{person.code}/campaign/{place}", asked)
    assert answer.status_code == 200, (place, answer.status_code)
    return answer.content.decode()


def reads(person: Person, place: str, /, **asked: Any) -> str:
    """Return the words of a page of the records."""
    html = opens(person, place, **asked)
    inside = re.sub(r"<[^>]+>", " ", html.split("<main", 1)[1].split(">", 1)[1])
    return " ".join(unescape(inside).split())


def told(kind: str, data: dict[str, Any], language: str) -> str:
    """Return what the log says of an event in a language."""
    with translation.override(language):
        return tell(kind, data, [])


def texts(troupe: Troupe) -> list[str]:
    """Return what the elements on the story sheet say."""
    return [element.text for element in troupe.elements]


def status(person: Person, page: str) -> int:
    code: int = person.client.get(f"/t/{person.code}/campaign/{page}").status_code
    return code
