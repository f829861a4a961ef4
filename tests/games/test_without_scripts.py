"""Who has no script plays too: each form of a live page says that it is ours, and is taken."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from games import presence, snapshot
from games.screens.scene import scene_of
from tests.campaigns.pages import Page
from tests.games.party import Clock, Party, Person, done


def fields_of(person: Person, action: str) -> dict[str, str]:
    """Return what the form of an action holds on somebody's page."""
    forms = re.findall(r"<form.*?</form>", person.sees(), re.S)
    asked = next(form for form in forms if f'name="action" value="{action}"' in form)
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', asked))


def test_each_form_of_a_bout_has_one_token(party: Party):
    done(party.ben.does("add_content_line", text="Spiders"))
    party.begins()
    for person, page in ((party.ana, ""), (party.ana, "gm/"), (party.ben, "")):
        seen = Page(person.sees(page))
        assert any(form.posts for form in seen.forms)
        assert [fault for fault in seen.wrong() if "token" in fault] == []


def test_a_form_of_a_region_is_taken_as_it_stands_in_the_page(party: Party):
    """Nothing is sent but what the page holds, with the cookies that came with it."""
    ben = party.begins(first=party.ben).ben
    ben.client.handler.enforce_csrf_checks = True
    party.dice.fall(12)
    fields = fields_of(ben, "roll")
    before = party.table.seq
    assert ben.client.post(f"/t/{ben.code}/act/", fields).status_code == 302
    assert party.table.seq > before
    fields.pop("csrfmiddlewaretoken")
    assert ben.client.post(f"/t/{ben.code}/act/", fields).status_code == 403


def test_a_page_that_was_left_open_says_which_scene_it_shows(party: Party):
    """Else an old page would roll in a later scene, in which the same may be done again."""
    ben = party.begins(first=party.ben).ben
    left_open = fields_of(ben, "roll")
    party.rolls(ben, 12)
    done(party.ana.does("undo", event=party.events("Rolled")[-1].seq))
    assert party.awaited == ["Ben"]
    answer = ben.client.post(f"/t/{ben.code}/act/", left_open)
    assert answer.status_code == 409
    assert party.awaited == ["Ben"]


def test_who_has_no_script_is_led_somewhere_by_each_answer(party: Party):
    """A seat's code came as a scrap of a page, a refusal led to the front door, and who got up was
    asked to sit down."""
    ben = party.begins(first=party.ana).ben
    table = f"/t/{ben.code}/"

    def answer(action: str, **fields: object):
        given = {"action": action, "seat": ben.seat, "saw": ben.scene, **fields}
        return ben.client.post(
            f"{table}act/", given, headers={"Referer": f"http://testserver{table}"}
        )

    offered = answer("offer_pass", who=ben.seat).content.decode()
    assert "/seat/" in offered
    assert f'<a id="back" class="button" href="{table}">' in offered
    refused = answer("roll")
    assert refused.status_code == 409
    ours = f"http://testserver{table}"
    assert f'<a id="home" class="button primary" href="{ours}">' in refused.content.decode()
    assert answer("leave_table").headers["Location"] == "/"


def test_who_gets_up_without_a_script_leaves_nothing_in_the_browser_either(party: Party):
    """S9: only a page with scripts asked for the caches to be emptied."""
    given = {"action": "leave_table", "seat": party.ben.seat}
    answer = party.ben.client.post(f"/t/{party.ben.code}/act/", given)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert answer.headers["Clear-Site-Data"] == '"cache"'


def test_a_refusal_without_a_script_leads_back_to_the_form_and_says_where_the_words_are(
    party: Party,
):
    """Whoever wrote on a page beside the table came to the table, and the words were gone."""
    ben = party.ben
    table = f"/t/{ben.code}/"
    given = {"action": "pick_number", "seat": ben.seat, "number": 99}
    for came_from, back in (
        (f"http://testserver{table}records/", f"http://testserver{table}records/"),
        ("https://evil.example/", table),
    ):
        refused = ben.client.post(f"{table}act/", given, headers={"Referer": came_from})
        page = refused.content.decode()
        assert refused.status_code == 422
        assert f'<a id="home" class="button primary" href="{back}">' in page
        assert "What you typed is still there" in page


def test_where_only_the_library_came_through_the_page_is_loaded_anew(party: Party):
    """On a bad line one script of a page may be missing: a tap was done, and nothing showed it."""
    ben = party.ben
    given = {"action": "pick_number", "seat": ben.seat, "number": 9}
    for tap, told in (("", "true"), ("one", None)):
        answer = ben.client.post(
            f"/t/{ben.code}/act/", {**given, "tap": tap}, headers={"HX-Request": "true"}
        )
        assert (answer.status_code, answer.headers.get("HX-Refresh")) == (204, told)
        given["number"] = 11


def test_who_has_no_script_can_answer_whether_it_all_goes_back(party: Party):
    """They read how many moves would go back, and there was nothing to press."""
    party.begins().rolls(party.ana, 4)
    for _knock in range(3):
        done(party.ana.does("knock"))
    done(party.ana.does("name", to=1, call="brave"))
    act = f"/t/{party.ana.code}/act/"
    asked = {"action": "undo", "seat": party.ana.seat, "event": party.events("Rolled")[-1].seq}
    answer = party.ana.client.post(act, asked)
    assert answer.status_code == 409
    given = dict(re.findall(r'name="(\w+)" value="([^"]*)"', answer.content.decode()))
    came_from = {"Referer": f"http://testserver{act}"}
    sure = party.ana.client.post(act, given, headers=came_from)
    assert sure.headers["Location"] == f"/t/{party.ana.code}/"
    assert party.phase == "open"


def away(party: Party) -> set[str]:
    scene = scene_of(snapshot.load(party.table.pk), presence.connections(party.table.pk))
    return {seat.name for seat in scene.ring if not seat.is_connected}


def test_who_plays_by_pages_alone_is_there_until_none_is_asked_for(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """Others read "away" of whoever has no script, in the middle of their own turn."""
    clock = Clock(at_ms=1_000)
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=clock.time))
    party.begins()
    assert away(party) == {"Ana", "Ben"}
    party.ben.sees()
    assert away(party) == {"Ana"}
    assert presence.slowest_delay(party.table.pk, [party.ben.seat]) == 0, "no line is waited for"
    clock.passes(seconds=presence.PAGE_SECONDS - 1)
    party.ben.sees()
    clock.passes(seconds=presence.PAGE_SECONDS - 1)
    assert away(party) == {"Ana"}
    clock.passes(seconds=2)
    assert away(party) == {"Ana", "Ben"}
    party.ana.sees()
    kept = [(table, *seats) for table, seats in presence._asked.items()]
    assert kept == [(party.table.pk, party.ana.seat)], "what is over is not kept"


def test_who_asks_at_the_same_instant_as_others_is_there(monkeypatch: pytest.MonkeyPatch):
    """R5: where no socket comes through, all pages of a table ask again and again, and threads
    answer several at once. Each lost who had asked the others: up to all were shown as away."""
    monkeypatch.setattr(presence, "_asked", {})
    table, seats, rounds = 1, range(12), 300
    for seat in seats:
        presence.note_asked(table, seat)

    def asks(seat: int) -> int:
        known = 0
        for _round in range(rounds):
            known += presence.note_asked(table, seat)
            known += len(presence.connections(table)) == len(seats)
        return known

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(asks, seats)) == [2 * rounds] * len(seats)
    finally:
        sys.setswitchinterval(usual)


def test_who_plays_by_a_program_that_reads_the_table_is_there(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """The one of docs/programs.md, which has no socket, was "away" in the middle of its turn."""
    clock = Clock(at_ms=1_000)
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=clock.time))
    party.begins()
    path = f"/api/tables/{party.table.code}/"
    assert party.ben.client.get(path).status_code == 200
    assert away(party) == {"Ana"}
    assert presence.slowest_delay(party.table.pk, [party.ben.seat]) == 0, "no line is waited for"
    clock.passes(seconds=presence.PAGE_SECONDS + 1)
    assert away(party) == {"Ana", "Ben"}
    presence.put(party.table.pk, party.ben.seat, None)
    party.ben.client.get(path)
    presence.drop(party.table.pk, party.ben.seat)
    assert away(party) == {"Ana", "Ben"}, "its socket says so"


def test_who_closes_a_page_with_scripts_is_away_at_once(party: Party):
    """Its socket says so; that the page was asked for a moment ago is nothing then."""
    party.begins()
    party.ben.sees()
    presence.put(party.table.pk, party.ben.seat, None)
    presence.drop(party.table.pk, party.ben.seat)
    assert away(party) == {"Ana", "Ben"}


@pytest.mark.parametrize("asks_at_last", [False, True])
def test_who_closes_a_page_with_scripts_is_away_at_once_though_its_socket_was_elsewhere(
    party: Party, *, asks_at_last: bool
):
    """R7: with two processes one may answer the page and the other have its socket. Who was gone
    was shown as here for as long as somebody without scripts."""
    party.begins()
    party.ben.sees()
    presence.hear(party.table.pk, {str(party.ben.seat): None}, "another")
    assert away(party) == {"Ana"}
    if asks_at_last:
        party.ben.sees()
    presence.hear(party.table.pk, {}, "another")
    assert away(party) == {"Ana", "Ben"}


def test_who_went_elsewhere_before_anybody_here_heard_of_them_is_away(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R7: with two processes one answered Ben's page, and the other had his socket and Ana's. To
    whoever came to the first after he had left he was here for what was left of 75 seconds."""
    clock = Clock(at_ms=1_000)
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=clock.time))
    party.begins()
    table, ana, ben = party.table.pk, party.ana.seat, party.ben.seat
    for seat in (ana, ben):
        presence.put(table, seat, 20)
    clock.passes(seconds=20)
    presence.drop(table, ben)
    clock.passes(seconds=5)
    told = presence.gone(table)
    assert told == {str(ben): 5}
    presence.put(table, ben, None)
    assert presence.gone(table) == {}, "he is back"
    for seat in (ben, ana):
        presence.drop(table, seat)

    party.ben.sees()
    presence.hear(table, {str(ana): 20}, "another", told)
    assert away(party) == set(), "he asked after that"
    clock.passes(seconds=10)
    assert presence.hear(table, {str(ana): 20}, "another", told), "it is drawn anew"
    assert away(party) == {"Ben"}


@pytest.mark.parametrize(
    ("form", "page"), [("act/", ""), ("campaign/bring/", "campaign/"), ("/language/", "/")]
)
def test_the_address_of_a_refused_form_leads_back_to_whoever_only_goes_there(
    party: Party, form: str, page: str
):
    """It stands in the browser, which asks for it once more when a tab is opened again: that was an
    empty page, also for whoever had brought a file that is no campaign's."""
    there = f"/t/{party.table.code}/"
    form, page = (name if name.startswith("/") else f"{there}{name}" for name in (form, page))
    party.ben.client.post("/language/", {"language": "es"})
    answer = party.ben.client.get(form)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    text = answer.content.decode()
    assert 'lang="es"' in text
    assert f'href="{page}"' in text or f'action="{page}join/"' in text
