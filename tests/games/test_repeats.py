"""What is told to whoever sends a tap again, or another action by its id (docs/programs.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from tests.games.party import Party, Person

SEVEN = {"action": "pick_number", "number": 7}


def sends(who: Person, action: dict[str, Any], *, tap: str = "press") -> HttpResponse:
    body = json.dumps({"seat": who.seat, "action": action, "tap": tap})
    path = f"/api/tables/{who.code}/actions/"
    return who.client.post(path, body, content_type="application/json")


def test_a_repeat_has_the_number_at_which_it_was_done(party: Party):
    """It had that of what others had done since."""
    first = json.loads(sends(party.ben, SEVEN).content)
    party.ana.does("pick_number", number=8)
    again = json.loads(sends(party.ben, SEVEN).content)
    assert again == first | {"repeat": True}
    assert party.table.seq > again["seq"]


@pytest.mark.parametrize(
    "other", [{"action": "pick_number", "number": 8}, {"action": "name_guild", "name": "Otter"}]
)
def test_another_action_by_the_id_of_a_tap_is_not_told_that_it_was_done(
    party: Party, other: dict[str, Any]
):
    """R2: it was answered as a repeat of what the first had asked for."""
    sends(party.ben, SEVEN)
    before = party.table.seq
    answer = sends(party.ben, other)
    assert answer.status_code == 409
    assert json.loads(answer.content)["field"] == "tap"
    assert party.table.seq == before
    assert sends(party.ben, other, tap="another").status_code == 200


def test_what_a_deed_writes_down_anew_is_still_the_same_tap(party: Party):
    """A shout is kept with its moment, and one that was heard as a shout."""
    party.begins().rolls(party.ana, 7)
    shout = {"action": "shout", "call": "brave"}
    told = [json.loads(sends(party.ben, shout).content)["repeat"] for _time in range(2)]
    assert told == [False, True]
