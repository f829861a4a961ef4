"""What is half filled in stays so: dice that were chosen, a level when a fight begins."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import USUAL
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


def test_kn10_the_host_is_told_which_of_two_dice_is_missing(company: Company) -> None:
    """The app rolled both; and then the words stood in the width of one face."""
    ana = referee(company, viewport=USUAL)
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


def test_what_is_chosen_for_what_is_half_typed_comes_back_with_it(company: Company) -> None:
    """A number of foes came back and was of another kind, coins that were counted out for one were
    meant for another, and three ropes were three things of one's own."""
    ana = referee(company)
    ben, cleo, dora = (company.joined(name) for name in ("Ben", "Cleo", "Dora"))
    company.only(ana, ben)
    for person in (ben, cleo, dora):
        has_a_knave(person)
    posts(ana, "new_pile", name="A chest")
    ana.page.fill("#foe-count", "3")
    ana.page.select_option("#foe-monster", index=7)
    monster = ana.page.input_value("#foe-monster")
    ana.page.fill("#thing-count", "2")
    ana.page.select_option("#thing-article", index=5)
    article = ana.page.input_value("#thing-article")
    ana.page.reload()
    ana.is_live()
    expect(ana.sees("#foe-count")).to_have_value("3")
    expect(ana.sees("#foe-monster")).to_have_value(monster)
    expect(ana.sees("#thing-article")).to_have_value(article)
    expect(ana.sees("#thing-name")).to_be_hidden()
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.page.fill("#gift-silver", "2")
    ben.page.select_option("#gift-to", str(key_of(dora)))
    ben.page.fill("#hp-by", "-1")
    ben.is_answered(lambda: ben.presses("#save-hp"))
    expect(ben.sees(".done-here")).to_be_visible()  # the page has loaded itself anew
    expect(ben.sees("#gift-silver")).to_have_value("2")
    expect(ben.sees("#gift-to")).to_have_value(str(key_of(dora)))
