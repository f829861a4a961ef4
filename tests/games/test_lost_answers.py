"""An answer that sits somebody down brings the key to the seat, and may be lost on its way.

The house has written down that somebody sits there; the browser never heard of it, and asks again
with the cookies it had before. Whoever does so is at their seat, and at all seats they had before:
otherwise the line of one second costs the chair of years, and the host has to come.
"""

from __future__ import annotations

import copy
import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client

from games.models import Device, Seat, Table
from tests.games.party import Party, Person, offers_pass

LOGIN = {"username": "boss", "password": "a long pass of 7 words"}

pytestmark = pytest.mark.django_db


def _before(person: Person) -> Person:
    """Return this phone as it is if the answer to what it sends next is lost."""
    return copy.deepcopy(person)


def _stranger(party: Party, name: str) -> Person:
    """Return somebody who looks at the join page, which brings the cookie that forms need."""
    person = Person(name)
    person.client.get(f"/t/{party.table.code}/join/")
    assert "sid" not in person.client.cookies
    return person


def _seats(party: Party, name: str) -> int:
    return party.table.seats.filter(name=name).count()


def test_who_sits_down_and_hears_nothing_of_it_sits_there_when_asking_again(party: Party):
    zoe = _stranger(party, "Zoe")
    again = _before(zoe)
    assert zoe.joins(party.table).status_code == 302
    assert again.joins(party.table).status_code == 302
    assert again.seat == zoe.seat
    assert _seats(party, "Zoe") == 1
    assert "Zoe" in again.sees()


def test_each_time_that_the_answer_is_lost(party: Party):
    zoe = _stranger(party, "Zoe")
    for _try in range(4):
        last = _before(zoe)
        assert last.joins(party.table).status_code == 302
    assert _seats(party, "Zoe") == 1
    assert "Zoe" in last.sees()


def test_whoever_changes_the_name_meanwhile_has_the_seat_that_was_taken(party: Party):
    zoe = _stranger(party, "Zoe")
    again = _before(zoe)
    zoe.joins(party.table)
    assert again.joins(party.table, name="Zoe the Second").status_code == 302
    assert again.seat == zoe.seat
    assert _seats(party, "Zoe the Second") == 0


def test_a_shared_screen_is_one_however_often_it_is_asked_for(party: Party):
    screen = _stranger(party, "")
    again = _before(screen)
    before = party.table.seats.filter(role=Seat.Role.SCREEN).count()
    for one in (screen, again):
        assert one.joins(party.table, role="screen").status_code == 302
    assert party.table.seats.filter(role=Seat.Role.SCREEN).count() == before + 1


def test_nobody_loses_the_seats_they_had_at_other_tables(party: Party):
    """The host of a campaign sits down elsewhere as well, and the wireless drops in that second."""
    host = Person("Bea")
    mine = host.opens_table("Years")
    host.sees()
    again = _before(host)
    assert host.joins(party.table).status_code == 302
    answer = again.client.get(f"/t/{mine.code}/gm/")
    assert answer.status_code == 200
    assert again.client.get(f"/t/{party.table.code}/").status_code == 200


def test_a_refused_name_costs_no_seat_either(party: Party):
    host = Person("Ana")
    mine = host.opens_table("Years")
    again = _before(host)
    assert host.joins(party.table).status_code == 409
    assert again.client.get(f"/t/{mine.code}/gm/").status_code == 200


def test_a_table_that_was_opened_without_an_answer_is_among_ones_own(party: Party):
    host = _stranger(party, "Bea")
    again = _before(host)
    first = host.opens_table("Years")
    again.opens_table("Years, again")
    assert first.code in again.client.get("/").content.decode()


def _opens(host: Person, address: str = "/start/", **typed: str) -> str:
    """Send the front page's form as it is now; return the code of the table it leads to."""
    page = host.client.get("/").content.decode()
    (tap, *_others) = re.findall(r'name="tap" value="([^"]*)"', page)
    return _sends(host, tap, address, **typed)


def _sends(host: Person, tap: str, address: str = "/start/", **typed: str) -> str:
    told = {"host_name": "Bea", "table_name": "Years", "tap": tap, **typed}
    answer = host.client.post(address, told)
    assert answer.status_code == 302
    return str(answer.url.split("/")[2])


@pytest.mark.parametrize("address", ["/start/", "/try/"])
def test_a_form_that_opens_a_table_opens_one_however_often_it_is_sent(party: Party, address: str):
    """Its first answer was lost, or somebody pressed twice: with that stood a second table."""
    before = Table.objects.count()
    first = _sends(_before(party.ana), "from one page", address)
    for again in (_before(party.ana), party.ana):
        assert _sends(again, "from one page", address) == first
    assert Table.objects.count() == before + 1
    assert _sends(party.ana, "from one page", rules="knave") != first, "another wish"
    assert _opens(party.ana, address) != _opens(party.ana, address), "a page, a table"
    assert _sends(party.ben, "from one page", address) != first, "another phone's"


def test_a_newcomer_who_loads_the_page_anew_after_a_lost_answer_has_the_table(party: Party):
    host = _stranger(party, "Bea")
    again = _before(host)
    assert _opens(host) == _opens(again)
    assert _opens(again) != _opens(again), "who has a seat has a page of their own"


def test_whoever_got_up_from_a_table_opens_another_one_with_the_same_form(party: Party):
    first = _sends(party.ana, "one")
    Seat.objects.filter(table__code=first).update(standing=Seat.Standing.GONE)
    assert _sends(party.ana, "one") != first


def test_a_pass_whose_answer_was_lost_still_leads_to_its_seat(party: Party):
    """The old phone holds the seat no more, and the new one would be told the pass is used up."""
    token = offers_pass(party.ben, party.ben)
    new = Person("Ben's other phone")
    new.client.get(f"/seat/{token}/")
    again = _before(new)
    assert new.client.post(f"/seat/{token}/").status_code == 302
    assert again.client.get(f"/seat/{token}/").status_code == 200  # whoever scans once more
    assert again.client.post(f"/seat/{token}/").status_code == 302
    again.code = party.table.code
    assert "Ben" in again.sees()


def test_a_program_whose_answer_was_lost_is_told_its_seat(party: Party):
    robin = Person("Robin")
    door = f"/api/tables/{party.table.code}/door/"
    robin.client.get(door)
    again = _before(robin)
    told = [
        one.client.post(door, {"name": "Robin"}, "application/json").json()["seat"]
        for one in (robin, again)
    ]
    assert told[0] == told[1]


def test_the_former_session_ends_as_soon_as_the_new_one_is_used(party: Party):
    """Or one that somebody planted beforehand would hold the seat as well."""
    former = _before(party.ben)
    party.ben.joins(party.table, role="screen")
    assert former.client.cookies["sid"].value != party.ben.client.cookies["sid"].value
    party.ben.sees()
    assert former.client.get(f"/t/{party.table.code}/").status_code == 302
    assert not Session.objects.filter(pk=former.client.cookies["sid"].value).exists()
    assert party.ben.client.get("/").cookies.get("sid") is None, "once is enough"


def test_who_comes_with_the_cookies_of_before_once_the_answer_came_is_a_stranger(party: Party):
    """Cookies that were planted, or that a phone's next user finds, hold no seat."""
    zoe = _stranger(party, "Zoe")
    again = _before(zoe)
    zoe.joins(party.table)
    zoe.sees()
    assert again.joins(party.table).status_code == 409
    assert again.joins(party.table, name="Yan").status_code == 302
    assert again.seat != zoe.seat
    assert again.device != zoe.device


def test_whoever_prepared_a_session_by_a_planted_cookie_holds_nothing(party: Party):
    """They know the cookie that forms need, and have been here with it before its new owner."""
    zoe = _stranger(party, "Zoe")
    thief = _before(zoe)
    thief.opens_table("A trap")
    zoe.joins(party.table)
    zoe.sees()
    thief.code = party.table.code
    assert thief.client.get(f"/t/{party.table.code}/").status_code == 302
    assert not Session.objects.filter(pk=thief.client.cookies["sid"].value).exists()


def test_who_leaves_the_admin_keeps_their_seat_and_nobody_is_logged_in_any_more(party: Party):
    """Whoever runs the house often plays at it, in the same browser."""
    get_user_model().objects.create_superuser("boss", "", LOGIN["password"])
    ana = party.ana
    answer = ana.client.post("/admin/login/?next=/admin/", LOGIN)
    assert answer.status_code == 302
    ana.sees("gm/")
    former = _before(ana)
    assert ana.client.post("/admin/logout/").status_code == 200
    for one in (former, ana):
        assert one.client.get("/admin/games/table/").status_code == 302
        one.sees("gm/")


def test_an_account_whose_password_was_changed_is_logged_out_and_its_seat_stays(party: Party):
    user = get_user_model().objects.create_superuser("boss", "", LOGIN["password"])
    party.ana.client.post("/admin/login/?next=/admin/", LOGIN)
    user.set_password("another one of 8 words")
    user.save()
    assert party.ana.client.get("/admin/").status_code == 302
    party.ana.sees("gm/")


def test_whose_login_was_not_answered_has_the_seat_still(party: Party):
    get_user_model().objects.create_superuser("boss", "", LOGIN["password"])
    again = _before(party.ana)
    party.ana.client.post("/admin/login/?next=/admin/", LOGIN)
    again.sees("gm/")
    assert again.client.get("/admin/").status_code == 302


def test_an_answer_is_waited_for_for_an_hour(party: Party):
    zoe = _stranger(party, "Zoe")
    again = _before(zoe)
    zoe.joins(party.table)
    kept = Session.objects.get(pk=zoe.client.cookies["sid"].value)
    kept.expire_date -= timedelta(hours=1, minutes=1)
    kept.save()
    assert again.joins(party.table).status_code == 409
    assert Device.objects.filter(seats__name="Zoe").count() == 1


def test_phones_without_any_cookie_are_strangers_to_each_other(party: Party):
    """A client that sends no cookie back at all is nobody that one could know again."""
    for name in ("Yan", "Xia"):
        answer = Client().post(f"/t/{party.table.code}/join/", {"name": name, "role": "player"})
        assert answer.status_code == 302
    assert Device.objects.filter(seats__name__in=("Yan", "Xia")).distinct().count() == 2


def test_who_gets_up_and_hears_nothing_of_it_has_got_up_when_asking_again(party: Party):
    """The door said that somebody had taken the seat away."""
    for _try in range(2):
        answer = party.ben.does("leave_table", tap="first")
        assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/")
    assert party.ben.does("leave_table", tap="second").status_code == 404
    assert len(party.events("seat_left")) == 1


def test_a_pass_is_shown_to_whoever_heard_nothing_of_it_and_asks_again(party: Party):
    """Its code was drawn once: the tap that came again was answered without one, in silence."""

    def asks(tap: str) -> list[str]:
        answer = party.ben.does("offer_pass", who=party.ben.seat, tap=tap)
        return re.findall(r">\S+/seat/([\w-]+)/<", answer.content.decode())

    (shown,) = asks("first")
    assert asks("first") == [shown]
    assert len(party.events("pass_offered")) == 1
    (newer,) = asks("second")
    assert newer != shown
    assert asks("first") == [], "the second pass took its place"
    assert Person("Ben's other phone").client.post(f"/seat/{newer}/").status_code == 302
    assert party.ben.does("offer_pass", who=party.ben.seat, tap="second").status_code == 404


def test_a_pass_that_was_used_is_shown_to_nobody_again(party: Party):
    """The host's tap comes again late, when the seat is on its new phone already."""

    def asks() -> str:
        answer = party.ana.does("offer_pass", who=party.ben.seat, tap="first")
        return answer.content.decode()

    (token,) = re.findall(r">\S+/seat/([\w-]+)/<", asks())
    Person("Ben's other phone").client.post(f"/seat/{token}/")
    assert asks() == ""
