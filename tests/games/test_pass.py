"""A seat moves to another phone by a one-time QR."""

from __future__ import annotations

import re
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pytest
from django.core.management import CommandError, call_command

from games.models import Seat, SeatPass
from tests.games.party import Party, Person, done, notice, offers_pass, refused


def test_a_pass_moves_a_seat_to_the_phone_that_scans_it(party: Party):
    token = offers_pass(party.ben, party.ben)
    phone = Person("Ben's other phone")
    assert phone.client.post(f"/seat/{token}/").status_code == 302
    phone.code, phone.seat = party.table.code, party.ben.seat
    done(phone.does("pick_number", number=7, tap="of-the-other-phone"))
    assert "Ben" in phone.sees()


def test_a_phone_that_takes_over_two_seats_has_both(party: Party):
    """Each pass leads to its own seat, also on a phone that has taken one over before."""
    (dora,) = party.welcomes("Dora")
    tokens, phone = [offers_pass(party.ana, who) for who in (party.ben, dora)], Person("one phone")
    for token in tokens:
        assert phone.client.post(f"/seat/{token}/").status_code == 302
    moved = Seat.objects.filter(device=phone.device).order_by("number")
    assert [seat.name for seat in moved] == ["Ben", "Dora"]


def test_whoever_waits_at_the_door_has_no_seat_to_pass_on(party: Party):
    """A program that asked was answered 404, with a line in the log that the pass was made."""
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    refused(party.ana.does("offer_pass", who=party.cleo.seat), 409)
    assert party.events("pass_offered") == []


def test_a_phone_that_has_a_seat_here_opens_the_one_that_it_takes_over(party: Party):
    """It opened its own, as if nothing had come of the code that it had scanned."""
    (dora,) = party.welcomes("Dora")
    token = offers_pass(party.ana, dora)
    for _press in range(2):
        page = party.ben.client.post(f"/seat/{token}/", follow=True).content.decode()
        assert f'data-seat="{dora.seat}"' in page


@pytest.mark.parametrize(
    ("rules", "who", "page"),
    [
        ("brave_or_knave", "ana", ""),
        ("knave", "ana", "gm/"),
        ("wicked_age", "ana", "gm/"),
        ("wicked_age", "ben", ""),
    ],
)
def test_a_seat_goes_on_where_its_work_is(party: Party, rules: str, who: str, page: str):
    """A GM whose phone was swapped in a fight only read whom all waited for: their own NPC."""
    party.turns_to(rules)
    person = getattr(party, who)
    token, phone = offers_pass(person, person), Person("the other phone")
    for _press in range(2):
        answer = phone.client.post(f"/seat/{token}/")
        assert answer["location"] == f"/t/{party.table.code}/{page}"


def test_no_pass_of_a_former_host_leads_to_the_new_ones_seat(party: Party):
    """S6: whoever had made it before handing over took the table back for a quarter of an hour."""
    token = offers_pass(party.ana, party.ben)
    done(party.ana.does("hand_host", who=party.ben.seat))
    assert Person("Ana's other phone").client.post(f"/seat/{token}/").status_code == 404
    assert party.ben.client.get(f"/t/{party.table.code}/gm/").status_code == 200


def told_by_the_server(*asked: str) -> str:
    said = StringIO()
    call_command("seat", *asked, stdout=said)
    return said.getvalue()


def test_whoever_serves_gives_the_host_back_a_seat_that_its_browser_has_forgotten(party: Party):
    """Nobody else can: only a host moves others' seats, and there was none any more."""
    said = told_by_the_server(party.ana.code.lower())
    found = re.search(r"^http://\S+:8000(/seat/[\w-]+/)$", said, re.M)
    assert found, said
    phone = Person("Ana's new laptop")
    assert phone.client.post(found.group(1)).status_code == 302
    phone.code, phone.seat = party.table.code, party.ana.seat
    assert phone.client.get(f"/t/{phone.code}/gm/").status_code == 200
    assert party.table.events.filter(kind="pass_offered").exists(), "the table reads of it"


def test_a_terminal_without_the_letters_of_a_name_is_told_the_address(party: Party, monkeypatch):
    """The pass was made, and who had asked for it was shown a traceback instead of it."""
    party.table.seats.filter(number=party.ben.seat).update(name="日本")
    terminal = TextIOWrapper(BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", terminal)
    call_command("seat", party.ana.code, "日本")
    terminal.seek(0)
    assert re.search(r"/seat/[\w-]+/\nWho opens .* is \?\?", terminal.read())


def test_a_code_that_is_no_text_is_refused_in_words(party: Party):
    """A shell hands on bytes that are no letters, and what they become is in no database."""
    with pytest.raises(CommandError, match="There is no table"):
        told_by_the_server("\udcff")
    assert "Ana at table" in told_by_the_server(f" {party.ana.code[:3]}-{party.ana.code[3:]}")


def test_a_seat_that_nobody_has_is_refused_with_who_sits_there(party: Party):
    assert "Ben at table" in told_by_the_server(party.ana.code, "ben")
    with pytest.raises(CommandError, match=r"Nobody called Zoe sits .*There sit: Ana, Ben"):
        told_by_the_server(party.ana.code, "Zoe")
    with pytest.raises(CommandError, match="no table NOWHERE"):
        told_by_the_server("NOWHERE")


def test_whoever_serves_names_a_host_where_the_last_one_has_gone_home(party: Party):
    """Presence takes nothing from a host, so somebody has to say that they will not come back."""
    assert "Ben is the host" in told_by_the_server(party.ana.code, "ben", "--host")
    roles = {s.name: s.role for s in party.table.seats.all()}
    assert (roles["Ana"], roles["Ben"]) == (Seat.Role.PLAYER, Seat.Role.GM)
    assert party.ben.client.get(f"/t/{party.table.code}/gm/").status_code == 200
    assert party.ana.client.get(f"/t/{party.table.code}/gm/").status_code != 200
    assert party.table.events.filter(kind="host_handed").exists(), "the table reads of it"


def test_whoever_serves_opens_the_door_that_the_last_host_left_shut(party: Party):
    """The records of years stand behind it: with nobody at the table, nobody could open it."""
    done(party.ana.does("set_door", door="locked"))
    done(party.ana.does("remove", who=party.ben.seat))
    done(party.ana.does("leave_table"))
    dan = Person("Dan")
    page = dan.client.get(f"/t/{party.table.code}/join/").content.decode()
    assert "Whoever runs this Taproom" in page, "there is no host to be asked"
    assert "Whoever runs this Taproom" in notice(dan.joins(party.table))

    said = told_by_the_server(party.table.code)
    found = re.search(r"^http://\S+:8000(/j/[\w-]+/)$", said, re.M)
    assert found, said
    assert dan.client.get(found.group(1)).status_code == 302
    assert dan.joins(party.table).status_code == 302
    assert party.table.seats.get(role="gm").name == "Dan"
    assert party.table.events.filter(kind="door_set").count() == 2, "the table reads of it"


def test_a_host_is_named_by_name_and_a_screen_is_none(party: Party):
    with pytest.raises(CommandError, match="Say who"):
        told_by_the_server(party.ana.code, "--host")
    with pytest.raises(CommandError, match="Only a person"):
        told_by_the_server(party.ana.code, "Shared screen", "--host")


def test_a_seat_is_found_however_a_terminal_writes_an_accent(party: Party):
    """A Mac's terminal hands on letter and accent apart, and a kept name has them as one."""
    assert party.cleo.joins(party.table, name="Éva").status_code == 302
    assert "Éva at table" in told_by_the_server(party.ana.code, "e\N{COMBINING ACUTE ACCENT}va")


def test_the_new_phone_speaks_as_the_seat_does(party: Party):
    """On the pages beside the table too, which know no seat's language."""
    done(party.ben.does("speak", language="es"))
    phone = Person("Ben's other phone")
    phone.client.post(f"/seat/{offers_pass(party.ben, party.ben)}/")
    assert "Las reglas de Brave or Knave" in phone.client.get("/").content.decode()


def test_the_old_phone_is_out(party: Party):
    token = offers_pass(party.ben, party.ben)
    Person("Other").client.post(f"/seat/{token}/")
    refused(party.ben.does("pick_number", number=7), 404)
    assert party.ben.client.get(f"/t/{party.ben.code}/").status_code == 302


def test_a_pass_is_used_once(party: Party):
    token = offers_pass(party.ben, party.ben)
    assert Person("First").client.post(f"/seat/{token}/").status_code == 302
    second = Person("Second").client.post(f"/seat/{token}/")
    assert second.status_code == 404
    assert "used or is too old" in notice(second)


def test_who_goes_back_to_a_pass_that_they_used_is_led_to_their_seat(party: Party):
    """The back button, and a second tap on the button; whoever lost the seat since is told so."""
    token = offers_pass(party.ben, party.ben)
    phone = Person("Ben's other phone")
    phone.client.post(f"/seat/{token}/")
    for again in (phone.client.get(f"/seat/{token}/"), phone.client.post(f"/seat/{token}/")):
        assert (again.status_code, again.url) == (302, f"/t/{party.table.code}/")
    done(party.ana.does("remove", who=party.ben.seat))
    assert phone.client.get(f"/seat/{token}/").status_code == 404


def test_looking_at_a_pass_does_not_use_it_up(party: Party):
    """Messengers fetch links to preview them."""
    token = offers_pass(party.ben, party.ben)
    assert Person("Preview").client.get(f"/seat/{token}/").status_code == 200
    assert Person("Phone").client.post(f"/seat/{token}/").status_code == 302


def test_a_pass_expires_after_fifteen_minutes(party: Party):
    token = offers_pass(party.ben, party.ben)
    party.clock.passes(seconds=15 * 60 + 1)
    assert Person("Late").client.post(f"/seat/{token}/").status_code == 404
    done(party.ben.does("pick_number", number=7))


def test_a_new_pass_takes_the_old_one_back(party: Party):
    old = offers_pass(party.ben, party.ben)
    offers_pass(party.ben, party.ben)
    assert Person("Other").client.post(f"/seat/{old}/").status_code == 404


def test_a_player_offers_their_own_seat_the_host_any(party: Party):
    assert party.ben.does("offer_pass", who=party.ana.seat).status_code in (403, 409)
    token = offers_pass(party.ana, party.ben)
    assert Person("Ben's new phone").client.post(f"/seat/{token}/").status_code == 302


def test_a_removed_seat_is_not_reached_by_an_old_pass(party: Party):
    token = offers_pass(party.ben, party.ben)
    done(party.ana.does("remove", who=party.ben.seat))
    assert Person("Other").client.post(f"/seat/{token}/").status_code == 404


def test_an_undo_that_brings_back_who_was_turned_out_brings_back_no_pass(party: Party):
    """BK-21 taken back fills the chair, on the host's phone: the host says who takes it over."""
    party.begins()
    token = offers_pass(party.ben, party.ben)
    done(party.ana.does("remove", who=party.ben.seat))
    done(party.ana.does("undo", event=party.events("Out")[-1].seq))
    assert party.ana.table.seats.get(number=party.ben.seat).is_seated
    assert party.ben.client.post(f"/seat/{token}/").status_code == 404
    assert party.ben.client.get(f"/t/{party.ben.code}/").status_code == 302
    token = offers_pass(party.ana, party.ben)
    assert party.ben.client.post(f"/seat/{token}/").status_code == 302


def test_nobody_takes_over_a_seat_that_the_house_plays(party: Party):
    """A regular with a phone would be played by two hands at once."""
    done(party.ana.does("add_regular"))
    regular = party.table.seats.exclude(regular="").get()
    assert "Only a person" in refused(party.ana.does("offer_pass", who=regular.number), 409)
    assert not SeatPass.objects.exists()


def test_only_the_asker_sees_the_token_and_only_its_digest_is_kept(party: Party):
    token = offers_pass(party.ben, party.ben)
    assert token not in party.ana.sees()
    assert token not in party.ana.sees("gm/")
    assert token not in party.tess.sees("screen/")
    assert all(token not in str(row) for row in SeatPass.objects.values_list())
    assert all(token not in str(e.data) for e in party.events())
    assert all(token not in str(p.action) for p in party.table.plays.all())


def test_a_pass_offered_twice_by_one_tap_is_offered_once(party: Party):
    done(party.ben.does("offer_pass", who=party.ben.seat, tap="press"))
    done(party.ben.does("offer_pass", who=party.ben.seat, tap="press"))
    assert SeatPass.objects.count() == 1


def test_bk9_a_seat_that_moves_in_the_middle_of_a_shouting_is_heard_from_its_new_phone(
    party: Party,
):
    """Within the breath it is judged like any other; the old phone shouts no more."""
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    token, phone = offers_pass(party.ben, party.ben), Person("Ben's other phone")
    party.shouts(dora, "knave")
    assert phone.client.post(f"/seat/{token}/").status_code == 302
    phone.code, phone.seat = party.table.code, party.ben.seat
    party.clock.passes(30)
    refused(party.ben.does("shout", call="brave"), 404)
    done(phone.does("shout", call="brave", tap="from-the-new-phone"))
    party.closes()
    assert [(one.seat, one.at_ms) for one in party.state.shouts] == [(2, 500), (1, 530)]
    done(party.ana.does("award", to=1))
    party.dice.fall(9)
    done(phone.does("roll", tap="rolled-on-the-new-phone"))
    assert party.state.roller == 1
