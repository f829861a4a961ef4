"""Coming to a table and acting there by requests alone: of what only leads up to a test no page is
drawn.

How people do it, with their fingers, is in `Person`, and in the tests that are about it.
"""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.phones.asking import Reply, send

if TYPE_CHECKING:
    from tests.phones.people import Company, Person

TABLE = re.compile(r"/t/(\w+)/")
# By which a seat moves to another phone.
PASS = re.compile(r"/seat/[\w-]+/?")


def opens(person: Person, rules: str = "brave_or_knave") -> str:
    """Open a table, and return its code."""
    _sends(person, "/", "/start/", host_name=person.name, rules=rules)
    found = TABLE.search(person.waits_at)
    assert found, person.waits_at
    person.code = found[1]
    return person.code


def sits_down(person: Person, code: str, role: str = "player") -> None:
    """Come by the table's QR code."""
    key = person.house.one("select key from games_table where code = ?", code)
    _sends(person, f"/j/{key}/", f"/t/{code}/join/", name=person.name, role=role)
    person.code = code


def takes_over(person: Person, path: str) -> None:
    """Take a seat over by a pass's QR code."""
    _sends(person, path, path)


def ben_alone(company: Company, **options: Any) -> Person:
    """Seat Ben at a table that Ana has just opened; nobody looks at a page but he."""
    company.ana()
    ben = company.joined("Ben", **options)
    company.only(ben)
    return ben


def seats_of(company: Company) -> list[int]:
    """Return the numbers of those who sit at the table, the shared screen aside, in order."""
    rows = company.house.rows(
        "select s.number from games_seat s join games_table t on t.id = s.table_id"
        " where t.code = ? and s.role <> 'screen' order by s.number",
        company.code,
    )
    return [row["number"] for row in rows]


def scene(company: Company) -> int:
    """The scene that a tap answers in the bout under way."""
    query = "select g.scene from games_game g join games_table t on t.id = g.table_id"
    return int(company.house.one(f"{query} where t.code = ? order by g.id desc", company.code))


def asks(person: Person, action: str, **fields: Any) -> Reply:
    """Post an action as a page would, and return the answer whatever it is."""
    seat = person.house.one(
        "select s.number from games_seat s join games_table t on t.id = s.table_id"
        " where t.code = ? and s.name = ? order by s.number",
        person.code,
        person.name,
    )
    given = {"seat": seat, "tap": uuid.uuid4().hex}
    return send(
        person.cookies,
        person.address,
        f"/t/{person.code}/act/",
        {"X-CSRFToken": _token(person), "HX-Request": "true"},
        urlencode({"action": action, **given, **fields}, doseq=True),
    )


def posts(person: Person, action: str, **fields: Any) -> None:
    """Post an action, and let nobody refuse it."""
    answer = asks(person, action, **fields)
    assert answer.status in (200, 204), f"{person.name}, {action}: {answer.status} {answer.text()}"


def begins_for_all(ana: Person, numbers: dict[int, int]) -> None:
    """Begin a bout in which Ana plays for these seats; the first of them has the die."""
    for seat, number in numbers.items():
        posts(ana, "pick_number", seat=seat, number=number)
    posts(ana, "choose_first", who=next(iter(numbers)))
    posts(ana, "start_bout")


def _sends(person: Person, page: str, form: str, **fields: str) -> None:
    """Send a form of a page; where its answer leads is what the person's browser opens first."""
    headers = {"Accept-Language": person.locale}
    shown = send(person.cookies, person.address, page, headers)
    if shown.status == 302:
        send(person.cookies, person.address, shown.headers["location"], headers)
    filled = urlencode({**fields, "csrfmiddlewaretoken": _token(person)})
    answer = send(person.cookies, person.address, form, headers, filled)
    assert answer.status == 302, f"{form}: {answer.status} {answer.text()}"
    person.waits_at = answer.headers["location"]


def _token(person: Person) -> str:
    """What every form of this browser is sent with: its cookie, as Django takes it unmasked too."""
    if not person.token:
        kept = person.cookies.all()
        person.token = next(value for name, value in kept.items() if name.endswith("csrf"))
    return person.token
