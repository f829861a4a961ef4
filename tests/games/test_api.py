"""The API for programs: the same door, the same refusals, nothing more to be seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from games.services.act import DEEDS
from tests.games.party import Party, Person, done, everything_kept


def posts(
    who: Person, body: Any, *, tap: str = "press", seat: Any = None, **more: Any
) -> HttpResponse:
    if isinstance(body, dict):
        seat = who.seat if seat is None else seat
        body = json.dumps({"seat": seat, "action": body, "tap": tap, **more})
    path = f"/api/tables/{who.code}/actions/"
    return who.client.post(path, body, content_type="application/json")


def test_a_program_plays_by_the_same_door(party: Party):
    answer = posts(party.ben, {"action": "pick_number", "number": 7})
    assert answer.status_code == 200
    assert answer.json()["repeat"] is False
    assert party.entrant(party.ben).number == 7
    again = posts(party.ben, {"action": "pick_number", "number": 7})
    assert again.json()["repeat"] is True


def test_a_program_sees_what_its_seat_sees(party: Party):
    party.begins().rolls(party.ana, 7)
    told = party.ben.client.get(f"/api/tables/{party.table.code}/").json()
    assert told["view"]["standing"] == 7
    assert told["seq"] == party.table.seq
    assert {"action": "shout", "call": "brave", "at_ms": 0} in told["legal"]
    tablet = party.tess.client.get(f"/api/tables/{party.table.code}/").json()
    assert tablet["legal"] == []


@pytest.mark.parametrize("asked", ["99", "{ben}", "{ana}&seat={ben}", "{ana}.0", "x", ""])
def test_a_program_that_names_a_seat_is_told_of_no_other(party: Party, asked: str):
    """S3, and as the schema says: 404 alike for one that is not there and one of another's."""
    party.begins()
    path = f"/api/tables/{party.table.code}/?seat="
    assert party.ana.client.get(f"{path}{party.ana.seat}").status_code == 200
    answer = party.ana.client.get(path + asked.format(ana=party.ana.seat, ben=party.ben.seat))
    assert answer.status_code == 404
    assert answer.json()["error"] == "That seat is not on this phone."


@pytest.mark.parametrize(
    ("played", "ways"), [("server", [False]), ("real", [True]), ("either", [False, True])]
)
def test_bk23_a_program_is_offered_only_the_rolls_that_the_tables_dice_allow(
    party: Party, played: str, ways: list[bool]
):
    def offered() -> list[bool]:
        told = party.ana.client.get(f"/api/tables/{party.table.code}/").json()
        return sorted(move["cupped"] for move in told["legal"] if move["action"] == "roll")

    party.begins(has_shroud="true", dice=played)
    assert offered() == [False]
    done(party.ben.does("shroud"))
    assert offered() == ways
    party.dice.fall(12)
    assert posts(party.ana, {"action": "roll", "cupped": ways[-1]}).status_code == 200


def test_in_a_pause_a_program_is_offered_no_move_and_told_why(party: Party):
    """It read of moves that were refused one by one, and of no pause."""

    def read() -> dict[str, Any]:
        told: dict[str, Any] = party.ana.client.get(f"/api/tables/{party.table.code}/").json()
        return told

    party.begins()
    moves = read()["legal"]
    assert moves
    done(party.ana.does("pause"))
    assert (read()["paused"], read()["legal"]) == (True, [])
    done(party.ana.does("resume"))
    assert (read()["paused"], read()["legal"]) == (False, moves)


def test_bk8_by_mouth_a_program_is_offered_no_shout_and_may_not_shout(party: Party):
    def offers_a_shout() -> bool:
        told = party.ben.client.get(f"/api/tables/{party.table.code}/").json()
        return any(move["action"] == "shout" for move in told["legal"])

    party.begins(shouting="mouth").rolls(party.ana, 7)
    assert not offers_a_shout()
    assert posts(party.ben, {"action": "shout", "call": "brave"}).status_code == 403
    assert party.phase == "shout"
    assert not party.state.shouts
    done(party.ana.does("configure", setting="shouting", value="phones"))
    assert offers_a_shout()
    assert posts(party.ben, {"action": "shout", "call": "brave"}).status_code == 200


def test_bk23_a_program_does_not_see_under_the_shroud(party: Party):
    party.begins(has_shroud="true")
    done(party.ben.does("shroud"))
    told = []
    for face in (6, 14):
        party.rolls(party.ana, face)
        told.append(party.ana.client.get(f"/api/tables/{party.table.code}/").json())
        done(party.ana.does("undo", event=party.events("CupRolled")[-1].seq))
        assert "hidden" not in json.dumps(told[-1])
    first, second = ({k: v for k, v in t.items() if k not in ("seq", "scene")} for t in told)
    assert first == second


def test_a_program_does_not_choose_the_instant_of_its_shout(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave")
    party.clock.passes(300)
    assert posts(dora, {"action": "shout", "call": "knave", "at_ms": 1}).status_code == 200
    assert max(party.state.shouts, key=lambda s: s.at_ms).seat == 2


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[]", "null", "1", '"x"', "{}", "[" * 5000, "[" * 100_000, '{"a":' * 50_000,
        "\u0000", "9" * 5000, '{"\\ud800": 1, "\\ud800": 2}',
        '{"seat": 1}', '{"seat": 1e999, "action": {}, "tap": "x"}',
    ],
    ids=range(15),
)  # fmt: skip
def test_any_body_is_answered(party: Party, body):
    kept = everything_kept()
    assert 400 <= posts(party.ana, body).status_code < 500
    assert everything_kept() == kept


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"action": None},
        {"action": []},
        {"action": {"a": 1}},
        {"action": "fly"},
        {"action": "pick_number"},
        {"action": "pick_number", "number": "7"},
        {"action": "pick_number", "number": 20},
        {"action": "pick_number", "number": 10**30},
        {"action": "undo", "event": 10**30},
        {"action": "undo", "event": 2**63},
        {"action": "drop_house_rule", "rule": 2**64},
        {"action": "deal", "fingers": [10**30]},
        {"action": "deal", "fingers": [1] * 10_000},
        {"action": "name", "to": -1, "call": "brave"},
        {"action": "name_guild", "name": "x" * 10_000},
    ],
)
def test_any_action_is_answered(party: Party, action):
    kept = everything_kept()
    answer = posts(party.ana, action)
    assert answer.status_code in (409, 422)
    assert answer.json()["error"]
    assert everything_kept() == kept


@pytest.mark.parametrize(
    "more", [{"seat": 10**30}, {"seat": -1}, {"seat": "1"}, {"saw": "x"}, {"tap": "a b"},
             {"tap": "x" * 65}, {"dice": "7"}, {"dice": [21]}, {"surprise": 1}],
)  # fmt: skip
def test_anything_beside_the_action_is_answered(party: Party, more):
    party.begins()
    kept = everything_kept()
    assert posts(party.ana, {"action": "roll"}, **more).status_code in (404, 422)
    assert everything_kept() == kept


@pytest.mark.parametrize("seen", [10**30, -5, 0])
def test_any_scene_is_answered(party: Party, seen):
    party.begins()
    assert posts(party.ana, {"action": "roll"}, saw=seen).status_code == 409


def test_a_program_without_a_seat_is_not_answered(party: Party):
    for kind in DEEDS:
        action = {"action": kind.__struct_config__.tag}
        assert posts(party.cleo, action, seat=party.ana.seat).status_code in (404, 422)
    assert party.cleo.client.get(f"/api/tables/{party.table.code}/").status_code == 404


def test_no_other_site_posts_with_our_cookies(party: Party):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = party.ana.client.cookies
    answer = strict.post(
        f"/api/tables/{party.table.code}/actions/",
        json.dumps({"seat": party.ana.seat, "action": {"action": "pause"}, "tap": "x"}),
        content_type="application/json",
    )
    assert answer.status_code == 403
    assert party.table.paused_at is None
    door = f"/api/tables/{party.table.code}/door/"
    answer = strict.post(door, json.dumps({"name": "Ann"}), content_type="application/json")
    assert answer.status_code == 403


def test_guesses_by_the_api_are_counted(party: Party):
    for _guess in range(10):
        assert Client().get("/api/tables/ZZZZZZ/").status_code == 404
    answer = Client().get(f"/api/tables/{party.table.code}/")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]


def test_a_fault_of_ours_is_told_to_programs_as_they_read(party: Party, monkeypatch):
    def fails(*_args: Any) -> None:
        raise KeyError("on purpose")

    monkeypatch.setattr("games.api.at_table", fails)
    party.ben.client.raise_request_exception = False
    answer = posts(party.ben, {"action": "pick_number", "number": 7})
    assert answer.status_code == 500
    assert set(json.loads(answer.content)) == {"error", "field"}


# --- coming in -----------------------------------------------------------------------------------


def at_the_door(client: Client, code: str, **told: Any) -> HttpResponse:
    path = f"/api/tables/{code}/door/"
    return client.post(path, json.dumps(told), content_type="application/json")


def test_a_program_sits_down_by_the_api_and_is_told_which_seat_it_has(party: Party):
    """docs/programs.md. By the page's form alone it read of a refusal in the middle of a page."""
    robin, code = Client(), party.table.code
    door = {"table": party.table.name, "game": "brave_or_knave", "door": "open"}
    looked = robin.get(f"/api/tables/{code}/door/")
    assert looked.json() == {**door, "seat": None, "standing": None}
    sat = at_the_door(robin, code, name="Robin", language="es")
    seat = party.table.seats.get(name="Robin")
    assert sat.json() == {**door, "seat": seat.number, "standing": "seated"}
    assert (seat.role, seat.language) == ("player", "es")
    assert robin.get(f"/api/tables/{code}/").json()["seat"] == seat.number
    again = at_the_door(robin, code, name="Robin the Second")
    assert again.json()["seat"] == seat.number, "one that comes again has the seat it had"


@pytest.mark.parametrize(
    ("told", "status", "starts"),
    [
        ({"action": {"action": "start_bout"}}, 403, "A la espera"),
        ({"action": {"action": "pick_number", "number": 1}}, 422, "Elige un número"),
        ({"action": {"action": "hop"}}, 422, "Eso no se puede"),
        ({"seat": 1, "action": {"action": "knock"}}, 404, "Ese asiento"),
    ],
)
def test_a_program_is_refused_in_its_seats_language(
    party: Party, told: dict[str, Any], status: int, starts: str
):
    """As by a form, and from the moment on at which it says that it speaks another."""
    robin, code = Client(), party.table.code
    seat = at_the_door(robin, code, name="Robin", language="en").json()["seat"]
    path = f"/api/tables/{code}/actions/"
    speaks = {"seat": seat, "tap": "speaks", "action": {"action": "speak", "language": "es"}}
    assert robin.post(path, json.dumps(speaks), content_type="application/json").status_code == 200
    body = json.dumps({"seat": seat, "tap": "press", **told})
    answer = robin.post(path, body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json()["error"].startswith(starts)


@pytest.mark.parametrize("where", ["actions", "door"])
def test_a_body_that_is_left_out_is_no_json(party: Party, where: str):
    """As the description has it; the door took that for one in which nothing was said."""
    kept = everything_kept()
    path = f"/api/tables/{party.table.code}/{where}/"
    answer = party.ana.client.post(path, b"", content_type="application/json")
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "field"}
    assert everything_kept() == kept


def test_a_field_that_stands_twice_is_refused(party: Party):
    """As in a record: nobody could tell which of the two the program meant."""
    kept = everything_kept()
    roll = '{"action": "roll"}'
    body = f'{{"seat": {party.ana.seat}, "action": {roll}, "tap": "a", "tap": "b"}}'
    answer = posts(party.ana, body)
    assert answer.status_code == 422
    assert answer.json() == {"error": "“tap” stands here twice", "field": "tap"}
    assert everything_kept() == kept


def test_a_field_that_an_action_does_not_have_is_refused(party: Party):
    """Of dice within a roll, as records have them, the house rolled others; `suer` was not sure."""
    kept = everything_kept()
    for name, more in (("roll", {"dice": [4]}), ("undo", {"event": 1, "suer": True})):
        answer = posts(party.ana, {"action": name, **more})
        assert answer.status_code == 422
        assert answer.json() == {"error": "There is no such field here.", "field": list(more)[-1]}
    assert everything_kept() == kept


@pytest.mark.parametrize("where", ["actions", "door"])
def test_a_body_is_read_no_further_than_a_form(party: Party, where: str, settings: Any):
    """S1: one of 26 MB made others wait for four seconds, and took a gigabyte that it kept."""
    told = {"name": "Robin"} if where == "door" else {"seat": 1, "tap": "x", "action": {}}
    body = json.dumps(told).ljust(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    path = f"/api/tables/{party.table.code}/{where}/"
    answer = Client().post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (413, "That is too long.")
    assert not party.table.seats.filter(name="Robin").exists()


@pytest.mark.parametrize("where", ["actions", "door"])
def test_a_form_with_files_is_no_json(party: Party, where: str):
    """S1: its parts are read for the token, and nothing is read twice: that was a 500."""
    strict, path = Client(enforce_csrf_checks=True), f"/api/tables/{party.table.code}/{where}/"
    strict.cookies = party.ana.client.cookies
    strict.get(f"/api/tables/{party.table.code}/door/")
    token = strict.cookies[settings.CSRF_COOKIE_NAME].value
    answer = strict.post(path, {"name": "Robin"}, headers={"X-CSRFToken": token})
    assert answer.status_code == 415
    assert set(answer.json()) == {"error", "field"}


def test_a_program_may_be_a_shared_screen(party: Party):
    sat = at_the_door(Client(), party.table.code, role="screen", name="ignored")
    seat = party.table.seats.get(number=sat.json()["seat"])
    assert (seat.role, seat.name) == ("screen", "Shared screen")


def test_a_program_knocks_where_the_host_admits_and_reads_nothing_until_then(party: Party):
    done(party.ana.does("set_door", door="ask"))
    robin, code = Client(), party.table.code
    knocked = at_the_door(robin, code, name="Robin").json()
    assert (knocked["door"], knocked["standing"]) == ("ask", "knocking")
    assert robin.get(f"/api/tables/{code}/").status_code == 404
    done(party.ana.does("admit", who=knocked["seat"]))
    assert robin.get(f"/api/tables/{code}/door/").json()["standing"] == "seated"
    assert robin.get(f"/api/tables/{code}/").status_code == 200


@pytest.mark.parametrize(
    ("told", "status", "field"),
    [
        ({}, 422, "name"),
        ({"name": " \u202e"}, 422, "name"),
        ({"name": "x" * 500}, 422, "name"),
        ({"name": "Robin", "role": "gm"}, 422, "role"),
        ({"name": "Robin", "language": "fr"}, 422, "language"),
        ({"name": "Robin", "is_gm": True}, 422, "is_gm"),
        ({"name": "ana"}, 409, "name"),
    ],
)
def test_who_cannot_come_in_is_told_why_as_programs_read(
    party: Party, told: dict[str, Any], status: int, field: str
):
    before = everything_kept()
    refused = at_the_door(Client(), party.table.code, **told)
    assert (refused.status_code, refused.json()["field"]) == (status, field), refused.json()
    assert everything_kept() == before


def test_nobody_comes_in_by_a_locked_door_or_with_a_site_of_another(party: Party):
    done(party.ana.does("set_door", door="locked"))
    assert at_the_door(Client(), party.table.code, name="Robin").status_code == 409
    done(party.ana.does("set_door", door="open"))
    forged = at_the_door(Client(enforce_csrf_checks=True), party.table.code, name="Robin")
    assert forged.status_code == 403
    assert not party.table.seats.filter(name="Robin").exists()


def test_guesses_at_the_api_s_door_are_counted_with_all_others(party: Party, settings: Any):
    """S4: ten wrong codes from one address, whichever way they are typed."""
    stranger = Client()
    for guess in range(settings.BAD_CODES_PER_ADDRESS):
        code = f"ZZZZZ{guess}"
        ways = (at_the_door(stranger, code, name="x"), stranger.get(f"/api/tables/{code}/door/"))
        if ways[1].status_code == 429:
            break
    refused = at_the_door(stranger, party.table.code, name="Robin")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert not party.table.seats.filter(name="Robin").exists()


def test_a_program_that_never_heard_that_it_has_got_up_is_told_so_when_it_asks_again(party: Party):
    """docs/programs.md, the same tap again. A page was told so, and a program of no such seat."""
    first, again = (posts(party.ben, {"action": "leave_table"}) for _each in range(2))
    assert first.status_code == 200
    assert not first.json()["repeat"]
    assert again.status_code == 200, again.content
    assert again.json()["repeat"]
    assert posts(party.ben, {"action": "leave_table"}, tap="another").status_code == 404
