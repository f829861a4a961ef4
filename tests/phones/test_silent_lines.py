"""A network that takes everything and answers nothing, and is then back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.people import NO_NETWORK, Company
from tests.phones.test_kept_taps import KEPT
from tests.phones.wire import Wire


def test_a_kept_tap_that_was_sent_into_silence_is_sent_again_when_the_line_is_back(
    company: Company, wire: Wire
) -> None:
    """R1, R5: its request waited for an answer for as long as a browser does, and all others
    behind it."""
    company.ana()
    ben = company.joined("Ben", address=wire.address)
    company.only(ben)
    ben.is_live()
    for trouble in (NO_NETWORK, re.compile("htmx:timeout")):
        ben.expects_trouble(trouble)
    wire.mute()
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.presses("#number-13")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "", timeout=10_000)
    ben.page.wait_for_timeout(1500)  # it has been sent again by now, into the same silence
    wire.mend()
    expect(ben.sees("html")).to_have_attribute("data-line", "on", timeout=12_000)
    ben.page.wait_for_function(f"() => !({KEPT})", timeout=5000)
    assert [e["number"] for e in company.events("number_picked")] == [13]
