"""docs/programs.md: a program that knows nothing else comes in, plays, and hears of news."""

from __future__ import annotations

import json
import re
import secrets
import sys
from email.message import Message
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from urllib import error, request
from urllib.parse import urlsplit
from urllib.response import addinfourl

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from config.asgi import application
from games.models import Table
from tests.games.party import Party, done
from tests.starting import ROOT

TEXT = (ROOT / "docs/programs.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
HOUSE = "http://testserver"


class ToTheTestHouse(request.HTTPHandler):
    """Carries what `urllib` sends to the house of these tests, which asks for every token."""

    def http_open(self, asked: request.Request) -> Any:
        headers = {name: value for name, value in asked.header_items() if name != "Content-type"}
        client = Client(enforce_csrf_checks=True, headers=headers)
        answer = client.generic(
            asked.get_method(),
            urlsplit(asked.full_url).path,
            asked.data or b"",
            content_type=asked.get_header("Content-type") or "",
        )
        told = Message()
        for name, value in answer.headers.items():
            told[name] = value
        for cookie in answer.cookies.values():
            told["Set-Cookie"] = cookie.OutputString()
        response = addinfourl(BytesIO(answer.content), told, asked.full_url, answer.status_code)
        response.msg = answer.reason_phrase  # type: ignore[attr-defined]
        return response


@pytest.fixture
def program(party: Party, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The examples as they stand there, given the house, a table and a name."""
    monkeypatch.setattr(request, "HTTPHandler", ToTheTestHouse)
    monkeypatch.setattr(sys, "argv", ["bot.py", HOUSE, party.table.code, "Robin"])
    known: dict[str, Any] = {"__name__": "bot"}
    for example in EXAMPLES:
        exec(example, known)
    known["secrets"] = SimpleNamespace(choice=lambda some: some[0], token_hex=secrets.token_hex)
    return known


def test_a_program_that_knows_only_the_document_sits_down_and_plays(
    party: Party, program: dict[str, Any]
):
    seat = program["sit_down"]()["seat"]
    assert program["read"]()["seat"] == seat
    assert party.table.seats.get(number=seat).name == "Robin"
    program["pick"]()
    party.begins().rolls(party.ana, 4)
    before = program["read"]()
    assert before["view"]["standing"] == 4
    program["play"]()
    assert program["read"]()["seq"] > before["seq"]


def test_bk23_a_program_that_has_no_real_die_lays_none_under_the_hand(
    party: Party, program: dict[str, Any]
):
    """It could not read it afterwards, and the bout would wait for it for ever."""
    seat = program["sit_down"]()["seat"]
    program["pick"]()
    done(party.ana.does("configure", setting="has_shroud", value="true"))
    done(party.ben.does("pick_number", number=18))
    done(party.ana.does("choose_first", who=seat))
    done(party.ana.does("start_bout"))
    done(party.ben.does("shroud"))
    assert program["read"]()["legal"][1] == {"action": "roll", "cupped": True}
    program["secrets"].choice = lambda some: some[-1]
    party.dice.fall(6)
    program["play"]()
    assert (party.phase, party.state.cupped) == ("blind", False)


def test_a_program_is_refused_in_the_ways_that_the_document_says(
    party: Party, program: dict[str, Any]
):
    with pytest.raises(error.HTTPError) as stranger:
        program["read"]()
    assert stranger.value.code == 404
    program["sit_down"]()
    seat = program["read"]()["seat"]
    for action, status in (({"action": "pick_number", "number": 1}, 422),
                           ({"action": "start_bout"}, 403)):  # fmt: skip
        with pytest.raises(error.HTTPError) as refused:
            program["act"](seat, action)
        assert refused.value.code == status
        assert set(json.load(refused.value)) == {"error", "field"}
    path = f"{HOUSE}/api/tables/{party.table.code}/actions/"
    untold = request.Request(path, b"{}", {"Content-Type": "application/json"})
    with pytest.raises(error.HTTPError) as forged:
        program["web"].open(untold)
    assert forged.value.code == 403


def refusal(program: dict[str, Any], action: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(error.HTTPError) as refused:
        program["act"](program["read"]()["seat"], action)
    assert refused.value.code == 422
    told: dict[str, str] = json.load(refused.value)
    return told


def test_a_program_is_told_what_a_phone_is_told(party: Party, program: dict[str, Any]):
    """It read of a number what fits any number, and of an unknown action not what was unknown."""
    program["sit_down"]()
    for unknown in ({"action": "fly"}, {}, {"action": ["pick_number"]}):
        assert refusal(program, unknown)["field"] == "action"
    for number in (1, 20, "x"):
        told = refusal(program, {"action": "pick_number", "number": number})
        assert told == {
            "error": "Choose a personal number from 2 to 19.",
            "field": "number",
        }


@pytest.mark.parametrize("rules", ["knave", "wicked_age"])
def test_the_other_games_are_opened_and_read_as_the_document_says(db: None, rules: str):
    assert f"`{rules}`" in TEXT
    client = Client(headers={"Origin": HOUSE})
    form = {"host_name": "Ana", "table_name": "Den", "rules": rules, "tap": secrets.token_hex(8)}
    code = client.post("/start/", form).headers["Location"].split("/")[2]
    guest = Client(headers={"Origin": HOUSE})
    guest.post(f"/api/tables/{code}/door/", {"name": "Ben"}, content_type="application/json")
    host_reads, guest_reads = (c.get(f"/api/tables/{code}/").json() for c in (client, guest))
    for part in ("board", "my", "gm"):
        assert f"`{part}`" in TEXT
        assert host_reads[part]
    assert guest_reads["board"]
    assert guest_reads["my"]
    assert not guest_reads.get("gm")


@pytest.mark.parametrize("address", ["/start/", "/try/"])
def test_what_is_no_form_opens_no_table(db: None, address: str):
    """Its fields counted as left out, so that a table by some other name was opened."""
    client = Client(headers={"Accept-Language": "es"})
    sent = {"host_name": "Ana", "table_name": "Den"}
    answer = client.post(address, sent, content_type="application/json")
    assert answer.status_code == 415
    assert "Aquí solo se admite un formulario." in answer.content.decode()
    assert not Table.objects.exists()
    assert client.generic("POST", address, b"").status_code == 302, "with all left out"


class Socket:
    """What the document's `changes` needs of a socket."""

    def __init__(self, line: WebsocketCommunicator) -> None:
        self.line = line

    def __aiter__(self) -> Socket:
        return self

    async def __anext__(self) -> str:
        return str(await self.line.receive_from(timeout=10))

    async def send(self, text: str) -> None:
        await self.line.send_to(text_data=text)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", ["player", "screen"])
def test_a_program_hears_of_news_by_a_socket(party: Party, program: dict[str, Any], role: str):
    """Where the document says: a shared screen's was closed there as no longer its seat's."""
    addresses = dict(re.findall(r"`(/ws/t/CODE/(\w+)/SEAT/)`", TEXT))
    by_page = {page: address for address, page in addresses.items()}
    program["get"]("door/")
    seat = program["post"]("door/", {"name": "Robin", "role": role})["seat"]
    cookies = "; ".join(f"{c.name}={c.value}" for c in program["cookies"])
    address = by_page["screen" if role == "screen" else "phone"]
    path = address.replace("CODE", party.table.code).replace("SEAT", str(seat))
    headers = [(b"origin", HOUSE.encode()), (b"host", b"testserver"), (b"cookie", cookies.encode())]

    async def hear() -> list[int]:
        line = WebsocketCommunicator(application, path, headers=headers)
        assert (await line.connect())[0]
        heard = []
        async for seq in program["changes"](Socket(line)):
            heard.append(seq)
            if len(heard) == 2:
                break
            await sync_to_async(party.ben.does)("pick_number", number=7)
        await line.disconnect()
        return heard

    first, second = async_to_sync(hear)()
    assert second > first


def test_the_document_names_what_the_schema_has(party: Party):
    known = json.dumps(party.ana.client.get("/api/schema/").json())
    for word in ("/api/tables/{code}/actions/", "/api/tables/{code}/door/",
                 "door", "standing", "legal", "scene", "seat", "saw", "tap", "repeat",
                 "dice", "x-may", "pick_number", "start_bout"):  # fmt: skip
        assert word in known
        assert word.replace("{code}", "CODE") in TEXT
