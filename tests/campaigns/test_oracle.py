"""The oracle, the cards and the story sheet (WA-3 to WA-8, WA-86)."""

from __future__ import annotations

from campaigns.models import Element
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from games.rules.wicked_age.oracles import shipped
from tests.campaigns.reading import texts
from tests.campaigns.troupe import DEALT, ORACLE, Troupe
from tests.games.party import Person, done, fresh

ENTRIES = next(o for o in shipped("en") if o.id == ORACLE).entries
FIVE = "Short\n" + "\n".join(f"Somebody number {n}" for n in range(1, 6))


def own_oracle(troupe: Troupe, text: str = FIVE) -> str:
    troupe.do(troupe.amy, "write_oracle", text=text)
    return f"own-{troupe.table.oracles.latest('pk').pk}"


# --- choosing (WA-3, WA-6) -----------------------------------------------------------------------
def test_wa6_any_player_chooses_and_it_is_told_who(troupe: Troupe):
    troupe.at_step("oracle")
    troupe.do(troupe.tom, "choose_oracle", oracle=ORACLE)
    chapter = troupe.chapter
    assert (chapter.oracle, chapter.oracle_title) == (ORACLE, "Bronze and Dust")
    assert (chapter.chooser.name, chapter.step) == ("Tom", "deal")
    assert troupe.told("oracle_chosen") == "Tom chooses the oracle: Bronze and Dust."
    troupe.refusal(troupe.amy, "choose_oracle", oracle=ORACLE)


def test_wa3_the_gm_neither_chooses_nor_deals_while_a_player_has_a_phone(troupe: Troupe):
    troupe.at_step("oracle")
    assert "GM writes" in troupe.refusal(troupe.erin, "choose_oracle", 403, oracle=ORACLE)
    troupe.at_step("deal")
    assert "The players choose and deal, and the GM writes" in troupe.refusal(
        troupe.erin, "deal_cards", 403
    )
    troupe.refusal(troupe.erin, "type_cards", 403, cards="AS 2S 3S 4S")


def test_wa3_the_gm_does_it_for_players_without_phones(troupe: Troupe):
    troupe.do(troupe.erin, "add_member", name="Nan")
    for person in troupe.players:
        asked = {"member": troupe.member(person).pk, "on": "true"}
        troupe.do(troupe.erin, "mark_away", **asked)
    troupe.do(troupe.erin, "open_chapter")
    troupe.do(troupe.erin, "choose_oracle", oracle=ORACLE)
    assert troupe.chapter.chooser is None
    troupe.dice.fall(*DEALT)
    troupe.do(troupe.erin, "deal_cards")


def test_wa87_one_who_is_away_does_not_choose(troupe: Troupe):
    troupe.do(troupe.amy, "mark_away", member=troupe.member("Amy").pk, on="true")
    troupe.do(troupe.tom, "open_chapter")
    assert "not here" in troupe.refusal(troupe.amy, "choose_oracle", oracle=ORACLE)


def test_an_oracle_that_is_not_there_is_not_chosen(troupe: Troupe):
    troupe.at_step("oracle")
    for name in ("nothing", "own-", "own-x", "own-99", "own-" + "9" * 30, "own-²"):
        troupe.refusal(troupe.amy, "choose_oracle", 404, oracle=name)


# --- dealing (WA-7) ------------------------------------------------------------------------------
def test_wa7_four_different_cards_are_dealt(troupe: Troupe):
    troupe.at_step("cast")
    assert [e.card for e in troupe.elements] == ["AH", "2H", "3H", "4H"]
    assert texts(troupe) == [entry.text for entry in ENTRIES[:4]]
    assert troupe.elements[0].implied == list(ENTRIES[0].implied)
    assert [e.order for e in troupe.elements] == [1, 2, 3, 4]
    assert troupe.told("cards_dealt") == "The cards are dealt: A♥, 2♥, 3♥ and 4♥."


def test_wa7_the_story_sheet_is_in_the_tables_language(troupe: Troupe):
    spanish = next(o for o in shipped("es") if o.id == ORACLE)
    table = troupe.table
    table.language = "es"
    table.save()
    troupe.at_step("cast")
    assert texts(troupe) == [entry.text for entry in spanish.entries[:4]]
    assert troupe.chapter.oracle_title == spanish.title


def test_wa7_a_real_deck_is_typed(troupe: Troupe):
    troupe.at_step("deal")
    assert "fewer" in troupe.refusal(troupe.tom, "type_cards", 422, cards="AS 2S")
    assert "twice" in troupe.refusal(troupe.tom, "type_cards", 422, cards="AS AS 2S 3S 4S")
    troupe.do(troupe.tom, "type_cards", cards="ace of spades, 10h, Q♦, 2 clubs")
    assert [e.card for e in troupe.elements] == ["AS", "10H", "QD", "2C"]


def test_a_card_is_refused_by_its_sign_and_not_by_the_letters_of_another_language(troupe: Troupe):
    """A Spanish hand types 3C, of corazones: "3H está dos veces" would speak of no card of hers."""
    troupe.at_step("deal")
    troupe.do(troupe.tom, "speak", language="es")
    told = troupe.refusal(troupe.tom, "type_cards", 422, cards="3C 3C 4C 5C")
    assert "3♥ está dos veces" in told


def test_wa7_dealing_again_replaces_what_was_dealt(troupe: Troupe):
    troupe.at_step("choose")
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a priest").pk)
    troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.erin, "step_back")
    assert len(troupe.elements) == 4  # going back throws nothing away
    troupe.dice.fall(52, 51, 50, 49)
    troupe.do(troupe.amy, "deal_cards")
    assert [e.card for e in troupe.elements] == ["KS", "QS", "JS", "10S"]
    assert troupe.line("a priest").state == "chosen"
    assert troupe.line("the widow").state == "dropped"
    troupe.undoes("cards_dealt")
    assert [e.card for e in troupe.elements] == ["AH", "2H", "3H", "4H"]


def test_wa10_whom_a_card_named_leaves_the_list_when_it_is_taken_back(troupe: Troupe):
    """A line keeps the element it comes from: another one in that place has not named her."""
    troupe.at_step("cast")
    troupe.do(troupe.amy, "add_cast", text="a granite loan", element=troupe.elements[1].pk)
    troupe.do(troupe.amy, "add_cast", text="somebody of our own")
    troupe.undoes("oracle_chosen")
    assert (troupe.step, troupe.elements) == ("oracle", [])
    troupe.do(troupe.tom, "choose_oracle", oracle="salt_and_honey")
    troupe.dice.fall(*DEALT)
    troupe.do(troupe.tom, "deal_cards")
    assert [line.text for line in troupe.chapter.cast_lines.all()] == ["somebody of our own"]


def test_wa11_a_choice_goes_back_with_the_oracle_that_it_came_from(troupe: Troupe):
    """By WA-8 and WA-11 people choose whom the elements name: other elements, another choice."""
    troupe.at_step("choose")
    troupe.do(troupe.amy, "add_cast", text="somebody of our own")
    troupe.do(troupe.tom, "take_cast", line=troupe.line("somebody of our own").pk)
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a priest").pk)
    troupe.do(troupe.martha, "take_cast", line=troupe.line("a priest").pk)  # she wants him too
    troupe.do(troupe.erin, "make_npc", line=troupe.line("the soldier").pk)
    chosen = troupe.last("oracle_chosen").seq
    told = troupe.refusal(troupe.erin, "undo", event=chosen)
    assert "later moves hang on it" in told
    # What would go back is named, the newest first, and not all of a whole evening.
    assert "The GM has somebody new: the soldier. Martha would like “a priest” too" in told
    assert "…" in told
    troupe.do(troupe.erin, "undo", event=chosen, sure="true")
    assert [line.text for line in troupe.chapter.cast_lines.all()] == ["somebody of our own"]
    assert troupe.line("somebody of our own").taken_by.name == "Tom"
    assert not troupe.campaign.characters.exists()


def test_wa11_a_sheet_and_its_interests_go_back_with_the_oracle_too(troupe: Troupe):
    troupe.at_step("interests")
    pc = troupe.pc("Amy")
    troupe.do(troupe.amy, "name_interest", character=pc.pk, text="To be rid of it")
    troupe.undoes("oracle_chosen")
    assert troupe.step == "oracle"
    for gone in (troupe.chapter.cast_lines, troupe.chapter.parts, troupe.chapter.interests):
        assert not gone.exists()


def test_wa9_whom_one_more_card_named_goes_back_with_it_and_nobody_else_does(troupe: Troupe):
    troupe.at_step("cast")
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")
    troupe.do(troupe.amy, "add_cast", text="a groom", element=troupe.elements[0].pk)
    troupe.do(troupe.tom, "add_cast", text="a queen", element=troupe.elements[4].pk)
    troupe.do(troupe.tom, "take_cast", line=troupe.line("a queen").pk)
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a groom").pk)
    troupe.undoes("card_added")
    assert [line.text for line in troupe.chapter.cast_lines.all()] == ["a groom"]
    assert troupe.line("a groom").taken_by.name == "Amy"


def test_wa7_the_card_more_goes_back_with_those_it_was_dealt_beside(troupe: Troupe):
    troupe.at_step("cast")
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")
    troupe.do(troupe.amy, "add_cast", text="a queen", element=troupe.elements[4].pk)
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a queen").pk)
    troupe.undoes("oracle_chosen")
    assert (troupe.step, troupe.elements) == ("oracle", [])
    assert not troupe.chapter.cast_lines.exists()


def test_wa10_whom_the_new_cards_have_not_named_they_are_not_shown_with(troupe: Troupe):
    """Dealt anew, who was chosen stays as the player's own: no other card has named them."""
    troupe.at_step("choose")
    troupe.do(troupe.amy, "take_cast", line=troupe.line("a priest").pk)
    for _step in range(2):
        troupe.do(troupe.erin, "step_back")
    troupe.dice.fall(52, 51, 50, 49)
    troupe.do(troupe.amy, "deal_cards")
    line = troupe.line("a priest")
    assert (line.state, line.elements) == ("chosen", [])


def test_wa10_whom_a_picked_element_named_leaves_the_list_with_it(troupe: Troupe):
    returned(troupe)
    troupe.at_step("cast")
    for place in (1, 2):
        troupe.do(
            troupe.amy,
            "add_cast",
            text=f"of element {place}",
            element=troupe.elements[place - 1].pk,
        )
    for _step in range(2):
        troupe.do(troupe.amy, "step_back")
    troupe.do(troupe.amy, "pick_element", entry=9)
    assert troupe.line("of element 1").state == "dropped"
    assert troupe.line("of element 2").state == "open"


def test_a_player_does_not_take_back_what_the_cards_have_shown(troupe: Troupe):
    troupe.at_step("cast")
    dealt = troupe.last("cards_dealt").seq
    troupe.refusal(troupe.amy, "undo", 403, event=dealt)
    troupe.do(troupe.erin, "undo", event=dealt)
    assert (troupe.step, troupe.elements) == ("deal", [])


def test_wa7_one_more_card_by_the_gms_consent(troupe: Troupe):
    troupe.at_step("cast")
    troupe.refusal(troupe.amy, "deal_more", 403)
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert 'id="deal-more"' in troupe.erin.sees("gm/")
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")
    assert [(e.card, e.order) for e in troupe.elements][4:] == [("5H", 5)]
    assert "one more at the most" in troupe.refusal(troupe.erin, "deal_more")
    assert 'id="deal-more"' not in troupe.erin.sees("gm/")
    assert troupe.told("card_added") == "One card more: 5♥."
    troupe.undoes("card_added")
    assert len(troupe.elements) == 4
    assert 'id="deal-more"' in troupe.erin.sees("gm/")


def test_wa7_two_more_cards_of_an_older_release_stay_and_a_new_deal_begins_with_four(
    troupe: Troupe,
):
    """What a table has read aloud is not taken from it; its file is read back as it is."""
    chapter = troupe.at_step("cast").chapter
    for order, card in ((5, "5H"), (6, "6H")):
        Element.objects.create(chapter=chapter, order=order, card=card, text=f"Of {card}.")
    assert "By the rules there are four elements" in troupe.refusal(troupe.erin, "deal_more")
    read = read_file(file_of(troupe.campaign))
    assert [e.card for e in read.chapters[0].elements][4:] == ["5H", "6H"]
    troupe.do(troupe.erin, "step_back")
    troupe.dice.fall(*DEALT)
    troupe.do(troupe.amy, "deal_cards")
    assert len(troupe.elements) == 4
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")


def test_wa5_an_oracle_of_another_size_is_dealt_by_number(troupe: Troupe):
    name = own_oracle(troupe)
    troupe.at_step("oracle")
    troupe.do(troupe.amy, "choose_oracle", oracle=name)
    assert "1 to 5" in troupe.refusal(troupe.amy, "type_cards", 422, cards="1 2 3 6")
    assert "Type 4 different numbers from 1 to 5" in troupe.refusal(
        troupe.amy, "type_cards", 422, cards="1 2 3 3"
    )
    troupe.dice.fall(5, 4, 3, 2)
    troupe.do(troupe.amy, "deal_cards")
    assert [e.card for e in troupe.elements] == ["5", "4", "3", "2"]
    assert texts(troupe)[0] == "Somebody number 5"
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "deal_more")
    assert texts(troupe)[4] == "Somebody number 1"


def test_wa7_an_oracle_that_is_dealt_out_has_no_card_more(troupe: Troupe):
    name = own_oracle(troupe, FIVE.rsplit("\n", 1)[0])
    troupe.at_step("oracle")
    troupe.do(troupe.amy, "choose_oracle", oracle=name)
    troupe.dice.fall(1, 1, 1, 1)
    troupe.do(troupe.amy, "deal_cards")
    assert "not have that many" in troupe.refusal(troupe.erin, "deal_more")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert 'id="deal-more"' not in troupe.erin.sees("gm/")


def test_two_taps_at_once_deal_once(troupe: Troupe):
    troupe.at_step("deal")
    troupe.dice.fall(*DEALT)
    troupe.do(troupe.amy, "deal_cards", tap="same")
    troupe.do(troupe.amy, "deal_cards", tap="same")
    assert "another step" in troupe.refusal(troupe.tom, "deal_cards")
    assert len(troupe.elements) == 4


# --- picking (WA-86) -----------------------------------------------------------------------------
def returned(troupe: Troupe) -> Person:
    """Amy's Mekha has come back for the second chapter."""
    troupe.played_once("Mekha").at_step("oracle")
    return troupe.amy


def test_wa86_her_player_chooses_the_oracle_picks_and_deals_three(troupe: Troupe):
    amy = returned(troupe)
    assert "that is for Amy" in troupe.refusal(troupe.tom, "choose_oracle", 403, oracle=ORACLE)
    assert "In this chapter that is for Amy to do" in troupe.refusal(
        troupe.erin, "choose_oracle", 403, oracle=ORACLE
    )
    troupe.do(amy, "choose_oracle", oracle=ORACLE)
    assert troupe.step == "pick"
    troupe.refusal(troupe.tom, "pick_element", 403, entry=1)
    troupe.do(amy, "pick_element", entry=2)
    assert "In this chapter that is for Amy to do" in troupe.refusal(troupe.tom, "deal_cards", 403)
    troupe.dice.fall(1, 1, 1)
    troupe.do(amy, "deal_cards")
    assert [(e.card, e.is_picked) for e in troupe.elements] == [
        ("2H", True),
        ("AH", False),
        ("3H", False),  # the picked card has left the deck
        ("4H", False),
    ]


def test_wa86_the_picked_element_may_be_her_own_words(troupe: Troupe):
    troupe.do(returned(troupe), "choose_oracle", oracle=ORACLE)
    assert "Pick one entry of the oracle" in troupe.refusal(troupe.amy, "pick_element", 422)
    troupe.refusal(troupe.amy, "pick_element", 422, entry=1, text="Both")
    troupe.refusal(troupe.amy, "pick_element", 404, entry=53)
    troupe.do(troupe.amy, "pick_element", text="A road of salt.")
    assert [(e.text, e.card) for e in troupe.elements] == [("A road of salt.", "")]
    troupe.dice.fall(1, 1, 1)
    troupe.do(troupe.amy, "deal_cards")
    assert len(troupe.elements) == 4


def test_wa86_picking_again_replaces_the_pick(troupe: Troupe):
    returned(troupe)
    troupe.at_step("deal")
    troupe.do(troupe.amy, "step_back")
    troupe.do(troupe.amy, "pick_element", entry=3)
    assert [e.card for e in troupe.elements] == ["3H"]
    assert "picked already" in troupe.refusal(troupe.amy, "type_cards", 422, cards="3H 4H 5H")
    troupe.do(troupe.amy, "type_cards", cards="4H 5H 6H")
    assert troupe.step == "cast"


def test_wa86_the_gm_chooses_for_a_returning_player_without_a_phone(troupe: Troupe):
    troupe.played_once("Mekha")
    troupe.do(troupe.erin, "link_member", member=troupe.member("Amy").pk, who=0)
    troupe.at_step("oracle")
    troupe.do(troupe.erin, "choose_oracle", oracle=ORACLE)
    assert troupe.chapter.chooser.name == "Amy"


# --- the story sheet (WA-4, WA-8) ----------------------------------------------------------------
def test_wa8_the_gm_writes_the_story_sheet(troupe: Troupe):
    element = troupe.at_step("cast").elements[0]
    troupe.refusal(troupe.amy, "edit_element", 403, element=element.pk, text="Mine")
    troupe.do(troupe.erin, "edit_element", element=element.pk, text="A spearwoman, old.")
    assert fresh(element).text == "A spearwoman, old."
    assert "Write the element, or leave it out" in troupe.refusal(
        troupe.erin, "edit_element", 422, element=element.pk, text=" "
    )
    troupe.refusal(troupe.erin, "edit_element", 422, element=element.pk, text="x" * 401)
    troupe.refusal(troupe.erin, "edit_element", 404, element=999, text="x")


def test_wa4_anybodys_stop_takes_an_element_out_and_nobody_is_named(troupe: Troupe):
    element = troupe.at_step("cast").elements[1]
    troupe.do(troupe.tom, "strike_element", element=element.pk, on="true")
    assert fresh(element).is_struck
    assert troupe.told("element_struck") == "Element 2 is taken out."
    troupe.refusal(troupe.amy, "strike_element", element=element.pk, on="true")
    troupe.do(troupe.amy, "strike_element", element=element.pk, on="false")
    assert not fresh(element).is_struck


def test_wa4_no_phone_shows_that_it_was_the_one_that_took_an_element_out(troupe: Troupe):
    """Who looks over a shoulder sees on all phones alike: the news, and nothing to take back."""
    element = troupe.at_step("cast").elements[1]
    done(troupe.erin.does("turn_table", rules="wicked_age"))
    for on in ("true", "false"):
        troupe.do(troupe.tom, "strike_element", element=element.pk, on=on)
        pages = [one.sees() for one in (troupe.tom, troupe.amy)]
        assert [('id="undo"' in page, "Element 2 is" in page) for page in pages] == [
            (False, True),
            (False, True),
        ]


def test_another_tables_element_is_not_to_be_had(troupe: Troupe):
    element = troupe.at_step("cast").elements[0]
    other = Troupe(troupe.dice, troupe.clock).gathers().at_step("cast")
    other.refusal(other.amy, "strike_element", 404, element=element.pk)
    other.refusal(other.amy, "add_cast", 404, text="Somebody", element=element.pk)
