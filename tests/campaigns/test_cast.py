"""The character list, and who takes whom (WA-8 to WA-12)."""

from __future__ import annotations

import pytest

from tests.campaigns.troupe import LINES, Troupe
from tests.games.party import Person, fresh


@pytest.fixture
def choosing(troupe: Troupe) -> Troupe:
    return troupe.at_step("choose")


def takes(troupe: Troupe, who: Person, text: str, **more: object) -> None:
    troupe.do(who, "take_cast", line=troupe.line(text).pk, **more)


def taken(troupe: Troupe) -> dict[str, str]:
    lines = troupe.chapter.cast_lines.exclude(taken_by=None).select_related("taken_by")
    return {line.text: line.taken_by.name for line in lines}


# --- the list (WA-8 to WA-10) --------------------------------------------------------------------
def test_wa10_a_line_keeps_its_words_and_where_it_comes_from(troupe: Troupe):
    element = troupe.at_step("cast").elements[2]
    troupe.do(troupe.tom, "add_cast", text="  the  general ", element=element.pk, how="implied")
    line = troupe.line("the general")
    assert (line.elements, line.how, line.state) == ([3], "implied", "open")
    assert troupe.told("cast_added") == "On the list of characters: the general."


def test_wa9_the_list_grows_and_shrinks_while_people_choose(choosing: Troupe):
    choosing.do(choosing.tom, "add_cast", text="her brother")
    line = choosing.line("her brother")
    choosing.do(choosing.amy, "edit_cast", line=line.pk, text="her elder brother")
    choosing.do(choosing.amy, "drop_cast", line=line.pk, on="true")
    assert fresh(line).state == "dropped"
    choosing.refusal(choosing.amy, "drop_cast", line=line.pk, on="true")
    assert "off the list" in choosing.refusal(choosing.tom, "take_cast", line=line.pk)
    choosing.do(choosing.tom, "add_cast", text="Her elder brother")
    assert fresh(line).state == "open"
    assert "already" in choosing.refusal(choosing.tom, "add_cast", text="Her elder brother")


def test_wa9_back_at_the_cards_the_list_is_closed(troupe: Troupe):
    """Nobody is put back on it before the elements are read again, and nothing offers that."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.at_step("cast")
    troupe.do(troupe.tom, "add_cast", text="the general")
    line = troupe.line("the general")
    troupe.do(troupe.tom, "drop_cast", line=line.pk, on="true")
    restores = f'id="restore-line-{line.pk}"'
    assert restores in troupe.erin.sees("gm/")
    troupe.do(troupe.erin, "step_back")
    assert restores not in troupe.erin.sees("gm/")
    troupe.refusal(troupe.erin, "drop_cast", line=line.pk, on="false")


def test_wa8_a_list_from_which_everybody_is_dropped_is_none_to_choose_from(troupe: Troupe):
    troupe.at_step("cast")
    assert not troupe.chapter.cast_lines.exists()
    troupe.do(troupe.tom, "add_cast", text="the general")
    troupe.do(troupe.tom, "drop_cast", line=troupe.line("the general").pk, on="true")
    assert "Nobody is on the list" in troupe.refusal(troupe.erin, "step_on")
    troupe.do(troupe.tom, "add_cast", text="the general")
    troupe.do(troupe.erin, "step_on")


def test_wa9_somebody_can_turn_up_while_sheets_are_written(choosing: Troupe):
    choosing.at_step("interests")
    choosing.do(choosing.amy, "add_cast", text="a late ghost")
    choosing.at_step("play")
    assert "The choosing is over" in choosing.refusal(choosing.amy, "add_cast", text="too late")


def test_wa9_nobody_on_the_list_is_worded_or_dropped_over_a_players_head(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    line = choosing.line("a priest")
    assert "Amy has chosen" in choosing.refusal(choosing.tom, "drop_cast", line=line.pk)
    assert "Amy has chosen this one" in choosing.refusal(
        choosing.tom, "edit_cast", 403, line=line.pk, text="a fool"
    )
    choosing.do(choosing.amy, "edit_cast", line=line.pk, text="a high priest")


def test_wa9_no_two_on_the_list_are_called_the_same(choosing: Troupe):
    """Who is added was told apart; who was reworded, or put back, was not."""
    soldier, widow = choosing.line("the soldier"), choosing.line("the widow")
    reworded = {"line": soldier.pk, "text": "The Widow"}
    assert "on the list already" in choosing.refusal(choosing.erin, "edit_cast", **reworded)
    choosing.do(choosing.erin, "edit_cast", line=soldier.pk, text="The soldier")
    choosing.do(choosing.erin, "drop_cast", line=widow.pk)
    choosing.do(choosing.erin, "edit_cast", **reworded)
    back = choosing.refusal(choosing.erin, "drop_cast", line=widow.pk, on="false")
    assert "on the list already" in back


def test_wa9_who_was_the_same_as_one_off_the_list_stands_alone_again(choosing: Troupe):
    """Otherwise they stand on the list and nobody can take them: they are somebody who is not."""
    soldier, widow = choosing.line("the soldier"), choosing.line("the widow")
    choosing.do(choosing.amy, "same_cast", line=soldier.pk, other=widow.pk)
    choosing.do(choosing.amy, "drop_cast", line=widow.pk, on="true")
    assert fresh(soldier).same_as is None
    takes(choosing, choosing.amy, "the soldier")
    choosing.do(choosing.erin, "leave_cast", line=soldier.pk, member=choosing.member("Amy").pk)
    choosing.undoes("cast_dropped")
    assert fresh(soldier).same_as == widow


def test_a_list_needs_somebody_on_it(troupe: Troupe):
    troupe.at_step("cast")
    assert "Nobody is on the list" in troupe.refusal(troupe.amy, "step_on")


# --- two lines, one person (WA-9) ----------------------------------------------------------------
def test_wa9_two_lines_are_one_person_for_whoever_takes_it(choosing: Troupe):
    priest, widow = choosing.line("a priest"), choosing.line("the widow")
    takes(choosing, choosing.amy, "the widow")
    choosing.refusal(choosing.tom, "same_cast", 403, line=priest.pk, other=widow.pk)
    choosing.do(choosing.amy, "same_cast", line=widow.pk, other=priest.pk)
    assert fresh(priest).same_as == widow  # the taken one stands for both
    assert "Those are one person already" in choosing.refusal(
        choosing.amy, "same_cast", line=priest.pk, other=widow.pk
    )
    takes(choosing, choosing.tom, "a priest")
    assert fresh(widow).wanted_by == [choosing.member("Tom").number]


def test_wa9_two_players_characters_are_two(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    takes(choosing, choosing.tom, "the widow")
    asked = {"line": choosing.line("a priest").pk, "other": choosing.line("the widow").pk}
    assert "they are two" in choosing.refusal(choosing.erin, "same_cast", **asked)


def test_wa9_only_who_may_join_two_lines_is_offered_it(choosing: Troupe):
    """A button that can only be refused is none."""
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    priest, widow = choosing.line("a priest"), choosing.line("the widow")
    soldier = choosing.line("the soldier")
    choosing.do(choosing.amy, "take_cast", line=priest.pk)
    choosing.do(choosing.tom, "take_cast", line=widow.pk)

    def offered(who: Person) -> list[bool]:
        page, pairs = who.sees(), ((priest, soldier), (soldier, priest), (priest, widow))
        return [f'id="same-{one.pk}-{other.pk}"' in page for one, other in pairs]

    assert offered(choosing.amy) == [True, True, False]
    assert offered(choosing.tom) == [False, False, False]
    assert offered(choosing.erin) == [True, True, False]


def test_wa9_chains_end_at_one_person_and_can_be_parted(choosing: Troupe):
    priest, widow, soldier = (choosing.line(t) for t in ("a priest", "the widow", "the soldier"))
    choosing.do(choosing.amy, "same_cast", line=priest.pk, other=widow.pk)
    choosing.do(choosing.amy, "same_cast", line=widow.pk, other=soldier.pk)
    assert {fresh(priest).same_as_id, fresh(widow).same_as_id} == {soldier.pk}
    choosing.do(choosing.tom, "same_cast", line=priest.pk, other=0)
    assert fresh(priest).same_as is None
    assert "That one stands alone" in choosing.refusal(
        choosing.tom, "same_cast", line=priest.pk, other=0
    )
    choosing.do(choosing.tom, "same_cast", line=soldier.pk, other=0)
    assert fresh(widow).same_as is None


def test_wa9_whoever_has_the_person_is_offered_to_part_them_and_nobody_else(choosing: Troupe):
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    takes(choosing, choosing.amy, "a priest")
    collector = choosing.line("the collector").pk
    choosing.do(choosing.amy, "same_cast", line=choosing.line("a priest").pk, other=collector)
    parts = f'id="part-cast-{collector}"'
    assert [parts in one.sees() for one in (choosing.amy, choosing.tom)] == [True, False]
    choosing.refusal(choosing.tom, "same_cast", 403, line=collector, other=0)


def test_wa12_the_sheet_has_the_words_of_both_lines(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    asked = {"line": choosing.line("a priest").pk, "other": choosing.line("the collector").pk}
    choosing.do(choosing.amy, "same_cast", **asked)
    takes(choosing, choosing.martha, "a spearwoman")
    takes(choosing, choosing.tom, "the widow")
    choosing.do(choosing.tom, "step_on")
    assert choosing.pc("Amy").description == "a priest\nthe collector"


# --- choosing (WA-11) ----------------------------------------------------------------------------
def test_wa11_one_each_and_taking_another_gives_the_first_back(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    takes(choosing, choosing.amy, "the widow")
    assert taken(choosing) == {"the widow": "Amy"}
    assert choosing.line("a priest").state == "open"
    assert "You have said so already" in choosing.refusal(
        choosing.amy, "take_cast", line=choosing.line("the widow").pk
    )
    choosing.do(choosing.amy, "leave_cast", line=choosing.line("the widow").pk)
    assert taken(choosing) == {}
    choosing.refusal(choosing.amy, "leave_cast", line=choosing.line("the widow").pk)


def test_wa11_the_gm_takes_none_but_for_a_player_without_a_phone(choosing: Troupe):
    choosing.do(choosing.erin, "add_member", name="Nan")
    line = choosing.line("the widow")
    assert "plays all who are left" in choosing.refusal(choosing.erin, "take_cast", line=line.pk)
    takes(choosing, choosing.erin, "the widow", member=choosing.member("Nan").pk)
    assert taken(choosing) == {"the widow": "Nan"}


def test_a_player_takes_for_nobody_else(choosing: Troupe):
    line = choosing.line("the widow").pk
    choosing.refusal(choosing.tom, "take_cast", 403, line=line, member=choosing.member("Amy").pk)
    assert taken(choosing) == {}


def test_wa11_two_who_want_the_same_draw_lots(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    takes(choosing, choosing.martha, "the widow")
    assert "Nobody else" in choosing.refusal(
        choosing.amy, "draw_lots", line=choosing.line("a priest").pk
    )
    takes(choosing, choosing.martha, "a priest")
    takes(choosing, choosing.tom, "a priest")
    assert choosing.told("cast_wanted") == "Tom would like “a priest” too, which Amy has."
    assert taken(choosing) == {"a priest": "Amy", "the widow": "Martha"}
    choosing.dice.fall(2)
    choosing.do(choosing.tom, "draw_lots", line=choosing.line("a priest").pk)
    assert taken(choosing) == {"a priest": "Martha"}
    assert choosing.line("a priest").wanted_by == []
    assert choosing.told("cast_lots_drawn") == (
        "Lots are drawn between Amy, Martha and Tom for “a priest”: it is Martha's."
    )
    choosing.refusal(choosing.tom, "undo", 403, event=choosing.last("cast_lots_drawn").seq)
    choosing.undoes("cast_lots_drawn")
    assert taken(choosing) == {"a priest": "Amy", "the widow": "Martha"}


def test_wa11_a_wish_goes_with_who_had_it_and_is_nobody_elses(choosing: Troupe):
    """By number it would be the wish of whoever is added next."""
    widow = choosing.line("the widow")
    choosing.do(choosing.amy, "take_cast", line=widow.pk)
    choosing.do(choosing.erin, "add_member", name="Nan")
    added, nan = choosing.last("member_added"), choosing.member("Nan")
    choosing.do(choosing.erin, "take_cast", line=widow.pk, member=nan.pk)
    assert fresh(widow).wanted_by == [nan.number]
    assert "1 later move hangs on it" in choosing.refusal(choosing.erin, "undo", event=added.seq)
    choosing.do(choosing.erin, "undo", event=added.seq, sure="true")
    assert fresh(widow).wanted_by == []


def test_wa11_the_holder_may_win_and_a_wish_may_be_given_up(choosing: Troupe):
    line = choosing.line("a priest")
    takes(choosing, choosing.amy, "a priest")
    takes(choosing, choosing.tom, "a priest")
    choosing.refusal(choosing.tom, "take_cast", line=line.pk)
    choosing.do(choosing.tom, "leave_cast", line=line.pk)
    takes(choosing, choosing.tom, "a priest")
    choosing.dice.fall(1)
    choosing.do(choosing.tom, "draw_lots", line=line.pk)
    assert taken(choosing) == {"a priest": "Amy"}


def test_wa11_who_wanted_one_that_was_given_back_takes_it(choosing: Troupe):
    """Tom was told that he had said so already, and his phone had no button but "Never mind"."""
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    priest = choosing.line("a priest").pk
    take = f'id="take-cast-{priest}"'
    takes(choosing, choosing.amy, "a priest")
    takes(choosing, choosing.tom, "a priest")
    assert take not in choosing.tom.sees()
    choosing.do(choosing.amy, "leave_cast", line=priest)
    assert take in choosing.tom.sees()
    takes(choosing, choosing.tom, "a priest")
    assert taken(choosing) == {"a priest": "Tom"}
    assert choosing.line("a priest").wanted_by == []


def test_wa87_what_is_held_by_one_who_is_away_is_given_back_and_not_drawn_for(choosing: Troupe):
    """Lots were offered, and then refused, since nobody else wanted it; and Tom kept it."""
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    choosing.at_step("sheets")
    tom = choosing.member("Tom")
    choosing.do(choosing.erin, "mark_away", member=tom.pk, on="true")
    choosing.do(choosing.amy, "step_back")
    widow = choosing.line("the widow")
    choosing.do(choosing.amy, "take_cast", line=widow.pk)
    assert fresh(widow).wanted_by == [choosing.member("Amy").number]
    lots, page = f'id="lots-{widow.pk}"', choosing.erin.sees("gm/")
    assert lots not in page
    assert lots not in choosing.amy.sees()
    assert "Nobody else" in choosing.refusal(choosing.amy, "draw_lots", line=widow.pk)
    assert f'id="leave-{widow.pk}"' in page
    choosing.do(choosing.erin, "leave_cast", line=widow.pk, member=tom.pk)
    takes(choosing, choosing.amy, "the widow")
    assert "Tom" not in taken(choosing).values()


# --- sheets (WA-12, WA-13) -----------------------------------------------------------------------
def test_wa11_everybody_chooses_before_the_sheets(choosing: Troupe):
    takes(choosing, choosing.amy, "a priest")
    assert choosing.refusal(choosing.amy, "step_on") == "Still choosing: Martha, Tom."


def test_wa12_each_chosen_line_becomes_a_sheet_with_the_dice_in_order(choosing: Troupe):
    choosing.at_step("sheets")
    one = choosing.pc("Amy")
    assert (one.kind, one.name, one.description) == ("pc", "", "a priest")
    assert one.owner == choosing.member("Amy")
    assert list(one.dice("base").values()) == [12, 10, 8, 6, 6, 4]
    assert one.dice() == one.dice("base")
    assert choosing.line("a priest").character == one
    numbers = choosing.campaign.characters.values_list("number", flat=True)
    assert sorted(numbers) == [1, 2, 3, 4, 5]


def test_going_back_keeps_the_sheets_and_a_new_choice_moves_them(choosing: Troupe):
    choosing.at_step("sheets")
    amys, toms = choosing.pc("Amy"), choosing.pc("Tom")
    choosing.do(choosing.amy, "step_back")
    assert choosing.pc("Amy") == amys
    choosing.do(choosing.tom, "add_cast", text="a shepherd")
    takes(choosing, choosing.tom, "a shepherd")
    takes(choosing, choosing.amy, LINES[2])
    choosing.do(choosing.amy, "step_on")
    assert choosing.pc("Amy") == toms  # she has Tom's line now, and what is written on it
    assert choosing.pc("Tom").description == "a shepherd"
    assert not choosing.campaign.characters.filter(pk=amys.pk).exists()
    assert choosing.line(LINES[0]).character is None


def test_another_tables_list_is_not_to_be_had(choosing: Troupe):
    other = Troupe(choosing.dice, choosing.clock).gathers().at_step("choose")
    line = choosing.line("a priest").pk
    for action in ("take_cast", "leave_cast", "draw_lots", "drop_cast"):
        other.refusal(other.amy, action, 404, line=line)
    other.refusal(other.amy, "edit_cast", 404, line=line, text="x")
    other.refusal(other.erin, "make_npc", 404, line=line)


def test_an_ended_chapters_list_is_closed(choosing: Troupe):
    line = choosing.line("a priest").pk
    choosing.is_over()
    assert "No chapter" in choosing.refusal(choosing.amy, "take_cast", line=line)


def test_wa9_whoever_was_taken_off_the_list_is_made_no_npc_until_put_back(troupe: Troupe):
    """As a player cannot choose them either; the GM's page has offered it only of an open line."""
    troupe.at_step("choose")
    line = troupe.line("the widow").pk
    troupe.do(troupe.erin, "drop_cast", line=line)
    words = troupe.refusal(troupe.erin, "make_npc", line=line, best="action")
    assert "taken off the list" in words
    troupe.do(troupe.erin, "drop_cast", line=line, on="false")
    troupe.do(troupe.erin, "make_npc", line=line, best="action")


def test_wa9_an_undo_leaves_nobody_who_is_another_who_is_a_third(troupe: Troupe):
    """Two lines are parted, one becomes a third's, the parting is taken back: no table took the
    campaign's file."""
    first, second, third = troupe.at_step("choose").chapter.cast_lines.all()[:3]
    troupe.do(troupe.erin, "same_cast", line=first.pk, other=second.pk)
    troupe.do(troupe.erin, "same_cast", line=first.pk)
    troupe.do(troupe.erin, "same_cast", line=second.pk, other=third.pk)
    troupe.undoes("cast_parted")
    assert (fresh(first).same_as, fresh(second).same_as) == (second, None)


def test_wa9_an_undo_makes_whom_somebody_has_chosen_no_part_of_another(troupe: Troupe):
    """Tom had chosen, and got no sheet: the one he had chosen was Amy's former one again."""
    first, second = troupe.at_step("choose").chapter.cast_lines.all()[:2]
    troupe.do(troupe.erin, "same_cast", line=first.pk, other=second.pk)
    troupe.do(troupe.erin, "same_cast", line=first.pk)
    troupe.do(troupe.tom, "take_cast", line=first.pk)
    troupe.undoes("cast_parted")
    assert (fresh(first).same_as, fresh(first).taken_by) == (second, None)
