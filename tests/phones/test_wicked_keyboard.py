"""An evening of In a Wicked Age without a touch: sheets laid, sheets folded, a second chapter."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.knave import does
from tests.phones.people import Company, Person
from tests.phones.test_keyboard import acts, is_somewhere, tabs_to
from tests.phones.wicked import opens_sheet, ticks
from tests.phones.wicked_ready import at_interests, at_sheets

LINES = "lines => lines.map(line => Number(line.querySelector('input:checked').value))"


def laid(person: Person) -> list[int]:
    return list(person.sees("[data-die]").evaluate_all(LINES))


def test_the_arrow_keys_trade_the_die_they_stop_at(company: Company) -> None:
    """WA-13, WCAG 2.1.1: what is passed on the way keeps its die."""
    _ana, (ben, _cleo) = at_sheets(company, 2)
    company.only(ben)
    opens_sheet(ben)
    before = laid(ben)
    line = ben.sees("[data-die]").nth(1)
    line.locator("input:checked").focus()
    for _step in range(2):
        ben.page.keyboard.press("ArrowDown")
    now = laid(ben)
    assert sorted(now) == sorted(before)
    assert [was == is_ for was, is_ in zip(before, now, strict=True)].count(False) == 2


def test_a_sheet_that_folds_itself_leaves_the_focus_at_what_unfolds_it(company: Company) -> None:
    """WCAG 2.4.3: whoever has named an interest by keys may name another."""
    _ana, (ben, _cleo) = at_interests(company, 2)
    company.only(ben)
    tabs_to(ben, "#typed-interest > summary", "Enter")
    tabs_to(ben, "#interest-text")
    ben.page.keyboard.type("The chest is mine")
    acts(ben, "#interest-go")
    expect(ben.sees("#typed-interest")).not_to_have_attribute("open", "")
    assert is_somewhere(ben)
    expect(ben.sees("#typed-interest > summary")).to_be_focused()


def test_what_the_gm_had_chosen_to_make_bars_no_key_at_the_next_step(company: Company) -> None:
    """WA-10, WCAG 2.1.1: where only NPCs may be made, nothing that is not shown stays chosen."""
    ana, _people = at_sheets(company, 2)
    company.only(ana)
    ticks(ana, "new-interest")
    does(ana, "#step-back")
    expect(ana.sees(".new-interest")).to_be_hidden()
    tabs_to(ana, "#new-npc")
    expect(ana.sees("#npc-name")).to_be_visible()
