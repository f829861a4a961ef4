"""Who may do what at a Knave table (S3): every action and every page, for every role.

An action or a page that is not in its table fails the test.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.utils import timezone
from PIL import Image

from characters import urls
from characters.models import Character
from games.services.act import ACTIONS
from tests.characters.company import (
    ASKED,
    Company,
    all_rows,
    stands_ready,
    words_of_knave,
)
from tests.characters.who_may import ACTS
from tests.games.every_row import Rows
from tests.games.party import Person, done, notice
from tests.games.tried import taken_back


def test_every_knave_action_is_in_the_table():
    assert words_of_knave() == set(ACTS) == set(ASKED)
    assert set(ACTS) <= set(ACTIONS)


@pytest.fixture
def others(company: Company) -> tuple[Person, Person]:
    """The host and a player of another table."""
    fay, gil = Person("Fay"), Person("Gil")
    gil.joins(fay.opens_table("The Goose"))
    for one in (fay, gil):
        one.has_come()
    return fay, gil


def tries(
    company: Company,
    client: Any,
    seat: int,
    word: str,
    fields: dict[str, Any],
    before: Rows | None = None,
) -> tuple[HttpResponse, bool]:
    """Try an action and take it back; return the answer, and whether anything was changed.

    What all rows are before it can be given to several tries of one scene.
    """
    who = Person("somebody", client=client)
    who.code, who.seat = company.ana.code, seat
    before = before or all_rows()
    with taken_back(), all_rows.writing() as statements:
        company.cast.dice.faces = [2] * 2000
        answer = who.does(word, tap="try", **fields)
        changed = bool(statements) and all_rows() != before
    return answer, changed


Cells = dict[str, tuple[Person, Person, int]]


def cells_of(company: Company, others: tuple[Person, Person], word: str) -> Cells:
    """Return by role: whose phone taps, for whose seat, and the answer it must get."""
    fay, gil = others
    ana, ben, dora, tess, kim = company.ana, company.ben, company.dora, company.tess, company.kim
    own, other, tablet, host = ACTS[word]
    stranger = Person("x")
    return {
        "own player": (ben, ben, own),
        "other player": (dora, dora, other),
        "other's phone as own": (dora, ben, 404),
        "player's phone as host": (ben, ana, 404),
        "tablet": (tess, tess, tablet),
        "tablet as host": (tess, ana, 404),
        "host": (ana, ana, host),
        "host's phone as own": (ana, ben, 404),
        "stranger": (stranger, ben, 404),
        "stranger as host": (stranger, ana, 404),
        "at the door": (kim, kim, 404),
        "another table's seat": (gil, gil, 404),
        "another table's seat as own": (gil, ben, 404),
        "another table's host": (fay, fay, 404),
        "another table's host as host": (fay, ana, 404),
    }


def test_every_action_is_for_the_roles_it_is_for(company: Company, others: tuple[Person, Person]):
    """One evening for all: every try is taken back."""
    wrong = []
    for word in ACTS:
        with taken_back():
            fields = stands_ready(company, word)
            before = all_rows()
            for role, (phone, seat, status) in cells_of(company, others, word).items():
                answer, changed = tries(company, phone.client, seat.seat, word, fields, before)
                is_told = answer.status_code < 400 or bool(notice(answer))
                if (answer.status_code, changed, is_told) != (status, status < 400, True):
                    wrong.append((word, role, answer.status_code, changed, notice(answer)))
    assert wrong == []


def test_the_table_would_show_a_sheet_that_stands_open(company: Company, monkeypatch):
    """The control: without the check of who plays a sheet, Dora writes on Ben's."""
    monkeypatch.setattr("characters.services.finding.plays", lambda seat, character: True)
    fields = stands_ready(company, "change_hp")
    answer, changed = tries(company, company.dora.client, company.dora.seat, "change_hp", fields)
    assert (answer.status_code, changed) == (204, True)


@pytest.mark.parametrize("word", ["fight-attack", "fight-stunt", "fight-engage", "fight-flee"])
def test_no_player_moves_a_foe_or_anothers_fighter(company: Company, word: str):
    fields = stands_ready(company, word)
    for actor in ("goblin-1", f"k{company.birch.pk}", f"k{company.shade.pk}", "k0", "k", ""):
        key = "of" if word == "fight-flee" else "by"
        answer, changed = tries(
            company, company.ben.client, company.ben.seat, word, {**fields, key: actor}
        )
        assert answer.status_code in (403, 422), (actor, notice(answer))
        assert not changed


def test_a_player_rolls_to_defend_only_where_the_players_roll_all(company: Company):
    company.fights()
    done(company.ana.does("side_done"))
    blow = {"by": "goblin-1", "on": company.id, "rolled_by": "defender"}
    for allowed, status in (("false", 403), ("true", 204)):
        setting = {"setting": "players_roll_all", "value": allowed}
        done(company.ana.does("configure_knave", **setting))
        answer, _changed = tries(
            company, company.ben.client, company.ben.seat, "fight-attack", blow
        )
        assert answer.status_code == status
        other, _changed = tries(
            company, company.dora.client, company.dora.seat, "fight-attack", blow
        )
        assert other.status_code == 403


# --- pages ---------------------------------------------------------------------------------------

ROLES = (
    "stranger",
    "own player",
    "other player",
    "tablet",
    "host",
    "another table's host",
    "at the door",
)
SHEET = dict(zip(ROLES, (404, 200, 403, 403, 200, 404, 404), strict=True))
PUBLIC = dict(zip(ROLES, (404, 200, 200, 200, 200, 404, 404), strict=True))

# name: the path, and the answer to each role.
ROUTES: dict[str, tuple[str, dict[str, int]]] = {
    "knave_blank": ("/knave/blank/", dict.fromkeys(ROLES, 200)),
    "knave_sheet": ("/t/{code}/knave/{ash}/", SHEET),
    "knave_print": ("/t/{code}/knave/{ash}/print/", SHEET),
    "knave_portrait": ("/t/{code}/knave/{ash}/portrait/", PUBLIC),
    "knave_shop": ("/t/{code}/knave/{ash}/shop/", SHEET),
    "graveyard": ("/t/{code}/graveyard/", PUBLIC),
    "view_as": (
        "/t/{code}/gm/as/{ben}/",
        dict(zip(ROLES, (404, 403, 403, 403, 200, 404, 403), strict=True)),
    ),
}


def test_every_page_of_knaves_is_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(ROUTES)


@pytest.fixture
def people(company: Company, others: tuple[Person, Person]) -> dict[str, Person]:
    Character.objects.filter(pk=company.ash.pk).update(
        portrait=b"\xff\xd8picture", portrait_at=timezone.now()
    )
    everybody = (
        Person("x"), company.ben, company.dora, company.tess, company.ana, others[0], company.kim
    )  # fmt: skip
    return dict(zip(ROLES, everybody, strict=True))


@pytest.mark.parametrize("name", ROUTES)
def test_a_page_is_for_the_roles_it_is_for(company: Company, people: dict[str, Person], name: str):
    path, expected = ROUTES[name]
    where = path.format(code=company.table.code, ash=company.ash.pk, ben=company.ben.seat)
    answers = {role: person.client.get(where) for role, person in people.items()}
    assert {role: answer.status_code for role, answer in answers.items()} == expected
    for role, answer in answers.items():
        if answer.status_code in (403, 404):
            # A form's token is 64 letters of luck, and has a name in it once in a while.
            assert "Ash" not in re.sub(r"\b\w{64}\b", "", answer.content.decode()), role


def test_a_hidden_sheet_has_no_page_for_players(company: Company, people: dict[str, Person]):
    """It answers as a sheet does that is not there at all."""
    shade = f"/t/{company.table.code}/knave/{company.shade.pk}/"
    nobody = f"/t/{company.table.code}/knave/999999/"
    for page in ("", "print/", "portrait/", "shop/"):
        for role in ("own player", "other player", "tablet"):
            there, nowhere = (people[role].client.get(at + page) for at in (shade, nobody))
            assert (there.status_code, notice(there)) == (nowhere.status_code, notice(nowhere))
            assert there.status_code == 404
    assert people["host"].client.get(shade).status_code == 200


def test_another_tables_sheet_is_nobodys_here(company: Company, others: tuple[Person, Person]):
    fay, _gil = others
    for page in ("", "print/", "portrait/", "shop/"):
        path = f"/t/{fay.table.code}/knave/{company.ash.pk}/{page}"
        assert fay.client.get(path).status_code == 404
    for word in ("change_hp", "use_item", "claim_item", "reach_goal", "show_pile", "close_call"):
        before = all_rows()
        answer = fay.does(word, **ASKED[word](company))
        assert answer.status_code == 404, word
        assert all_rows() == before


def picture() -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (40, 40), "teal").save(file, "PNG")
    return SimpleUploadedFile("me.png", file.getvalue(), "image/png")


SENT = dict(zip(ROLES, (404, 302, 403, 403, 302, 404, 404), strict=True))


@pytest.mark.parametrize("role", ROLES)
def test_a_portrait_is_sent_by_who_plays_the_sheet(
    company: Company, people: dict[str, Person], role: str
):
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    answer = people[role].client.post(path, {"tap": "try", "photo": picture()})
    assert answer.status_code == SENT[role]
    shown = people["own player"].client.get(path).content
    assert (shown != b"\xff\xd8picture") == (SENT[role] == 302)
