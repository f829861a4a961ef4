"""A bout against the house's regulars, one tap from the front page; and who is there alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.devices import NARROW
from tests.phones.people import Company


def test_one_tap_from_the_front_page_to_a_bout_that_plays_by_itself(company: Company) -> None:
    """First use: the regulars shout and roll at human speed, without anybody's tap."""
    ana = company.person("Ana")
    ana.goes("/")
    ana.presses("#trial")
    ana.is_live()
    ana.code = ana.sees("main").get_attribute("data-code") or ""
    expect(ana.sees("main")).to_have_attribute("data-mode", "playing")
    expect(ana.sees(".teach")).to_have_count(1)  # each new thing explains itself in one line
    ana.rolls(4)  # four in five come through, so somebody dares
    regulars = "(Old Marrow|Cinder|Quill)"
    for sentence in (f"{regulars} shouts BRAVE", rf"{regulars} rolls \d+\."):
        line = ana.sees("#log-list li", has_text=re.compile(sentence))
        expect(line.first).to_be_attached(timeout=15_000)


def test_who_is_alone_at_a_table_has_the_others_within_one_tap(company: Company) -> None:
    """screens.md, empty screens say what to do first: the QR code and the regulars, in sight under
    eighteen numbers, until somebody has come."""
    ana = company.ana(viewport=NARROW)
    expect(ana.sees("#add-regular")).to_be_in_viewport(ratio=1)
    ana.presses("#go-invite")
    expect(ana.sees("#people .qr-frame")).to_be_in_viewport(ratio=1)
    ana.presses("#tab-game")
    ana.taps("#add-regular")
    expect(ana.sees("#go-invite")).to_have_count(0)


def test_of_a_double_click_one_regular_comes(company: Company) -> None:
    """Two pulled up chairs, each of whom had to be sent away by hand."""
    ana = company.ana()
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.page.locator("#add-regular").dblclick()
    ana.reads("pulls up a chair", where="#log-list")
    ana.page.wait_for_timeout(400)
    chair = ana.sees("#log-list li", has_text="pulls up a chair")
    expect(chair).to_have_count(1)
    ana.page.locator("#add-regular").click()  # a later one brings another
    expect(chair).to_have_count(2)
