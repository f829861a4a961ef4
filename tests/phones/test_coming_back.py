"""Whoever looks something up beside the table finds the view that they left, in every game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.looks import only_last
from tests.phones import knave
from tests.phones.arriving import ben_alone, opens, posts
from tests.phones.people import NO_NETWORK, Company, Person
from tests.phones.wire import Wire

# As Safari brings a page back: it is seen again before it is told so, and its fields that are not
# to be filled in by the browser are emptied right after that.
COMES_BACK_EMPTY = """() => {
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  for (const form of document.forms) form.reset();
}"""


def is_at(person: Person, tab: str) -> None:
    person.is_live()
    expect(person.sees(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
    expect(person.sees('#bar [aria-selected="true"]')).to_have_count(1)
    expect(person.sees("[data-panel]:visible")).to_have_id(f"panel-{tab}")


def looks_up_the_rules(person: Person) -> None:
    person.presses("#to-rules")
    person.sees("main.read").wait_for()


@pytest.mark.parametrize("rules", only_last("knave", "wicked_age", "brave_or_knave"))
def test_the_way_back_from_the_rules_leads_to_the_view_that_was_left(
    company: Company, rules: str
) -> None:
    """By the browser's own way back, by the page's link, and when a thumb pulls the page down."""
    company.code = opens(company.person("Ana"), rules)
    ben = company.joined("Ben")
    company.only(ben)
    ben.presses("#tab-table")
    looks_up_the_rules(ben)
    ben.page.go_back()
    is_at(ben, "table")
    looks_up_the_rules(ben)
    ben.presses("#back")
    is_at(ben, "table")
    ben.presses("#tab-log")
    ben.page.reload()
    is_at(ben, "log")


def test_where_the_bout_has_begun_meanwhile_it_is_the_game_that_is_found(company: Company) -> None:
    """What was left is of no use to somebody whose bout is under way, or whose turn has come."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ben)
    ben.presses("#tab-table")
    looks_up_the_rules(ben)
    for person, number in ((ana, 7), (ben, 13)):
        posts(person, "pick_number", number=number)
    company.house.dice_fall(1)
    posts(ana, "start_bout")
    ben.page.go_back()
    is_at(ben, "game")
    ben.presses("#tab-table")
    looks_up_the_rules(ben)
    ben.page.go_back()
    is_at(ben, "table")
    looks_up_the_rules(ben)
    company.house.dice_fall(12)
    posts(ana, "roll")
    ben.page.go_back()
    is_at(ben, "game")


def test_of_two_seats_on_one_phone_each_has_its_own_view(company: Company) -> None:
    ana = company.ana()
    posts(ana, "add_player", name="Cleo")
    ana.presses("#tab-table")
    ana.page.locator("#top a[href*='seat=']").first.tap()
    is_at(ana, "game")
    ana.presses("#tab-log")
    ana.page.go_back()
    is_at(ana, "table")


def test_who_turned_away_from_a_fight_comes_back_to_what_they_turned_to(company: Company) -> None:
    """Who looks something up on the sheet, in the middle of a fight, goes on reading there."""
    ana = knave.referee(company)
    ben = company.joined("Ben")
    knave.has_a_knave(ben)
    company.only(ben)
    is_at(ben, "sheet")
    knave.begins_fight(ana, company, "goblin", 1, first=6)
    is_at(ben, "game")
    ben.presses("#tab-table")
    ben.page.reload()
    is_at(ben, "game")  # the page was of before the fight
    ben.presses("#tab-table")
    looks_up_the_rules(ben)
    ben.page.go_back()
    is_at(ben, "table")


def test_words_are_still_there_on_a_page_that_comes_back_with_its_fields_empty(
    company: Company,
) -> None:
    """R4: what was half written at the table was gone after a look at the rules, and so was, of a
    sheet, whatever stood in a field of one line."""
    ana = knave.referee(company)
    ben = company.joined("Ben")
    company.only(ana, ben)
    number = knave.has_a_knave(ben)
    ana.page.fill("#foe-count", "3")
    ben.goes(f"/t/{company.code}/knave/{number}/")
    ben.page.fill("#notes", "He lied.")
    ben.page.fill("#item-name", "A bent key")
    for person in (ana, ben):
        with person.page.expect_event("load"):
            person.page.evaluate(COMES_BACK_EMPTY)
    expect(ana.sees("#foe-count")).to_have_value("3")
    expect(ben.sees("#item-name")).to_have_value("A bent key")
    expect(ben.sees("#notes")).to_have_value("He lied.")


def test_a_page_that_comes_back_while_the_house_is_away_stays_and_keeps_what_is_typed(
    company: Company, wire: Wire
) -> None:
    """R4: over plain http the browser's own page took its place, and nothing led back."""
    ana = knave.referee(company, address=wire.address)
    ana.page.fill("#foe-count", "3")
    ana.expects_trouble(NO_NETWORK)
    wire.cut()
    ana.page.evaluate(COMES_BACK_EMPTY)
    expect(ana.sees("html")).to_have_attribute("data-line", "off")
    expect(ana.sees("#foe-count")).to_have_value("3")
    ana.page.fill("#foe-count", "35")
    with ana.page.expect_event("load"):
        wire.mend()
    ana.is_live()
    expect(ana.sees("#foe-count")).to_have_value("35")


def cut_off(page: Page) -> None:
    page.route("**/*", lambda route: route.abort())


def shows_only_that_it_waits(page: Page) -> None:
    """The page was blank, and said to nobody why."""
    expect(page.get_by_text("This page waits, and goes on by itself.")).to_be_visible()
    assert page.locator("body > :visible").count() == 1


def test_a_page_of_who_has_got_up_shows_nothing_when_it_comes_back(company: Company) -> None:
    """S9: while the house is away it cannot say whose the phone is."""
    ben = ben_alone(company)
    behind = ben.context.new_page()
    behind.route_web_socket("**/*", lambda socket: socket.close())
    behind.goto(f"{ben.address}/t/{company.code}/")
    cut_off(behind)
    behind.evaluate(COMES_BACK_EMPTY)
    expect(behind.locator("main")).to_be_visible()
    ben.presses("#tab-table")
    ben.presses("#leave-ask > summary")
    ben.code = ""
    ben.presses("#leave")
    ben.page.wait_for_url(f"{ben.address}/")
    behind.evaluate(COMES_BACK_EMPTY)
    expect(behind.locator("main")).to_be_hidden()
    shows_only_that_it_waits(behind)
    behind.unroute("**/*")
    behind.wait_for_url("**/join/**")


def test_a_page_whose_leave_still_waits_shows_nothing_when_it_comes_back(
    company: Company, wire: Wire
) -> None:
    """S9: the house has not heard of it yet."""
    ben = ben_alone(company, address=wire.address)
    ben.presses("#tab-table")
    ben.presses("#leave-ask > summary")
    ben.expects_trouble(NO_NETWORK)
    wire.cut()
    ben.presses("#leave")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    ben.page.evaluate(COMES_BACK_EMPTY)
    expect(ben.sees("main")).to_be_hidden()
    shows_only_that_it_waits(ben.page)
    ben.code = ""
    wire.mend()
    ben.page.wait_for_url(re.compile(f"{wire.address}/(t/.*/join/.*)?$"))
