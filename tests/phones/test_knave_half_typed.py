"""One of two real dice left out: the words stand at its row, and what was chosen stays chosen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.knave import Build, begins_fight, does, has_a_knave, key_of, referee, unfolds
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
