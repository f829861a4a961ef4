"""What tests of phones rely on: a browser that is taken over has nothing of whoever had it."""

from __future__ import annotations

from tests.phones.people import Company
from tests.phones.windows import LEAVES_BY

KEPT = "() => [localStorage, sessionStorage].flatMap(Object.keys)"


def test_whoever_takes_over_a_browser_finds_nothing_in_it(company: Company) -> None:
    """Not even what a page writes down when it is left: where it was, and what was being typed."""
    ana, house = company.ana(), company.house
    ana.presses("#tab-table")
    ana.page.evaluate("localStorage.sounds = 'off'")
    window, page = ana.window, ana.page
    assert page.evaluate(KEPT)
    assert window.is_emptied(house.address)
    assert page.url == "about:blank"
    page.goto(house.address + LEAVES_BY)
    assert page.evaluate(KEPT) == []
    assert not [one["name"] for one in window.context.cookies() if one["name"] != "styles"]
