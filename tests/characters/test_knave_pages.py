"""What a Knave table's pages cost, however much is on it; and what a program is told of it."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from characters.models import Character, Item, Mention, Monster, Pile
from characters.screens import things
from games import snapshot
from games.models import Event, Play
from tests.campaigns import pages
from tests.characters.company import Company
from tests.characters.crew import knave, owns
from tests.games.party import Person, done

ITEMS, FOES, KNAVES, ENTRIES, GRAVES = 60, 12, 8, 500, 30
# How much more the page of a knave with a long life may take.
LONGER = 1.5


@pytest.fixture
def company(company: Company) -> Company:
    company.fights()
    return company


Page = tuple[Callable[[Company], Person], str]
PAGES: dict[str, Page] = {
    "phone": (lambda c: c.ben, "/t/{code}/"),
    "gm": (lambda c: c.ana, "/t/{code}/gm/"),
    "screen": (lambda c: c.tess, "/t/{code}/screen/"),
    "sheet": (lambda c: c.ben, "/t/{code}/knave/{ash}/"),
    "sheet for the gm": (lambda c: c.ana, "/t/{code}/knave/{ash}/"),
    "print": (lambda c: c.ben, "/t/{code}/knave/{ash}/print/"),
    "shop": (lambda c: c.ben, "/t/{code}/knave/{ash}/shop/"),
    "graveyard": (lambda c: c.dora, "/t/{code}/graveyard/"),
    "records": (lambda c: c.dora, "/t/{code}/records/"),
    "view as": (lambda c: c.ana, "/t/{code}/gm/as/{ben}/"),
    "api": (lambda c: c.ben, "/api/tables/{code}/"),
    "api for the gm": (lambda c: c.ana, "/api/tables/{code}/"),
}


def opens(company: Company, page: str) -> HttpResponse:
    who, path = PAGES[page]
    places = {"code": company.table.code, "ash": company.ash.pk, "ben": company.ben.seat}
    answer = who(company).client.get(path.format(**places))
    assert answer.status_code == 200, (page, answer.status_code)
    return answer


def test_the_host_may_turn_the_table_to_each_other_game(company: Company):
    """Not by way of a bout alone."""
    page = opens(company, "gm").content.decode()
    assert 'id="turn-wicked_age"' in page
    assert 'id="turn-brave_or_knave"' in page
    assert 'id="turn-knave"' not in page


def test_the_graves_of_years_stand_on_pages_and_none_is_left_out(company: Company, monkeypatch):
    """KN-16: the two hundred newest stood on one page, and older ones on none."""
    monkeypatch.setattr("characters.views.sheets.A_PAGE", 2)
    for one in (company.ash, company.birch, company.stray):
        done(company.ana.does("change_hp", character=one.pk, by=-99))
    pages_of = map(company.ana.sees, ("graveyard/", "graveyard/?page=2"))
    seen = [re.findall(r'id="grave-(\d+)"', page) for page in pages_of]
    ash, birch, stray = (str(one.pk) for one in (company.ash, company.birch, company.stray))
    assert seen == [[stray, birch], [ash]]
    assert 'href="?page=2"' in company.ana.sees("graveyard/")
    assert 'id="older"' not in company.ana.sees("graveyard/?page=2")
    assert "There is nothing here." in company.ana.sees("graveyard/?page=3")


def test_a_fight_names_my_weapon_in_my_language(company: Company):
    """A table speaks English, one of its phones Spanish."""
    done(company.ben.does("speak", language="es"))
    page = opens(company, "phone").content.decode()
    fight = page[page.index('id="fight"') : page.index('id="loot"')]
    assert "Daga d6" in fight
    assert "Dagger" not in fight


@pytest.mark.django_db
def test_nobody_is_invited_to_a_shut_door():
    """While the door is locked there is no QR code, and no button that leads to none."""
    fay = Person("Fay")
    fay.opens_table("The Goose")
    done(fay.does("turn_table", rules="knave"))
    assert 'id="go-invite"' in fay.sees("gm/")
    done(fay.does("set_door", door="locked"))
    page = fay.sees("gm/")
    assert 'id="go-invite"' not in page
    assert "qr-frame" not in page


@pytest.mark.parametrize("page", ["phone", "gm", "sheet", "shop"])
def test_without_a_script_each_form_says_that_it_is_ours(company: Company, page: str):
    seen = pages.Page(opens(company, page).content.decode())
    assert any(form.posts for form in seen.forms)
    assert [fault for fault in seen.wrong() if "token" in fault] == []


def asked_by(call: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        call()
    return len(asked)


def queries(company: Company) -> dict[str, int]:
    return {page: asked_by(partial(opens, company, page)) for page in PAGES}


def grows(company: Company) -> None:
    """Fill the table: eight knaves of 60 things each, twelve foes, 500 entries, thirty graves."""
    people = company.cast.welcomes("Emil", "Gus", "Hana", "Ivo", "Jo", "Lea")
    for person in people[: KNAVES - 2]:
        one = knave(company.table, None, f"{person.name}'s")
        done(company.ana.does("hand_knave", character=one.pk, seat_to=person.seat))
    goblin = Monster.objects.get(key="goblin").pk
    given = {"encounter": company.ambush.pk, "monster": goblin, "count": FOES - 2}
    done(company.ana.does("add_foes", **given))
    Character.objects.bulk_create(
        Character(
            table=company.table, seat=company.ben.row, name=f"Late {n}", state="dead",
            died_at=timezone.now(), death="A fall",
        )
        for n in range(GRAVES)
    )  # fmt: skip
    for holder in company.table.characters.filter(kind="knave", state="up"):
        more = ITEMS - holder.items.count()
        Item.objects.bulk_create(
            Item(table=company.table, holder=holder, name=f"Thing {n}", slots=0, position=n + 50)
            for n in range(more)
        )
    for n in range(KNAVES):
        owns(Pile.objects.create(table=company.table, name=f"Pile {n}"), "torch", 2)
    writes_log(company, ENTRIES, company.ash)
    # The newest of the log is about the fight again, as it was before.
    done(company.ben.does("fight-engage", by=company.id, on="goblin-2"))


def writes_log(company: Company, count: int, *about: Character) -> None:
    """Add entries to the log, each about everybody named."""
    table = company.table
    plays = Play.objects.bulk_create(
        Play(
            table=table, seat=company.ben.row, tap=f"old-{table.seq + n}", action={"action": "x"},
            seq=table.seq + n, can_undo=True, ledger=[],
        )
        for n in range(1, count + 1)
    )  # fmt: skip
    told = {"name": "Ash", "by": -1, "hp": 3, "max_hp": 8}
    events = Event.objects.bulk_create(
        Event(table=table, seq=play.seq, play=play, kind="hp_changed", data=told) for play in plays
    )
    Mention.objects.bulk_create(
        Mention(character=one, event=event) for event in events for one in about
    )
    table.seq += count
    table.save()


def careless_detail(item: Item, real: Any = things.detail) -> str:
    """Read an article for itself, as a card would without its being read along."""
    return real(Item.objects.get(pk=item.pk))


def test_neither_pages_nor_readings_ask_more_of_the_database_however_much_there_is(
    company: Company, monkeypatch: pytest.MonkeyPatch
):
    """The control: a card that reads its own article is found by them."""

    def careless() -> int:
        with monkeypatch.context() as patch:
            patch.setattr(things, "detail", careless_detail)
            return asked_by(partial(opens, company, "phone"))

    def reading() -> int:
        return asked_by(partial(snapshot.load, company.table.pk))

    queries(company)  # these first ones fill what is kept for all: the house, templates
    few, read, careless_few = queries(company), reading(), careless()
    grows(company)
    assert company.ash.items.count() == ITEMS
    assert queries(company) == few
    assert reading() == read < 25
    assert careless() > careless_few + ITEMS / 2


def calls_to_open(company: Company, page: str) -> int:
    """Count what a page calls, in Python and below: a busy machine makes no more of it."""
    opens(company, page)  # what is kept for all is read with this one
    calls = 0

    def counts(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(counts)
    try:
        opens(company, page)
    finally:
        sys.setprofile(None)
    return calls


def longer_with_many_mentions(company: Company) -> float:
    """Return how much more the sheet of one takes who was told of for years than a new one's."""
    writes_log(company, ENTRIES, company.ash)
    Item.objects.filter(holder=company.ash).delete()
    old = calls_to_open(company, "sheet for the gm")
    company.ash = knave(company.table, None, "Newcomer")
    return old / calls_to_open(company, "sheet for the gm")


def test_a_knave_with_500_mentions_opens_as_fast_as_a_new_one(company: Company):
    assert longer_with_many_mentions(company) < LONGER


def test_all_mentions_at_once_would_be_slower(company: Company, monkeypatch):
    """The control: a record without pages."""
    monkeypatch.setattr("characters.views.sheets.A_PAGE", 10**6)
    assert longer_with_many_mentions(company) > 2 * LONGER


# --- the API -------------------------------------------------------------------------------------


def told(who: Person) -> dict[str, Any]:
    answer = who.client.get(f"/api/tables/{who.code}/")
    assert answer.status_code == 200
    return answer.json()


def posts(who: Person, word: str, **fields: Any) -> HttpResponse:
    action = {"action": word, **fields}
    body = json.dumps({"seat": who.seat, "action": action, "tap": f"p-{time.time_ns()}"})
    path = f"/api/tables/{who.code}/actions/"
    return who.client.post(path, body, content_type="application/json")


def test_a_program_is_told_the_board_and_its_own_sheet(company: Company):
    state = told(company.ben)
    assert (state["game"], state["seq"]) == ("knave", company.table.seq)
    assert state["scene"] == company.table.games.filter(rules="knave_fight").first().scene > 0
    assert {one["name"] for one in state["board"]["party"]} >= {"Ash", "Birch", "Tib", "Warden"}
    assert state["my"]["sheet"]["person"]["name"] == "Ash"
    assert {ability["key"] for ability in state["my"]["sheet"]["abilities"]} >= {"str", "cha"}
    carried = {rung["item"]["name"] for rung in state["my"]["sheet"]["rungs"] if rung["item"]}
    assert "Sword" in carried
    assert "gm" not in state


def test_a_program_is_told_no_more_than_its_seat_may_know(company: Company):
    host = json.dumps(told(company.ana))
    hidden = ("Shade", "Vault", "Burn the mill")
    assert all(word in host for word in hidden)
    for who in (company.ben, company.dora, company.tess):
        state = told(who)
        assert not any(word in json.dumps(state) for word in hidden)
        foes = state["board"]["fight"]["foes"]
        assert [foe["hp"] for foe in foes] == [foe["morale"] for foe in foes] == [None, None]
    assert told(company.tess).keys().isdisjoint({"my", "gm"})
    assert "Ash" not in json.dumps(told(company.dora)["my"]["sheet"]["person"])


def test_a_program_is_told_in_the_language_of_its_seat(company: Company):
    done(company.ben.does("speak", language="es"))
    assert told(company.ben)["my"]["sheet"] != told(company.ana)["gm"]
    names = [ability["name"] for ability in told(company.ben)["my"]["sheet"]["abilities"]]
    assert "Fuerza" in names


def test_two_askings_give_the_same_bytes(company: Company):
    """What is a set in the program has one order in what it says."""
    path = f"/api/tables/{company.table.code}/"
    assert company.ben.client.get(path).content == company.ben.client.get(path).content
    may = told(company.ben)["my"]["sheet"]["may"]
    assert may == sorted(may)


def test_a_program_acts_by_the_same_words(company: Company):
    assert posts(company.ben, "change_hp", character=company.ash.pk, by=-1).status_code == 200
    assert Character.objects.get(pk=company.ash.pk).hp == 3
    company.cast.dice.fall(15, 4)
    blow = {"by": company.id, "on": "goblin-1", "rolled_by": "attacker"}
    assert posts(company.ben, "fight-attack", **blow).status_code == 200
    assert company.cast.events("Attacked")[-1].data["by_name"] == "Ash"
    assert posts(company.dora, "change_hp", character=company.ash.pk, by=-1).status_code == 403
    assert posts(company.cleo, "change_hp", character=company.ash.pk, by=-1).status_code == 404


def test_a_program_reads_in_the_schema_which_action_each_word_of_a_may_is(company: Company):
    """The words stood there, and nothing said that "inside" is `put_inside`."""
    schema = company.ben.client.get("/api/schema/").json()["components"]["schemas"]
    my = told(company.ben)["my"]
    items = [rung["item"] for rung in my["sheet"]["rungs"] if rung["item"]]
    for title, words in (
        ("characters.screens.cards.tables.FighterCard", {*my["fighters"][0]["may"], "paired"}),
        ("characters.screens.cards.sheets.SheetCard", {*my["sheet"]["may"], "correct"}),
        ("ItemCard", {word for item in items for word in item["may"]}),
    ):
        text = schema[title]["description"]
        assert "`" in text
        assert [word for word in words if not re.search(rf"\b{word}\b", text)] == []
    for title, action in (("AskCard", "`call`"), ("MyKnave", "`claim_item`")):
        assert action in schema[title]["description"]


def test_at_another_game_a_program_is_told_nothing_of_knave(company: Company):
    done(company.ana.does("turn_table", rules="brave_or_knave"))
    state = told(company.ben)
    assert state["game"] == "brave_or_knave"
    assert state.keys().isdisjoint({"board", "my"})


@pytest.mark.parametrize(
    "path",
    ["chapter/print/", "character/1/", "oracles/", "campaign/", "campaign/people/", "records/"],
)
def test_another_games_pages_are_there_or_not_but_no_fault(company: Company, path: str):
    """A table turns from game to game, and old addresses stay in tabs; here a fight is on."""
    for who in (company.ana, company.ben):
        assert who.client.get(f"/t/{who.code}/{path}").status_code in (200, 302, 403, 404)


def test_the_host_is_shown_no_phone_of_a_tablet_that_has_none(company: Company):
    """S1: a shared screen has no sheet to look at, and asking for one was a fault of ours."""
    path = f"/t/{company.table.code}/gm/as/{company.tess.seat}/"
    answer = company.ana.client.get(path)
    assert answer.status_code == 404
    assert "Nobody sits there." in answer.content.decode()
