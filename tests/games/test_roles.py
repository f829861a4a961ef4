"""Who may do what (S3): every action and every route, for every role, in two tables.

An action or a route that is not in its table fails the test.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse

from games import urls
from games.models import ContentLine, Device, House, HouseRule
from games.rules import brave_or_knave as bk
from games.services.act import DEEDS
from games.sharing import share_code
from tests.conftest import Scenes
from tests.games.every_row import EveryRow
from tests.games.party import Clock, Dice, Party, Person, notice, offers_pass
from tests.games.scenes import gathering, playing
from tests.games.tried import taken_back
from tests.games.who_may import ACTIONS

all_rows = EveryRow("games", without=(House, Device))
OURS = ("games.actions", "games.rules.brave_or_knave")


def test_every_action_is_in_the_table():
    # The apps above have tables of their own.
    tags = {k.__struct_config__.tag for k in DEEDS if k.__module__.startswith(OURS)}
    assert tags == set(ACTIONS)
    assert set(bk.ACTIONS) <= tags


Scene = Callable[[Party], None]
At = Callable[[Scene], Party]


@cache
def beside_fay(scene: Scene) -> Scene:
    """Fay is the host of another table."""

    def both(party: Party) -> None:
        scene(party)
        party.fay = Person("Fay")
        party.fay.opens_table("The Goose")
        party.fay.has_come()

    return both


@pytest.fixture
def at(scenes: Scenes, db: None, dice: Dice, clock: Clock) -> At:
    return lambda scene: scenes(beside_fay(scene)).put_down(dice, clock)


def tries(
    party: Party, client: Any, seat: int, action: str, fields: dict[str, Any]
) -> tuple[HttpResponse, bool]:
    """Try an action and take it back; return the answer, and whether anything was changed."""
    who = Person("somebody", client=client)
    who.code, who.seat = party.table.code, seat
    with taken_back(), all_rows.writing() as statements:
        party.dice.faces = [2]
        answer = who.does(action, tap="try", **fields)
        after = all_rows() if statements else None
    return answer, after is not None and after != all_rows()


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_an_action_is_for_the_roles_it_is_for(at: At, action: str):
    scene, fields, (for_seat, for_tablet, for_host) = ACTIONS[action]
    party, fields = at(scene), dict(fields)
    if fields.get("rule") == "RULE":
        fields["rule"] = HouseRule.objects.get().pk
    if fields.get("line") == "LINE":
        fields["line"] = ContentLine.objects.get().mark
    if fields.get("event") == "Rolled":
        fields["event"] = party.events("Rolled")[-1].seq
    ana, ben, tess, dora = party.ana, party.ben, party.tess, party.others[0]
    cells = {
        "anonymous": (Person("x").client, ben.seat, 404),
        "anonymous as host": (Person("x").client, ana.seat, 404),
        "seat A": (ben.client, ben.seat, for_seat),
        "seat B's phone as A": (dora.client, ben.seat, 404),
        "seat B's phone as host": (dora.client, ana.seat, 404),
        "tablet": (tess.client, tess.seat, for_tablet),
        "tablet as A": (tess.client, ben.seat, 404),
        "host": (ana.client, ana.seat, for_host),
        "host as A": (ana.client, ben.seat, 404),
        "foreign host": (party.fay.client, party.fay.seat, 404),
        "at the door": (party.kim.client, party.kim.seat, 404),
        "nobody's seat": (ben.client, 99, 404),
    }
    found = {
        role: tries(party, client, seat, action, fields)
        for role, (client, seat, _s) in cells.items()
    }
    statuses = {role: answer.status_code for role, (answer, _changed) in found.items()}
    assert statuses == {role: status for role, (_c, _s, status) in cells.items()}
    for role, (answer, changed) in found.items():
        assert changed == (answer.status_code < 400), role
        assert answer.status_code < 400 or notice(answer), role


def test_the_table_would_show_a_door_that_stands_open(at: At, monkeypatch: pytest.MonkeyPatch):
    """The control: without the check of the device, somebody else's phone acts for Ben."""
    monkeypatch.setattr(
        "games.services.act._seat_of",
        lambda table, actor: table.seats.filter(number=actor.seat).first(),
    )
    party = at(gathering)
    dora = party.others[0]
    answer, changed = tries(party, dora.client, party.ben.seat, "pick_number", {"number": 7})
    assert answer.status_code == 204
    assert changed


# --- routes --------------------------------------------------------------------------------------

ALL = dict.fromkeys(("anonymous", "seat", "tablet", "host", "foreign host", "at the door"), 200)
AWAY = dict.fromkeys(ALL, 302)
HOSTS = {**dict.fromkeys(ALL, 403), "anonymous": 404, "foreign host": 404, "host": 200}
SEATED = {**dict.fromkeys(ALL, 200), "anonymous": 404, "foreign host": 404, "at the door": 404}

# name: method, path, form, and the answer to each role. 302 leads to a page that they may see.
ROUTES: dict[str, tuple[str, str, dict[str, str], dict[str, int]]] = {
    "home": ("GET", "/", {}, ALL),
    "open_table": ("POST", "/start/", {"host_name": "Xan"}, AWAY),
    "open_trial": ("POST", "/try/", {}, AWAY),
    "join_code": ("POST", "/join/", {"code": "{code}"}, AWAY),
    "set_language": ("POST", "/language/", {"language": "es"}, AWAY),
    "suggest": ("GET", "/suggest/", {}, ALL),
    "scan": ("GET", "/j/{key}/", {}, AWAY),
    "take_over": ("GET", "/seat/{token}/", {}, ALL),
    "rules": ("GET", "/rules/brave-or-knave/", {}, ALL),
    "shared_rule": ("GET", "/house-rule/{rule}/", {}, ALL),
    "phone": ("GET", "/t/{code}/", {}, {
        **ALL, "anonymous": 302, "foreign host": 302, "tablet": 302}),
    "act": ("POST", "/t/{code}/act/", {"action": "pause", "seat": "{seat}"}, {
        **HOSTS, "host": 302, "at the door": 404}),
    "join": ("GET", "/t/{code}/join/", {}, {**AWAY, "anonymous": 200, "foreign host": 200}),
    "screen": ("GET", "/t/{code}/screen/", {}, {
        **ALL, "anonymous": 302, "foreign host": 302, "at the door": 302}),
    "gm": ("GET", "/t/{code}/gm/", {}, HOSTS),
    "house_rule": ("GET", "/t/{code}/gm/house-rule/", {}, HOSTS),
    "news": ("GET", "/t/{code}/news/phone/{bens}/", {}, {**dict.fromkeys(ALL, 403), "seat": 200}),
    "records": ("GET", "/t/{code}/records/", {}, SEATED),
    "log": ("GET", "/t/{code}/log/", {}, SEATED),
    "record": ("GET", "/t/{code}/records/{game}/", {}, SEATED),
    "api_schema": ("GET", "/api/schema/", {}, ALL),
    "api_table": ("GET", "/api/tables/{code}/", {}, SEATED),
    "api_door": ("GET", "/api/tables/{code}/door/", {}, ALL),
    "api_actions": ("JSON", "/api/tables/{code}/actions/", {"action": "pause"}, {
        **HOSTS, "at the door": 404}),
    "manifest": ("GET", "/manifest.webmanifest", {}, ALL),
    "service_worker": ("GET", "/sw.js", {}, ALL),
    "offline": ("GET", "/offline/", {}, ALL),
}  # fmt: skip


def test_every_route_is_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(ROUTES)


def passing_on(party: Party) -> None:
    playing()(party)
    party.token = offers_pass(party.ben, party.ben)


@pytest.fixture
def house(at: At) -> Party:
    return at(passing_on)


def sends(person: Person, method: str, path: str, fields: dict[str, str]) -> HttpResponse:
    if method == "GET":
        return person.client.get(path)
    if method == "POST":
        return person.client.post(path, fields)
    posted = {"seat": person.seat, "action": fields, "tap": "try"}
    return person.client.post(path, json.dumps(posted), content_type="application/json")


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_is_for_the_roles_it_is_for(house: Party, name: str):
    party = house
    method, path, form, expected = ROUTES[name]
    gaps = {
        "code": party.table.code,
        "key": party.table.key,
        "token": party.token,
        "bens": party.ben.seat,
        "game": str(party.game.pk),
        "rule": share_code(bk.HouseRule("The Cat", "Meow!", 10, "both", (bk.Effect("reverse"),))),
    }
    people = {
        "anonymous": Person("x"),
        "seat": party.ben,
        "tablet": party.tess,
        "host": party.ana,
        "foreign host": party.fay,
        "at the door": party.kim,
    }
    found, bodies = {}, {}
    for role, person in people.items():
        with transaction.atomic():
            fields = {k: v.format(seat=person.seat, **gaps) for k, v in form.items()}
            answer = sends(person, method, path.format(**gaps), fields)
            found[role], bodies[role] = answer.status_code, answer.content.decode()
            transaction.set_rollback(True)
    assert found == expected
    for role in people:
        if found[role] in (403, 404):
            assert "Dora" not in bodies[role]


def test_a_route_of_the_host_shows_strangers_nothing(house: Party):
    """Unknown and forbidden tables answer with the same status, so nobody learns who sits where."""
    stranger = Person("x")
    for path in ("gm/", "records/", f"records/{house.game.pk}/", "gm/house-rule/"):
        there = stranger.client.get(f"/t/{house.table.code}/{path}")
        nowhere = stranger.client.get(f"/t/ZZZZZZ/{path}")
        assert there.status_code == nowhere.status_code == 404


def test_a_form_names_its_scene_where_the_deed_looks_at_it():
    """A tap for another scene is refused only if its form named one, and is pushed with each."""
    looking = re.compile(r"(running|bout|_mine|_open_offer|play_move)\(change, tap|def play_move\(")
    looks = {kind for kind, deed in DEEDS.items() if looking.search(inspect.getsource(deed.do))}
    assert {kind for kind, deed in DEEDS.items() if deed.answers_scene} == looks
    assert len(looks) > 30
