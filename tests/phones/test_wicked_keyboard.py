"""An evening of In a Wicked Age without a touch: sheets laid, sheets folded, a second chapter."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.keyboard import IS_SEEN, SAYS_ALOUD, acts, is_somewhere, tabs_to
from tests.phones.knave import does
from tests.phones.people import Company, Person
from tests.phones.wicked import (
    ORACLE,
    TOP_CARDS,
    key,
    line_key,
    opens_sheet,
    referee,
    settles,
    ticks,
)
from tests.phones.wicked_ready import (
    CAST,
    NPCS,
    at_interests,
    at_sheets,
    has_started,
    has_won,
    in_play,
    own_key,
    wants,
)

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


def at_cast(company: Company) -> tuple[Person, Person]:
    """The cards lie: who is in them?"""
    ana, ben, cleo = referee(company), company.joined("Ben"), company.joined("Cleo")
    company.only(ben)
    posts(ana, "begin_campaign")
    posts(ben, "open_chapter")
    posts(ben, "choose_oracle", oracle=ORACLE)
    company.house.dice_fall(*TOP_CARDS)
    posts(ben, "deal_cards")
    return ben, cleo


@pytest.mark.looks
def test_whoever_has_sent_a_sheet_by_keys_sees_what_has_the_focus(company: Company) -> None:
    """WCAG 2.4.11: the list grew, and what unfolds the sheet again lay behind the dock."""
    ben, cleo = at_cast(company)
    for text in ("a tanner", "a smuggler", "a queen"):
        posts(cleo, "add_cast", text=text)
    tabs_to(ben, "#typed-cast > summary", "Enter")
    tabs_to(ben, "#cast-text")
    ben.page.keyboard.type("a ferryman")
    acts(ben, "#cast-explicit")
    expect(ben.sees("#setup .cast")).to_contain_text("a ferryman")
    expect(ben.sees("#typed-cast > summary")).to_be_focused()
    assert ben.page.evaluate(IS_SEEN) == ["typed-cast-open", True]


def test_what_others_do_moves_nobody_on_from_where_they_are(company: Company) -> None:
    """WCAG 2.4.3: from a phrase that is on the list now one goes on to the next of its element."""
    ben, cleo = at_cast(company)
    phrase = ben.sees(".elements > :last-child .is-explicit").first.get_attribute("id")
    acts(ben, f"#{phrase}")
    for text in ("a tanner", "a smuggler"):
        posts(cleo, "add_cast", text=text)
    expect(ben.sees("#setup .cast")).to_contain_text("a smuggler")
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate("Boolean(document.activeElement.closest('.elements > :last-child'))")


def test_whoever_has_taken_somebody_by_keys_goes_on_from_that_line(company: Company) -> None:
    """WCAG 2.4.3: with what another did next, the next key began at the top of the setup."""
    ben, cleo = at_cast(company)
    for text in ("a tanner", "a smuggler", "a queen"):
        posts(cleo, "add_cast", text=text)
    posts(cleo, "step_on")
    taken = line_key(ben, "a queen")
    ben.catches_up()
    acts(ben, f"#take-cast-{taken}")
    posts(cleo, "take_cast", line=line_key(cleo, "a tanner"))
    ben.catches_up()
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate("document.activeElement.closest('.cast-line')?.id") == f"cast-{taken}"


def test_whoever_takes_up_dice_by_keys_goes_on_at_the_forms(company: Company) -> None:
    """WCAG 2.4.3: the sheet goes, as it is asked for no more, and the focus fell off the page."""
    _ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    tabs_to(ben, "#typed-start > summary", "Enter")
    tabs_to(ben, "#start-act")
    ben.page.keyboard.type("She cuts the rope")
    tabs_to(ben, f"#side-{key(ben, 'Old Kesh')}", "Space")
    acts(ben, "#start-go")
    expect(ben.sees("#typed-start")).to_be_hidden()
    assert is_somewhere(ben)
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate(GONE_TO, "#fight")


def test_what_the_gm_had_chosen_to_make_bars_no_key_at_the_next_step(company: Company) -> None:
    """WA-10, WCAG 2.1.1: where only NPCs may be made, nothing that is not shown stays chosen."""
    ana, _people = at_sheets(company, 2)
    company.only(ana)
    ticks(ana, "new-interest")
    does(ana, "#step-back")
    expect(ana.sees(".new-interest")).to_be_hidden()
    tabs_to(ana, "#new-npc")
    expect(ana.sees("#npc-name")).to_be_visible()


def test_how_a_fight_has_ended_is_said_once(company: Company) -> None:
    """WCAG 4.1.3: it stands on the phone to be read, and only the log's line tells it aloud."""
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    posts(ana, "open_scene", where="The salt gate", who=[own_key(ben), key(ana, "Old Kesh")])
    has_won(ben, ana)
    ben.catches_up()
    settles(ben, "Sarel", "Old Kesh", "exhausted")
    expect(ben.sees("#fight .teach")).to_contain_text("leaves Old Kesh exhausted")
    expect(ben.sees("#say")).to_contain_text("leaves Old Kesh exhausted")
    assert ben.page.evaluate(SAYS_ALOUD, "leaves Old Kesh exhausted") == ["say"]


# Whether the next key goes on in what was gone to.
GONE_TO = "place => document.querySelector(place).contains(document.activeElement)"


def test_who_goes_by_a_link_to_a_part_of_the_page_goes_on_from_there(company: Company) -> None:
    """WCAG 2.4.3: the foot of the phone says where it goes on, and the keyboard goes there too."""
    _ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    tabs_to(ben, "#go-start", "Enter")
    expect(ben.sees("#typed-start")).to_have_attribute("open", "")
    expect(ben.sees("#typed-start > summary")).to_be_focused()
    ben.page.keyboard.press("Escape")
    has_started(ben, "She cuts the rope", "Sarel", "Old Kesh")
    ben.catches_up()
    tabs_to(ben, "#go-up", "Enter")
    place = ben.sees("#go-up").get_attribute("href")
    assert ben.page.evaluate(GONE_TO, place), place
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate(GONE_TO, place), place


def test_that_play_begins_is_said_without_all_that_was_read_before(company: Company) -> None:
    """WCAG 4.1.3: four elements stood before it, a minute to listen to; the log keeps them."""
    ana, (ben, cleo) = at_interests(company, 2)
    company.only(ben)
    names = [CAST["Ben"], CAST["Cleo"], *NPCS]
    for person, name in zip((ben, cleo, ana, ana), names, strict=True):
        for text in ("has to go", "owes her"):
            wants(person, name, text, names[names.index(name) - 2])
    ben.catches_up()
    posts(ana, "begin_play")
    ben.catches_up()
    said = ben.sees("#say")
    expect(said).to_contain_text("Chapter 1 begins.")
    expect(said).to_contain_text("In this chapter: Sarel (Ben) and Imra (Cleo).")
    expect(said).not_to_contain_text("chose the oracle")
    ben.presses("#tab-log")
    ben.reads("chose the oracle", where="#log-list")
