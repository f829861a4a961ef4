"""Who may do what in a campaign: every action, for every role.

An action that is not in the table fails the test.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from games.services.act import ACTIONS
from tests.campaigns.asked import ASKED, by_place
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import Fields, Saga, all_rows, paths
from tests.campaigns.who_may import ACTS
from tests.campaigns.wild import CAMPAIGN_ACTIONS
from tests.games.party import Person, notice
from tests.games.tried import taken_back


def test_every_campaign_action_is_in_the_table():
    assert set(CAMPAIGN_ACTIONS) == set(ACTS) == set(ASKED)
    assert set(ACTS) <= set(ACTIONS)


def tries(saga: Saga, phone: Person, seat: int, word: str, fields: Fields) -> HttpResponse:
    """Tap at the saga's table with somebody's phone, for a seat."""
    who = Person("somebody", client=phone.client)
    who.code, who.seat = saga.table.code, seat
    saga.dice.faces = [1] * 200
    return who.does(word, tap="try", **fields)


Cells = dict[str, tuple[Person, Person, int]]


def cells_of(saga: Saga, others: tuple[Person, Person], word: str) -> Cells:
    """Return by role: whose phone taps, for whose seat, and the answer it must get."""
    fay, _gil = others
    own, other, tablet, host = ACTS[word]
    return {
        "own player": (saga.amy, saga.amy, own),
        "other player": (saga.tom, saga.tom, other),
        "tablet": (saga.tess, saga.tess, tablet),
        "host": (saga.erin, saga.erin, host),
        "other's phone as own": (saga.tom, saga.amy, 404),
        "stranger": (Person("x"), saga.amy, 404),
        "another table's host as host": (fay, saga.erin, 404),
    }


def more_cells(saga: Saga, others: tuple[Person, Person]) -> Cells:
    """Return those whom the one way in turns away before it looks at what they want."""
    fay, gil = others
    return {
        "player's phone as host": (saga.amy, saga.erin, 404),
        "tablet as host": (saga.tess, saga.erin, 404),
        "host's phone as own": (saga.erin, saga.amy, 404),
        "who has left": (saga.gus, saga.gus, 404),
        "at the door": (saga.kim, saga.kim, 404),
        "another table's seat": (gil, gil, 404),
        "another table's seat as own": (gil, saga.amy, 404),
        "another table's host": (fay, fay, 404),
    }


@pytest.mark.parametrize("place", by_place())
def test_every_action_is_for_the_roles_it_is_for(saga_at: SagaAt, place: str):
    """At each place one table for all that is done there: every try is taken back."""
    saga, wrong = saga_at(place), []
    others = (Person("Fay"), Person("Gil"))
    others[1].joins(others[0].opens_table("The Goose"))
    for one in others:
        one.has_come()
    before, more = all_rows(), more_cells(saga, others)
    for word in by_place()[place]:
        fields = ASKED[word][1](saga)
        for role, (phone, seat, status) in {**cells_of(saga, others, word), **more}.items():
            with taken_back(), all_rows.writing() as statements:
                answer = tries(saga, phone, seat.seat, word, fields)
                is_changed = bool(statements) and all_rows() != before
            is_told = answer.status_code < 400 or bool(notice(answer))
            found = (answer.status_code, is_changed, is_told)
            if found != (status, status < 400, True):
                wrong.append((word, role, *found, notice(answer)))
        more = {}  # once at each place is enough
    assert wrong == []


def test_the_table_would_show_a_sheet_that_stands_open(saga_at: SagaAt, monkeypatch: Any):
    """The control: without the check of who plays a character, Tom writes on Amy's sheet."""
    saga = saga_at("sheets")
    monkeypatch.setattr("campaigns.services.finding.plays", lambda change, character: True)
    fields = ASKED["write_sheet"][1](saga)
    assert tries(saga, saga.tom, saga.tom.seat, "write_sheet", fields).status_code == 204


@pytest.mark.parametrize(
    ("place", "word"),
    [("dice", "take_dice"), ("answer", "roll_forms"), ("turn", "make_move"), ("tie", "press_on")],
)
def test_no_player_moves_anothers_fighter_or_an_npc(saga_at: SagaAt, place: str, word: str):
    saga = saga_at(place)
    fields = ASKED[word][1](saga)
    for name in ("Esan", "Mekha", "Amek"):
        others = saga.martha if name == "Mekha" else saga.amy
        given = {**fields, "who": saga.named(name).pk}
        answer = tries(saga, others, others.seat, word, given)
        assert answer.status_code == 403, (name, notice(answer))


def test_a_campaign_of_another_table_is_out_of_every_hosts_reach(saga_at: SagaAt):
    """Fay hosts a table with a campaign in play; nothing she sends touches Erin's."""
    saga = saga_at("play")
    fay = Person("Fay")
    fay.opens_table("The Goose")
    fay.does("begin_campaign")
    before = all_rows()
    for word in by_place()["play"]:
        answer = fay.does(word, **ASKED[word][1](saga))
        assert answer.status_code in (404, 409), (word, notice(answer))
        assert all_rows() == before, word


# --- pages ---------------------------------------------------------------------------------------


def test_every_page_of_campaigns_is_for_who_sits_at_the_table(saga_at: SagaAt):
    """Strangers, who waits at the door and who has left get no page, and nothing of what is on it.

    What may be read, everybody at the table may: nothing in this game is hidden.
    """
    saga, wrong = saga_at("over"), []
    fay = Person("Fay")
    fay.opens_table("The Goose")
    outside = (Person("x"), fay, saga.kim, saga.gus)
    inside = (saga.amy, saga.tom, saga.erin)
    saga.dice.fall(*[1] * 5000)  # names are suggested
    for path in paths(saga):
        for person in (*outside, *inside):
            answer = person.client.get(path)
            is_out = person in outside
            if is_out and (answer.status_code < 400 or b"Mekha" in answer.content):
                wrong.append((path, person, answer.status_code))
            if not is_out and answer.status_code >= 500:
                wrong.append((path, person, answer.status_code))
    assert wrong == []
