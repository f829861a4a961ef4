"""A guests' network answers for the house, with a page of its own, until somebody signs in."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.arriving import ben_alone
from tests.phones.knave import figure, on_own_sheet, wait_until
from tests.phones.lost_lines import KEPT
from tests.phones.people import NO_NETWORK, REFUSED, Company
from tests.phones.wire import Wire

UNAVAILABLE = re.compile("503")
# A line that was kept for the next request breaks as the portal begins.
KEPT_LINE = re.compile("ERR_EMPTY_RESPONSE")


def test_a_tap_that_a_portal_has_answered_is_kept_and_done_once(
    company: Company, wire: Wire
) -> None:
    """R1: it counted as done, and was lost; the code of a seat was asked for, and its page came."""
    ben = ben_alone(company, address=wire.address)
    ben.is_live()
    ben.expects_trouble(NO_NETWORK)
    wire.portal()
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.presses("#number-13")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    ben.presses("#tab-table")
    ben.presses("#offer-pass")
    expect(ben.sees("#offer-pass")).to_have_attribute("aria-busy", "true")
    wait_until(ben, lambda: wire.taps_answered >= 4)  # they have been tried again by then
    assert ben.page.evaluate(KEPT) == 2
    assert "Welcome, guest" not in ben.page.content()
    wire.mend()
    expect(ben.sees("html")).not_to_have_attribute("data-unsent", "", timeout=10_000)
    expect(ben.sees(".pass-offer .address")).to_contain_text("/seat/")
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_tap_that_a_proxy_has_answered_for_the_house_is_kept_and_done_once(
    company: Company, wire: Wire
) -> None:
    """R1: proxies say it in several ways; theirs stood in a notice, and after 404 it was lost."""
    ben = ben_alone(company, address=wire.address)
    for trouble in (NO_NETWORK, REFUSED, UNAVAILABLE):
        ben.expects_trouble(trouble)
    answers = {13: "503 No server is available", 11: "404 No such tunnel", 7: "403 Just a moment"}
    for number, says in answers.items():
        ben.is_live()
        wire.orphan(says)
        expect(ben.sees("html")).to_have_attribute("data-line", "off")
        ben.presses(f"#number-{number}")
        expect(ben.sees("html")).to_have_attribute("data-unsent", "")
        wait_until(ben, lambda: wire.taps_answered >= 2)  # it has been tried again by then
        assert ben.page.evaluate(KEPT) == 1
        assert says not in ben.page.content()
        wire.mend()
        expect(ben.sees("html")).not_to_have_attribute("data-unsent", "", timeout=10_000)
    assert [e["number"] for e in company.events("number_picked")] == [*answers]


def test_a_form_keeps_its_words_at_a_portal(company: Company, wire: Wire) -> None:
    """R4: it went to the portal, whose page stood there; and another name was that page, too."""
    company.ana()
    company.only()
    ben = company.person("Ben", address=wire.address)
    key = company.house.one("select key from games_table where code = ?", company.code)
    ben.goes(f"/j/{key}/")
    ben.page.fill("#name", "Ben of the Mill")
    ben.expects_trouble(KEPT_LINE)
    wire.portal()
    with ben.page.expect_response("**/suggest/"):
        ben.presses("#suggest")
    ben.presses("#sit")
    ben.reads("No line to the house")
    expect(ben.sees("#name")).to_have_value("Ben of the Mill")
    wire.mend()
    ben.presses("#suggest")
    expect(ben.sees("#name")).not_to_have_value("Ben of the Mill")
    ben.sits_down(company.code)


def test_a_page_beside_the_table_is_not_held_by_a_portals_answer(
    company: Company, wire: Wire
) -> None:
    """R4: it waited, untouchable, for a page that would show what had been done."""
    ben = on_own_sheet(company, wire)
    ben.expects_trouble(NO_NETWORK)
    ben.page.fill("#hp-by", "-2")
    wire.portal()
    ben.presses("#save-hp")
    expect(ben.sees("#save-hp")).to_have_attribute("aria-busy", "true")
    ben.presses("#coins-gold")
    expect(ben.sees("#coins-gold")).to_be_focused()
    wire.mend()
    ben.page.wait_for_function(f"() => !({KEPT})")
    assert figure(ben, "hp") == 4
