"""Who reads beside the table (a sheet, the shop, the rules) is told when it waits for them."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.phones import knave
from tests.phones.arriving import posts
from tests.phones.people import Company, Person
from tests.phones.windows import wait_for


def way_back(person: Person) -> Locator:
    return person.page.locator("main .eyebrow a").first


def is_called(person: Person) -> None:
    expect(way_back(person)).to_have_attribute("data-turn", "Your turn")
    assert person.page.title().startswith("● Your turn")


def is_not_called(person: Person) -> None:
    expect(way_back(person)).not_to_have_attribute("data-turn", "Your turn")
    assert not person.page.title().startswith("●")


def test_who_is_in_the_shop_hears_that_the_referee_asks_for_a_save(company: Company) -> None:
    ana = knave.referee(company)
    ben = company.joined("Ben")
    knave.has_a_knave(ben)
    company.only()
    ben.page.goto(f"{company.house.address}/t/{company.code}/knave/{knave.key_of(ben)}/shop/")
    ben.sees("main.shop").wait_for()
    wait_for(ben.page, "() => document.documentElement.dataset.line === 'on'")
    is_not_called(ben)
    posts(ana, "ask_saves", ability="dex")
    is_called(ben)
    expect(ben.sees("#say")).to_have_text("Your turn")
    ben.page.reload()
    is_called(ben)
    company.house.dice_fall(12)
    way_back(ben).tap()
    ben.presses(".ask-button")
    ben.page.go_back()
    ben.sees("main.shop").wait_for()
    is_not_called(ben)


def test_who_reads_the_rules_is_told_that_the_die_is_theirs_and_when_it_is_no_longer(
    company: Company,
) -> None:
    ana, ben = company.ana(), company.joined("Ben")
    for person, number in ((ana, 7), (ben, 13)):
        posts(person, "pick_number", number=number)
    company.only(ana)
    ana.presses("#tab-table")
    ana.presses("#to-rules")
    ana.sees("main.read").wait_for()
    company.house.dice_fall(1)
    posts(ana, "start_bout")
    is_called(ana)
    company.house.dice_fall(12)
    posts(ana, "roll")
    expect(way_back(ana)).not_to_have_attribute("data-turn", "Your turn")
