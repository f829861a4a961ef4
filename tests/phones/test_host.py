"""What the host does, as every screen shows it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.people import Company


def test_the_host_takes_a_lost_finger_back_on_every_screen(company: Company) -> None:
    """Undo: the finger is there again for all, and the log says who did it."""
    ana, ben = company.bout(Ana=7, Ben=13)
    tess = company.tess()
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(3)
    ben.gives_up("little")
    bens = tess.sees(".place", has_text="Ben").get_by_role("img")
    expect(bens).to_have_accessible_name("4 fingers left")

    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    line = ana.sees("#log-list li", has_text="Ben rolls 3.")
    line.get_by_role("button").tap()
    ana.reads(re.compile(r"Ana takes the last \d moves back"), where="#log-list")

    expect(bens).to_have_accessible_name("5 fingers left")
    expect(ben.sees("#ring")).to_contain_text(re.compile(r"Ben:\s+number 13,\s*5 fingers"))
    ben.reads("Roll higher than 5!")
    ben.presses("#tab-sheet")
    expect(ben.sees("#hand .finger.lost")).to_have_count(0)
    ben.presses("#tab-log")
    ben.reads(re.compile(r"Ana takes the last \d moves back"), where="#log-list")
