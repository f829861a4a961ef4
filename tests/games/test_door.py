"""The door: open, ask, locked; twelve hours; and guesses of codes (S4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client, override_settings

from config.jinja import qr
from games.deeds.people import MOST_SEATS
from games.models import JoinAttempt, Seat, Table
from games.said import speaking
from games.stage import STAGES
from tests.games.party import Party, Person, done, notice, refused

WRONG = "ZZZZZZ"


def guess(client: Client, code: str = WRONG, address: str = "192.0.2.1"):
    return client.post("/join/", {"code": code}, REMOTE_ADDR=address)


def test_an_open_door_lets_whoever_has_the_code_in(party: Party):
    answer = guess(party.cleo.client, party.table.code)
    assert answer.url == f"/t/{party.table.code}/join/"
    assert party.cleo.joins(party.table).status_code == 302
    assert party.cleo.row.is_seated


@pytest.mark.parametrize("written", [str.upper, str.lower])
@pytest.mark.parametrize("typed", ["{}", " {} ", "{0[0]}{0[1]}{0[2]}-{0[3]}{0[4]}{0[5]}"])
def test_a_code_is_read_as_people_type_it(party: Party, typed: str, written: Callable[[str], str]):
    code = written(typed.format(party.table.code))
    assert guess(party.cleo.client, code).status_code == 302


def test_whoever_gathers_reads_the_code_where_they_are(party: Party):
    """The first thing a new host has to tell the others is not behind another tab."""
    stage = party.ana.sees().split('id="stage"')[1].split("</section>")[0]
    assert party.table.code in stage


def test_a_host_who_plays_sees_who_knocks(party: Party):
    """And opens from the seat: the host's page need not be looked at all evening."""
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    asks = "Cleo is at the door"
    assert asks in party.ana.sees()
    assert asks not in party.ben.sees()
    done(party.ana.does("admit", who=party.cleo.seat))
    assert asks not in party.ana.sees()


@pytest.mark.parametrize("game", STAGES)
def test_a_shared_screen_that_knocks_is_told_so_and_waits(party: Party, game: str):
    """It was shown the form once more, without a word, however often it asked."""
    party.turns_to(game)
    done(party.ana.does("set_door", door="ask"))
    tablet = Person("Tablet")
    asked = tablet.joins(party.table, role="screen")
    assert asked.url == f"/t/{tablet.code}/screen/"
    waits = tablet.sees("screen/")
    assert "that a shared screen waits" in waits
    assert 'data-page="screen"' in waits
    assert 'data-mode="knocking"' in waits
    assert party.ben.name not in waits
    again = tablet.client.get(f"/t/{tablet.code}/join/?as=screen")
    assert (again.status_code, again.url) == (302, asked.url)
    done(party.ana.does("admit", who=tablet.seat))
    assert 'data-mode="knocking"' not in tablet.sees("screen/")


def test_whoever_is_not_in_yet_finds_the_way_back(party: Party):
    """At the wrong table, or tired of waiting: an installed app has no other way back."""
    home = 'id="to-home" href="/"'
    assert home in Person("Dora").client.get(f"/t/{party.table.code}/join/").content.decode()
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    assert home in party.cleo.sees()


@pytest.mark.parametrize("page", ["gm/", "records/"])
def test_who_was_sent_the_address_of_a_page_is_shown_the_door(party: Party, page: str):
    """Errors say what to do next: the only way led to the front page, to type the code there."""
    table = f"/t/{party.table.code}/"
    refused = Person("Dora").client.get(table + page)
    assert refused.status_code == 404
    assert f'<a id="door" class="button primary" href="{table}">' in refused.content.decode()
    nowhere = Person("Dora").client.get("/t/ZZZZZZ/" + page)
    assert 'id="door"' not in nowhere.content.decode()


def test_a_locked_door_has_one_way_back(party: Party):
    """The same words stood there twice, as a button and below it as a link."""
    done(party.ana.does("set_door", door="locked"))
    page = Person("Dora").client.get(f"/t/{party.table.code}/join/").content.decode()
    assert page.count("To the front door") == 1


def test_a_locked_door_takes_nobody_new_and_ejects_nobody(party: Party):
    done(party.ana.does("set_door", door="locked"))
    assert party.events("door_set")[-1].data == {"door": "locked"}
    assert party.cleo.joins(party.table).status_code == 409
    done(party.ben.does("pick_number", number=7))
    assert party.ben.sees()
    assert party.tess.sees("screen/")


def test_the_code_is_dead_after_twelve_hours_until_the_host_opens_again(party: Party):
    party.clock.passes(seconds=12 * 3600 - 5)
    assert Person("Dora").joins(party.table).status_code == 302
    party.clock.passes(seconds=10)
    assert Person("Emil").joins(party.table).status_code == 409
    done(party.ben.does("pick_number", number=7))  # who sits, sits
    done(party.ana.does("set_door", door="open"))
    assert Person("Emil").joins(party.table).status_code == 302


def test_only_the_host_holds_the_door(party: Party):
    assert party.ben.does("set_door", door="locked").status_code == 403


def test_a_wrong_code_is_answered_on_the_front_page_with_what_was_typed(party: Party):
    answer = guess(party.cleo.client)
    assert answer.status_code == 404
    assert WRONG in answer.content.decode()
    assert "No table has this code" in notice(answer)


def test_ten_wrong_codes_from_one_address_are_the_last_for_ten_minutes(party: Party):
    for _guess in range(settings.BAD_CODES_PER_ADDRESS):
        assert guess(Client()).status_code == 404
    refused = guess(Client())
    assert refused.status_code == 429
    assert guess(Client(), party.table.code).status_code == 429  # right ones as well
    assert guess(Client(), party.table.code, "192.0.2.2").status_code == 302
    party.clock.passes(seconds=601)
    assert guess(Client(), party.table.code).status_code == 302


def test_a_clock_that_is_set_right_keeps_nobody_out(party: Party):
    """R10: a laptop whose clock was a day ahead had people wait for ten minutes all that day."""
    party.clock.passes(seconds=24 * 3600)
    for _guess in range(settings.BAD_CODES_PER_ADDRESS):
        guess(Client())
    party.clock.passes(seconds=-24 * 3600 + 601)
    assert guess(Client(), party.table.code).status_code == 302
    guess(Client())
    assert JoinAttempt.objects.count() == 1


def test_guessing_at_the_pages_of_a_table_counts_as_well(party: Party):
    paths = ["", "join/", "screen/", "gm/", "records/"]
    for path in paths * 2:
        assert Client().get(f"/t/{WRONG}/{path}", REMOTE_ADDR="192.0.2.9").status_code == 404
    answer = Client().get(f"/t/{party.table.code}/join/", REMOTE_ADDR="192.0.2.9")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_sixty_wrong_codes_a_minute_from_everywhere_stop_typed_codes(party: Party):
    for n in range(settings.BAD_CODES_OVERALL):
        assert guess(Client(), address=f"198.51.100.{n}").status_code == 404
    assert guess(Client(), party.table.code, "203.0.113.1").status_code == 429
    party.clock.passes(seconds=61)
    assert guess(Client(), party.table.code, "203.0.113.1").status_code == 302


def test_the_qr_code_works_past_the_limit(party: Party):
    """An attacker cannot close the door for those who sit in the room."""
    for n in range(settings.BAD_CODES_OVERALL):
        guess(Client(), address=f"198.51.100.{n}")
    assert guess(party.cleo.client, party.table.code).status_code == 429
    scanned = party.cleo.client.get(f"/j/{party.table.key}/")
    assert scanned.url == f"/t/{party.table.code}/join/"
    assert party.cleo.joins(party.table).status_code == 302


def test_who_sits_at_the_table_is_never_limited(party: Party):
    for n in range(settings.BAD_CODES_OVERALL):
        guess(Client(), address=f"198.51.100.{n}")
    assert party.ben.sees()
    done(party.ben.does("pick_number", number=7))


def test_guesses_are_counted_in_the_database_and_forgotten(party: Party):
    guess(Client())
    assert JoinAttempt.objects.count() == 1
    party.clock.passes(seconds=601)
    guess(Client())
    assert JoinAttempt.objects.count() == 1


def test_nobody_chooses_the_address_they_are_counted_by(party: Party):
    for n in range(settings.BAD_CODES_PER_ADDRESS):
        forged = {"X-Forwarded-For": f"203.0.113.{n}"}
        Client().post("/join/", {"code": WRONG}, REMOTE_ADDR="192.0.2.1", headers=forged)
    assert guess(Client()).status_code == 429


@override_settings(TRUSTED_PROXY="10.0.0.1")
def test_only_our_proxy_is_believed_about_the_address(party: Party):
    for _guess in range(settings.BAD_CODES_PER_ADDRESS):
        forged = {"X-Forwarded-For": "1.1.1.1, 203.0.113.5"}
        Client().post("/join/", {"code": WRONG}, REMOTE_ADDR="10.0.0.1", headers=forged)
    other = {"X-Forwarded-For": "1.1.1.1, 203.0.113.6"}
    answer = Client().post("/join/", {"code": WRONG}, REMOTE_ADDR="10.0.0.1", headers=other)
    assert answer.status_code == 404


@pytest.mark.parametrize("address", ["10.0.0.1", "10.0.0.2"])
@override_settings(TRUSTED_PROXY="10.0.0.1")
def test_that_a_page_was_asked_for_by_another_name_is_believed_of_nobody(db, address):
    said = {"X-Forwarded-Host": "localhost", "Forwarded": "host=localhost"}
    answer = Client().get("/offline/", REMOTE_ADDR=address, headers=said)
    assert answer.status_code == 200
    assert answer.wsgi_request.get_host() == "testserver"


def test_a_key_that_leads_nowhere_says_so(db):
    assert Client().get("/j/nothing-like-it/").status_code == 404


@pytest.mark.parametrize(("language", "name"), [("en", "QR code"), ("es", "Código QR")])
def test_who_hears_a_page_is_told_what_the_picture_is(language, name):
    """A picture needs a name (WCAG 1.1.1)."""
    with speaking(language):
        assert f"<title>{name}</title>" in qr("http://192.0.2.1:8000/")


@pytest.mark.parametrize(("told", "spoken"), [("ES", "es"), ("eN", "en")])
def test_a_language_is_kept_as_it_is_written_here(db, told, spoken):
    """A cookie that Django reads by itself says it: no house has a table in "ES"."""
    visitor = Client()
    visitor.cookies[settings.LANGUAGE_COOKIE_NAME] = told
    answer = visitor.post("/start/", {"host_name": "Ana"})
    assert answer.headers["Content-Language"] == spoken
    table = Table.objects.get()
    assert (table.language, table.seats.get().language) == (spoken, spoken)


def test_a_language_that_nobody_speaks_here_is_not_kept(db):
    """Else every page of that visitor would ask for words that there are not."""
    visitor = Client()
    visitor.post("/language/", {"language": "es"})
    for unknown in ("xx", "", "../es"):
        visitor.post("/language/", {"language": unknown})
        assert visitor.session["language"] == "es"


def test_who_knocks_takes_nobodys_chair(party: Party):
    """Whoever has the code can knock forty times: the table was full, and its host could add
    nobody until each of them was turned away."""
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    at_the_door = {"table": party.table, "role": "player", "standing": Seat.Standing.KNOCKING}
    Seat.objects.bulk_create(
        Seat(number=n, place=n, name=f"Mallory {n}", **at_the_door)
        for n in range(101, 100 + MOST_SEATS)
    )
    refused(Person("Emil").joins(party.table), 409)
    done(party.ana.does("add_player", name="Dora"))
    done(party.ana.does("admit", who=party.cleo.seat))
    for n in range(101, 101 + MOST_SEATS):
        answer = party.ana.does("admit", who=n)
        if answer.status_code != 204:
            break
    refused(answer, 409)
    seated = party.table.seats.filter(standing=Seat.Standing.SEATED)
    assert seated.count() == MOST_SEATS
