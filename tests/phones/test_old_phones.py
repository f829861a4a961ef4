"""Phones whose browser gets no newer one: what docs/hosting.md says they can do, they do."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.phones import knave
from tests.phones.arriving import PASS, asks, posts
from tests.phones.devices import SMALL, larger
from tests.phones.layout import OVERLAPS, box
from tests.phones.people import Company, Person

# What Safari 15 (an iPhone of 2015) and Chromium 105 lack of what the pages' scripts use.
AS_OF_2022 = """
delete HTMLFormElement.prototype.requestSubmit;
delete Element.prototype.checkVisibility;
window.FormData = class extends FormData { constructor(form) { super(form); } };
"""
# Before Chromium 108, with the browser's own bar at the top: 100vh are as much as without it.
WITHOUT_DVH = """
const supports = CSS.supports.bind(CSS);
CSS.supports = (...asked) => !asked.join().includes('dvh') && supports(...asked);
let seen = 700;
Object.defineProperty(window, 'innerHeight', { get: () => seen, set: (now) => { seen = now; } });
"""

# Before Chromium 131 and Safari 18.4 a details is laid out as a block, whatever style sheets say.
BLOCKS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('details { display: block !important }');
  document.adoptedStyleSheets.push(sheet);
}"""


def with_an_old_phone(company: Company, name: str) -> Person:
    person = company.person(name)
    person.context.add_init_script(AS_OF_2022)
    return person


def test_an_old_phone_joins_and_shouts(company: Company) -> None:
    """BK-10: the join form goes by what the page sends itself, and a shout by the touch."""
    ana = company.ana()
    ben = with_an_old_phone(company, "Ben")
    ben.joins(company.code)
    company.begins({ana: 7, ben: 13})
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(11)
    ana.reads("Shout! Who beats 11?")


def test_an_old_phone_becomes_the_shared_screen(company: Company) -> None:
    """The button that was pressed says what the device is to be, also where no name is typed."""
    company.ana()
    company.only()
    tess = with_an_old_phone(company, "Tess")
    tess.goes(f"/t/{company.code}/screen/")
    tess.presses("#as-screen")
    expect(tess.page).to_have_url(re.compile(f"/t/{company.code}/screen/$"))
    tess.is_live()


def test_an_old_phone_counts_hit_points(company: Company) -> None:
    """One less and one less are two taps with the number that their button has."""
    knave.referee(company)
    ben = with_an_old_phone(company, "Ben")
    ben.joins(company.code)
    knave.has_a_knave(ben)
    ben.presses("#tab-sheet")
    for hp in ("5", "4"):
        ben.presses("#hp-less")
        expect(ben.sees("#sheet-hp .hp-number b")).to_have_text(hp)


def test_an_old_phone_has_its_tabs_above_the_edge(company: Company) -> None:
    """The look: the browser's own bar is there or drawn in, and below the tabs nothing is lost."""
    company.ana()
    ben = with_an_old_phone(company, "Ben")
    ben.context.add_init_script(WITHOUT_DVH)
    ben.joins(company.code)
    for height in (700, 756):
        ben.page.evaluate(f"innerHeight = {height}; dispatchEvent(new Event('resize'))")
        bar = box(ben.page, "#bar")
        assert bar["y"] + bar["height"] == height


def test_in_a_pause_an_old_phone_reads_how_to_look_at_the_table(company: Company) -> None:
    """G6: it stood at the top, and with large letters half under Stop."""
    ana, ben = company.ana(), company.joined("Ben", viewport=SMALL)
    company.only(ben)
    larger(ben, 24)
    ben.page.evaluate(BLOCKS)
    posts(ana, "pause")
    ben.sees("#pause-fold").wait_for()
    assert not ben.page.evaluate(OVERLAPS, ["#stop-open", "#pause-fold"])
    expect(ben.sees("#pause-fold")).to_be_in_viewport(ratio=1)
    ben.sees(".pause-body > :last-child").scroll_into_view_if_needed()
    assert not ben.page.evaluate(OVERLAPS, [".pause-body > :last-child", "#pause-fold"])


def test_a_browser_from_before_those_is_told_so_at_the_door(company: Company) -> None:
    """docs/hosting.md: without `:has` pages look wrong, without `@layer` they have no look."""

    def forgets_has(route: Route) -> None:
        answer = route.fetch()
        page = answer.text().replace("selector(:has(a))", "(who: knows)")
        route.fulfill(response=answer, body=page)

    ana, _cleo = company.ana(), company.joined("Cleo")
    company.only()
    found = PASS.search(asks(ana, "offer_pass", who=2).text())
    assert found
    ben = company.person("Ben")
    doors = ("/", f"/t/{company.code}/join/", found[0])
    for path in doors:
        ben.goes(path)
        expect(ben.sees(".too-old")).to_be_hidden()
    for path in doors:
        ben.page.route(ben.address + path, forgets_has)
        ben.page.goto("about:blank")  # the door before still writes which style sheets it has
        ben.context.clear_cookies()  # the style sheets come within the page again
        ben.goes(path)
        expect(ben.sees(".too-old")).to_be_in_viewport(ratio=1)
