"""An evening of In a Wicked Age without a touch: sheets laid, sheets folded, a second chapter."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.people import Company
from tests.phones.test_keyboard import acts, is_somewhere, tabs_to
from tests.phones.wicked_ready import at_interests


def test_a_sheet_that_folds_itself_leaves_the_focus_at_what_unfolds_it(company: Company) -> None:
    """WCAG 2.4.3: whoever has named an interest by keys may name another."""
    _ana, (ben, _cleo) = at_interests(company, 2)
    tabs_to(ben, "#typed-interest > summary", "Enter")
    tabs_to(ben, "#interest-text")
    ben.page.keyboard.type("The chest is mine")
    acts(ben, "#interest-go")
    expect(ben.sees("#typed-interest")).not_to_have_attribute("open", "")
    assert is_somewhere(ben)
    expect(ben.sees("#typed-interest > summary")).to_be_focused()
