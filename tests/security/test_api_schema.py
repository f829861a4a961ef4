"""S8: the API does what its OpenAPI says, whatever is sent: no 500, no answer it does not name.

Requests are made by Schemathesis from the description itself, half of them as
it says, half of them not. Each is taken back, so that all meet a full table.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
import requests
import schemathesis
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks
from schemathesis.core.transport import Response
from schemathesis.specs.openapi import checks as specified

from characters.models import sheet
from games import api
from games.models import safety, table
from games.rules import brave_or_knave as bk
from games.services.act import ACTIONS, DEEDS
from tests.campaigns.conftest import SagaAt
from tests.characters.company import Company
from tests.games.party import Dice, Party, Person, done
from tests.games.scenes import playing
from tests.security.figures import measured
from tests.sizes import IS_FULL, size

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

A_SEED = 20261121
OF_AN_OPERATION = size(51, 1000)
OF_AN_ACTION = size(2, 30)
# With every change the games share an operation's cases; in the full size each game has all.
OF_A_GAME = size(OF_AN_OPERATION // 3, OF_AN_OPERATION)
GAMES = ("brave_or_knave", "knave", "wicked_age")
DESCRIBED: dict[str, Any] = json.loads(api._schema())
WORDS = sorted(w for w, kind in ACTIONS.items() if DEEDS[kind].may != "house")
# By operation: what is sent, where anything is, and what is answered.
SAYS = {
    "read_table": ("", "Table"),
    "look_at_door": ("", "Door"),
    "sit_down": ("SitsDown", "Door"),
    "take_action": ("Posted", "Done"),
}
CHECKS = [
    checks.not_a_server_error,
    specified.status_code_conformance,
    specified.content_type_conformance,
    specified.response_headers_conformance,
]


class House:
    """A table of one game, its people, and how to send them what Schemathesis thought of."""

    def __init__(self, people: list[Person], dice: Dice) -> None:
        self.people, self.dice = people, dice
        self.code = people[0].code
        self.found: Counter[int] = Counter()

    def sends(self, case: Any, who: Person, *, strays: bool) -> HttpResponse:
        """Send a case as somebody of this table: to it, unless it strays to where it names."""
        code = case.path_parameters.get("code") if strays else self.code
        path = case.operation.path.replace("{code}", str(code))
        body = self._body(case, who, strays)
        self.dice.faces = [1] * 500
        with transaction.atomic():
            answer: HttpResponse = who.client.generic(
                case.method,
                path,
                body,
                content_type=case.media_type or "",
                query_params=case.query or None,
            )
            transaction.set_rollback(True)
        self.found[answer.status_code] += 1
        return answer

    def _body(self, case: Any, who: Person, strays: bool) -> bytes:
        if isinstance(case.body, bytes):
            return case.body
        if isinstance(case.body, dict) and "seat" in case.body and not strays:
            case.body = {**case.body, "seat": who.seat}
        return json.dumps(case.body).encode() if case.method == "POST" else b""


@pytest.fixture
def house(request: pytest.FixtureRequest, dice: Dice) -> Callable[[str], House]:
    def open_(game: str) -> House:
        if game == "knave":
            company: Company = request.getfixturevalue("company")
            company.fights()
            return House([company.ana, company.ben, company.tess], dice)
        if game == "wicked_age":
            saga_at: SagaAt = request.getfixturevalue("saga_at")
            saga = saga_at("turn")
            return House([saga.erin, saga.amy, saga.tess], dice)
        party: Party = request.getfixturevalue("party")
        playing("ben")(party)
        return House([party.ana, party.ben, party.tess], dice)

    return open_


def operation(name: str, described: dict[str, Any] = DESCRIBED) -> Any:
    schema = schemathesis.openapi.from_dict(described)
    for one in schema.get_all_operations():
        if one.ok().definition.raw["operationId"] == name:
            return one.ok()
    raise AssertionError(name)


def as_received(answer: HttpResponse) -> Response:
    """Return an answer as a client on the network has it."""
    headers = {name.lower(): [value] for name, value in answer.headers.items()}
    request = requests.Request("GET", "http://testserver/").prepare()
    return Response(answer.status_code, headers, answer.content, request, 0.0, True)


def breaks_of(case: Any, answer: HttpResponse) -> str:
    """Return what the description did not say of an answer; an accepted body must be one of its."""
    try:
        case.validate_response(as_received(answer), checks=CHECKS)
        asked, told = SAYS[case.operation.definition.raw["operationId"]]
        valid(told if answer.status_code == 200 else "Refused").validate(json.loads(answer.content))
    except (Exception, BaseExceptionGroup) as broken:
        return f"{answer.status_code} {broken} {answer.content[:300]!r}"
    is_accepted = answer.status_code == 200 and case.method == "POST"
    if is_accepted and not valid(asked).is_valid(case.body):
        return f"accepted, though it is described otherwise: {case.body}"
    return ""


@cache
def valid(name: str) -> Any:
    """Return what tells whether something is as described; made once, as it takes long."""
    whole = {"$ref": f"#/components/schemas/{name}", "components": DESCRIBED["components"]}
    return jsonschema_rs.validator_for(whole)


def tried(house: House, what: Any, count: int) -> list[str]:
    """Send as many cases as asked, by all roles, half of them against the description."""
    broken: list[str] = []
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @seed(A_SEED)
        @settings(
            max_examples=max(1, count // 2),
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            what.as_strategy(generation_mode=mode),
            st.sampled_from(house.people),
            st.integers(0, 9).map(lambda n: n == 9),
        )
        def send(case: Any, who: Person, strays: bool) -> None:
            if wrong := breaks_of(case, house.sends(case, who, strays=strays)):
                broken.append(wrong)

        send()
    return broken


@pytest.mark.parametrize("game", GAMES)
def test_reading_a_table_is_answered_as_described(house: Callable[[str], House], game: str):
    here = house(game)
    assert tried(here, operation("read_table"), OF_A_GAME) == []
    assert here.found[200]
    measured("S8", "requests", here.found.total())


@pytest.mark.parametrize("what", ["look_at_door", "sit_down"])
def test_the_door_is_answered_as_described(house: Callable[[str], House], what: str):
    here = house("brave_or_knave")
    here.people += [Person("a newcomer") for _each in here.people]
    assert tried(here, operation(what), OF_AN_OPERATION) == []
    assert here.found[200]
    measured("S8", "requests", here.found.total())


@pytest.mark.parametrize("game", GAMES)
def test_any_action_is_answered_as_described(house: Callable[[str], House], game: str):
    here = house(game)
    assert tried(here, operation("take_action"), OF_A_GAME) == []
    assert set(here.found) >= {404, 409, 422} or not IS_FULL
    measured("S8", "requests", here.found.total())


def only(word: str) -> dict[str, Any]:
    """Return the description of an API with one action."""
    schemas = DESCRIBED["components"]["schemas"]
    one = {"$ref": schemas["Action"]["discriminator"]["mapping"][word]}
    return {**DESCRIBED, "components": {"schemas": {**schemas, "Action": one}}}


@pytest.mark.parametrize("game", GAMES)
def test_each_action_is_answered_as_described(house: Callable[[str], House], game: str):
    """With every change a few of them; all of them in the full size."""
    here, broken = house(game), []
    words = WORDS if IS_FULL else WORDS[GAMES.index(game) :: 54]
    for word in words:
        cases = operation("take_action", only(word))
        broken += [f"{word}: {one}" for one in tried(here, cases, OF_AN_ACTION)]
    assert broken == []
    measured("S8", "requests", here.found.total())


# --- the description itself ----------------------------------------------------------------------


def test_every_action_is_described_with_its_word_and_its_fields():
    """One that is added is in it; what only the house does is not."""
    schemas = DESCRIBED["components"]["schemas"]
    mapping = schemas["Action"]["discriminator"]["mapping"]
    assert sorted(mapping) == WORDS
    for word, place in mapping.items():
        described = schemas[place.rsplit("/", 1)[1]]
        assert described["properties"]["action"]["const"] == word
        fields = ACTIONS[word].__struct_encode_fields__
        assert set(described["properties"]) == {"action", *fields}
    assert set(bk.ACTIONS) - set(WORDS) <= {"close"}


def _longest(field: dict[str, Any]) -> int:
    """Return how many letters a described text may have, by a bound or by its words."""
    if "maxLength" in field:
        return int(field["maxLength"])
    told = re.match(r"At most (\d+) letters", field.get("description", ""))
    return int(told[1]) if told else 0


def test_every_text_of_an_action_is_described_with_how_long_it_may_be():
    """A program that asks somebody for a name can say where it ends; so has every row its end."""
    schemas = DESCRIBED["components"]["schemas"]
    mapping = schemas["Action"]["discriminator"]["mapping"]
    fields = {
        (word, name): field
        for word, place in mapping.items()
        for name, field in schemas[place.rsplit("/", 1)[1]]["properties"].items()
        if name != "action"
    }
    texts = {key: _longest(field) for key, field in fields.items() if field.get("type") == "string"}
    assert not [key for key, longest in texts.items() if not longest]
    assert texts["name_guild", "name"] == texts["add_player", "name"] == table.NAME_LENGTH
    assert texts["rename_table", "name"] == table.TABLE_NAME_LENGTH
    assert texts["add_content_line", "text"] == safety.LONGEST_LINE
    knaves = {"hire", "add_npc", "prepare_encounter", "confirm_knave", "edit_knave", "add_item"}
    assert {texts[word, "name"] for word in knaves | {"new_pile"}} == {sheet.NAME_LENGTH}
    rows = [key for key, field in fields.items() if field.get("minimum", -1) in (0, 1)]
    assert not [key for key in rows if "maximum" not in fields[key]]


def test_the_description_is_valid_and_every_answer_has_a_reason():
    schema = schemathesis.openapi.from_dict(DESCRIBED)
    schema.validate()
    known = DESCRIBED["components"]["securitySchemes"]
    for path in DESCRIBED["paths"].values():
        for one in path.values():
            assert {name for way in one["security"] for name in way} <= set(known)
            for status, answer in one["responses"].items():
                assert status == "200" or answer["description"], (one["operationId"], status)


def test_anybody_may_read_the_description_and_it_names_no_table(db):
    answer = Client().get("/api/schema/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(answer.content) == DESCRIBED


def test_every_refusal_has_one_shape(party: Party):
    """Also where Django or the framework refuses before us."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = party.ana.client.cookies
    actions = f"/api/tables/{party.table.code}/actions/"
    for answer in (
        strict.post(actions, "{}", content_type="application/json"),
        party.ana.client.post(actions, "{", content_type="application/json"),
        party.ana.client.post(actions, "x", content_type="text/plain"),
        party.ana.client.get(actions),
        Client().get("/api/tables/ZZZZZZ/"),
        Client().get("/api/nothing/"),
    ):
        assert 400 <= answer.status_code < 500
        assert set(answer.json()) == {"error", "field"}, answer.content
        assert answer.json()["error"]


# --- controls ------------------------------------------------------------------------------------


def test_a_fault_would_be_found(house: Callable[[str], House], monkeypatch):
    def fails(*args: Any, **kwargs: Any) -> None:
        raise KeyError("on purpose")

    monkeypatch.setattr("games.api.at_table", fails)
    here = house("brave_or_knave")
    for person in here.people:
        person.client.raise_request_exception = False
    assert any(one.startswith("500") for one in tried(here, operation("take_action"), 12))


def test_an_answer_that_is_not_described_would_be_found(house: Callable[[str], House], monkeypatch):
    real = api.snapshot.load

    def odd(key: int) -> Any:
        now = real(key)
        return type(now)(**{**vars(now), "epoch": 7})

    monkeypatch.setattr("games.api.snapshot.load", odd)
    assert tried(house("brave_or_knave"), operation("read_table"), 10)


def test_a_body_that_is_accepted_though_it_is_not_described_would_be_found(
    house: Callable[[str], House],
):
    here = house("knave")
    cases = operation("take_action", only("roll_dice"))
    case = cases.Case(
        path_parameters={"code": here.code},
        media_type="application/json",
        body={"seat": 0, "tap": "x", "action": {"action": "roll_dice", "dice": "d6"}},
    )
    answer = done(here.sends(case, here.people[0], strays=False))
    assert breaks_of(case, answer) == ""
    case.body = {**case.body, "surprise": 1}
    assert "described otherwise" in breaks_of(case, answer)
