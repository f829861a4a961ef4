"""Coming to a table by requests alone: of what only leads up to a test no page is drawn.

How people do it, with their fingers, is in `Person`, and in the tests that are about it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.phones.people import Person

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def opens(person: Person, rules: str = "brave_or_knave") -> str:
    """Open a table, and return its code."""
    _sends(person, "/", "/start/", host_name=person.name, rules=rules)
    person.code = person.sees("main").get_attribute("data-code") or ""
    return person.code


def sits_down(person: Person, code: str, role: str = "player") -> None:
    """Come by the table's QR code."""
    person.code = code
    key = person.house.one("select key from games_table where code = ?", code)
    _sends(person, f"/j/{key}/", f"/t/{code}/join/", name=person.name, role=role)


def _sends(person: Person, page: str, form: str, **fields: str) -> None:
    """Send a form of a page, and go where its answer leads."""
    asks = person.context.request
    headers = {"Accept-Language": person.locale, "Origin": person.address}
    token = TOKEN.search(asks.get(person.address + page, headers=headers).text())
    assert token, f"{page} has no form"
    answer = asks.post(
        person.address + form,
        form={**fields, "csrfmiddlewaretoken": token[1]},
        headers=headers,
        max_redirects=0,
    )
    assert answer.status == 302, f"{form}: {answer.status} {answer.text()}"
    person.goes(answer.headers["location"])
    person.is_live()
