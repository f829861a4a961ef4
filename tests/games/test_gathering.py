"""Before a bout: guild names (BK-2), numbers (BK-3), seating (BK-5), who begins (BK-6)."""

from __future__ import annotations

import re

import pytest

from games.deeds import people
from games.models import Entrant, Event, Seat, Table
from tests.games.party import Party, Person, done, refused


def test_bk1_two_players_with_a_number_are_needed(party: Party):
    done(party.ana.does("pick_number", number=7))
    assert "Two players" in refused(party.ana.does("start_bout"), 409)


def test_bk2_guild_names_differ_without_regard_to_case_and_space(party: Party):
    done(party.ana.does("name_guild", name="Moth"))
    for same in ("moth", "  MOTH  ", "Ｍoth"):
        assert "sits here already" in refused(party.ben.does("name_guild", name=same), 409)
    done(party.ben.does("name_guild", name="Mother"))


def test_bk2_what_a_guild_name_is_compared_by_fits_its_column(party: Party):
    """One letter may stand for eighteen: on PostgreSQL such a name was answered 500."""
    longest = Entrant._meta.get_field("guild_key").max_length
    name, other = "\ufdfa" * 30, "\ufdfa" * 29 + "a"
    done(party.ben.does("name_guild", name=name))
    done(party.ana.does("name_guild", name=other))
    assert "sits here already" in refused(party.ana.does("name_guild", name=name), 409)
    assert all(len(one.guild_key) <= longest for one in Entrant.objects.all())
    party.begins()
    party.rolls(party.ana, 1)
    assert party.game.winners == [name]
    done(party.ana.does("rematch"))
    assert f"{name}</th><td>1</td>" in party.ben.sees("records/")


def test_bk2_a_guild_name_that_fails_keeps_the_number(party: Party):
    done(party.ben.does("pick_number", number=9))
    refused(party.ben.does("name_guild", name="Ana"), 409)
    assert party.entrant(party.ben).number == 9


def test_bk2_only_guild_names_are_shown_during_a_bout(party: Party):
    (dora,) = party.welcomes("Dora")
    for person, name in ((party.ana, "Moth"), (party.ben, "Vane"), (dora, "Rook")):
        done(person.does("name_guild", name=name))
    party.begins(shouting="mouth").rolls(party.ana, 7)
    done(party.ana.does("heard", who=party.ben.seat, call="brave"))
    done(dora.does("leave_table"))
    done(party.ana.does("hand_host", who=party.ben.seat))
    pages = (party.ana.sees(), party.ben.sees("gm/"), party.tess.sees("screen/"))
    for page in pages:
        shown = re.sub(r"<[^>]*>", " ", page)
        assert "Moth" in shown
        assert "Vane" in shown
        for person in ("Ana", "Ben", "Dora"):
            assert not re.search(rf"\b{person}\b", shown), person
    assert "Moth heard Vane first." in pages[1]


def test_bk2_after_the_bout_screens_tell_who_went_by_which_name(party: Party):
    done(party.ana.does("name_guild", name="Moth"))
    party.begins()
    assert "Ana goes by Moth now." not in party.ben.sees()
    party.rolls(party.ana, 1)
    assert "Ana goes by Moth now." in party.ben.sees()


def test_bk3_no_two_players_share_a_number(party: Party):
    done(party.ana.does("pick_number", number=13))
    message = refused(party.ben.does("pick_number", number=13), 409)
    assert "13 is taken by Ana" in message
    assert party.entrant(party.ben).number is None


def test_bk3_a_number_can_be_changed_and_is_free_again(party: Party):
    done(party.ana.does("pick_number", number=13))
    done(party.ana.does("pick_number", number=12))
    done(party.ben.does("pick_number", number=13))


def test_bk5_the_host_moves_seats_round_the_table(party: Party):
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("move_seat", who=dora.seat, by=-1))
    party.begins()
    assert party.state.names == ("Ana", "Dora", "Ben")


def test_bk5_the_log_says_which_way_round_somebody_moves(party: Party):
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("move_seat", who=dora.seat, by=-1))
    assert "Dora moves one place round the table, against the clock." in party.ben.sees()
    done(party.ana.does("move_seat", who=dora.seat, by=1))
    assert "Dora moves one place round the table, with the clock." in party.ben.sees()
    Event.objects.filter(kind="seat_moved").update(data={"name": "Dora"})  # as it was told before
    assert "Dora moves one place round the table." in party.ben.sees()


@pytest.mark.parametrize(
    ("by", "ring"), [(-1, ("Dora", "Ben", "Ana")), (1, ("Ben", "Ana", "Dora"))]
)
def test_bk5_whoever_moves_changes_places_with_a_neighbour(
    party: Party, by: int, ring: tuple[str, ...]
):
    """Also where the list has its ends: put behind all others, Ana sat between the same two."""
    party.welcomes("Dora")
    done(party.ana.does("move_seat", who=party.ana.seat, by=by))
    party.begins()
    assert party.state.names == ring


@pytest.mark.parametrize("who", ["ana", "ben"])
def test_bk6_the_table_picks_who_begins(party: Party, who):
    person = getattr(party, who)
    party.begins(first=person)
    assert party.state.names[party.state.roller] == person.name


def test_bk6_the_die_chooses_who_begins(party: Party):
    for person, number in ((party.ana, 7), (party.ben, 8)):
        done(person.does("pick_number", number=number))
    party.dice.fall(2)
    done(party.ana.does("start_bout"))
    assert party.state.names[party.state.roller] == "Ben"
    assert party.last_play.faces == [2]


def test_who_has_no_number_watches_when_the_host_begins_without(party: Party):
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("pick_number", number=7))
    done(party.ben.does("pick_number", number=8))
    assert "Dora" in refused(party.ben.does("start_bout"), 403)
    assert "without Dora: no number yet" in party.ana.sees("gm/")  # before the host does it
    assert "without Dora: no number yet" in party.ana.sees()
    done(party.ana.does("choose_first", who=party.ana.seat))
    done(party.ana.does("start_bout"))
    assert party.state.names == ("Ana", "Ben")
    assert "watching" in refused(dora.does("shout", call="brave"), 409)


def test_who_only_watches_takes_no_part(party: Party):
    done(party.ben.does("take_part", plays="false"))
    assert "watching" in refused(party.ben.does("pick_number", number=4), 409)
    done(party.ben.does("take_part", plays="true"))
    done(party.ben.does("pick_number", number=4))


def test_the_first_roller_must_play(party: Party):
    done(party.ben.does("take_part", plays="false"))
    refused(party.ana.does("choose_first", who=party.ben.seat), 409)


def test_numbers_stand_once_the_bout_has_begun(party: Party):
    party.begins()
    for action, fields in (
        ("pick_number", {"number": 3}),
        ("name_guild", {"name": "Late"}),
        ("take_part", {"plays": "false"}),
        ("start_bout", {}),
    ):
        refused(party.ben.does(action, **fields), 409)


def test_a_newcomer_during_a_bout_plays_the_next_one(party: Party):
    party.begins()
    (dora,) = party.welcomes("Dora")
    assert "Dora" not in party.state.names
    done(party.ana.does("end_bout"))
    assert party.entrant(dora).guild_name == "Dora"


def test_bk3_a_number_is_picked_for_the_bout_that_gathers_and_not_for_one_before(party: Party):
    party.begins()
    before = party.game
    had = before.entrants.get(seat=party.ben.row).number
    done(party.ana.does("end_bout"))
    done(party.ben.does("pick_number", number=9))
    assert party.game.pk != before.pk
    assert party.game.entrants.get(seat=party.ben.row).number == 9
    assert before.entrants.get(seat=party.ben.row).number == had != 9


def test_calling_a_bout_off_gathers_again_with_the_same_names_and_numbers(party: Party):
    done(party.ben.does("name_guild", name="Vane"))
    party.begins(17, 4)
    done(party.ana.does("end_bout"))
    assert party.game.status == "gathering"
    assert (party.entrant(party.ben).guild_name, party.entrant(party.ben).number) == ("Vane", 4)
    refused(party.ana.does("end_bout"), 409)


def test_a_rematch_keeps_names_and_numbers(party: Party):
    party.begins(17, 4)
    assert "has begun already" in refused(party.ben.does("rematch"), 409)
    party.rolls(party.ana, 7).challenges(party.ben, "brave", 1)
    assert party.game.winners == ["Ana"]
    assert "is over" in refused(party.ana.does("start_bout"), 409)
    done(party.ben.does("rematch"))
    assert party.entrant(party.ben).number == 4
    refused(party.ana.does("rematch"), 409)


def test_a_host_who_only_hosted_goes_on_hosting_at_a_rematch(party: Party):
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("take_part", plays="false"))
    for person, number in ((party.ben, 4), (dora, 5)):
        done(person.does("pick_number", number=number))
    done(party.ana.does("choose_first", who=party.ben.seat))
    done(party.ana.does("start_bout"))
    done(party.ana.does("end_bout"))
    assert set(party.game.entrants.values_list("seat__name", flat=True)) == {"Ben", "Dora"}


def test_a_table_that_has_played_another_game_gathers_when_it_turns_to_this_one(db: None):
    """One tap from Knave to a bout: everybody who sits there has a part in it."""
    ana, ben = Person("Ana"), Person("Ben")
    ana.client.post("/start/", {"host_name": "Ana", "table_name": "The Swan", "rules": "knave"})
    table = Table.objects.get(name="The Swan")
    ana.code, ana.seat = table.code, table.seats.get().number
    ben.joins(table)
    assert not table.games.exists()
    done(ana.does("turn_table", rules="brave_or_knave"))
    assert set(table.games.get().entrants.values_list("seat__name", flat=True)) == {"Ana", "Ben"}
    done(ben.does("pick_number", number=13))


def test_bk1_of_more_than_eighteen_who_sit_here_eighteen_have_a_part_in_the_next_bout(party: Party):
    """All had one: rings are drawn for eighteen, and whoever played could be left without a number.
    Who had a part in the last comes first, wherever they sit."""
    for number in range(18):
        people.new_seat(party.table, name=f"Guest {number}", role="player", language="en")
    Seat.objects.filter(pk=party.ben.row.pk).update(place=99)
    party.begins(17, 4)
    done(party.ana.does("end_bout"))
    assert party.game.entrants.count() == 18
    assert party.entrant(party.ben).number == 4


def test_a_namesake_gets_a_numeral_in_the_bout(party: Party):
    done(party.ben.does("name_guild", name="Dora"))
    (dora,) = party.welcomes("Dora")
    assert party.entrant(dora).guild_name == "Dora 2"


def test_a_regular_comes_with_a_number_of_its_taste(party: Party):
    for _regular in range(6):
        done(party.ben.does("add_regular"))
    refused(party.ben.does("add_regular"), 409)
    numbers = [e.number for e in party.game.entrants.exclude(seat__regular="")]
    assert len(set(numbers)) == 6
    assert None not in numbers


def test_bk4_lives_are_a_hand_or_letters(party: Party):
    done(party.ben.does("show_hand", letters="true"))
    assert party.ben.row.has_letters
    done(party.ben.does("show_hand", letters="false"))
    assert not party.ben.row.has_letters


def test_pass_and_play_two_people_hold_one_phone(party: Party):
    done(party.ana.does("add_player", name="Grandma"))
    grandma = Person("Grandma", client=party.ana.client)
    grandma.code = party.table.code
    grandma.seat = party.table.seats.get(name="Grandma").number
    party.others.append(grandma)
    party.begins(first=grandma).rolls(grandma, 7)
    assert party.state.standing == 7
    assert "Grandma" in grandma.sees(seat=grandma.seat)


def test_who_sits_down_during_a_bout_is_told_that_they_watch(party: Party):
    party.begins()
    party.cleo.joins(party.table)
    assert "You are watching this bout." in party.cleo.sees()
    # Nor does the sheet ask for a number that nobody can choose now.
    assert party.cleo.sees().count("Before the next bout you can choose a number.") == 2
    assert "Choose your number" not in party.cleo.sees()
    assert "You are watching this bout." not in party.ben.sees()


def test_a_bout_begins_only_where_it_is_in_front(party: Party):
    """A phone that slept may not know that another game is there by now. Behind that a bout could
    neither be played nor called off, and kept the table from being turned back."""
    for number, person in ((7, party.ana), (9, party.ben)):
        done(person.does("pick_number", number=number))
    done(party.ana.does("choose_first", who=party.ben.seat))
    done(party.ana.does("turn_table", rules="knave"))
    refused(party.ben.does("start_bout"), 409)
    done(party.ana.does("turn_table", rules="brave_or_knave"))
    done(party.ben.does("start_bout"))


def test_another_bout_is_called_only_where_one_was_played(party: Party):
    """A phone that slept sends it when Knave is in front: everybody there heard of a bout."""
    party.begins().rolls(party.ana, 1)
    done(party.ana.does("turn_table", rules="knave"))
    assert "moved on" in refused(party.ben.does("rematch"), 409)
    assert party.events("rematch_called") == []


def test_bk6_where_the_chosen_one_only_watches_the_host_reads_that_the_die_chooses(party: Party):
    """It does so: before, nothing at all was marked as chosen."""
    pressed = re.compile(r'id="(first-\w+)"[^>]*aria-pressed="true"')
    party.welcomes("Dora")
    done(party.ana.does("choose_first", who=party.ben.seat))
    assert pressed.findall(party.ana.sees("gm/")) == [f"first-{party.ben.seat}"]
    done(party.ben.does("take_part", plays="false"))
    assert pressed.findall(party.ana.sees("gm/")) == ["first-die"]
    done(party.ben.does("take_part", plays="true"))
    assert pressed.findall(party.ana.sees("gm/")) == [f"first-{party.ben.seat}"]


def _form_of(page: str, action: str) -> dict[str, str]:
    """Return what the page's form of an action brings along."""
    (form,) = re.findall(rf'<form[^>]*>(?:(?!</form>).)*value="{action}".*?</form>', page, re.S)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    return {name: fields[name] for name in fields.keys() - {"action", "seat", "saw", "tap"}}


def test_what_a_phone_kept_for_one_bout_ends_and_begins_no_other(party: Party):
    """A host without a network called one off, and an hour later that was the next one."""
    party.begins(17, 4)
    kept = _form_of(party.ana.sees("gm/"), "end_bout")
    party.rolls(party.ana, 7).challenges(party.ben, "brave", 1)
    done(party.ben.does("rematch"))
    begins = _form_of(party.ben.sees(), "start_bout")
    party.dice.fall(1, 1)
    done(party.ben.does("start_bout", **begins))
    assert "Too late" in refused(party.ana.does("end_bout", **kept), 409)
    assert party.game.status == "playing"
    done(party.ana.does("end_bout", **_form_of(party.ana.sees("gm/"), "end_bout")))
    assert "Too late" in refused(party.ben.does("start_bout", **begins), 409)
    assert party.game.status == "gathering"
