"""What a wicked table refuses: in words, with nothing done, and with what was typed still there."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.arriving import asks, posts
from tests.phones.devices import NARROW
from tests.phones.knave import does, unfolds
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import NO_NETWORK, REFUSED, Company, Person
from tests.phones.wicked import (
    closes_typed,
    dice_of,
    goes_back,
    holding,
    interest_key,
    key,
    names_interest,
    newest_fight,
    opens_sheet,
    opens_typed,
    owed,
    owed_key,
    saves,
    ticks,
)
from tests.phones.wicked_ready import (
    NPCS,
    about,
    at_interests,
    at_sheets,
    has_moved,
    has_rolled,
    has_started,
    has_taken,
    has_won,
    in_play,
    own_key,
    wants,
)
from tests.phones.wire import Wire


def refuses(person: Person, action: str, words: str, **fields: object) -> None:
    """Post by hand what no button offers, and read why not."""
    answer = asks(person, action, **fields)
    assert answer.status in (403, 404, 409, 422), answer.text()
    assert words in answer.text(), answer.text()


def is_told(person: Person, words: str) -> None:
    """Read a refusal at the field that it is about, and nowhere else."""
    told = person.sees(".refused-here")
    expect(told).to_contain_text(words)
    expect(told).to_be_in_viewport(ratio=1)
    expect(person.sees(f"[aria-describedby~='{told.get_attribute('id')}']")).to_have_count(1)
    expect(person.sees("#notice .notice")).to_have_count(0)


def test_a_sheet_is_refused_in_words_and_nothing_typed_is_lost(company: Company) -> None:
    """WA-13, WA-14, WA-25, WA-35: two d12s, a unique strength twice, an interest of no words."""
    ana, (ben, cleo, dora) = at_sheets(company)
    company.only(ben)
    ben.expects_trouble(REFUSED)
    for person, name in ((cleo, "Imra"), (dora, "Dovan")):
        posts(person, "write_sheet", character=own_key(person), name=name)
    opens_sheet(ben)
    patience = _writes_strength(cleo, "The river's patience", "potent")
    _two_d12s(ben)
    _strengths_that_cannot_be_taken(ben, cleo, patience)
    goes_back(ben)
    posts(ben, "write_sheet", character=own_key(ben), name="Sarel")
    posts(ana, "step_on")
    _interests_that_are_none(ben)
    refuses(ana, "begin_play", "Still missing: Sarel 1 more")


def _two_d12s(ben: Person) -> None:
    """WA-13: the page trades dice, so that only a form made by hand asks for two."""
    ben.page.fill("#name", "Sarel of the gate")
    ticks(ben, "die-directly-12")  # which covertly had: they trade
    expect(ben.sees("#die-covertly-10")).to_be_checked()
    expect(ben.sees("#name")).to_have_value("Sarel of the gate")
    sarel = own_key(ben)
    refuses(ben, "write_sheet", "both have the d12", character=sarel, covertly=12, directly=12)
    saves(ben, "#save-name")
    assert dice_of(ben, "Sarel of the gate")["directly"]["base"] == 12


def _writes_strength(cleo: Person, name: str, option: str) -> int:
    """Write a strength onto Imra's sheet; return its number."""
    forms = {"pc_form": "directly", "npc_form": "action"}
    posts(cleo, "new_strength", character=own_key(cleo), name=name, option=option, **forms)
    return int(cleo.house.one("select max(id) from campaigns_strength"))


def _strengths_that_cannot_be_taken(ben: Person, cleo: Person, patience: int) -> None:
    """WA-14, WA-25: one that was taken out again meanwhile, and a unique one that Imra has."""
    expect(ben.sees("#take-strength")).to_have_value(str(patience))
    saves(ben, "#take-strength-go")
    saves(ben, "[id^='drop-strength']")
    posts(cleo, "drop_strength", holding=holding(cleo, "Imra", "The river's patience"))
    assert ben.taps("#take-strength-go") == 404
    expect(ben.page.get_by_role("alert")).to_contain_text("No such strength is written")
    crown = _writes_strength(cleo, "The only bronze crown", "unique")
    words = "The only bronze crown is unique, and Imra has it"
    refuses(ben, "take_strength", words, character=own_key(ben), strength=crown)


def _interests_that_are_none(ben: Person) -> None:
    """WA-35: no words at all, and those of another."""
    ben.catches_up()
    names_interest(ben, "The crown comes to her", "Imra")
    ben.page.wait_for_timeout(1000)  # or it would be the same tap twice, of which nobody is told
    for typed, words, status in (
        ("   ", "what is wanted", 422),
        ("the crown comes to HER", "on the sheet already", 409),
    ):
        opens_typed(ben, "interest")
        ben.page.fill("#interest-text", typed)
        assert ben.taps("#interest-go") == status
        is_told(ben, words)
        expect(ben.sees("#interest-text")).to_have_value(typed)
        expect(ben.sees("#interest-text[aria-invalid]:focus")).to_have_count(1)
        expect(ben.sees("#typed-interest")).to_have_attribute("open", "")
    ben.page.fill("#interest-text", "Imra has it")
    expect(ben.sees(".refused-here, [aria-invalid]")).to_have_count(0)
    assert interest_key(ben, "The crown comes to her")


def test_wa32_where_all_have_three_the_gm_is_told_instead_of_asked_whose_it_is(
    company: Company,
) -> None:
    """Nobody was there to choose, and to send it was answered that something is missing."""
    ana, (ben, cleo) = in_play(company, 2)
    company.only(ana)
    for person, name in ((ben, "Sarel"), (cleo, "Imra"), *((ana, npc) for npc in NPCS)):
        wants(person, name, f"One thing more for {name}", "Imra" if name != "Imra" else "Sarel")
    ana.is_live()
    ticks(ana, "new-interest")
    ana.page.fill("#interest-text", "The crown comes to her")
    ana.reads("Nobody here can have one more", where="#gm-tags")
    expect(ana.sees("#interest-go")).to_be_hidden()
    posts(ben, "drop_interest", interest=interest_key(ben, "One thing more for Sarel"))
    expect(ana.sees("#interest-go")).to_be_visible()
    expect(ana.sees("#interest-text")).to_have_value("The crown comes to her")


def test_what_was_typed_without_a_line_is_done_once_and_its_sheet_folds(
    company: Company, wire: Wire
) -> None:
    """R4: the sheet stood open with the words in it, and a second tap was refused as the same."""
    _ana, (ben, *_others) = at_interests(company, address=wire.address)
    company.only(ben)
    for person in company.people:  # all are on the line that is cut
        person.expects_trouble(NO_NETWORK)
    goes_off(ben, wire)
    opens_typed(ben, "interest")
    ben.page.fill("#interest-text", "The crown comes to her")
    ben.presses("#interest-go")
    expect(ben.sees("#interest-go")).to_have_attribute("data-waits", "")
    comes_back(ben, wire)
    closes_typed(ben, "interest")
    expect(ben.sees("#interest-text")).to_have_value("")
    assert interest_key(ben, "The crown comes to her")


def test_what_is_half_typed_is_there_after_a_look_at_another_page_of_the_seat(
    company: Company,
) -> None:
    """R4, S9: the GM looked at the records in the middle of a scene, and typed it once more.

    A browser puts back no field that it is told to complete nothing in, and a link none at all.
    Whoever has this phone at another seat, or at the front door, finds nothing of it.
    """
    ana, _players = in_play(company, 2)
    company.only(ana)
    ana.is_live()
    ticks(ana, "new-scene")
    ana.page.fill("#scene-where", "By the well")
    ticks(ana, f"scene-who-{key(ana, 'Imra')}")
    ana.goes(f"/t/{company.code}/records/")
    ana.page.go_back()
    ana.is_live()
    ana.goes(f"/t/{company.code}/")
    ana.is_live()
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    expect(ana.sees("#scene-where")).to_be_visible()
    expect(ana.sees("#scene-where")).to_have_value("By the well")
    expect(ana.sees(f"#scene-who-{key(ana, 'Imra')}")).to_be_checked()
    expect(ana.sees(f"#scene-who-{key(ana, 'Sarel')}")).not_to_be_checked()

    kept = "JSON.stringify({...sessionStorage})"
    assert "By the well" not in ana.page.evaluate(kept), "while the page is looked at nothing is"
    ana.goes(f"/t/{company.code}/")
    assert "By the well" in ana.page.evaluate(kept)
    ana.goes("/")
    assert "By the well" not in ana.page.evaluate(kept)


def test_what_is_ticked_for_an_offer_is_there_with_its_words_when_the_page_is_loaded_anew(
    company: Company,
) -> None:
    """R4, WA-70: the words stand outside the form that they go with, and came back without it."""
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    terms = f"terms-{has_won(ben, ana)}-{own_key(ben)}-{key(ana, 'Old Kesh')}"
    opens_typed(ben, "offer")
    ben.page.fill("#offer-says", "He opens the gate")
    for box in ("action", "state-captive"):
        ben.page.locator(f"#{terms}-{box}").check()
    ben.page.reload()
    ben.is_live()
    expect(ben.sees("#offer-says")).to_have_value("He opens the gate")
    for box in ("action", "state-captive"):
        expect(ben.sees(f"#{terms}-{box}")).to_be_checked()


def test_what_is_half_typed_stays_in_sight_when_the_chapter_goes_on(company: Company) -> None:
    """R4: an interest was half written when the end was proposed, a last line at the end; and the
    GM's own scene, which is what she comes back to from her other cards."""
    ana, players = in_play(company, 2)
    ben = players[0]
    company.only(ana, ben)
    ana.is_live()
    ben.is_live()
    ticks(ana, "new-scene")
    ana.page.fill("#scene-where", "By the well")
    ana.sees("#scene-where").blur()  # she looks elsewhere in the middle of it
    _the_end_is_proposed_over_an_interest(ana, ben)
    _the_chapter_ends_over_a_last_line(ana, ben)
    ana.page.fill("#scene-where", "")
    ana.sees("#scene-where").blur()
    expect(ana.sees("#scene-where")).to_be_hidden()


def _the_end_is_proposed_over_an_interest(ana: Person, ben: Person) -> None:
    opens_typed(ben, "interest")
    ben.page.fill("#interest-text", "The crown comes to her")
    expect(ben.sees("#typed-interest .written-before")).to_be_hidden()
    posts(ana, "propose_end")
    expect(ben.sees("#typed-interest .written-before")).to_be_visible()
    expect(ben.sees("#interest-text")).to_be_visible()
    expect(ben.sees("#interest-text")).to_have_value("The crown comes to her")
    expect(ana.sees(".for-scene .written-before")).to_be_visible()
    expect(ana.sees("#scene-where")).to_have_value("By the well")
    ben.page.reload()
    ben.is_live()
    expect(ben.sees("#interest-text")).to_be_visible()
    posts(ana, "step_back")
    expect(ben.sees("#typed-interest .written-before")).to_be_hidden()
    expect(ana.sees(".for-scene .written-before")).to_be_hidden()
    ben.presses("#interest-go")
    closes_typed(ben, "interest")
    assert interest_key(ben, "The crown comes to her")


def _the_chapter_ends_over_a_last_line(ana: Person, ben: Person) -> None:
    posts(ana, "propose_end")
    expect(ben.sees("#typed-interest")).to_be_hidden()
    opens_typed(ben, "epilogue")
    ben.page.fill("#epilogue-text", "She went up the river")
    posts(ana, "end_chapter")
    expect(ben.sees("#typed-epilogue .written-before")).to_be_visible()
    expect(ben.sees("#epilogue-text")).to_have_value("She went up the river")
    ben.page.fill("#epilogue-text", "")
    expect(ben.sees("#typed-epilogue")).to_be_hidden()


def test_a_fight_is_refused_in_words(company: Company) -> None:
    """WA-42, WA-44, WA-57, WA-65: a third form, a die that is gone, another's name and turn."""
    ana, (ben, cleo) = in_play(company, 2)
    sarel = own_key(ben)
    posts(ana, "owe_name", character=own_key(cleo))
    posts(ana, "correct_die", character=sarel, which_form="covertly", current=0)
    ben.catches_up()
    fight = has_started(ben, "She takes the chest", "Sarel", "Imra", "Old Kesh")
    ben.catches_up()
    _dice_that_cannot_be_taken(ben, cleo, fight)
    has_taken(ben, "Sarel", "directly", "for_myself")
    has_taken(cleo, "Imra", "directly", "for_myself")
    has_taken(ana, "Old Kesh", "action")

    for person in (ben, cleo):
        person.catches_up()
    _a_die_for_anothers_name(ben, cleo, fight)
    assert owed(ana) == ["Imra"]

    has_rolled(ben, "Sarel", 9, 5)
    has_rolled(cleo, "Imra", 6, 3)
    has_rolled(ana, "Old Kesh", 8, 5)
    _a_turn_that_is_not_hers(ben, cleo, fight)
    assert newest_fight(ben) == fight
    ana.catches_up()
    unfolds(ana, f"#call-off-{fight}-ask")
    does(ana, f"#call-off-{fight}")


def _dice_that_cannot_be_taken(ben: Person, cleo: Person, fight: int) -> None:
    """WA-42, WA-44: three forms, a form whose die is gone, and another's dice."""
    sarel, which = own_key(ben), about(ben, fight)
    expect(ben.sees("#fight .pair-choice")).to_have_count(15)
    gone = ben.sees(f"#pair-{fight}-{sarel}-covertly-directly > summary")
    expect(gone.locator("svg.wdie")).to_have_count(1)
    three = ["directly", "for_myself", "with_love"]
    refuses(ben, "take_dice", "two different forms", who=sarel, forms=three, **which)
    refuses(cleo, "take_dice", "", who=sarel, forms=["directly", "for_myself"], **which)


def _a_die_for_anothers_name(ben: Person, cleo: Person, fight: int) -> None:
    """WA-65: who stands on the owe list buys a die, and nobody in her name."""
    sarel, imra = own_key(ben), own_key(cleo)
    expect(ben.sees(f"#roll-{fight}-{sarel}-buy")).to_have_count(0)
    expect(cleo.sees(f"#roll-{fight}-{imra}-buy")).to_have_count(1)
    owes = owed_key(ben, "Imra")
    refuses(ben, "buy_die", "", who=sarel, owed=owes, **about(ben, fight))


def _a_turn_that_is_not_hers(ben: Person, cleo: Person, fight: int) -> None:
    """WA-57: who moves is not Imra, nor is she the one who answers."""
    sarel, imra = own_key(ben), own_key(cleo)
    refuses(cleo, "make_move", "", who=imra, to=[sarel], **about(ben, fight))
    has_moved(ben, "Sarel", "Old Kesh")
    refuses(cleo, "roll_forms", "", who=imra, **about(ben, fight))
    ben.reads("9", where="#fight .standing-total")


def test_a_refusal_lets_the_finger_through_to_what_it_is_about(company: Company) -> None:
    """At 320 px it stands in the dock at what it is about, lies on no button, and goes with it."""
    _ana, (ben, cleo) = in_play(company, 2)
    company.only(ben)
    ben.page.set_viewport_size(NARROW)
    fight = has_started(ben, "She takes the chest", "Sarel", "Imra")
    for person, name in ((ben, "Sarel"), (cleo, "Imra")):
        has_taken(person, name, "directly", "for_myself")
    for person, name, faces in ((ben, "Sarel", (9, 5)), (cleo, "Imra", (6, 3))):
        has_rolled(person, name, *faces)
    ben.catches_up()
    ben.expects_trouble(REFUSED)
    button = f"#move-{fight}-{own_key(ben)}"
    ben.presses(f"label:has({button}-{own_key(cleo)})")  # alone, she is ticked from the start
    assert ben.taps(button) == 422
    is_told(ben, "Who must answer?")
    assert ben.taps(button) == 422  # a tap gets through: nothing lies on it
    ben.presses(f"label:has({button}-{own_key(cleo)})")
    expect(ben.sees(".refused-here")).to_have_count(0)


def test_an_oracle_that_is_not_kept_has_the_focus_and_says_why(company: Company) -> None:
    """WA-4: on the page that came back the focus was nowhere."""
    ana, _players = at_sheets(company, 2)
    company.only(ana)
    ana.expects_trouble(REFUSED)
    ana.goes(f"/t/{company.code}/oracles/new/")
    ana.page.fill("#oracle-text", "Salt and Sand")
    ana.presses("#keep-oracle")
    text = ana.sees("#oracle-text")
    expect(text).to_be_focused()
    expect(text).to_have_value("Salt and Sand")
    expect(text).to_have_accessible_description(re.compile("Set this right: .*entr"))
    expect(ana.sees("#oracle-error")).to_be_in_viewport(ratio=1)
