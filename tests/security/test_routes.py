"""S3: every address of the site, for every role, by GET and by POST; one that is not listed fails.

What a role may do with each action is in the games' own tables (`who_may.py` of `tests/games`,
`tests/characters` and `tests/campaigns`): `act` and `api_actions` stand for them here.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from characters.models import Character
from games.models import Game, Seat
from games.rules import brave_or_knave as bk
from games.services.act import ACTIONS
from games.sharing import share_code
from tests.campaigns.conftest import SagaAt
from tests.campaigns.who_may import ACTS as OF_WICKED_AGE
from tests.characters.company import Company
from tests.characters.who_may import ACTS as OF_KNAVE
from tests.games.party import Person, done
from tests.games.who_may import ACTIONS as OF_BRAVE_OR_KNAVE
from tests.security.cells import CELLS, ROLES
from tests.security.figures import measured
from tests.security.routes import every_route, filled

# Who is no user of the admin's is sent to its login, whatever they ask for.
OF_THE_ADMIN = {"GET": 302, "POST": 302}
AT_THE_LOGIN = {"GET": 200, "POST": 200}
OUTSIDE = ("anonymous", "another table's host", "at the door", "removed")
# What is anybody's: nothing of a table stands in it.
PUBLIC = {
    "home", "open_table", "open_trial", "join_code", "set_language", "suggest", "scan", "take_over",
    "rules", "shared_rule", "api_schema", "manifest", "service_worker", "offline", "knave_blank",
    "phone", "join", "screen", "api_door",
}  # fmt: skip

ROUTES = [r for r in every_route() if not r[0].startswith("admin:")]
ADMIN = [r for r in every_route() if r[0].startswith("admin:")]


def people_of(host: Person, own: Person, other: Person, tablet: Person, kim: Person) -> dict:
    fay, gus = Person("Fay"), Person("Gil")
    fay.opens_table("The Goose")
    gus.joins(host.table)
    Seat.objects.filter(table=host.table, number=kim.seat).update(standing=Seat.Standing.KNOCKING)
    done(host.does("remove", who=gus.seat))
    everybody = (Person("x"), fay, kim, gus, tablet, own, other, host)
    return dict(zip(ROLES, everybody, strict=True))


@pytest.fixture
def at_knaves(company: Company) -> tuple[dict[str, Person], dict[str, Any]]:
    company.fights()
    done(company.ana.does("set_door", door="open"))
    portrait = {"portrait": b"\xff\xd8picture", "portrait_at": timezone.now()}
    Character.objects.filter(pk=company.ash.pk).update(**portrait)
    people = people_of(company.ana, company.ben, company.dora, company.tess, company.kim)
    fight = Game.objects.get(table=company.table, rules="knave_fight")
    return people, {"character": company.ash.pk, "seat": company.ben.seat, "fight": fight.pk}


@pytest.fixture
def at_a_campaign(saga_at: SagaAt) -> tuple[dict[str, Person], dict[str, Any]]:
    saga = saga_at("turn")
    done(saga.erin.does("set_door", door="open"))
    saga.dice.fall(*[1] * 5000)
    people = people_of(saga.erin, saga.amy, saga.tom, saga.tess, saga.kim)
    own = f"own-{saga.table.oracles.first().pk}"
    return people, {"number": 1, "sequence": 1, "oracle": own, "kind": "text"}


def found_at(
    name: str, names: tuple[str, ...], people: dict[str, Person], given: dict[str, Any]
) -> dict[str, str]:
    """Return by method what each role is answered; every try is taken back.

    Whoever asks for the head alone is answered as whoever asks for the page.
    """
    path = reverse(name, kwargs=filled(names, given))
    found = {}
    for method in ("get", "post"):
        statuses = []
        for role, person in people.items():
            with transaction.atomic():
                jar = copy.deepcopy(person.client.cookies)
                fields = {"tap": "try", "seat": person.seat, "action": "pause"}
                with CaptureQueriesContext(connection) as asked:
                    answer = getattr(person.client, method)(
                        path, fields if method == "post" else None
                    )
                assert method == "post" or not acts_in(asked), (name, role, acts_in(asked))
                statuses.append(str(answer.status_code))
                if (method, role) == ("get", "host"):
                    head = person.client.head(path)
                    assert (head.status_code, head.content) == (answer.status_code, b""), name
                transaction.set_rollback(True)
                person.client.cookies = jar
            is_told = answer.status_code in (200, 204)
            assert not (is_told and role in OUTSIDE and name not in PUBLIC), (name, role)
        found[method.upper()] = " ".join(statuses)
    return found


def acts_in(asked: CaptureQueriesContext) -> list[str]:
    """Return what was written; a visit may be noted in its session, and the first makes a house."""
    writes = [q["sql"] for q in asked if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    return [sql for sql in writes if not re.search('"django_session"|"games_house"', sql)]


def given_at(table: Any, more: dict[str, Any], token: str) -> dict[str, Any]:
    rule = share_code(bk.HouseRule("The Cat", "Meow!", 10, "both", (bk.Effect("reverse"),)))
    named = {"code": table.code, "key": table.key, "token": token, "packed": rule, "page": "phone"}
    return {**named, **more}


def walked(people: dict[str, Person], given: dict[str, Any], app: str) -> dict[str, Any]:
    """Return the cells of every route of one app."""
    own = people["seat A"]
    offer = own.does("offer_pass", who=own.seat).content.decode()
    given = given_at(own.table, given, offer.split("/seat/")[1].split("/")[0])
    found = {}
    for name, path, names in ROUTES:
        if app_of(name, path) == app:
            game = "knave" if name == "rules" else given.get("fight")
            found[name] = found_at(name, names, people, {**given, "game": game})
    return found


def app_of(name: str, path: str) -> str:
    if name.startswith("wicked"):
        return "campaigns"
    return "characters" if name.startswith("knave") or name in ("graveyard", "view_as") else "games"


def test_every_route_of_knaves_for_every_role(at_knaves: Any):
    found = walked(*at_knaves, "characters")
    assert found == {name: CELLS[name] for name in found}
    measured("S3", "cells", 2 * len(ROLES) * len(found))


def test_every_route_of_campaigns_for_every_role(at_a_campaign: Any):
    found = walked(*at_a_campaign, "campaigns")
    assert found == {name: CELLS[name] for name in found}
    measured("S3", "cells", 2 * len(ROLES) * len(found))


def test_every_route_of_the_house_for_every_role(at_knaves: Any):
    found = walked(*at_knaves, "games")
    assert found == {name: CELLS[name] for name in found}
    measured("S3", "cells", 2 * len(ROLES) * len(found))


def test_every_route_is_in_the_table():
    assert {name for name, _path, _names in ROUTES} == set(CELLS)
    assert set(ACTIONS) == set(OF_BRAVE_OR_KNAVE) | set(OF_KNAVE) | set(OF_WICKED_AGE)
    measured("S3", "actions with a row in a role matrix", len(ACTIONS))


def test_a_route_that_is_added_would_be_found(settings: Any):
    """The control: an address that nobody has listed."""
    settings.ROOT_URLCONF = "tests.security.one_more_route"
    assert "forgotten" in {name for name, _path, _names in every_route()}
    assert "forgotten" not in CELLS


def test_the_admin_is_for_its_users_alone(at_knaves: Any):
    """Everybody at a table, its host included, is sent to the login."""
    people, _given = at_knaves
    wrong = []
    assert ADMIN
    for name, path, names in ADMIN:
        at = "/" + path.split("<")[0].split("^")[0].split("(")[0]
        if names:
            at += "1/" if "object_id" in names else "games/"
        expected = AT_THE_LOGIN if name == "admin:login" else OF_THE_ADMIN
        for role in ("anonymous", "host"):
            for method, status in expected.items():
                found = getattr(people[role].client, method.lower())(at, follow=False).status_code
                if found != status:
                    wrong.append((name, at, role, method, found))
    assert wrong == []
    measured("S3", "cells", 4 * len(ADMIN))


def test_who_is_removed_is_as_a_stranger_in_every_cell():
    """And so is whoever hosts another table, but for what greets a newcomer."""
    for name, cells in CELLS.items():
        for method, statuses in cells.items():
            by_role = dict(zip(ROLES, statuses.split(), strict=True))
            stranger = by_role["anonymous"]
            assert by_role["removed"] == by_role["another table's host"] == stranger, (name, method)


def test_a_get_is_never_what_acts():
    """What changes anything answers GET with 405, or only asks."""
    acts = ("open_table", "open_trial", "join_code", "set_language", "act", "api_actions")
    for name in (*acts, "wicked_bring"):
        assert set(CELLS[name]["GET"].split()) == {"405"}, name
    assert Counter(len(c["GET"].split()) for c in CELLS.values()) == {len(ROLES): len(CELLS)}
