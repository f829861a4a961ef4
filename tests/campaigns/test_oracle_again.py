"""What lies on the story sheet when the setup goes back and another way on (WA-7, WA-86)."""

from __future__ import annotations

from campaigns.models import Chapter
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from games.rules.wicked_age.oracles import shipped
from tests.campaigns.reading import texts
from tests.campaigns.troupe import ORACLE, Troupe

ENTRIES = next(o for o in shipped("en") if o.id == ORACLE).entries


def test_wa7_another_oracle_has_not_read_the_cards_that_lie(troupe: Troupe):
    """Going back throws nothing away; choosing another oracle does, since its entries are others'.

    Else the chapter would go on with that oracle's title over this one's elements.
    """
    troupe.at_step("cast")
    troupe.do(troupe.amy, "add_cast", text="a granite loan", element=troupe.elements[1].pk)
    troupe.do(troupe.amy, "add_cast", text="somebody of our own")
    for _step in range(2):
        troupe.do(troupe.amy, "step_back")
    troupe.do(troupe.tom, "choose_oracle", oracle=ORACLE)
    assert len(troupe.elements) == 4  # the same one again has read the same
    troupe.do(troupe.tom, "step_back")
    troupe.do(troupe.tom, "choose_oracle", oracle="salt_and_honey")
    assert troupe.elements == []
    assert troupe.line("a granite loan").state == "dropped"
    assert troupe.line("somebody of our own").state == "open"
    assert "yet to be dealt" in troupe.refusal(troupe.tom, "step_on")
    troupe.undoes("oracle_chosen")
    assert texts(troupe) == [entry.text for entry in ENTRIES[:4]]
    assert troupe.line("a granite loan").state == "open"


def test_wa86_an_entry_that_was_dealt_and_is_picked_then_is_not_there_twice(troupe: Troupe):
    """Three cards are dealt from the rest of the deck: without the one that is picked."""
    troupe.played_once("Mekha")
    troupe.at_step("cast")
    assert [e.card for e in troupe.elements] == ["", "AH", "2H", "3H"]
    for _step in range(2):
        troupe.do(troupe.amy, "step_back")
    troupe.do(troupe.amy, "pick_element", entry=9)
    assert [e.card for e in troupe.elements] == ["9H", "AH", "2H", "3H"]
    troupe.do(troupe.amy, "step_back")
    troupe.do(troupe.amy, "pick_element", entry=2)
    assert [e.card for e in troupe.elements] == ["2H"]
    assert "yet to be dealt" in troupe.refusal(troupe.amy, "step_on")
    troupe.undoes("element_picked")
    assert [e.card for e in troupe.elements] == ["9H", "AH", "2H", "3H"]


def test_wa86_an_entry_of_another_oracle_is_picked_no_more_but_own_words_are(troupe: Troupe):
    troupe.played_once("Mekha")
    troupe.at_step("pick")
    for picked, stays in (({"entry": 3}, []), ({"text": "A road of salt."}, ["A road of salt."])):
        troupe.do(troupe.amy, "pick_element", **picked)
        for _step in range(2):
            troupe.do(troupe.amy, "step_back")
        other = "salt_and_honey" if troupe.chapter.oracle == ORACLE else ORACLE
        troupe.do(troupe.amy, "choose_oracle", oracle=other)
        assert texts(troupe) == stays
    troupe.do(troupe.amy, "step_on")
    assert troupe.step == "deal"


def test_wa86_four_cards_dealt_before_anybody_came_back_are_not_four_beside_the_pick(
    troupe: Troupe,
):
    troupe.played_once("Mekha")
    top = troupe.campaign.owed.get().pk
    troupe.do(troupe.amy, "open_chapter")
    troupe.do(troupe.amy, "decline_return", owed=top)
    troupe.at_step("cast")
    assert len(troupe.elements) == 4
    while troupe.step != "coming_back":
        troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.amy, "bring_back", owed=top)
    troupe.at_step("pick")
    troupe.do(troupe.amy, "pick_element", text="A road of salt.")
    assert texts(troupe) == ["A road of salt."]
    assert "yet to be dealt" in troupe.refusal(troupe.amy, "step_on")
    troupe.at_step("cast")
    assert [e.order for e in troupe.elements] == [1, 2, 3, 4]


def test_wa10_whom_the_picked_element_named_goes_when_the_owe_lists_top_is_asked_again(
    troupe: Troupe,
):
    """A line that went on naming it made the campaign's file one that nobody can read back."""
    troupe.played_once("Mekha")
    troupe.at_step("cast")
    for place, text in enumerate(("of the pick", "of a card")):
        element = troupe.elements[place].pk
        troupe.do(troupe.amy, "add_cast", text=text, element=element)
    while troupe.step != "coming_back":
        troupe.do(troupe.erin, "step_back")
    assert [e.card for e in troupe.elements] == ["AH", "2H", "3H"]
    picked, dealt = troupe.line("of the pick"), troupe.line("of a card")
    assert (picked.state, picked.elements) == ("dropped", [])
    assert (dealt.state, dealt.elements) == ("open", [2])
    assert read_file(file_of(troupe.campaign))


def test_wa7_an_oracle_that_stayed_at_another_table_has_no_card_more_here(troupe: Troupe):
    """A campaign's file names the oracle of a chapter, and does not bring it."""
    chapter = troupe.at_step("cast").chapter
    Chapter.objects.filter(pk=chapter.pk).update(oracle="own-77")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert 'id="deal-more"' not in troupe.erin.sees("gm/")
    troupe.refusal(troupe.erin, "deal_more", 404)


def test_wa7_cards_that_lie_do_not_stand_for_numbers_of_a_shorter_oracle(troupe: Troupe):
    """An oracle may be written anew after its cards were dealt, where play is taken back."""
    five = "Short\n" + "\n".join(f"Somebody number {n}" for n in range(1, 6))
    troupe.do(troupe.amy, "write_oracle", text=five)
    name = f"own-{troupe.table.oracles.latest('pk').pk}"
    chapter = troupe.at_step("cast").chapter
    Chapter.objects.filter(pk=chapter.pk).update(oracle=name)
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")
    assert texts(troupe)[4] == "Somebody number 1"


def test_wa86_the_pick_has_its_page_though_its_oracle_was_put_away(troupe: Troupe):
    """Play had begun, the oracle was put away, and the beginning was taken back: all phones broke
    where the setup asked once more for an element. One in her own words can still be picked."""
    troupe.played_once("Mekha")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    entries = "\n".join(f"Somebody number {n}, who owes" for n in range(1, 53))
    troupe.do(troupe.amy, "write_oracle", text=f"Long\n{entries}")
    own = troupe.table.oracles.get()
    troupe.do(troupe.amy, "open_chapter")
    troupe.at_step("oracle")
    troupe.do(troupe.amy, "choose_oracle", oracle=f"own-{own.pk}")
    troupe.at_step("play")
    troupe.do(troupe.erin, "drop_oracle", oracle=own.pk)
    troupe.undoes("play_begun")
    while troupe.step != "pick":
        troupe.do(troupe.erin, "step_back")
    assert 'name="entry"' not in troupe.amy.sees()
    troupe.do(troupe.amy, "pick_element", text="A debt of salt.")
