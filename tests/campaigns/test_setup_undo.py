"""Whatever is tapped in a setup, Undo sets back, step by step, to the very rows there were."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Chapter
from games import sentences
from tests.campaigns.remembering import Remembering
from tests.campaigns.troupe import LINES, Troupe
from tests.set_back import kept_rows


def walks(troupe: Remembering) -> None:
    """Set a second chapter up with everything that can happen on the way."""
    amy, martha, tom, erin = troupe.amy, troupe.martha, troupe.tom, troupe.erin
    troupe.do(amy, "open_chapter")
    owed = troupe.campaign.owed
    troupe.do(amy, "decline_return", owed=owed.get(order=1).pk)
    troupe.do(tom, "bring_back", owed=owed.get(order=2).pk)
    troupe.do(tom, "step_back")
    troupe.do(amy, "bring_back", owed=owed.get(order=1).pk)
    troupe.at_step("cast")
    troupe.do(tom, "strike_element", element=troupe.elements[3].pk)
    troupe.do(erin, "edit_element", element=troupe.elements[2].pk, text="Other words.")
    troupe.dice.fall(7)
    troupe.do(erin, "deal_more")
    for text in ("a priest", "a soldier", "the widow", "a dog"):
        troupe.do(martha, "add_cast", text=text)
    line = troupe.line
    troupe.do(martha, "edit_cast", line=line("a dog").pk, text="the dog")
    troupe.do(martha, "drop_cast", line=line("the dog").pk)
    troupe.do(martha, "same_cast", line=line("a priest").pk, other=line("a soldier").pk)
    troupe.do(martha, "same_cast", line=line("a priest").pk, other=0)
    troupe.do(erin, "step_on")
    troupe.do(martha, "take_cast", line=line("a priest").pk)
    troupe.do(tom, "take_cast", line=line("a priest").pk)
    troupe.dice.fall(2)
    troupe.do(tom, "draw_lots", line=line("a priest").pk)
    troupe.do(martha, "take_cast", line=line("the widow").pk)
    troupe.do(erin, "make_npc", line=line("a soldier").pk)
    troupe.do(erin, "bring_npc", character=troupe.named("Esan").pk)
    troupe.do(erin, "step_on")
    troupe.do(tom, "play_former", character=troupe.named("Amek").pk, owed=owed.get(order=2).pk)
    troupe.do(erin, "place_chapter", placement="before", beside=troupe.chapter.beside_id)
    troupe.do(erin, "name_chapter", title="The ford")
    troupe.do(tom, "mark_away", member=troupe.member("Tom").pk)
    troupe.do(tom, "mark_away", member=troupe.member("Tom").pk, on="false")


def test_everything_in_a_setup_is_told_and_taken_back(dice: Any, clock: Any, db: None):
    troupe = Remembering(dice, clock)
    troupe.taps = []
    troupe.gathers().played_once("Mekha", "Amek")
    troupe.taps.clear()
    walks(troupe)
    for event in troupe.table.events.all():
        assert sentences.tell(event.kind, event.data, []), event.kind
    for action, event_number, rows in reversed(troupe.taps):
        Troupe.do(troupe, troupe.erin, "undo", event=event_number)
        assert kept_rows() == rows, action


def test_putting_a_full_setup_away_is_taken_back_too(dice: Any, clock: Any, db: None):
    troupe = Remembering(dice, clock)
    troupe.taps = []
    troupe.gathers().played_once("Mekha", "Amek")
    walks(troupe)
    # A ledger keeps instants to the millisecond.
    Chapter.objects.update(began_at=clock.now())
    before = kept_rows()
    troupe.do(troupe.erin, "drop_chapter")
    troupe.undoes("chapter_put_away")
    assert kept_rows() == before


def test_wa11_a_choice_goes_back_only_with_the_sheets_that_were_made_of_it(
    dice: Any, clock: Any, db: None
):
    """Otherwise somebody would be played whom nobody has chosen, and the GM could make an NPC."""
    troupe = Troupe(dice, clock).gathers().at_step("choose")
    troupe.at_step("sheets")
    chosen = troupe.last("cast_taken")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert 'id="undo"' not in troupe.tom.sees()  # whose last choice it is
    troupe.refusal(troupe.tom, "undo", event=chosen.seq)
    asked = troupe.refusal(troupe.erin, "undo", event=chosen.seq)
    assert "1 later move hangs on it" in asked
    troupe.do(troupe.erin, "undo", event=chosen.seq, sure="true")
    assert troupe.step == "choose"
    assert not troupe.chapter.parts.filter(member=troupe.member("Tom")).exists()
    assert troupe.line(LINES[2]).taken_by is None


def test_wa11_a_choice_that_was_given_back_comes_again_with_the_sheet_it_had(
    dice: Any, clock: Any, db: None
):
    troupe = chooses_again(dice, clock)
    troupe.undoes("cast_left")
    tom = troupe.member("Tom")
    assert (troupe.step, troupe.line(LINES[2]).taken_by) == ("choose", tom)
    assert troupe.line(LINES[2]).character == troupe.part("Tom").character


def test_wa11_where_the_setup_had_not_gone_back_nobody_has_chosen_again(
    dice: Any, clock: Any, db: None
):
    troupe = chooses_again(dice, clock)
    troupe.undoes("setup_went_back")
    assert troupe.step == "sheets"
    assert troupe.line("a dog").taken_by is None
    assert troupe.line(LINES[2]).taken_by == troupe.member("Tom")
    assert troupe.line(LINES[2]).character == troupe.part("Tom").character


def chooses_again(dice: Any, clock: Any) -> Troupe:
    """The sheets are begun, the setup goes back, and Tom takes another; he gets another sheet."""
    troupe = Troupe(dice, clock).gathers().at_step("choose")
    troupe.at_step("sheets")
    troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.tom, "leave_cast", line=troupe.line(LINES[2]).pk)
    troupe.do(troupe.tom, "add_cast", text="a dog")
    troupe.do(troupe.tom, "take_cast", line=troupe.line("a dog").pk)
    troupe.do(troupe.erin, "step_on")
    return troupe


def is_one_players(troupe: Troupe, name: str) -> bool:
    """Tell whether somebody is not in the chapter, or played by who acts for her (WA-88)."""
    one = troupe.named(name)
    part = troupe.chapter.parts.filter(character=one).first()
    return part is None or part.member_id == (one.lent_to_id or one.owner_id)


def test_wa88_with_the_word_goes_who_was_played_by_it(troupe: Troupe):
    """Tom would have acted for Amek beside his own, and Martha for nobody."""
    comes_as(troupe, "lend_character")
    troupe.undoes("character_lent")
    assert is_one_players(troupe, "Amek")
    assert not troupe.chapter.parts.filter(member=troupe.member("Martha")).exists()


def test_wa105_with_a_handing_over_goes_who_has_come_back_by_it(troupe: Troupe):
    comes_as(troupe, "hand_character")
    troupe.undoes("character_handed")
    assert is_one_players(troupe, "Amek")


def comes_as(troupe: Troupe, given: str) -> None:
    """Amek is given to Martha, who plays him as the widow."""
    troupe.played_once("Mekha")
    troupe.do(troupe.amy, "open_chapter")
    troupe.at_step("choose")
    amek, martha = troupe.named("Amek").pk, troupe.member("Martha").pk
    troupe.do(troupe.tom, given, character=amek, member=martha)
    line = troupe.line("the widow").pk
    troupe.do(troupe.martha, "play_former", character=amek, line=line)
    assert is_one_players(troupe, "Amek")


def test_wa85_nor_does_the_top_come_back_for_another_than_whose_she_is(troupe: Troupe):
    troupe.played_once("Mekha")
    given = {"character": troupe.named("Mekha").pk, "member": troupe.member("Martha").pk}
    troupe.do(troupe.amy, "hand_character", **given)
    troupe.do(troupe.amy, "open_chapter")
    troupe.do(troupe.martha, "bring_back", owed=troupe.campaign.owed.get().pk)
    troupe.undoes("character_handed")
    assert is_one_players(troupe, "Mekha")
    assert (troupe.step, troupe.campaign.owed.get().struck) == ("coming_back", "")


@pytest.mark.parametrize(
    ("action", "back"), [("mark_away", "member_here"), ("mark_left", "member_back")]
)
def test_wa87_nobody_who_is_away_has_chosen_somebody(troupe: Troupe, action: str, back: str):
    """Marked so they give it back: an undo of their being back left it with them, for nobody."""
    troupe.at_step("choose")
    tom = troupe.member("Tom")
    for on in ("true", "false"):
        troupe.do(troupe.tom, action, member=tom.pk, on=on)
    troupe.do(troupe.tom, "take_cast", line=troupe.line(LINES[2]).pk)
    troupe.undoes(back)
    assert not troupe.member("Tom").is_here
    assert (troupe.line(LINES[2]).taken_by, troupe.line(LINES[2]).state) == (None, "open")


def test_wa76_the_name_of_a_sheet_that_is_put_away_goes_and_comes_back_with_it(troupe: Troupe):
    """Who was never played is owed nothing, though the GM had written her down."""
    troupe.at_step("sheets")
    troupe.do(troupe.erin, "owe_name", character=troupe.pc("Amy").pk)
    troupe.do(troupe.erin, "drop_chapter")
    assert troupe.campaign.owed.count() == 0
    troupe.undoes("chapter_put_away")
    assert troupe.campaign.owed.count() == 1
