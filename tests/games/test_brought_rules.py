"""A house rule that was pasted or sent as a file (BK-25): where it says what is wrong with it."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.deeds.house_rules import MOST_RULES
from tests.games.party import Party, done

RULE = {
    "name": "The Cat",
    "cry": "Meow!",
    "number": 10,
    "on": "both",
    "effects": [{"kind": "lose", "target": "left", "amount": 2}],
}
ATTRIBUTE = re.compile('([a-z-]+)="([^"]*)"')
NAMELESS = {**RULE, "name": ""}


def told_at(party: Party, **sent: object) -> list[tuple[str, str]]:
    """Return which fields of the page that comes back are wrong, and what describes them.

    Each has the focus.
    """
    page = party.ana.client.post(f"/t/{party.table.code}/gm/house-rule/", sent).content.decode()
    fields = [
        dict(ATTRIBUTE.findall(tag)) for tag in re.findall('<[^>]+ aria-invalid="[^>]+>', page)
    ]
    assert page.count(" autofocus ") == len(fields)
    wrong = [(one["id"], one["aria-describedby"]) for one in fields]
    assert all(f'<p class="error" id="{words.split()[-1]}">' in page for _field, words in wrong)
    return wrong


@pytest.mark.parametrize("text", ["", "Meow!", "{}", "{", json.dumps(NAMELESS)])
def test_what_is_wrong_with_a_pasted_rule_is_told_where_it_was_pasted(party: Party, text: str):
    """The name of the form above, which nobody had touched, was marked as wrong; or nothing was."""
    assert told_at(party, text=text) == [("text", "text-error")]


@pytest.mark.parametrize("file", [b"", b"\xff\xfe", b"{}", json.dumps(NAMELESS).encode()])
def test_what_is_wrong_with_a_file_is_told_where_it_was_chosen(party: Party, file: bytes):
    sent = SimpleUploadedFile("house-rule.json", file or b" ")
    assert told_at(party, text="", file=sent) == [("rule-file", "file-error")]


def test_what_is_wrong_in_the_form_is_told_at_its_field(party: Party):
    form = {"name": "", "cry": "Meow!", "number": "10", "kind-1": "lose", "amount-1": "1"}
    assert told_at(party, **form) == [("name", "name-error")]
    odd = {**form, "name": "The Cat", "number": "ten"}
    assert told_at(party, **odd) == [("number", "number-hint number-error")]


def test_what_is_no_fault_of_the_rule_is_told_above_it(party: Party):
    for _rule in range(MOST_RULES):
        done(party.ana.does("add_house_rule", rule=json.dumps(RULE)))
    assert told_at(party, text=json.dumps(RULE)) == []
