"""The admin's door: passwords are not guessed at without end."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from tests.games.party import Clock, Party


@pytest.fixture
def olga(db: None, clock: Clock) -> User:
    """She runs the server."""
    return User.objects.create_superuser("olga", password="right one")


def tries(password: str, *, name: str = "olga", address: str = "192.0.2.1") -> HttpResponse:
    form = {"username": name, "password": password}
    return Client().post("/admin/login/?next=/admin/", form, REMOTE_ADDR=address)


def test_ten_wrong_passwords_from_one_address_are_the_last_for_ten_minutes(
    olga: User, clock: Clock
):
    for n in range(settings.BAD_PASSWORDS_PER_ADDRESS):
        assert b"Too many" not in tries(f"wrong {n}", name=f"somebody {n}").content
    refused = tries("right one")
    assert refused.status_code == 200
    assert b"Too many wrong passwords" in refused.content
    assert tries("right one", address="192.0.2.2").status_code == 302
    clock.passes(seconds=601)
    assert tries("right one").status_code == 302


def test_a_name_is_not_guessed_at_from_everywhere(olga: User, clock: Clock, settings: Any):
    """With a bound that is sooner reached: each try is answered by a page of the admin's."""
    assert settings.BAD_PASSWORDS_PER_NAME == 50
    settings.BAD_PASSWORDS_PER_NAME = settings.BAD_PASSWORDS_PER_ADDRESS + 2
    for n in range(settings.BAD_PASSWORDS_PER_NAME):
        tries("wrong", name="Olga", address=f"198.51.100.{n}")
    assert b"Too many" in tries("right one", address="203.0.113.1").content
    clock.passes(seconds=601)
    assert tries("right one", address="203.0.113.1").status_code == 302


def test_the_answer_does_not_tell_whether_there_is_such_a_name(olga: User):
    def words(answer: HttpResponse) -> str:
        return answer.content.decode().split('class="errornote"')[1].split("</p>")[0]

    assert words(tries("wrong")) == words(tries("wrong", name="nobody"))


def test_guessing_passwords_does_not_close_the_door_of_tables(party: Party, settings: Any):
    settings.BAD_CODES_OVERALL = settings.BAD_CODES_PER_ADDRESS + 2
    for n in range(settings.BAD_CODES_OVERALL + 5):
        tries("wrong", name=f"n{n}", address=f"198.51.100.{n}")
    code = {"code": party.table.code}
    assert Client().post("/join/", code, REMOTE_ADDR="203.0.113.9").status_code == 302
    # The control: as many wrong codes do.
    for n in range(settings.BAD_CODES_OVERALL):
        Client().post("/join/", {"code": "ZZZZZZ"}, REMOTE_ADDR=f"198.51.100.{n}")
    assert Client().post("/join/", code, REMOTE_ADDR="203.0.113.9").status_code == 429
