"""Every page for everybody: WCAG 2.2 AA by axe in both lights, and nothing to scroll sideways.

In `make test` each page is looked at in one of the lights, by turns; in full size in both.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import ben_alone
from tests.phones.devices import SMALL
from tests.phones.faults import faults
from tests.phones.people import TABLET, Company, Person

# What is in motion; what takes a blink is none.
MOVING = """() => document.getAnimations()
  .filter(a => a.playState === 'running' && a.effect.getTiming().duration > 50)
  .map(a => a.animationName || a.transitionProperty)"""


@pytest.mark.looks(also_quick=True)
def test_every_page_is_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA; 1.4.10: 320 px are enough for everything; a code is typed unscrolled."""
    found: list[str] = []

    def look(person: Person, where: str) -> None:
        found.extend(faults(person.page, where))

    ana, ben = company.person("Ana"), company.person("Ben")
    _before_there_is_a_table(ana, look)
    company.code = ana.opens_table()
    _coming_in(ben, company.code, look)
    tess = company.person("Tess", **TABLET)
    tess.is_the_screen(company.code)
    look(tess, "tablet, gathering")
    _a_bout(company, ana, ben, tess, look)
    _the_hosts_pages(ana, company.code, look)
    if found:
        pytest.fail("\n".join(found))


Look = Callable[[Person, str], None]


def _before_there_is_a_table(ana: Person, look: Look) -> None:
    ana.goes("/")
    wide = ana.page.viewport_size
    ana.page.set_viewport_size(SMALL)
    expect(ana.sees("#join")).to_be_in_viewport(ratio=1)
    assert wide
    ana.page.set_viewport_size(wide)
    look(ana, "home")
    ana.goes("/rules/brave-or-knave/")
    look(ana, "rules")
    ana.goes("/offline/")
    look(ana, "offline")


def _coming_in(ben: Person, code: str, look: Look) -> None:
    ben.goes("/")
    ben.page.fill("#code", code)
    ben.presses("#join")
    ben.page.wait_for_url("**/join/")
    look(ben, "join")
    ben.sits_down(code)
    look(ben, "phone, gathering")


def _a_bout(company: Company, ana: Person, ben: Person, tess: Person, look: Look) -> None:
    company.begins({ana: 7, ben: 13})
    ana.presses("#typed-open")
    look(ana, "phone, to roll with the typed dice open")
    ana.rolls(5)
    ben.catches_up()
    look(ben, "phone, shouting")
    for tab in ("sheet", "table", "log"):
        ben.presses(f"#tab-{tab}")
        look(ben, f"phone, {tab}")
    ben.presses("#tab-game")
    ben.shouts("brave")
    tess.catches_up()
    look(tess, "tablet, playing")
    ben.rolls(1)
    company.catch_up()
    look(ben, "phone, over")
    look(tess, "tablet, over")


def _the_hosts_pages(ana: Person, code: str, look: Look) -> None:
    for path, where in (
        ("gm/", "host's page"),
        ("gm/house-rule/", "house-rule editor"),
        ("records/", "records"),
    ):
        ana.goes(f"/t/{code}/{path}")
        look(ana, where)


def test_who_wants_no_motion_sees_the_number_at_once(company: Company) -> None:
    """prefers-reduced-motion: nothing tumbles."""
    ana = company.ana(reduced_motion="reduce")
    ben = company.joined("Ben", reduced_motion="reduce")
    company.begins({ana: 7, ben: 13})
    ana.rolls(20)
    for person in (ana, ben):
        person.catches_up()
        assert person.page.evaluate(MOVING) == []
        person.reads("STAVE!")


@pytest.mark.looks
def test_the_systems_light_is_the_same_as_the_one_that_is_chosen(company: Company) -> None:
    """The look: style sheets know two lights, and "as the device" is always one of them."""
    ana = company.ana(color_scheme="light")
    bar = ana.sees("meta[name=theme-color]")
    ana.presses("#tab-sheet")
    colours = []
    for chosen in ("light", "auto"):
        ana.presses(f'[data-switch="theme"][data-value="{chosen}"]')
        expect(ana.sees("html")).to_have_attribute("data-theme", "light")
        colours.append(bar.get_attribute("content"))
    assert colours[0] == colours[1] == "#f7f0e2"
    ana.page.emulate_media(color_scheme="dark")
    expect(ana.sees("html")).to_have_attribute("data-theme", "dark")
    expect(bar).to_have_attribute("content", "#15110d")


@pytest.mark.looks
def test_what_is_drawn_as_an_image_takes_forced_colours(company: Company) -> None:
    """WCAG 1.4.3: a band of the dark light lay behind the way back, under words of the system's."""
    ben = ben_alone(company)
    ben.goes(f"/t/{company.code}/records/")
    ben.page.emulate_media(forced_colors="active")
    band = ben.sees("main > .eyebrow")
    band.evaluate("(e) => { e.style.outlineColor = 'Canvas'; }")
    canvas = band.evaluate("(e) => getComputedStyle(e).outlineColor")
    assert canvas in band.evaluate("(e) => getComputedStyle(e).borderImageSource")


# Words of the colour that lies behind them. What is see-through shows what is further out.
UNSEEN = """() => {
  const hasWords = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const behind = (e) => {
    const colour = e ? getComputedStyle(e).backgroundColor : 'rgb(255, 255, 255)';
    return /, 0\\)$/.test(colour) ? behind(e.parentElement) : colour;
  };
  return [...document.body.querySelectorAll('*')].filter((e) => hasWords(e) && e.checkVisibility()
    && !e.closest('svg, .visually-hidden') && getComputedStyle(e).color === behind(e))
    .map((e) => `${e.tagName} ${e.className}: ${e.textContent.trim()}`);
}"""

# Which views of a phone have a line above them: where a system chooses the colours, all had one.
LINED = """() => [...document.querySelectorAll('.bar button')].filter((e) =>
  getComputedStyle(e).borderTopColor !== getComputedStyle(e.closest('.bar')).backgroundColor)
  .map((e) => e.id)"""


# The colours of what is said more quietly, and of the words around it.
QUIETLY = """(where) => [where, 'body'].map((one) =>
  getComputedStyle(document.querySelector(one)).color)"""


@pytest.mark.looks
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_whoever_asks_for_more_contrast_is_given_it(company: Company, theme: str) -> None:
    """WCAG 1.4.6: what a phone was set to at large changed nothing here."""
    ana = company.ana()
    ana.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    quiet, words = ana.page.evaluate(QUIETLY, "#numbers .quiet-text")
    assert quiet != words
    ana.page.emulate_media(contrast="more")
    quiet, words = ana.page.evaluate(QUIETLY, "#numbers .quiet-text")
    assert quiet == words


@pytest.mark.looks
def test_what_is_chosen_is_read_in_forced_colours(company: Company) -> None:
    """WCAG 1.4.3: the word on every chip that is on was drawn in the colour behind it."""
    ana = company.ana(forced_colors="active")
    ben = company.joined("Ben", forced_colors="active")
    company.only(ana, ben)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    assert ana.page.evaluate(UNSEEN) == []
    for tab in ("game", "sheet", "table", "log"):
        ben.presses(f"#tab-{tab}")
        assert ben.page.evaluate(UNSEEN) == []
        assert ben.page.evaluate(LINED) == [f"tab-{tab}"]
