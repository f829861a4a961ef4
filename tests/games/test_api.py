"""The API takes the same way in as a tap, and tells a seat no more than its phone does."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.models import Device, Play
from games.services.tables import open_trial

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> tuple[Client, str]:
    device = Device.objects.create()
    table, _seat = open_trial(device, name="Ana", language="en")
    client = Client()
    session = client.session
    session["device"] = str(device.pk)
    session.save()
    return client, table.code


def post(client: Client, code: str, **body: object) -> tuple[int, dict[str, object]]:
    answer = client.post(
        f"/api/tables/{code}/actions/", json.dumps(body), content_type="application/json"
    )
    return answer.status_code, answer.json()


def test_a_program_sees_its_view_and_rolls_once(program: tuple[Client, str]) -> None:
    client, code = program
    seen = client.get(f"/api/tables/{code}/").json()
    assert seen["status"] == "playing"
    assert "hidden" not in json.dumps(seen)
    roll = {"seat": 1, "action": {"action": "roll"}, "tap": "one", "saw": seen["scene"]}
    first = post(client, code, **roll)
    again = post(client, code, **roll)
    assert (first[0], again[0]) == (200, 200)
    assert (first[1]["repeat"], again[1]["repeat"]) == (False, True)
    assert Play.objects.filter(action__action="roll").count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seat": 1, "tap": "a", "action": {"action": "fly"}},
        {"seat": 1, "tap": "a b", "action": {"action": "roll"}},
        {"seat": "1", "tap": "a", "action": {"action": "roll"}},
        {"seat": 1, "tap": "a", "action": []},
        {"seat": 1, "tap": "a", "action": {"action": "shout", "call": "loud"}},
    ],
)
def test_malformed_actions_are_answered_422(program: tuple[Client, str], body: dict) -> None:
    status, told = post(*program, **body)
    assert status == 422
    assert told["error"]


def test_strangers_and_other_seats_are_answered_404(program: tuple[Client, str]) -> None:
    client, code = program
    roll = {"action": {"action": "roll"}, "tap": "x"}
    assert post(Client(), code, seat=1, **roll)[0] == 404
    assert post(client, code, seat=2, **roll)[0] == 404


def test_a_post_without_the_token_is_refused(program: tuple[Client, str]) -> None:
    client, code = program
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    assert strict.post(f"/api/tables/{code}/actions/", "{}", "application/json").status_code == 403
