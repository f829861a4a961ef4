"""Letters at 200 % on a phone of 320 by 568, and on one that lies on its side (WCAG 1.4.4).

What is tapped now is at hand, and nothing lies under what always stands there or past an edge.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.phones.arriving import posts
from tests.phones.devices import ON_ITS_SIDE, SMALL, SPANISH, larger
from tests.phones.knave import begins_fight, has_a_knave, key_of, player_alone, referee
from tests.phones.layout import HEIGHT, OVERLAPS, PARTED
from tests.phones.people import Company, Person
from tests.phones.wicked_ready import in_play

pytestmark = pytest.mark.looks

BOTH = pytest.mark.parametrize("viewport", [SMALL, ON_ITS_SIDE], ids=["upright", "on its side"])
# What is read or pressed that goes past an edge of the screen, in the view that is open.
PAST_AN_EDGE = """() => [...document.querySelectorAll(
    'main :is(button, label, p, h2, h3, summary, b, small)')]
  .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'))
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return right > innerWidth + 1 || left < -1;
  }).map((one) => one.id || one.textContent.trim())"""
LIES_OVER_THE_BAR = """() => {
  const bar = document.querySelector('#bar').getBoundingClientRect();
  return document.querySelector('#panel-game').getBoundingClientRect().bottom > bar.top + 1;
}"""


@BOTH
def test_a_shout_is_in_reach_at_once(company: Company, viewport: ViewportSize) -> None:
    """BK-8: of two calls half of the upper one was seen, and the lower lay under the bar."""
    ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ana, ben)
    ben.page.set_viewport_size(viewport)
    larger(ben, 32)
    posts(ana, "configure", setting="shows_odds", value="true")
    ana.rolls(12)
    ben.catches_up()
    for call in ("brave", "knave"):
        expect(ben.sees(f"#shout-{call}")).to_be_in_viewport(ratio=1)
        assert not ben.page.evaluate(OVERLAPS, [f"#shout-{call}", "#bar, #stop-open"])
    expect(ben.sees("#stage .die-face")).to_be_in_viewport(ratio=1)
    assert ben.page.evaluate(PAST_AN_EDGE) == []


@BOTH
def test_choosing_a_number_has_more_room_than_what_stands_at_the_foot(
    company: Company, viewport: ViewportSize
) -> None:
    """BK-3: the words "Your number" lay over the bar, and of all numbers a strip was left."""
    company.ana()
    ben = company.joined("Ben")
    company.only(ben)
    ben.page.set_viewport_size(viewport)
    larger(ben, 32)
    ben.picks(13)
    assert not ben.page.evaluate(LIES_OVER_THE_BAR)
    number = ben.sees("#number-10")
    number.scroll_into_view_if_needed()
    expect(number).to_be_in_viewport(ratio=1)
    assert not ben.page.evaluate(OVERLAPS, ["#number-10", "#start, #bar"])


@pytest.mark.parametrize("language", [{}, SPANISH], ids=["en", "es"])
def test_whose_phone_it_is_stays_a_name(company: Company, language: dict[str, Any]) -> None:
    """Of "Ben" a letter was left beside his mark, and his number's word fell apart."""
    company.ana()
    ben = company.joined("Ben", **language)
    company.only(ben)
    ben.page.set_viewport_size(SMALL)
    larger(ben, 32)
    ben.picks(13)
    assert ben.page.evaluate(PARTED, ".me-words b, .me-words small") == []
    assert ben.sees(".me-words b").evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_top_of_a_gm_s_phone_leaves_the_page_in_sight(company: Company) -> None:
    """Beside the way to the GM's page a name had one letter a line: the top was 340 pixels high."""
    ana, _others = in_play(company, 2)
    company.only(ana)
    ana.page.set_viewport_size(SMALL)
    ana.goes(f"/t/{company.code}/")
    larger(ana, 32)
    ana.catches_up()
    assert ana.sees("#top").evaluate(HEIGHT) < SMALL["height"] / 5
    assert not ana.page.evaluate(OVERLAPS, ["#top-gm", "#top .me > :first-child, #stop-open"])


def _is_asked_much(company: Company) -> Person:
    ana = referee(company)
    ben = company.joined("Ben", viewport=SMALL)
    company.only(ben)
    has_a_knave(ben)
    posts(ana, "award_xp", amount=1000, who="", reason="")
    begins_fight(ana, company, "orc", 1, first=6)
    ben.catches_up()
    larger(ben, 32)
    ben.presses("#tab-sheet")
    return ben


def test_however_much_is_asked_the_sheet_stays_in_sight(company: Company) -> None:
    """The dock of a fight and a level that is due left ten pixels of the sheet."""
    ben = _is_asked_much(company)
    assert ben.sees("#asks").evaluate("(one) => one.scrollHeight") > SMALL["height"] / 3
    assert ben.sees("#panel-sheet").evaluate(HEIGHT) >= SMALL["height"] / 4


def test_taking_a_level_goes_past_no_edge(company: Company) -> None:
    """KN-23: the abilities to choose from were wider than the phone, as on the sheet's page."""
    ben = _is_asked_much(company)
    ben.sees("#level-up-2 > summary").focus()
    ben.page.keyboard.press("Enter")
    assert ben.page.evaluate(PAST_AN_EDGE) == []
    assert ben.page.evaluate(PARTED, ".raise b") == []
    assert not ben.page.evaluate(OVERLAPS, ["#level-up-2 .sheet-closer", "#stop-open"])
    ben.page.set_viewport_size(ON_ITS_SIDE)
    assert not ben.page.evaluate(OVERLAPS, [".sheet-closer", ".bottom-sheet-body, #stop-open"])
    ben.page.set_viewport_size(SMALL)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    assert ben.page.evaluate("document.scrollingElement.scrollWidth") == SMALL["width"]


def test_what_this_device_does_goes_past_no_edge(company: Company) -> None:
    """In Spanish, "Como el dispositivo" made the whole view wider than the phone."""
    ben = player_alone(company, viewport=SMALL, **SPANISH)
    larger(ben, 32)
    ben.presses("#tab-table")
    assert ben.page.evaluate(PAST_AN_EDGE) == []


def test_what_came_of_a_blow_is_read_in_whole_words_on_a_phone_on_its_side(
    company: Company,
) -> None:
    """KN-14: beside the number "miss" stood in three lines of one letter or two."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben)
    begins_fight(ana, company, "orc", 1, first=6)
    company.house.dice_fall(2)
    posts(ben, "fight-attack", by=f"k{key_of(ben)}", rolled_by="attacker", on="orc-1")
    ben.page.set_viewport_size(ON_ITS_SIDE)
    larger(ben, 32)
    ben.catches_up()
    ben.sees(".my-roll").wait_for()
    assert ben.sees(".my-roll .roll-outcome").evaluate(HEIGHT) < 90, "one line"
    assert ben.page.evaluate(PARTED, ".my-roll .roll-text") == []
    assert not ben.page.evaluate(OVERLAPS, [".my-roll .roll-outcome", ".my-roll .roll-close"])
