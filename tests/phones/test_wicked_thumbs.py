"""In a Wicked Age in one hand: what a player does now is at the foot of the phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.phones.people import Company
from tests.phones.test_for_everyone import NARROW
from tests.phones.wicked import goes_to, saves, starts
from tests.phones.wicked_ready import at_sheets, in_play

SPANISH: dict[str, Any] = {"locale": "es-ES"}


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
