"""A bout against the house's regulars, one tap from the front page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

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
