"""Seats and who holds them: knocking, admitting, removing, handing over, leaving, languages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone, translation

from config.sessions import SessionStore
from games import presence, snapshot
from games.deeds import people
from games.management.commands import prepare
from games.models import Device, Seat, Table
from games.screens.scene import scene_of
from games.seat_names import shown_name
from games.sentences import tell
from games.stage import STAGES
from tests.games.party import Party, Person, done, notice, refused


def test_where_the_door_asks_a_newcomer_waits_and_sees_nothing(party: Party):
    done(party.ana.does("set_door", door="ask"))
    party.begins().rolls(party.ana, 7)
    answer = party.cleo.joins(party.table)
    assert answer.status_code == 302
    assert party.cleo.row.standing == Seat.Standing.KNOCKING
    page = party.cleo.sees()
    assert "Ben" not in page
    assert 'data-seq="0"' in page, "nor how lively it is behind the door"
    refused(party.cleo.does("show_hand", letters="true"), 404)
    refused_page = party.cleo.client.get(f"/t/{party.cleo.code}/records/")
    assert refused_page.status_code == 404


def test_the_host_admits_who_knocked(party: Party):
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    refused(party.ben.does("admit", who=party.cleo.seat), 403)
    done(party.ana.does("admit", who=party.cleo.seat))
    assert party.cleo.row.is_seated
    assert party.entrant(party.cleo).guild_name == "Cleo"
    refused(party.ana.does("admit", who=party.cleo.seat), 409)


def test_the_host_turns_somebody_away(party: Party):
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    done(party.ana.does("remove", who=party.cleo.seat))
    assert [e.kind for e in party.events()][-1] == "turned_away"
    answer = party.cleo.client.get(f"/t/{party.cleo.code}/")
    assert answer.status_code == 302  # to the join page: the seat is gone
    assert answer.url.endswith("/join/")


def test_a_removed_seat_acts_and_sees_no_more(party: Party):
    done(party.ana.does("remove", who=party.ben.seat))
    refused(party.ben.does("pick_number", number=7), 404)
    assert party.ben.client.get(f"/t/{party.ben.code}/").status_code == 302
    assert party.ben.client.get(f"/t/{party.ben.code}/records/").status_code == 404


def test_removing_in_a_bout_puts_the_player_out(party: Party):
    party.welcomes("Dora")
    party.begins()
    done(party.ana.does("remove", who=party.ben.seat))
    assert party.state.fingers[1] == 0


def test_the_host_does_not_remove_themselves(party: Party):
    refused(party.ana.does("remove", who=party.ana.seat), 409)
    refused(party.ana.does("remove", who=99), 409)


def test_the_host_hands_over_before_leaving(party: Party):
    refused(party.ana.does("leave_table"), 409)
    done(party.ana.does("hand_host", who=party.ben.seat))
    assert party.ben.row.is_gm
    refused(party.ana.does("pause"), 403)
    done(party.ana.does("leave_table"))
    done(party.ben.does("pause"))


def test_a_tap_that_gave_its_own_role_away_is_answered_as_done_when_it_comes_again(party: Party):
    """R2: its phone heard no answer and asks again; "only the host may do that" is none."""
    for _time in range(2):
        done(party.ana.does("hand_host", who=party.ben.seat, tap="handed"))
    assert party.ben.row.is_gm
    refused(party.ana.does("hand_host", who=party.ben.seat, tap="another"), 403)


def test_only_a_person_is_the_host(party: Party):
    done(party.ana.does("add_regular"))
    regular = party.table.seats.exclude(regular="").get()
    refused(party.ana.does("hand_host", who=regular.number), 409)
    refused(party.ana.does("hand_host", who=party.tess.seat), 409)


def test_who_leaves_is_sent_to_the_front_page(party: Party):
    answer = done(party.ben.does("leave_table"))
    assert answer.headers["HX-Redirect"] == "/"
    assert party.entrant(party.ana)
    assert not party.game.entrants.filter(guild_name="Ben").exists()


def test_a_table_of_one_can_be_left_by_its_host(db):
    ana = Person("Ana")
    ana.opens_table()
    done(ana.does("leave_table"))


@pytest.mark.parametrize("rules", STAGES)
def test_who_sits_down_after_the_host_has_left_is_the_host(db, rules: str):
    """A table goes on from the phones alone: nobody is left who could hand it over."""
    ana, tess, ben, cleo = (Person(name) for name in ("Ana", "Tess", "Ben", "Cleo"))
    table = ana.opens_table()
    Table.objects.update(rules=rules)
    done(ana.does("leave_table"))
    tess.joins(table, role="screen")
    ben.joins(table)
    cleo.joins(table)
    assert [s.name for s in table.seats.filter(role="gm")] == ["Ben"]
    assert table.events.filter(kind="host_handed").count() == 1
    done(ben.does("set_door", door="ask"))
    assert ben.sees("gm/")
    refused(cleo.does("set_door", door="open"), 403)


def test_who_was_the_host_is_led_from_the_hosts_page_to_their_seat(party: Party):
    """By a bookmark, or by going back: the front door was the only way from there."""
    done(party.ana.does("hand_host", who=party.ben.seat))
    answer = party.ana.client.get(f"/t/{party.table.code}/gm/")
    assert answer.status_code == 403
    assert f'href="/t/{party.table.code}/"' in answer.content.decode()


def test_nobody_becomes_the_host_while_one_sits_here_however_long_their_phone_sleeps(
    party: Party,
):
    """The control: presence is nothing that takes a table away, only getting up is."""
    Device.objects.filter(seats=party.ana.row).delete()
    assert party.ana.row.device is None, "not even a browser that has forgotten its seat"
    party.cleo.joins(party.table)
    assert [s.name for s in party.table.seats.filter(role="gm")] == ["Ana"]


def test_nobody_waits_at_the_door_of_a_table_whose_host_has_left(party: Party):
    """A screen says what is so: "the host sees your name and will let you in" would never be."""
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    done(party.ana.does("remove", who=party.ben.seat))
    done(party.ana.does("leave_table"))
    assert party.cleo.client.get(f"/t/{party.cleo.code}/").url.endswith("/join/")
    assert [e.kind for e in party.tess.table.events.order_by("seq")][-2:] == [
        "seat_left",
        "turned_away",
    ]
    answer = Person("Dan").joins(party.tess.table)
    assert answer.status_code == 409
    assert "Nobody who could let you in sits here any more" in notice(answer)
    assert party.tess.sees("screen/")


def test_a_name_at_the_table_is_taken_once(party: Party):
    answer = party.cleo.joins(party.table, name=" ben ")
    assert answer.status_code == 409
    assert "sits here already" in notice(answer)
    assert "ben" in answer.content.decode()  # what was typed is still there
    # No host can give the host's seat back.
    assert "whoever runs this Taproom" in notice(party.cleo.joins(party.table, name="Ana"))
    assert party.cleo.joins(party.table).status_code == 302


def test_a_name_at_the_table_is_taken_once_by_who_has_no_phone_too(party: Party):
    """Of two Bens nobody could tell which seat to move, to remove or to make the host."""
    answer = party.ana.does("add_player", name=" BEN ")
    assert "sits here already" in refused(answer, 409)
    assert 'data-field="name"' in answer.content.decode()
    done(party.ana.does("add_player", name="Benedicta"))
    assert party.events("seat_taken")[-1].data["name"] == "Benedicta"


def test_what_is_wrong_with_the_tables_name_is_said_at_its_field(party: Party):
    """It stood above everything, since the form calls that field otherwise."""
    answer = party.ana.does("rename_table", name="\u202e")
    refused(answer, 422)
    assert 'data-field="name"' in answer.content.decode()


def test_one_person_however_the_accent_is_typed(party: Party):
    """A name at the table is taken once: big or small, also where letters have accents."""
    assert party.cleo.joins(party.table, name="Éva").status_code == 302
    for same in ("éva", "ÉVA", "E\N{COMBINING ACUTE ACCENT}va"):
        answer = Person("Eva").joins(party.table, name=same)
        assert answer.status_code == 409
        assert "sits here already" in notice(answer)


def test_each_seat_has_its_own_language(party: Party):
    answer = done(party.ben.does("speak", language="es"))
    assert answer.headers["HX-Refresh"] == "true"
    assert party.ben.row.language == "es"
    assert 'lang="es"' in party.ben.sees()
    assert 'lang="en"' in party.ana.sees()


def test_a_strangers_seat_answers_as_one_that_is_not_there(party: Party):
    """The same status and the same words: nobody learns who sits where."""
    party.cleo.seat = party.ana.seat
    hers = refused(party.cleo.does("pick_number", number=3), 404)
    party.cleo.seat = 77
    assert refused(party.cleo.does("pick_number", number=3), 404) == hers


def test_a_stranger_cannot_act_for_a_regular(party: Party):
    """A regular's seat has no device, and neither has a stranger: that must not be a match."""
    done(party.ana.does("add_regular"))
    party.cleo.seat = party.table.seats.exclude(regular="").get().number
    refused(party.cleo.does("pick_number", number=3), 404)


def test_a_planted_session_holds_nothing(party: Party):
    """Session fixation: sitting down gives the session a new id."""
    party.cleo.client.get("/")
    session = party.cleo.client.session
    session["planted"] = "yes"
    session.save()
    planted = session.session_key
    party.cleo.client.cookies["sid"] = planted
    party.cleo.joins(party.table)
    assert party.cleo.client.cookies["sid"].value != planted


def _has_left(party: Party, days: int) -> Session:
    """Let Ben's session have so many days left."""
    kept = Session.objects.get(session_key=party.ben.client.cookies["sid"].value)
    kept.expire_date = timezone.now() + timedelta(days=days)
    kept.save()
    party.ben.client.cookies.pop("sid")
    party.ben.client.cookies["sid"] = kept.session_key
    return kept


def test_a_phone_that_is_used_keeps_its_seat_for_years(party: Party):
    """Who had played every week was turned out in the middle of a campaign, the host as well."""
    kept = _has_left(party, 20)
    answer = party.ben.client.get(f"/t/{party.table.code}/")
    assert answer.status_code == 200
    assert answer.cookies["sid"]["max-age"] == 400 * 24 * 3600
    assert answer.cookies["sid"].value == kept.session_key
    kept.refresh_from_db()
    assert kept.expire_date > timezone.now() + timedelta(days=399)
    assert "sid" not in party.ben.client.get(f"/t/{party.table.code}/").cookies, "once is enough"


def test_a_session_whose_time_is_over_holds_no_seat(party: Party):
    """S9: nor is its key used again."""
    kept = _has_left(party, -1)
    answer = party.ben.client.get(f"/t/{party.table.code}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{party.table.code}/join/")
    assert answer.cookies.get("sid") is None or answer.cookies["sid"].value != kept.session_key


def test_what_is_over_is_forgotten_when_a_house_opens(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """S9: of a house that is open for years each visit of a stranger stayed for ever."""
    kept = _has_left(party, -1)
    for step in ("opening", "collect_static", "call_command"):
        monkeypatch.setattr(prepare, step, Mock(**{"make_ready.return_value": None}))
    prepare.opening.left_behind.return_value = None
    call_command(prepare.Command())
    assert not Session.objects.filter(pk=kept.pk).exists()
    assert Session.objects.exists(), "those of the others"


def test_a_process_with_another_key_leaves_a_session_as_it_is(
    party: Party, settings: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    """It renewed as empty what it could not read: the seat stayed lost when the key was back."""
    monkeypatch.setattr(SessionStore, "_has_said", False)
    kept, right = _has_left(party, 20), settings.SECRET_KEY
    settings.SECRET_KEY = "another " * 8
    caplog.clear()
    for _page in range(2):
        assert party.ben.client.get(f"/t/{party.table.code}/").status_code == 302
    assert sum("TAPROOM_SECRET_KEY" in said for said in caplog.messages) == 1, "once is enough"
    settings.SECRET_KEY = right
    party.ben.client.cookies["sid"] = kept.session_key
    assert party.ben.client.get(f"/t/{party.table.code}/").status_code == 200


def test_a_session_that_cannot_be_renewed_just_now_is_used_as_it_is(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """On a full disk what is there can be read; and a seat won meanwhile has made the key anew."""
    for error in (OperationalError("database or disk is full"), UpdateError):
        kept = _has_left(party, 20)
        with monkeypatch.context() as here:
            here.setattr(SessionStore, "save", Mock(side_effect=error))
            assert party.ben.client.get(f"/t/{party.table.code}/").status_code == 200
        kept.refresh_from_db()
        assert kept.expire_date < timezone.now() + timedelta(days=21)


def test_a_shared_screens_name_is_in_each_readers_language(party: Party):
    """The house named it, so the house translates it; a person of that name keeps theirs."""
    with translation.override("es"):
        spanish = translation.gettext("Shared screen")
    party.cleo.joins(party.table, role="screen")
    screen, ben = party.cleo.row, party.ben.row
    Seat.objects.filter(pk__in=(screen.pk, ben.pk)).update(name=spanish)
    screen.refresh_from_db()
    ben.refresh_from_db()
    with translation.override("en"):
        assert shown_name(screen.name, screen.role) == "Shared screen"
        assert shown_name(ben.name, ben.role) == spanish
        assert shown_name("Tess", Seat.Role.SCREEN) == "Tess"
    page = party.ana.sees()
    assert page.count("Shared screen") > page.count('id="to-screen"')
    assert "<small>shared screen" not in page  # what it is need not be said below its name
    done(party.ana.does("remove", who=party.cleo.seat))
    last = party.events()[-1]
    with translation.override("en"):
        assert "Shared screen" in tell(last.kind, last.data, [])


def test_who_sits_on_anothers_device_is_here_with_it(party: Party):
    """Gran has no phone: while Ana's is at the table, she is not away."""
    done(party.ana.does("add_player", name="Gran"))
    lines = {party.ana.seat: presence.Connection(None)}
    scene = scene_of(snapshot.load(party.table.pk), lines)
    here = {seat.name for seat in scene.seats if seat.is_connected}
    assert here == {"Ana", "Gran"}


def test_who_got_up_for_good_is_not_told_as_away(party: Party):
    """The ring of a bout keeps them, out: nobody waits for them to come back."""
    (dora,) = party.welcomes("Dora")
    party.begins()
    done(dora.does("leave_table"))
    scene = scene_of(snapshot.load(party.table.pk), {})
    away = {seat.name for seat in scene.ring if not seat.is_connected}
    assert away == {"Ana", "Ben"}


@pytest.mark.parametrize("rules", STAGES)
def test_who_looks_at_the_shared_screen_on_a_phone_takes_no_seat_away_with_it(
    party: Party, rules: str
):
    """“Take this screen away” was the player's own seat there: in a bout they were out."""
    party.turns_to(rules)
    for person in (party.ana, party.ben):
        page = person.sees("screen/")
        assert 'value="leave_table"' not in page
        assert 'id="to-table"' in page, "an installed app has no other way back"
    tablet = party.tess.sees("screen/")
    assert 'value="leave_table"' in tablet
    assert 'id="to-table"' not in tablet


def test_nobody_has_the_colour_of_another_who_sits_here(party: Party):
    """A mark is an initial in a colour: where people came and went for weeks, two had the same."""
    for _week in range(15):
        (guest,) = party.welcomes("Bea")
        done(guest.does("leave_table"))
    bea, carl = party.welcomes("Bea", "Carl")
    scene = scene_of(snapshot.load(party.table.pk), {})
    people = [seat for seat in scene.seats if seat.role != Seat.Role.SCREEN]
    assert len({seat.colour for seat in people}) == len(people) == 4
    assert bea.seat != carl.seat


def test_the_thousandth_newcomer_of_a_table_is_let_in_like_any_other(party: Party):
    """At a bar's table of years each has a number of their own, and the host was refused theirs."""
    done(party.ana.does("set_door", door="ask"))
    party.table.seats.filter(pk=party.tess.row.pk).update(number=999)
    party.cleo.joins(party.table)
    assert party.cleo.seat == 1000
    done(party.ana.does("admit", who=1000))
    done(party.ana.does("hand_host", who=1000))
    assert party.cleo.row.is_gm


def test_at_a_full_table_nobody_sits_down_until_somebody_gets_up(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: the last seat is taken, and not one more; who has gone keeps none."""
    monkeypatch.setattr(people, "MOST_SEATS", 4)
    (dora,) = party.welcomes("Dora")
    assert "full" in refused(Person("Eve").joins(party.table), 409)
    done(dora.does("leave_table"))
    assert Person("Eve").joins(party.table).status_code == 302
