"""S4: what guessing codes is worth, by the limits and lengths that are set."""

from __future__ import annotations

import inspect
import math

import pytest
from django.conf import settings
from django.test import Client, override_settings

from games import limits
from games.deeds.table import DOOR_HOURS
from games.models import Table, table
from games.models.table import CODE_LENGTH, CODE_SYMBOLS
from tests.games.party import Party
from tests.security.figures import measured

OPEN_TABLES = 100
A_DAY = 24 * 60
AT_MOST = 0.0102  # one per cent, as the arithmetic of 31 symbols has it


def chance(tables: int, guesses: float, codes: int) -> float:
    """Return how likely it is that one of so many guesses opens one of so many tables."""
    return 1 - math.exp(guesses * math.log1p(-tables / codes))


def test_a_day_of_guessing_opens_one_of_a_hundred_tables_in_one_of_a_hundred_cases():
    minutes = limits.OVERALL_WINDOW.total_seconds() / 60
    guesses = settings.BAD_CODES_OVERALL / minutes * A_DAY
    found = chance(OPEN_TABLES, guesses, len(CODE_SYMBOLS) ** CODE_LENGTH)
    assert found <= AT_MOST
    measured("S4", "chance of a hit in a day, %", round(100 * found, 2))


def test_shorter_codes_or_wider_limits_would_not_do():
    """The control: four letters are certain to be found; so is a limit ten times as wide."""
    assert chance(OPEN_TABLES, 60 * A_DAY, 26**4) > 0.99
    assert chance(OPEN_TABLES, 600 * A_DAY, len(CODE_SYMBOLS) ** CODE_LENGTH) > AT_MOST


def test_the_limits_are_those_of_the_goal():
    assert settings.BAD_CODES_PER_ADDRESS <= 10
    assert limits.ADDRESS_WINDOW.total_seconds() >= 600
    assert settings.BAD_CODES_OVERALL <= 60
    assert limits.OVERALL_WINDOW.total_seconds() >= 60
    assert DOOR_HOURS <= 12


def test_codes_and_keys_are_made_by_the_systems_own_chance():
    assert "secrets.choice" in inspect.getsource(table.new_code)
    assert len(set(CODE_SYMBOLS)) == len(CODE_SYMBOLS) == 31
    keys = {Table(name="x").key for _n in range(50)}
    assert len(keys) == 50
    assert min(map(len, keys)) >= 22  # 128 bits in letters of six bits


def test_an_address_closes_the_door_for_itself_alone(party: Party):
    """Ten wrong codes from one phone: others at other addresses join by code as before."""
    attacker = Client()
    for _guess in range(settings.BAD_CODES_PER_ADDRESS + 5):
        attacker.post("/join/", {"code": "ZZZZZZ"}, REMOTE_ADDR="192.0.2.66")
    other = Client().post("/join/", {"code": party.table.code}, REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 302
    refused = attacker.post("/join/", {"code": party.table.code}, REMOTE_ADDR="192.0.2.66")
    assert refused.status_code == 429


@pytest.mark.parametrize(
    "one_guesser",
    ["2001:db8:0:1::{n:x}", "[2001:db8:0:1::5]:{n}", "203.0.113.5:{n}", "::ffff:203.0.113.5"],
)
def test_nobody_is_more_than_one_guesser_behind_a_proxy(party: Party, one_guesser: str):
    """A household has 2^64 addresses of IPv6, and some proxies tell the port with the address: one
    person could guess without end, and close typed codes for everybody (sixty a minute)."""
    behind = {"REMOTE_ADDR": "10.0.0.1"}
    addresses = [one_guesser.format(n=1000 + n) for n in range(settings.BAD_CODES_PER_ADDRESS + 1)]
    addresses[0] = addresses[0].replace("::ffff:203", "203")
    with override_settings(TRUSTED_PROXY="10.0.0.1"):
        told = [
            Client().post("/join/", {"code": "ZZZZZZ"}, headers={"X-Forwarded-For": one}, **behind)
            for one in addresses
        ]
        assert [answer.status_code for answer in told[:10]] == [404] * 10
        assert told[10].status_code == 429
        for other in ("2001:db8:0:2::1", "203.0.113.6:1001"):
            answer = Client().post(
                "/join/", {"code": party.table.code}, headers={"X-Forwarded-For": other}, **behind
            )
            assert answer.status_code == 302


def test_where_the_door_asks_a_right_guess_is_a_knock(party: Party):
    party.ana.does("set_door", door="ask")
    code = party.table.code
    stranger = Client()
    assert stranger.post("/join/", {"code": code}).status_code == 302
    assert stranger.post(f"/t/{code}/join/", {"name": "Mallory"}).status_code == 302
    assert stranger.get(f"/t/{code}/records/").status_code == 404
    assert b"Ben" not in stranger.get(f"/t/{code}/").content
