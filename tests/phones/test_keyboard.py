"""Without a touch and without eyes: Tab, Enter and Space play a whole bout, and it is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones import arriving
from tests.phones.arriving import posts
from tests.phones.devices import SMALL
from tests.phones.keyboard import IS_SEEN, acts, hears, is_somewhere, tabs_to
from tests.phones.people import REFUSED, Company, Person


def test_a_whole_bout_by_keyboard_alone(company: Company) -> None:
    """WCAG 2.1.1 and 4.1.3: everything is reached by Tab, and what happens is said aloud."""
    ana = company.person("Ana", has_touch=False)
    ana.goes("/")
    tabs_to(ana, "#host_name")
    ana.page.keyboard.press("Control+A")
    ana.page.keyboard.type("Ana")
    tabs_to(ana, "#open", "Enter")
    ana.is_live()
    ana.code = company.code = ana.sees("main").get_attribute("data-code") or ""
    ben = company.joined("Ben")
    acts(ana, "#number-7", "Space")
    hears(ana, "Ana takes the number 7")
    ben.picks(13)
    ana.catches_up()
    company.house.dice_fall(1)
    acts(ana, "#start")
    hears(ana, "The bout begins")
    _she_rolls_knocks_and_names(company, ana, ben)
    _she_shouts_and_loses_a_finger(ana)
    _she_looks_round_and_wins(company, ana, ben)
    acts(ana, "#rematch")
    expect(ana.sees("main")).to_have_attribute("data-mode", "gathering")


def _she_rolls_knocks_and_names(company: Company, ana: Person, ben: Person) -> None:
    """Ana rolls, knocks three times and names Ben, who comes through."""
    company.house.dice_fall(5)
    acts(ana, "#roll", "Space")
    hears(ana, r"Ana opens with 5\. 5 stands")
    for _knock in range(3):
        acts(ana, "#knock")
    hears(ana, "Three knocks")
    acts(ana, f"#name-{ben.index}-brave")
    hears(ana, "Nobody dared, so Ben is named")
    ben.rolls(9)
    hears(ana, "Ben is safe")


def _she_shouts_and_loses_a_finger(ana: Person) -> None:
    """Ana shouts, types a real die, loses a finger and says which."""
    acts(ana, "#shout-knave")
    ana.is_in("challenge")
    hears(ana, "Ana must roll KNAVE against 9")
    tabs_to(ana, "#typed-open", "Enter")
    acts(ana, "#face-11", "Space")
    hears(ana, "Ana fails.*Ana loses a finger")
    acts(ana, "#finger-ring")
    hears(ana, "Ana gives up the ring finger")


def _she_looks_round_and_wins(company: Company, ana: Person, ben: Person) -> None:
    """She looks at her hand and at the log, and the last roll is a GRAVE for Ben."""
    tabs_to(ana, "#tab-sheet", "Space")
    expect(ana.sees("#hand")).to_be_visible()
    tabs_to(ana, "#tab-log", "Enter")
    expect(ana.sees("#log-list")).to_be_visible()
    tabs_to(ana, "#tab-game", "Enter")
    company.house.dice_fall(5)
    acts(ana, "#roll")
    ben.shouts("brave")
    ben.rolls(1)
    hears(ana, "Ana wins. Honor is restored")


def test_the_arrow_keys_turn_what_a_screen_reader_calls_a_tab(company: Company) -> None:
    """WCAG 4.1.2: whoever hears "tab, 1 of 4" presses an arrow; after the last comes the first."""
    ana, _ben, _cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    company.only(ana)
    tabs_to(ana, "#tab-game")
    for key, tab in (("Right", "sheet"), ("Right", "table"), ("Left", "sheet"), ("Left", "game")):
        ana.page.keyboard.press(f"Arrow{key}")
        expect(ana.sees(f"#tab-{tab}")).to_be_focused()
        expect(ana.sees(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        expect(ana.sees(f"#panel-{tab}")).to_be_visible()
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.sees("#panel-log")).to_be_visible()
    ana.page.keyboard.press("ArrowRight")
    expect(ana.sees("#tab-game")).to_be_focused()


@pytest.mark.looks
def test_beginning_covers_no_number_that_has_the_focus(company: Company) -> None:
    """WCAG 2.4.11: on the smallest phone the button at the foot lay on every other one."""
    ana = company.ana(has_touch=False, viewport=SMALL)
    tabs_to(ana, "#number-2")
    seen = [ana.page.evaluate(IS_SEEN)]
    while seen[-1][0] != "number-19":
        ana.page.keyboard.press("Tab")
        seen.append(ana.page.evaluate(IS_SEEN))
    assert len(seen) == 18
    assert [at for at, is_seen in seen if not is_seen] == []


def test_the_focus_stays_where_it_was_when_its_button_is_gone(company: Company) -> None:
    """WCAG 2.4.3: who hears wrong says so and taps anew, not from the top of the page."""
    ana, ben, _cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    company.only(ana, ben)
    posts(ana, "configure", setting="shouting", value="mouth")
    ana.rolls(12)
    number = ben.sees("main").get_attribute("data-seat")
    acts(ana, f"#heard-{number}-brave")
    ana.sees("#misheard").wait_for()  # the shouting is closed a moment later, and drawn again
    expect(ana.sees("#act")).to_be_focused()
    ana.page.keyboard.press("Tab")
    expect(ana.sees("#misheard")).to_be_focused()
    assert ana.is_answered(lambda: ana.page.keyboard.press("Enter")).status == 204
    ana.catches_up()
    expect(ana.sees("#act")).to_be_focused()


def test_what_is_disabled_or_hidden_hands_the_focus_on(company: Company) -> None:
    """WCAG 2.4.3, BK-3: a number is snatched away, and the grid goes when the bout begins."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ben)
    tabs_to(ben, "#number-13")
    posts(ana, "pick_number", number=13)
    ben.catches_up()
    expect(ben.sees("#number-13")).to_be_disabled()
    assert is_somewhere(ben)
    acts(ben, "#number-14")
    posts(ana, "start_bout")
    ben.catches_up()
    expect(ben.sees("#numbers")).to_be_hidden()
    expect(ben.sees("#panel-game")).to_be_focused()


def test_a_key_that_is_held_down_presses_once(company: Company) -> None:
    """BK-11, UX: nothing needs a long press, and none knocks three times."""
    ana, _ben, _cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    company.only(ana)
    ana.rolls(12)
    tabs_to(ana, "#knock")
    for _repeat in range(6):
        ana.page.keyboard.down("Enter")
        ana.page.wait_for_timeout(60)
    ana.page.keyboard.up("Enter")
    ana.catches_up()
    assert len(company.events("Knocked")) == 1


def test_who_closes_what_was_shown_goes_on_from_its_button(company: Company) -> None:
    """WCAG 2.4.3: the code for another phone is put away; the focus is where it was asked for."""
    ana = company.ana()
    tabs_to(ana, "#tab-table", "Enter")
    tabs_to(ana, "#offer-pass", "Enter")
    tabs_to(ana, "#close-offer", "Enter")
    expect(ana.sees("#offer-pass")).to_be_focused()


def test_no_key_goes_under_the_pause(company: Company) -> None:
    """WCAG 2.4.11: whoever pauses is led to what may be done, and afterwards back again."""
    ana, ben = company.ana(), company.joined("Ben")
    tabs_to(ben, "#number-13")
    posts(ana, "pause")
    ben.sees("#pause-screen").wait_for()
    expect(ben.sees("#pause-fold")).to_be_focused()
    for _step in range(12):
        ben.page.keyboard.press("Tab")
        assert not ben.page.evaluate("document.activeElement.closest('main')")
    tabs_to(ben, "#pause-fold", "Enter")
    expect(ben.sees("#number-13")).to_be_focused()
    tabs_to(ben, "#pause-fold", "Enter")
    tabs_to(ana, "#pause-resume", "Enter")
    expect(ben.sees("#paused")).to_be_hidden()
    tabs_to(ben, "#number-13")


def test_whoever_has_come_back_in_a_pause_and_ends_it_goes_on_in_the_page(company: Company) -> None:
    """WCAG 2.4.3: the focus was behind the page, at its very end, and seen nowhere."""
    ana = company.ana()
    company.only(ana)
    posts(ana, "pause")
    for path, place in (("", "#panel-game"), ("gm/", "#main")):
        ana.goes(f"/t/{company.code}/{path}")
        tabs_to(ana, "#pause-resume", "Enter")
        expect(ana.sees("#paused")).to_be_hidden()
        expect(ana.sees(place)).to_be_focused()
        posts(ana, "pause")


def test_a_name_that_is_taken_is_said_where_it_is_typed(company: Company) -> None:
    """WCAG 3.3.1: the page that comes back begins at the field, and its words are read with it."""
    company.ana()
    company.only()
    ben = company.person("Ben")
    ben.expects_trouble(REFUSED)
    ben.goes(f"/t/{company.code}/join/")
    ben.page.fill("#name", "Ana")
    ben.page.keyboard.press("Enter")
    ben.sees("#name-error").wait_for()
    expect(ben.sees("#name")).to_be_focused()


def test_the_shared_screen_s_menu_is_closed_by_escape_and_beside_it(company: Company) -> None:
    """It lies over the seats of half the table; the rules are looked up from there, too."""
    company.ana()
    tess = company.tess()
    company.only(tess)
    menu, opens = tess.sees("#screen-menu"), tess.sees("#screen-menu > summary")
    opens.press("Enter")
    expect(tess.sees("#to-rules")).to_be_visible()
    tess.page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(opens).to_be_focused()
    opens.click()
    tess.page.mouse.click(900, 300)
    expect(menu).not_to_have_attribute("open", "")


@pytest.mark.looks
def test_whoever_is_moved_round_the_table_by_keys_stays_in_sight(company: Company) -> None:
    """WCAG 2.4.11: the seat went on below the window, and the button that is pressed with it."""
    ana = company.person("Ana", viewport={"width": 390, "height": 500})
    company.code = arriving.opens(ana)
    for name in ("Ben", "Cleo", "Dora", "Fay", "Gil"):
        posts(ana, "add_player", name=name)
    ana.goes(f"/t/{company.code}/gm/")
    seen = []
    for _step in range(4):
        acts(ana, "#down-1")
        seen.append(ana.page.evaluate(IS_SEEN))
    for _step in range(3):
        acts(ana, "#up-1")
        seen.append(ana.page.evaluate(IS_SEEN))
    assert seen == [["down-1", True]] * 4 + [["up-1", True]] * 3
