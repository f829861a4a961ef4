"""What is half filled in stays so: dice that were chosen, a level when a fight begins."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.knave import (
    Build,
    begins_fight,
    does,
    figure,
    has_a_knave,
    key_of,
    referee,
    unfolds,
)
from tests.phones.people import Company

PHONE = {"width": 390, "height": 844}


def test_kn10_the_host_is_told_which_of_two_dice_is_missing(company: Company) -> None:
    """The app rolled both; and then the words stood in the width of one face."""
    ana = referee(company, viewport=PHONE)
    ben = company.joined("Ben")
    has_a_knave(ben, Build(hp=8))
    begins_fight(ana, company, "orc", 2, 5)
    company.only(ana)
    for folded in ("#own-blow", "#own-blow-two"):
        unfolds(ana, folded)
    for chosen in (f"by-k{key_of(ben)}", "on-orc-1", "die-1-14"):
        ana.presses(f"label[for=own-blow-{chosen}]")
    assert ana.taps("#own-blow-better") == 422
    words = ana.sees("#own-blow-two .refused-here")
    expect(words).to_be_visible()
    box, row = words.bounding_box(), ana.sees("#own-blow-two fieldset").first.bounding_box()
    assert box
    assert row
    assert box["width"] > row["width"] * 0.8
    expect(ana.sees("#own-blow-die-1-14")).to_be_checked()
    assert company.events("Attacked") == []
    ana.presses("label[for=own-blow-die-0-3]")
    does(ana, "#own-blow-better")
    assert [e["faces"] for e in company.events("Attacked")] == [[3, 14]]


def test_kn23_what_is_chosen_for_a_level_stays_when_a_fight_begins(company: Company) -> None:
    """The form went with the first initiative; and in a fight no level was to be had."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben, Build(hp=8))
    posts(ana, "award_level", who=key_of(ben))
    unfolds(ben, "#level-up-2")
    for ability in ("str", "con"):
        ben.presses(f"label:has(#level-2-raise-{ability})")
    begins_fight(ana, company, "orc", 1, 5)
    ben.catches_up()
    expect(ben.sees("#level-up-2 input:checked")).to_have_count(2)
    ben.presses("#level-up-2 .sheet-closer")
    expect(ben.sees("#panel-game")).to_be_visible()
    expect(ben.sees("#asks")).to_be_hidden()  # the fight has the room
    ben.presses("#tab-sheet")
    ben.presses("#level-up-2 > summary")
    ben.presses("label:has(#level-2-raise-wis)")
    ben.house.dice_fall(5, 6)
    does(ben, "#level-2-roll")
    assert (figure(ben, "strength"), figure(ben, "wisdom"), figure(ben, "max_hp")) == (2, 2, 11)
