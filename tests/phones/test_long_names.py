"""Names as long as they may be, without a break, on the narrowest phone: none leaves the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones import knave, wicked, wicked_ready
from tests.phones.arriving import posts
from tests.phones.devices import NARROW, USUAL
from tests.phones.knave import begins_fight, has_a_knave, key_of
from tests.phones.layout import HIDDEN, STICKS_OUT
from tests.phones.people import Company, Person
from tests.phones.wicked_ready import at_interests, in_play, own_key

pytestmark = pytest.mark.looks

SEAT = "WilhelminaMaximilianaWolframmm"
LONG = "Wolframmaximilianakonstantinopolitanischewilhelminenhöhewass"
TABLE = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte"
assert (len(SEAT), len(LONG), len(TABLE)) == (30, 60, 60)
# What stands beyond an edge of the screen, though nothing there can be scrolled to; and what of a
# name neither eye nor screen reader would find.
OUTSIDE = """() => {
  const found = [];
  for (const one of document.body.querySelectorAll('*')) {
    if (!one.checkVisibility() || one.closest('.visually-hidden, svg, .skip')) continue;
    if (![...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())
        && !one.matches('button, a, input, select')) continue;
    const words = document.createRange();
    for (const node of one.childNodes) {
      if (node.nodeType !== 3 || getComputedStyle(one).overflowX !== 'visible') continue;
      words.selectNodeContents(node);
      const { left, right } = words.getBoundingClientRect();
      if (right > innerWidth + 1 || left < -1) found.push(`${one.outerHTML.slice(0, 80)} ${right}`);
    }
    const { left, right } = one.getBoundingClientRect();
    if (right > innerWidth + 1 || left < -1) found.push(`${one.outerHTML.slice(0, 80)} ${right}`);
  }
  return found;
}"""


# Does a name of several lines lie over what is said beneath it?
OVER_WORDS = """(selector) => {
  const name = document.querySelector(`${selector} b`);
  const words = document.createRange();
  words.selectNodeContents(name);
  const beneath = name.closest('.seat-words').querySelector('small');
  return words.getBoundingClientRect().bottom > beneath.getBoundingClientRect().top + 2;
}"""


class Looks:
    def __init__(self) -> None:
        self.found: list[str] = []

    def at(self, person: Person, where: str) -> None:
        size = person.page.viewport_size
        person.page.set_viewport_size(NARROW)
        person.page.evaluate("document.getElementById('notice').replaceChildren()")
        faults = [*person.page.evaluate(STICKS_OUT), *person.page.evaluate(OUTSIDE)]
        self.found += [f"{where}: {fault}" for fault in faults]
        assert size
        person.page.set_viewport_size(size)

    def at_tabs(self, person: Person, where: str) -> None:
        for tab in person.page.locator("#bar [role=tab]").all():
            name = tab.get_attribute("id") or ""
            person.presses(f"#{name}")
            self.at(person, f"{where}, {name}")

    def judges(self) -> None:
        if self.found:
            pytest.fail("\n".join(self.found))


def test_long_names_stay_on_the_screen_in_brave_or_knave(company: Company) -> None:
    """WCAG 1.4.10: the bout, the log as it is told, the host's page, the shared screen."""
    looks = Looks()
    ana, ben = company.ana(), company.joined(SEAT, locale="es-ES")
    tess = company.tess()
    posts(ana, "rename_table", name=TABLE)
    company.begins({ana: 7, ben: 13})
    ana.rolls(5)
    company.catch_up()
    looks.at_tabs(ben, "phone")
    looks.at(tess, "screen")
    ben.page.set_viewport_size(NARROW)
    number = ben.page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
        "(document.querySelector('.me-words small'))"
    )
    assert number <= 0, "one's own number is cut"
    ben.page.set_viewport_size(USUAL)
    ben.presses("#tab-table")
    expect(ben.sees("#people")).to_contain_text(SEAT)  # whole, where the head of the page cuts it
    ben.presses("#tab-game")
    posts(ana, "pause")
    ben.presses("#pause-fold")
    looks.at(ben, "phone, looking at the table in a pause")
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    looks.at(ana, "host")
    looks.judges()


def test_long_names_stay_on_the_screen_in_knave(company: Company) -> None:
    """WCAG 1.4.10: a fight of long names, on the phone, the screen, the referee's page."""
    looks = Looks()
    ana = knave.referee(company)
    ben, tess = company.joined(SEAT), company.tess()
    has_a_knave(ben)
    posts(ana, "rename_table", name=TABLE)
    posts(ana, "edit_knave", character=key_of(ben), name=LONG)
    posts(ana, "prepare_encounter", name=TABLE)
    posts(ana, "add_stat_line", encounter=0, text=f"{LONG}: AC 6 [13], HD 1, #AT 1, D 1d6, ML 8")
    ana.catches_up()
    looks.at(ana, "referee, foes wait")
    begins_fight(ana, company, "orc", 1, first=5)
    posts(ana, "add_stat_line", encounter=0, text=f"{LONG}: AC 6 [13], HD 1, #AT 1, D 1d6, ML 8")
    company.catch_up()
    looks.at(ana, "referee, in a fight")
    assert not ana.page.evaluate(OVER_WORDS, f"#sheet-{key_of(ben)}")
    looks.at_tabs(ben, "phone")
    looks.at(tess, "screen")
    assert max(tess.page.evaluate(HIDDEN, ".member-name small")) <= 1  # who plays is read, too
    looks.judges()


def test_long_names_stay_on_the_screen_in_a_wicked_age(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WCAG 1.4.10: sheets, interests, who threatens whom, every part of the GM's page."""
    looks = Looks()
    cast = {name: f"{name[0]}{LONG[1:]}" for name in wicked_ready.CAST}
    monkeypatch.setattr(wicked_ready, "CAST", cast)
    monkeypatch.setattr(wicked_ready, "NPCS", (f"N{LONG[1:]}", f"O{LONG[1:]}"))
    ana, (ben, *_others) = in_play(company)
    company.only(ana, ben)
    tess = company.tess()
    posts(ana, "rename_table", name=TABLE)
    company.catch_up()
    looks.at_tabs(ben, "phone")
    looks.at(tess, "screen")
    for part in ("story", "play", "new", "people", "log", "table"):
        ana.page.evaluate(f"location.hash = 'part-{part}'")
        looks.at(ana, f"GM, {part}")
    looks.judges()


def test_words_without_end_stay_on_the_screen_in_a_wicked_age(company: Company) -> None:
    """WCAG 1.4.10: a content line, a line of the list and an interest, in setup and in the book."""
    looks = Looks()
    ana, (ben, cleo) = at_interests(company, 2)
    company.only(ben)
    tess = company.tess()
    posts(ben, "add_content_line", text=LONG * 2)
    posts(ben, "name_interest", character=own_key(ben), text=LONG * 3, targets=own_key(cleo))
    company.catch_up()
    looks.at(ben, "phone, interests")
    looks.at(tess, "screen, interests")
    for path in ("campaign/1/", "campaign/people/", "campaign/people/3/", "campaign/book/"):
        ben.goes(f"/t/{company.code}/{path}")
        looks.at(ben, path)
    for _step in range(2):
        posts(ana, "step_back")
    posts(ana, "add_cast", text=LONG * 3)
    ben.goes(f"/t/{company.code}/")
    ben.is_live()
    company.catch_up()
    looks.at(ben, "phone, the list")
    looks.at(tess, "screen, the list")
    board = tess.sees("#cast-board")
    assert board.evaluate("one => one.scrollWidth - one.clientWidth") <= 1  # cut off, not scrolled
    looks.judges()


# How far to the left of its first line each goes on.
GOES_BACK = """(where) => [...document.querySelectorAll(where)].map((one) => {
  const lines = [...one.getClientRects()].map((line) => line.left);
  return Math.round(lines[0] - Math.min(...lines));
})"""


def test_a_name_on_two_lines_stands_beside_its_mark_on_the_tablet(company: Company) -> None:
    """Before there is a cast, who sits here is a column: one name is told from the next."""
    ana = wicked.referee(company)
    company.joined("Wolfgang Amadeus Maximilian v")
    tess = company.tess()
    posts(ana, "begin_campaign")
    company.catch_up()
    names = tess.sees(".board-members b")
    expect(names).to_have_count(2)
    assert names.last.bounding_box()["height"] > 1.5 * names.first.bounding_box()["height"]  # type: ignore[index]
    assert tess.page.evaluate(GOES_BACK, ".board-members b") == [0, 0]
