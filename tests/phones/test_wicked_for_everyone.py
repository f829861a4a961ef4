"""A wicked table for everybody: WCAG 2.2 AA in both lights, 320 px in Spanish, keyboard, paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.phones import wicked_ready
from tests.phones.arriving import posts
from tests.phones.faults import Looks
from tests.phones.keyboard import acts, hears, tabs_to
from tests.phones.knave import unfolds
from tests.phones.paper import sheets
from tests.phones.people import Company, Person
from tests.phones.wicked import ORACLE, TOP_CARDS, key, referee
from tests.phones.wicked_ready import (
    at_interests,
    has_moved,
    has_rolled,
    has_started,
    has_taken,
    in_play,
    own_key,
)

# Words of which one part stands below another.
BROKEN = """names => names.flatMap(({ firstChild: text }) =>
  [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word))"""


def speak_spanish(*people: Person) -> None:
    """Turn these seats to Spanish, which has the longer words."""
    for person in people:
        posts(person, "speak", language="es")
        if person.has_window:
            person.page.reload()
            person.is_live()


@pytest.mark.looks(also_quick=True)
def test_a_chapters_setup_is_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA, 1.4.10: phone, GM's page and tablet from the oracle to the interests."""
    looks = Looks()
    ana = referee(company)
    ben = company.joined("Ben")
    tess = company.tess()
    posts(ana, "begin_campaign")
    speak_spanish(ana, ben)
    posts(ben, "open_chapter")
    ben.catches_up()
    looks.at(ben.page, "phone, oracles")
    posts(ben, "choose_oracle", oracle=ORACLE)
    company.house.dice_fall(*TOP_CARDS)
    posts(ben, "deal_cards")
    posts(ben, "add_cast", text="la viuda del alfarero")
    company.catch_up()
    for person, where in ((ben, "phone"), (ana, "GM"), (tess, "tablet")):
        looks.at(person.page, f"{where}, the list")
    looks.judges()


@pytest.mark.looks(also_quick=True)
def test_sheets_and_interests_are_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA, 1.4.10: a sheet's page, interests with their bottom sheet, the GM's forms; a
    step that others take leaves the GM the form that is being filled in."""
    looks = Looks()
    ana, (ben, cleo) = at_interests(company, 2)
    company.only(ana, ben)
    speak_spanish(ana, ben)
    posts(ben, "name_interest", character=own_key(ben), text="La corona", targets=own_key(cleo))
    for person in (ana, ben):
        person.catches_up()
    looks.at(ben.page, "phone, interests")
    unfolds(ben, "#typed-interest")
    looks.at(ben.page, "phone, naming an interest")
    ana.presses("label:has(#new-interest)")
    looks.at(ana.page, "GM, interests")
    ana.page.fill("#interest-text", "La corona vuelve al")
    for _step in ("sheets", "choose"):
        posts(ben, "step_back")
    ana.catches_up()
    expect(ana.sees("#gm-story")).to_have_attribute("data-step", "choose")
    expect(ana.sees("#interest-text")).to_be_focused()
    expect(ana.sees("#interest-text")).to_be_in_viewport()
    ana.sees("#interest-text").blur()
    # Half written it is still there; with nothing in it, it makes way for what is of this step.
    expect(ana.sees(".for-interest .written-before")).to_be_visible()
    ana.page.fill("#interest-text", "")
    ana.sees("#interest-text").blur()
    expect(ana.sees("#interest-text")).to_be_hidden()
    expect(ana.sees("#new-npc")).to_be_checked()
    ben.goes(f"/t/{company.code}/character/3/")
    unfolds(ben, "#new-strength")
    looks.at(ben.page, "a sheet's page")
    looks.judges()


@pytest.mark.looks(also_quick=True)
def test_a_fight_is_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA, 1.4.10: choosing, rolling, moving, settling, the other tabs, the tablet."""
    looks = Looks()
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ana, ben)
    tess = company.tess()
    speak_spanish(ana, ben)
    posts(ana, "owe_name", character=own_key(ben))
    fight = has_started(ben, "Corta la soga de la puerta", "Sarel", "Old Kesh")
    ben.catches_up()
    sarel = f"{fight}-{own_key(ben)}"
    unfolds(ben, f"#pair-{sarel}-covertly-directly")
    looks.at(ben.page, "phone, choosing forms")
    has_taken(ben, "Sarel", "directly", "for_myself")
    has_taken(ana, "Old Kesh", "self_protection")
    ben.catches_up()
    unfolds(ben, f"#roll-{sarel}-buy")
    unfolds(ben, f"#roll-{sarel}-typed")
    looks.at(ben.page, "phone, about to roll")
    has_rolled(ben, "Sarel", 10, 8)
    has_rolled(ana, "Old Kesh", 6, 4)
    ben.catches_up()
    looks.at(ben.page, "phone, a move")
    has_moved(ben, "Sarel", "Old Kesh")
    has_rolled(ana, "Old Kesh", 2, 1)
    company.catch_up()
    looks.at(ben.page, "phone, what it costs")
    unfolds(ben, "#typed-offer")
    looks.at(ben.page, "phone, an offer")
    ben.presses("#typed-offer .sheet-closer")
    looks.at(ana.page, "GM, what it costs")
    looks.at(tess.page, "tablet, what it costs")
    assert not re.search("[▸▾✓]", ana.page.locator("main").aria_snapshot())
    looks.at_tabs(ben, "story", "table")
    looks.judges()


@pytest.mark.looks(also_quick=True)
def test_wicked_books_and_oracles_are_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA, 1.4.10: records, the oracle editor, the rules; and paper has whole sheets."""
    looks = Looks()
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ana, ben)
    table = f"/t/{company.code}/"
    speak_spanish(ana, ben)
    for path, where in (
        ("campaign/", "records"),
        ("campaign/1/", "a chapter"),
        ("campaign/people/3/", "a person"),
        ("campaign/search/?q=Sarel", "a search"),
        ("oracles/", "oracles"),
    ):
        ben.goes(table + path)
        looks.at(ben.page, where)
    ana.goes(f"{table}oracles/new/")
    looks.at(ana.page, "oracle editor")
    for query, pages in (("?sheet=3", 1), ("", 3)):
        ben.goes(f"{table}chapter/print/{query}")
        for paper in ("A4", "Letter"):
            assert sheets(ben.page, paper) == pages, f"{query} on {paper}"
    looks.judges()


@pytest.mark.looks
def test_no_word_of_a_name_is_broken_where_five_fight_on_the_shared_screen(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card for each had room for nine letters: Nebuchadn ezzar. It is read at a glance."""
    names = ("Nebuchadnezzar", "Tutankhamunson", "Extraordinariamente")
    monkeypatch.setattr(wicked_ready, "CAST", dict(zip(wicked_ready.CAST, names, strict=True)))
    monkeypatch.setattr(wicked_ready, "NPCS", npcs := ("Constantinople", "Old Bartholomaeus"))
    _ana, (ben, *_others) = in_play(company)
    company.only()
    tess = company.tess()
    has_started(ben, "She cuts the rope", *names, *npcs)
    tess.catches_up()
    cards = tess.sees(".board-fighters .fighter-name b")
    expect(cards).to_have_count(5)
    assert cards.evaluate_all(BROKEN) == []


def test_escape_closes_a_sheet_that_lies_over_the_page(company: Company) -> None:
    """WCAG 2.1.1, 2.4.3: as a dialog does, and the focus is where it was opened from."""
    _ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    tabs_to(ben, "#typed-interest-open", "Enter")
    expect(ben.sees("#typed-interest")).to_have_attribute("open", "")
    tabs_to(ben, "#interest-text")
    ben.page.keyboard.press("Escape")
    expect(ben.sees("#typed-interest")).not_to_have_attribute("open", "")
    expect(ben.sees("#typed-interest-open")).to_be_focused()


def test_a_round_is_fought_by_keyboard_alone(company: Company) -> None:
    """WCAG 2.1.1 and 4.1.3: forms, dice, move and answer are reached by Tab, and told aloud."""
    _ana, (ben, cleo) = in_play(company, 2)
    company.only(ben, cleo)
    fight = has_started(ben, "She bars the door", "Sarel", "Imra")
    sarel, imra = f"{fight}-{key(ben, 'Sarel')}", f"{fight}-{key(ben, 'Imra')}"
    for person, who, forms in (
        (ben, sarel, "covertly-directly"),
        (cleo, imra, "for_myself-for_others"),
    ):
        person.catches_up()
        tabs_to(person, f"#pair-{who}-{forms} > summary", "Enter")
        acts(person, f"#pair-{who}-{forms}-go")
    ben.catches_up()
    company.house.dice_fall(9, 7)
    acts(ben, f"#roll-{sarel}", "Space")
    hears(ben, "Sarel rolls")
    cleo.catches_up()
    company.house.dice_fall(5, 3)
    acts(cleo, f"#roll-{imra}")
    ben.catches_up()
    tabs_to(ben, "#move-says")
    ben.page.keyboard.type("She throws the bolt")
    acts(ben, f"#move-{sarel}")
    cleo.catches_up()
    hears(cleo, "She throws the bolt")
    company.house.dice_fall(6, 6)
    acts(cleo, f"#roll-{imra}", "Space")
    hears(cleo, re.escape("6 against 9"))
    tabs_to(cleo, "#tab-story", "Enter")
    tabs_to(cleo, "#tab-me", "Space")
    acts(cleo, f"#agree-{imra}")
    ben.catches_up()
    acts(ben, f"#agree-{sarel}")
    assert not company.house.one(
        "select count(*) from campaigns_sequence where id = ? and not is_over", fight
    )


# What is too high for the foot of a sheet, and yet is laid out in rows of a grid or as one line.
IN_ROWS = """() => [...document.querySelectorAll('.read, .read *')].filter((one) => {
  const { display, breakInside } = getComputedStyle(one);
  return /grid|flex/.test(display) && breakInside !== 'avoid' && one.checkVisibility()
    && one.offsetHeight > 100;
}).map((one) => one.className || one.localName)"""


@pytest.mark.looks
def test_what_is_printed_breaks_anywhere_between_two_lines(company: Company) -> None:
    """Firefox breaks no page within a row of a grid: half of each stayed empty, a line was cut in
    two, and in the book no chapter began on a sheet of its own."""
    _ana, (ben, *_others) = in_play(company)
    company.only(ben)
    table = f"/t/{company.code}/"
    pages = ["campaign/", "campaign/1/", "campaign/people/3/", "campaign/owed/", "campaign/book/"]
    ben.page.emulate_media(media="print")
    for path in [*(table + page for page in (*pages, "log/")), "/rules/wicked_age/"]:
        ben.goes(path)
        assert ben.page.evaluate(IN_ROWS) == [], path
    ben.goes(f"{table}log/")
    lines = ben.sees(".log-line").evaluate_all(
        "lines => [...new Set(lines.map((one) => getComputedStyle(one).breakInside))]"
    )
    assert lines == ["avoid"]
