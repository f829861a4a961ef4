"""What is too long for its field is refused in words that stand there; none of it is cut off."""

from __future__ import annotations

import re

from django.http import HttpResponse

from tests.characters.company import Company
from tests.games.party import Person, notice
from tests.security.shown import Field, Form, Shown

WORDS = re.compile("at most|Eighteen faces")
TYPED = ("text", "textarea")


def pages(company: Company) -> list[tuple[Person, str]]:
    """Every page of Knave's on which something is typed, and who has it before them."""
    own, draft = (f"knave/{one.pk}/" for one in (company.ash, company.draft))
    return [
        *((company.ana, "gm/"), (company.ana, own)),
        *((company.ben, ""), (company.ben, own), (company.ben, draft)),
    ]


def too_much(field: Field) -> str:
    """More than any field holds, of what it asks for."""
    return "9" * 12 if field.attributes.get("inputmode") in ("numeric", "text") else "x" * 9000


def sends(who: Person, form: Form, typed: Field) -> HttpResponse:
    """Send a form in which all is well but for one field."""
    given = {f.name: f.value or "1" for f in form.fields if f.kind != "checkbox"}
    given |= dict(form.buttons[:1])
    given |= {f.name: f.options[0] for f in form.fields if f.options}
    return who.does(**{**given, typed.name: too_much(typed), "seat": who.seat, "tap": "try"})


def test_a_field_takes_more_than_is_allowed_and_the_house_says_how_much(company: Company):
    """A paste that a browser cuts off is lost, and nobody is told."""
    tried, wrong = 0, []
    for who, page in pages(company):
        for form in Shown(who.sees(page)).forms:
            for typed in (f for f in form.fields if f.kind in TYPED):
                answer, tried = sends(who, form, typed), tried + 1
                is_at_field = f'data-field="{typed.name}"' in answer.content.decode()
                is_told = answer.status_code == 422 and WORDS.search(notice(answer))
                if "maxlength" in typed.attributes or not is_at_field or not is_told:
                    wrong.append((page, typed.attributes.get("id"), notice(answer)))
    assert tried > 50
    assert wrong == []
