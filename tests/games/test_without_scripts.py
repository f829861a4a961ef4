"""Who has no script plays too: each form of a live page says that it is ours, and is taken."""

from __future__ import annotations

import re

from tests.campaigns.pages import Page
from tests.games.party import Party


def test_each_form_of_a_bout_has_one_token(party: Party):
    party.begins()
    for person, page in ((party.ana, ""), (party.ana, "gm/"), (party.ben, "")):
        seen = Page(person.sees(page))
        assert any(form.posts for form in seen.forms)
        assert [fault for fault in seen.wrong() if "token" in fault] == []


def test_a_form_of_a_region_is_taken_as_it_stands_in_the_page(party: Party):
    """Nothing is sent but what the page holds, with the cookies that came with it."""
    ben = party.begins(first=party.ben).ben
    ben.client.handler.enforce_csrf_checks = True
    forms = re.findall(r"<form.*?</form>", ben.sees(), re.S)
    rolls = next(form for form in forms if 'name="action" value="roll"' in form)
    party.dice.fall(12)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', rolls))
    before = party.table.seq
    assert ben.client.post(f"/t/{ben.code}/act/", fields).status_code == 302
    assert party.table.seq > before
    fields.pop("csrfmiddlewaretoken")
    assert ben.client.post(f"/t/{ben.code}/act/", fields).status_code == 403
