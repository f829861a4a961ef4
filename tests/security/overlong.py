"""More typed into each field of a page than it holds: what the house says to that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse

from tests.games.party import Person, notice
from tests.security.shown import Field, Form, Shown

TYPED = ("text", "textarea", "search")
# What the limit of a kind of field is called.
WORDS = re.compile("at most|Eighteen faces|cards as you read them")


@dataclass(frozen=True)
class Tried:
    """One field of one page, sent too much."""

    page: str
    field: str
    is_cut_by_the_browser: bool
    status: int
    said: str
    is_said_there: bool

    @property
    def is_well(self) -> bool:
        """Tell whether it is refused in words that stand at the field, and was not cut before."""
        is_told = self.status == 422 and self.is_said_there and bool(WORDS.search(self.said))
        return is_told and not self.is_cut_by_the_browser


def overlong(who: Person, page: str) -> Iterator[Tried]:
    """Try each field of a page that a tap at the table sends, all else in its form being well."""
    for form in Shown(who.sees(page)).forms:
        if not form.path.endswith("/act/"):
            continue
        for typed in (f for f in form.fields if f.kind in TYPED):
            answer = _sends(who, form, typed)
            yield Tried(
                page,
                typed.name,
                "maxlength" in typed.attributes,
                answer.status_code,
                notice(answer),
                f'data-field="{typed.name}"' in answer.content.decode(),
            )


def _sends(who: Person, form: Form, typed: Field) -> HttpResponse:
    given = {f.name: f.value or "1" for f in form.fields if f.kind != "checkbox"}
    given |= dict(form.buttons[:1])
    given |= {f.name: f.options[0] for f in form.fields if f.options}
    given = {name: value for name, value in given.items() if name}
    return who.does(**{**given, typed.name: _too_much(typed), "seat": who.seat, "tap": "try"})


def _too_much(field: Field) -> str:
    """More than any field holds, of what it asks for."""
    return "9" * 12 if field.attributes.get("inputmode") in ("numeric", "text") else "x" * 9000
