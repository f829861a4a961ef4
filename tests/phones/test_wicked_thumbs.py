"""In a Wicked Age in one hand: what a player does now is at the foot of the phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.devices import NARROW, SPANISH
from tests.phones.layout import box
from tests.phones.people import Company
from tests.phones.wicked import goes_to, saves, starts
from tests.phones.wicked_ready import (
    at_sheets,
    has_rolled,
    has_started,
    has_taken,
    has_won,
    in_play,
)


def test_dice_are_taken_up_from_the_foot_of_the_phone(company: Company) -> None:
    """WA-39, WA-41: what the foot says to do is done there, whatever view lies above."""
    _ana, (ben, *_others) = in_play(company, **SPANISH)
    company.only(ben)
    ben.page.set_viewport_size(NARROW)
    for view in ("me", "story"):
        goes_to(ben, view)
        button = ben.sees("#go-start").bounding_box()
        assert button
        assert NARROW["height"] / 2 < button["y"] < NARROW["height"] - button["height"]
        ben.presses("#go-start")
        expect(ben.sees("#start-act")).to_be_visible()
        ben.page.keyboard.press("Escape")


@pytest.mark.looks
def test_a_small_phone_leads_to_the_sheet_and_says_that_it_was_saved(company: Company) -> None:
    """WA-12, WCAG 4.1.3: a name is one tap away at 320 px; what was done is said at its button."""
    _ana, (ben, *_others) = at_sheets(company, 2, **SPANISH)
    company.only(ben)
    ben.page.set_viewport_size(NARROW)
    expect(ben.sees("#write-sheet")).to_be_in_viewport(ratio=1)
    ben.presses("#write-sheet")
    ben.page.fill("#name", "Sarel")
    saves(ben, "#save-name")
    said = ben.sees("#save-name + .done-here")
    expect(said).to_have_text("Hecho.")
    expect(said).to_be_in_viewport(ratio=1)
    expect(ben.sees("#say")).to_have_text("Hecho.")
    expect(ben.sees("#save-name")).to_be_focused()
    ben.page.fill("#description", "Bronze has never marked her.")
    expect(said).to_have_count(0)


@pytest.mark.looks
def test_whoever_takes_up_dice_sees_the_fight_at_once(company: Company) -> None:
    """WA-41: their sheet folded after the fight had come, and led back to where its button was."""
    _ana, (ben, *_others) = in_play(company)
    company.only(ben)
    starts(ben, "She cuts the rope", "Sarel", "Old Kesh")
    ben.page.wait_for_timeout(300)
    expect(ben.sees("#fight .choose")).to_be_in_viewport()


@pytest.mark.looks
def test_what_is_written_of_a_move_leaves_a_small_screen_to_other_views(company: Company) -> None:
    """With the dock below it the empty field took half of the screen in every view."""
    ana, (ben, *_others) = in_play(company, 2, **SPANISH)
    company.only(ben)
    has_started(ben, "Corta la soga de la puerta", "Sarel", "Old Kesh")
    has_taken(ben, "Sarel", "directly", "for_myself")
    has_taken(ana, "Old Kesh", "self_protection")
    has_rolled(ben, "Sarel", 10, 8)
    has_rolled(ana, "Old Kesh", 6, 4)
    ben.catches_up()
    ben.page.set_viewport_size(NARROW)
    words = ben.sees("#move-says")
    expect(words).to_be_visible()
    for view in ("story", "table", "log"):
        goes_to(ben, view)
        expect(words).to_be_hidden()
        expect(ben.sees("#asks .move-form").first).to_be_visible()
        assert box(ben.page, "#asks")["height"] < NARROW["height"] * 0.43
    goes_to(ben, "me")
    ben.page.fill("#move-says", "Con el hacha")
    goes_to(ben, "story")
    expect(words).to_be_visible()  # what goes out with the move is in sight


# How far the view has been scrolled.
DOWN = "document.querySelector('#panel-me').scrollTop"


@pytest.mark.looks
def test_whoever_settles_a_fight_or_takes_up_dice_sees_at_once_how_it_stands(
    company: Company,
) -> None:
    """WA-41, WA-67: the button stands far down in what is gone then, and the phone had stayed
    there, in the middle of the sheet."""
    ana, (ben, *_others) = in_play(company, 2)
    company.only(ben)
    has_won(ben, ana)
    ben.catches_up()
    ben.presses("#fight button[id^=settle][id$=exhausted]")
    expect(ben.sees("#fight article")).to_have_count(0)
    assert ben.page.evaluate(DOWN) == 0
    has_started(ben, "She cuts the rope", "Sarel", "Old Kesh")
    ben.catches_up()
    pair = ben.sees("#fight .choose details").last
    pair.locator("summary").click()
    pair.locator("button").click()
    expect(ben.sees("#fight .choose")).to_have_count(0)
    assert ben.page.evaluate(DOWN) == 0
