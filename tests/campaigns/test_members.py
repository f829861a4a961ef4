"""The people of a campaign: who is here, and whose character is whose (WA-87 to WA-105)."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from campaigns.models import Member
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from games.models import Seat
from games.services.ledger import hanging_on
from tests.campaigns.conftest import SagaAt
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import LINES, Troupe, joins
from tests.games.party import Person, done, fresh, refused


def test_a_player_without_a_phone_is_added_by_the_gm(troupe: Troupe):
    troupe.do(troupe.erin, "add_member", name="Nan")
    assert troupe.member("Nan").seat is None
    told = troupe.erin.does("add_member", name=" nan ")
    assert "already" in refused(told, 409)
    assert b'data-field="name"' in told.content
    troupe.refusal(troupe.amy, "add_member", 403, name="Nan II")


def test_who_has_no_phone_is_not_taken_for_a_newcomer(troupe: Troupe):
    """A mark is an initial in a colour, and nobody has the colour of another who is here: both
    counted from the same end, and the first newcomer had that of the first without a phone."""
    troupe.do(troupe.erin, "add_member", name="Nan")
    joins(troupe, "Ned")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    page = tess_of(troupe).sees("screen/").split('class="board-members">')[1].split("</ul>")[0]
    marks = re.findall(r"seat-(\d+)", page)
    assert len(set(marks)) == len(marks) == 6


def test_who_sits_down_later_is_a_member_from_the_next_chapter_on(troupe: Troupe):
    joins(troupe, "Cleo")
    assert not troupe.campaign.members.filter(name="Cleo").exists()
    troupe.do(troupe.amy, "open_chapter")
    assert troupe.member("Cleo").is_here


def test_who_sits_down_before_a_chapter_is_counted_and_seen_with_the_others(troupe: Troupe):
    """They will be in it: the GM and the shared screen do not say that nobody is here."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    joins(troupe, "Cleo")
    tess = tess_of(troupe)
    for begun in (False, True):
        page = troupe.erin.sees("gm/")
        assert "<small> 4 are here</small>" in page
        assert page.count('<li class="gm-member') == 5
        board = tess.sees("screen/").split('class="board-members">')[1].split("</ul>")[0]
        assert re.findall(r"<b>([^<]+)</b>", board) == ["Erin", "Amy", "Martha", "Tom", "Cleo"]
        if not begun:
            troupe.do(troupe.amy, "open_chapter")


def test_who_comes_back_on_another_seat_is_seen_and_counted_once(troupe: Troupe):
    """Amy got up, sat down as Amaya and said who she was: as the seats no longer stood in the
    order of the people, the GM and the shared screen had both of them."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    done(troupe.amy.does("leave_table"))
    amaya = joins(troupe, "Amaya")
    done(amaya.does("claim_member", member=troupe.member("Amy").pk))
    page = troupe.erin.sees("gm/")
    assert "<small> 3 are here</small>" in page
    assert page.count('<li class="gm-member') == 4
    board = tess_of(troupe).sees("screen/").split('class="board-members">')[1].split("</ul>")[0]
    assert re.findall(r"<b>([^<]+)</b>", board) == ["Erin", "Amy", "Martha", "Tom"]


def test_somebody_says_that_is_me(troupe: Troupe):
    troupe.do(troupe.erin, "add_member", name="Cleopatra")
    cleo = joins(troupe, "Cleo")
    troupe.do(troupe.erin, "open_chapter")
    assert troupe.member("Cleo")
    one = troupe.member("Cleopatra")
    done(cleo.does("claim_member", member=one.pk))
    assert fresh(one).seat == cleo.row
    assert not troupe.campaign.members.filter(name="Cleo").exists()
    assert "sits at this table" in troupe.refusal(troupe.amy, "claim_member", member=one.pk)
    troupe.undoes("member_claimed")
    assert fresh(one).seat is None
    assert troupe.member("Cleo").seat == cleo.row


def test_wa105_who_left_and_says_that_is_me_is_back(troupe: Troupe):
    """She had a seat and was skipped all the same."""
    troupe.do(troupe.erin, "add_member", name="Cleopatra")
    one = troupe.member("Cleopatra")
    troupe.do(troupe.erin, "mark_left", member=one.pk, on="true")
    done(joins(troupe, "Cleo").does("claim_member", member=one.pk))
    assert not fresh(one).has_left


def offers_to_be(person: Person, one: Member) -> bool:
    return f'id="claim-{one.pk}"' in person.sees()


def test_whoever_became_a_member_with_the_chapter_may_still_say_who_they_are(saga_at: SagaAt):
    """Nell is back, on a phone that says Lou: a chapter was opened before she had said so."""
    saga = saga_at("begun")
    lou = joins(saga, "Lou")
    saga.do(saga.amy, "open_chapter")
    nell = saga.member("Nell")
    assert saga.member("Lou").seat == lou.row
    assert offers_to_be(lou, nell)
    assert not offers_to_be(saga.erin, nell), "she leads it, and is somebody by that"
    saga.do(lou, "claim_member", member=nell.pk)
    assert not offers_to_be(lou, nell)
    saga.undoes("member_claimed")
    saga.at_step("choose")
    assert not offers_to_be(saga.amy, nell), "she has chosen the oracle"
    saga.do(lou, "add_cast", text="a dog")
    saga.do(lou, "take_cast", line=saga.line("a dog").pk)
    assert not offers_to_be(lou, nell)


def test_the_gm_has_somebody_sit_where_a_newcomer_is(saga_at: SagaAt):
    """Amy's phone is at the bottom of the river; her new one sat down as somebody new."""
    saga = saga_at("begun")
    lou = joins(saga, "Lou")
    saga.do(saga.amy, "open_chapter")
    amy, newcomer = saga.member("Amy"), saga.member("Lou")
    gm = saga.erin.sees("gm/")
    assert f'id="link-{amy.pk}-{lou.seat}"' in gm
    assert f'id="link-{newcomer.pk}-{lou.seat}"' not in gm, "it is that already"
    assert f'id="link-{amy.pk}-{saga.erin.seat}"' not in gm
    saga.do(saga.erin, "link_member", member=amy.pk, who=lou.seat)
    assert fresh(amy).seat == lou.row


def test_nobody_with_a_story_becomes_somebody_else(troupe: Troupe):
    troupe.at_step("choose")
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a priest").pk)
    troupe.do(troupe.erin, "add_member", name="Nan")
    words = troupe.refusal(troupe.amy, "claim_member", member=troupe.member("Nan").pk)
    assert "You are Amy" in words


def test_the_gm_says_which_seat_somebody_sits_on(troupe: Troupe):
    troupe.in_play()
    troupe.do(troupe.erin, "add_member", name="Nan")
    nan, amy = troupe.member("Nan"), troupe.member("Amy")
    troupe.do(troupe.erin, "link_member", member=nan.pk, who=troupe.amy.seat)
    assert fresh(nan).seat == troupe.amy.row
    assert fresh(amy).seat is None  # she has played, so she stays in the campaign
    troupe.do(troupe.erin, "link_member", member=nan.pk, who=0)
    assert fresh(nan).seat is None
    troupe.refusal(troupe.erin, "link_member", member=nan.pk, who=0)
    troupe.refusal(troupe.erin, "link_member", 404, member=nan.pk, who=77)
    troupe.refusal(troupe.amy, "link_member", 403, member=nan.pk, who=troupe.amy.seat)


def test_wa105_who_had_left_and_is_given_a_seat_is_back(troupe: Troupe):
    """As who was away is here: the log said who plays as Nan, and Nan could choose nobody."""
    troupe.do(troupe.erin, "add_member", name="Nan")
    nan, nell = troupe.member("Nan").pk, Person("Nell")
    troupe.do(troupe.erin, "mark_left", member=nan, on="true")
    nell.joins(troupe.table)
    troupe.do(troupe.erin, "link_member", member=nan, who=nell.seat)
    assert troupe.member("Nan").is_here
    troupe.do(troupe.erin, "mark_left", member=nan, on="true")
    troupe.do(troupe.erin, "link_member", member=nan, who=0)
    assert troupe.member("Nan").has_left


def test_another_campaigns_people_are_not_to_be_had(troupe: Troupe):
    other = Troupe(troupe.dice, troupe.clock).gathers()
    stranger = other.member("Amy").pk
    for action in ("link_member", "mark_away", "mark_left", "claim_member"):
        troupe.refusal(troupe.erin, action, 404, member=stranger)


def test_a_new_host_is_the_gm_of_the_next_chapter(troupe: Troupe):
    troupe.do(troupe.erin, "hand_host", who=troupe.amy.seat)
    assert troupe.member("Amy").is_gm  # between chapters "Who plays" says who leads
    assert not troupe.member("Erin").is_gm
    troupe.do(troupe.martha, "open_chapter")
    assert troupe.member("Amy").is_gm
    assert troupe.member("Erin").is_here
    assert troupe.chapter.gm_name == "Amy"


def test_a_new_host_leads_at_once_and_the_former_one_chooses(saga_at: SagaAt):
    """All waited for Erin to choose, and Erin was told that the GM chooses nobody (WA-11)."""
    saga = saga_at("choose")
    lines = {text: saga.line(text).pk for text in LINES}
    saga.do(saga.martha, "leave_cast", line=lines["a priest"])
    saga.do(saga.martha, "take_cast", line=lines["a spearwoman"])
    saga.do(saga.tom, "take_cast", line=lines["the widow"])
    done(saga.erin.does("hand_host", who=saga.amy.seat))
    assert [one.name for one in saga.campaign.members.filter(is_gm=True)] == ["Amy"]
    assert "Still choosing: Erin" in saga.amy.sees("gm/")
    assert f'id="take-cast-{lines["the soldier"]}"' in saga.erin.sees()
    saga.do(saga.erin, "take_cast", line=lines["the soldier"])
    saga.do(saga.amy, "step_on")
    playing = saga.chapter.parts.values_list("member__name", flat=True)
    assert sorted(playing) == ["Erin", "Martha", "Tom"], "the GM plays all who are left"
    assert saga.line("a priest").state == "open"


def test_in_play_the_former_gm_is_a_player_at_once_too(troupe: Troupe):
    """Amy leads from here, and would have Erin go on with Mekha: Erin was no player till the end,
    nor could she leave the campaign, as if it had no other GM."""
    troupe.in_play()
    mekha, erin = troupe.pc(troupe.amy), troupe.member("Erin")
    done(troupe.erin.does("hand_host", who=troupe.amy.seat))
    assert troupe.chapter.gm_name == "Erin"
    done(troupe.erin.does("mark_left", member=erin.pk, on="true"))
    done(troupe.erin.does("mark_left", member=erin.pk, on="false"))
    troupe.do(troupe.amy, "hand_character", character=mekha.pk, member=erin.pk)
    assert troupe.part(troupe.erin).character == mekha


# --- away and gone (WA-87, WA-105) ---------------------------------------------------------------
def test_wa87_who_is_away_is_not_waited_for(troupe: Troupe):
    troupe.at_step("choose")
    troupe.do(troupe.tom, "take_cast", line=troupe.line("the widow").pk)
    troupe.do(troupe.tom, "mark_away", member=troupe.member("Tom").pk, on="true")
    line = troupe.line("the widow")
    assert (line.taken_by, line.state) == (None, "open")
    assert "Tom" not in troupe.refusal(troupe.erin, "step_on")
    assert "not here" in troupe.refusal(troupe.tom, "take_cast", line=line.pk)
    troupe.do(troupe.erin, "mark_away", member=troupe.member("Tom").pk, on="false")
    assert "Tom" in troupe.refusal(troupe.erin, "step_on")


def test_wa87_who_was_away_for_a_chapter_is_here_for_the_next(troupe: Troupe):
    """Nobody's name on the owe list is passed over for an evening that is long gone."""
    troupe.at_step("play")
    troupe.do(troupe.erin, "mark_away", member=troupe.member("Tom").pk, on="true")
    for action in ("propose_end", "end_chapter"):
        troupe.do(troupe.erin, action)
    assert troupe.member("Tom").is_here
    # Before the next one begins, it is that one which is meant.
    troupe.do(troupe.tom, "mark_away", member=troupe.member("Tom").pk, on="true")
    troupe.do(troupe.amy, "open_chapter")
    assert not troupe.member("Tom").is_here


def test_only_oneself_or_the_gm_says_who_is_here(troupe: Troupe):
    tom = troupe.member("Tom").pk
    troupe.refusal(troupe.amy, "mark_away", 403, member=tom, on="true")
    troupe.refusal(troupe.amy, "mark_left", 403, member=tom, on="true")
    troupe.refusal(troupe.tom, "mark_away", member=tom, on="false")
    assert "A campaign has a GM" in troupe.refusal(
        troupe.erin, "mark_left", member=troupe.member("Erin").pk, on="true"
    )


def test_wa105_who_has_left_is_passed_over_until_they_come_back(troupe: Troupe):
    troupe.played_once("Mekha", "Amek")
    troupe.do(troupe.amy, "mark_left", member=troupe.member("Amy").pk, on="true")
    troupe.do(troupe.martha, "open_chapter")
    first, second = troupe.campaign.owed.all()
    assert "Another name" in troupe.refusal(troupe.erin, "bring_back", owed=first.pk)
    troupe.do(troupe.tom, "bring_back", owed=second.pk)
    assert fresh(first).struck == ""


# --- handing over and lending (WA-88, WA-105) ----------------------------------------------------
def test_wa105_a_character_is_handed_over_with_her_place_on_the_list(troupe: Troupe):
    troupe.played_once("Mekha")
    mekha = troupe.named("Mekha")
    troupe.do(troupe.amy, "hand_character", character=mekha.pk, member=troupe.member("Tom").pk)
    assert fresh(mekha).owner.name == "Tom"
    assert troupe.told("character_handed") == "Mekha is Tom's character from now on."
    troupe.do(troupe.amy, "open_chapter")
    troupe.refusal(troupe.amy, "bring_back", 403, owed=troupe.campaign.owed.get().pk)
    troupe.do(troupe.tom, "bring_back", owed=troupe.campaign.owed.get().pk)


def test_wa105_one_without_a_name_is_handed_over_as_whose_she_was(troupe: Troupe):
    """ "#5 is Nan's character from now on": nobody at the table has ever seen that number."""
    troupe.at_step("sheets")
    troupe.do(troupe.erin, "add_member", name="Nan")
    given = {"character": troupe.pc("Tom").pk, "member": troupe.member("Nan").pk}
    troupe.do(troupe.tom, "hand_character", **given)
    told = "Tom's character is Nan's character from now on."
    assert troupe.told("character_handed") == told
    # In the reader's words, whoever did it.
    told = "Desde ahora el personaje de Tom es el personaje de Nan."
    assert troupe.told("character_handed", "es") == told


def test_wa105_nobody_hands_over_what_is_not_theirs(troupe: Troupe):
    troupe.played_once()
    mekha, esan = troupe.named("Mekha"), troupe.named("Esan")
    tom, erin = troupe.member("Tom").pk, troupe.member("Erin").pk
    troupe.refusal(troupe.tom, "hand_character", 403, character=mekha.pk, member=tom)
    assert "That is one of the GM" in troupe.refusal(
        troupe.amy, "hand_character", character=esan.pk, member=tom
    )
    troupe.refusal(troupe.amy, "hand_character", character=mekha.pk, member=erin)
    own = troupe.member("Amy").pk
    troupe.refusal(troupe.amy, "hand_character", character=mekha.pk, member=own)
    troupe.do(troupe.erin, "hand_character", character=mekha.pk, member=tom)


def test_wa89_nobody_gets_a_second_character_in_the_middle_of_a_chapter(troupe: Troupe):
    troupe.in_play()
    mekha, tom = troupe.pc(troupe.amy), troupe.member("Tom")
    asked = {"character": mekha.pk, "member": tom.pk}
    assert "one player" in troupe.refusal(troupe.amy, "hand_character", **asked)
    troupe.do(troupe.erin, "add_member", name="Nan")
    troupe.do(troupe.amy, "hand_character", character=mekha.pk, member=troupe.member("Nan").pk)
    assert troupe.part("Nan").character == mekha


def test_wa88_a_word_is_given_and_taken_back(troupe: Troupe):
    troupe.played_once()
    mekha, tom = troupe.named("Mekha"), troupe.member("Tom")
    troupe.do(troupe.amy, "lend_character", character=mekha.pk, member=tom.pk)
    assert fresh(mekha).lent_to == tom
    troupe.do(troupe.amy, "lend_character", character=mekha.pk, member=0)
    assert fresh(mekha).lent_to is None
    troupe.refusal(troupe.amy, "lend_character", character=mekha.pk, member=0)
    troupe.refusal(troupe.tom, "lend_character", 403, character=mekha.pk, member=tom.pk)
    own = troupe.member("Amy").pk
    troupe.refusal(troupe.amy, "lend_character", character=mekha.pk, member=own)


def test_wa88_on_a_phone_of_both_a_lent_sheet_opens_for_who_plays_it_now(troupe: Troupe):
    """Its owner's seat is on the same phone, and is the one that the phone acts for."""
    troupe.played_once()
    mekha, tom = troupe.named("Mekha"), troupe.member("Tom")
    Seat.objects.filter(pk=troupe.tom.row.pk).update(device=troupe.amy.device)
    for lent_to, seat in ((0, troupe.amy.seat), (tom.pk, troupe.tom.seat)):
        if lent_to:
            troupe.do(troupe.amy, "lend_character", character=mekha.pk, member=lent_to)
        troupe.dice.fall(*[1] * 20)  # names are suggested
        seen = troupe.amy.sees(f"character/{mekha.number}/")
        assert f'id="back" href="/t/{troupe.table.code}/?seat={seat}"' in seen


def test_wa88_no_word_is_given_to_who_has_left(troupe: Troupe):
    """As nobody is handed to them: her page offers neither, and a program could do the one."""
    troupe.played_once()
    mekha, tom = troupe.named("Mekha"), troupe.member("Tom")
    troupe.do(troupe.tom, "mark_left", member=tom.pk, on="true")
    asked = {"character": mekha.pk, "member": tom.pk}
    words = troupe.refusal(troupe.amy, "lend_character", **asked)
    assert words == "Tom is not a player in this campaign."


def test_wa88_no_word_is_given_for_one_who_is_in_play(troupe: Troupe):
    troupe.in_play()
    asked = {"character": troupe.pc(troupe.amy).pk, "member": troupe.member("Tom").pk}
    assert "already" in troupe.refusal(troupe.amy, "lend_character", **asked)


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_name_has_letters_and_an_end(troupe: Troupe, name: str):
    troupe.refusal(troupe.erin, "add_member", 422, name=name)
    assert Member.objects.count() == 4


def test_whom_nobody_knows_any_more_wants_nobody_either(troupe: Troupe):
    """Lou wanted the priest, then said that she is Nan: no file names one who is not there."""
    troupe.do(troupe.erin, "add_member", name="Nan")
    troupe.at_step("choose")
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a priest").pk)
    lou = joins(troupe, "Lou")
    troupe.do(lou, "take_cast", line=troupe.line("a priest").pk)
    assert troupe.line("a priest").wanted_by == [troupe.member("Lou").number]
    troupe.do(lou, "claim_member", member=troupe.member("Nan").pk)
    assert troupe.line("a priest").wanted_by == []
    assert read_file(file_of(troupe.campaign))


def test_a_chapter_comes_back_with_those_who_had_chosen_in_it(troupe: Troupe):
    """Lou chose, the chapter was put away, and Lou said that she is Nan: what is set back would
    point to a row that is not there, which no database takes (S1: never a fault of ours)."""
    troupe.do(troupe.erin, "add_member", name="Nan")
    lou = joins(troupe, "Lou")
    troupe.at_step("choose")
    troupe.do(lou, "take_cast", line=troupe.line("a priest").pk)
    troupe.do(troupe.erin, "drop_chapter")
    troupe.do(lou, "claim_member", member=troupe.member("Nan").pk)
    put_away = troupe.last("chapter_put_away").seq
    assert "1 later move" in troupe.refusal(troupe.erin, "undo", event=put_away)
    troupe.undoes("chapter_put_away")
    assert troupe.line("a priest").taken_by == troupe.member("Lou")
    assert fresh(troupe.member("Nan")).seat is None


def test_what_a_later_undone_move_would_point_to_counts_as_well():
    """The line was changed, went with its chapter, and then so did whose it had been."""
    line, lou = "campaigns.CastLine", "campaigns.Member"
    first = SimpleNamespace(ledger=[[line, 1, {"text": "a monk"}, {"text": "a priest"}]])
    put_away = SimpleNamespace(ledger=[[line, 1, {"text": "a priest", "taken_by_id": 7}, None]])
    claimed = SimpleNamespace(ledger=[[lou, 7, {"name": "Lou"}, None]])
    assert list(hanging_on(first, [put_away, claimed])) == [put_away, claimed]
    assert list(hanging_on(first, [claimed])) == []
