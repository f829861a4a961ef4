"""Without a touch and without eyes: Tab, Enter and Space make a knave and fight with it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import SMALL
from tests.phones.keyboard import HAS_FOCUS, IS_SEEN, SAYS_ALOUD, acts, hears, tabs_to
from tests.phones.knave import (
    Build,
    begins_fight,
    does,
    has,
    has_a_knave,
    key_of,
    name_of,
    newest,
    player_alone,
    referee,
    thing,
    unfolds,
)
from tests.phones.people import REFUSED, Company, Person

TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"

# As Safari does it when it comes to the end of an address that leads to a part of its page.
LETS_GO = "addEventListener('load', () => document.activeElement.blur())"

# The first colour of what unfolds.
UNFOLDED = """(what) => {
  const summary = document.querySelector(what);
  getComputedStyle(summary).backgroundColor;
  summary.parentElement.open = true;
  return getComputedStyle(summary).backgroundColor;
}"""

BUILD = Build(bonuses=(2, 1, 3, 1, 1, 1), gear=(10, 1, 20, 7, 3, 1))


def test_a_knave_is_made_rolls_dresses_and_fights_by_keyboard_alone(company: Company) -> None:
    """WCAG 2.1.1 and 4.1.3: everything is reached by Tab, and what happens is said aloud."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    company.house.dice_fall(*BUILD.faces)
    acts(ben, "#new-knave")
    hears(ben, "A new knave is rolled")
    acts(ben, "#confirm", "Space")
    name = name_of(ben)
    hears(ben, f"{name} joins the party, played by Ben")
    _he_rolls_and_dresses(company, ben, name)
    _he_answers_a_call(company, ana, ben, name)
    _he_fights_and_takes_back(company, ana, ben, name)


def _he_rolls_and_dresses(company: Company, ben: Person, name: str) -> None:
    company.house.dice_fall(14)
    acts(ben, "#save-str", "Space")
    hears(ben, f"{name}.*Strength.*16")
    tabs_to(ben, ".roll-seen", "Space")
    expect(ben.sees(".my-roll")).to_be_hidden()
    ben.page.evaluate(TWO_FRAMES)  # what is hidden holds the focus until it is drawn
    assert not ben.page.evaluate(HAS_FOCUS, "body"), "a screen reader begins at the page's top"
    gambeson = thing(ben, "gambeson")
    tabs_to(ben, f"#item-{gambeson} > summary", "Enter")
    for words in ("puts away", "puts on"):
        acts(ben, f"#equip-{gambeson}")
        hears(ben, f"{name} {words}: Gambeson")
    expect(ben.sees(f"#item-{gambeson}")).to_have_attribute("open", "")


def _he_answers_a_call(company: Company, ana: Person, ben: Person, name: str) -> None:
    posts(ana, "ask_saves", ability="dex")
    call = newest(company, "call")
    ben.catches_up()
    tabs_to(ben, f"#ask-{call}-{key_of(ben)}-typed > summary", "Space")
    acts(ben, f"#ask-{call}-{key_of(ben)}-face-3", "Enter")
    hears(ben, rf"{name}.*Dexterity.*\u00a04,.*real di(c)?e")


def _he_fights_and_takes_back(company: Company, ana: Person, ben: Person, name: str) -> None:
    begins_fight(ana, company, "orc", 1, first=6)
    ben.catches_up()
    expect(ben.sees("#fight")).to_be_visible()  # a fight calls every phone
    company.house.dice_fall(12, 8)
    acts(ben, f"#attack-k{key_of(ben)}-orc-1")
    hears(ben, f"{name} rolls 14 and hits Orc 1 for 8")
    tabs_to(ben, "#tab-sheet", "Enter")
    torches = thing(ben, "torch")
    tabs_to(ben, f"#item-{torches} > summary", "Enter")
    acts(ben, f"#drop-{torches}")
    acts(ben, "#undo")
    hears(ben, "Ben takes")
    assert has(ben, "torch") == 5
    tabs_to(ben, "#tab-log", "Space")
    expect(ben.sees("#log-list")).to_be_visible()


def test_whoever_types_real_dice_is_still_at_their_button_when_the_page_is_loaded_anew(
    company: Company,
) -> None:
    """The address names the dice's part of the page, and Safari lets go of the focus at the end
    of the load: the next key went on from the page's top."""
    ben = player_alone(company)
    ben.page.add_init_script(LETS_GO)
    acts(ben, "#new-knave")
    ben.presses("text=I rolled real dice")
    ben.page.fill("#faces", "346 152 226 565 666 343")
    tabs_to(ben, "#save-faces", "Enter")
    expect(ben.sees("#save-faces + .done-here")).to_be_visible()
    expect(ben.sees("#save-faces")).to_be_focused()


@pytest.mark.looks
def test_the_bar_of_a_new_knave_covers_nothing_that_has_the_focus(company: Company) -> None:
    """WCAG 2.4.11: on the smallest phone as well, whichever way somebody walks."""
    ben = player_alone(company, viewport=SMALL)
    posts(ben, "new_knave")
    ben.page.evaluate("document.querySelector('#panel-sheet').scrollTo(0, 0)")
    tabs_to(ben, "#write-name")
    seen = [ben.page.evaluate(IS_SEEN)]
    while seen[-1][0] != "confirm":
        ben.page.keyboard.press("Tab")
        seen.append(ben.page.evaluate(IS_SEEN))
    assert ["reroll-hp", True] in seen
    assert [at for at, is_seen in seen if not is_seen] == []


def test_the_keyboard_stays_in_a_sheet_from_the_bottom(company: Company) -> None:
    """What is behind the curtain has no focus; Stop, which lies over it, is always in reach. The
    curtain is there at once: it came out of the button's colour, a flash of the whole screen."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben)
    posts(ana, "award_xp", amount=1000, who="", reason="")
    ben.catches_up()
    tabs_to(ben, "#level-up-2 > summary", "Enter")
    for key in ("Tab", "Shift+Tab"):
        walk = []
        for _step in range(22):
            ben.page.keyboard.press(key)
            walk.append(
                ben.page.evaluate("document.activeElement.closest('#level-up-2, .stop-open')?.id")
            )
        assert set(walk) == {"level-up-2", "stop-open"}
        assert walk.count("stop-open") == 2
    ben.page.keyboard.press("Escape")
    expect(ben.sees("#level-up-2")).not_to_have_attribute("open", "")
    ben.page.emulate_media(reduced_motion="no-preference")
    assert ben.page.evaluate(UNFOLDED, "#level-up-2 > summary") == "rgba(0, 0, 0, 0.8)"


def test_what_the_referee_does_is_said_once(company: Company) -> None:
    """WCAG 4.1.3: a receipt is for eyes; the log's line tells it aloud, as everybody's taps."""
    ana = referee(company)
    company.joined("Ben")
    company.only(ana)
    ana.page.fill("#player-name", "Vane")
    does(ana, "#add-player")
    expect(ana.sees("#notice .receipt")).to_contain_text("Vane sits down")
    hears(ana, "Vane sits down")
    assert ana.page.evaluate(SAYS_ALOUD, "Vane sits down") == ["say"]
    expect(ana.sees("#player-name")).to_have_value("")


def test_what_only_the_referee_may_know_is_said_to_them_alone(company: Company) -> None:
    """WCAG 4.1.3: what the log tells nobody is said by its receipt; 2.4.3: Undo leads back."""
    ana = referee(company)
    company.joined("Ben")
    company.only(ana)
    unfolds(ana, "#new-encounter")
    ana.sees("#prepare-encounter").focus()
    assert ana.is_answered(lambda: ana.page.keyboard.press("Enter")).status == 200
    expect(ana.sees("#notice .receipt")).to_contain_text("is being prepared")
    assert ana.page.evaluate(SAYS_ALOUD, "is being prepared") == ["notice"]
    ana.sees("#notice [data-undo]").focus()
    ana.page.keyboard.press("Enter")
    expect(ana.sees("#notice [data-undo]")).to_have_count(0)
    expect(ana.sees("#prepare-encounter")).to_be_focused()


def test_what_asks_back_is_one_key_away_and_leads_back(company: Company) -> None:
    """WCAG 2.1.1, 2.2.1: whoever undoes a chain by keys finds the question before it is gone."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    ana.expects_trouble(REFUSED)
    has_a_knave(ben)
    ana.catches_up()
    undo = ana.sees("[id^=undo-]").last
    undo.focus()
    assert ana.is_answered(lambda: ana.page.keyboard.press("Enter")).status == 409
    ana.page.keyboard.press("Tab")
    expect(ana.sees("#undo-all")).to_be_focused()
    ana.page.keyboard.press("Tab")
    ana.page.keyboard.press("Enter")
    expect(ana.sees("#notice")).to_be_empty()
    expect(undo).to_be_focused()


@pytest.mark.looks
def test_whoever_moves_a_thing_down_the_ladder_by_keys_sees_where_they_are(
    company: Company,
) -> None:
    """WCAG 2.4.11: the thing went on below the window, and the focus with it."""
    ben = player_alone(company, viewport=SMALL)
    has_a_knave(ben)
    first = ben.page.locator("#slots .item").first.get_attribute("id") or ""
    number = first.removeprefix("item-")
    tabs_to(ben, f"#{first} > summary", "Enter")
    tabs_to(ben, f"#more-{number} > summary", "Enter")
    seen = []
    for way, times in (("down", 4), ("up", 3)):
        for _step in range(times):
            acts(ben, f"#{way}-{number}")
            seen.append(ben.page.evaluate(IS_SEEN))
    assert seen == [[f"down-{number}", True]] * 4 + [[f"up-{number}", True]] * 3
    acts(ben, f"#up-{number}")
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate(HAS_FOCUS, f"#more-{number} > summary"), "at the top there is no Up"


def test_what_comes_of_others_moves_no_page_to_where_the_focus_is(company: Company) -> None:
    """Whoever has scrolled away reads on."""
    ana = referee(company)
    ben = company.joined("Ben", viewport=SMALL)
    company.only(ben)
    has_a_knave(ben)
    ben.presses("#tab-sheet")
    tabs_to(ben, f"#item-{thing(ben, 'shovel')} > summary", "Enter")
    ben.page.evaluate(TWO_FRAMES)  # what was opened is brought into view in the next one
    panel = "document.querySelector('#panel-sheet').scrollTop"
    ben.page.evaluate(f"{panel} = 0")
    posts(ana, "add_item", character=key_of(ben), name="Odd key", slots=1, count=1)
    ben.catches_up()
    assert ben.page.evaluate(panel) == 0


def test_of_a_key_pressed_twice_one_thing_is_made(company: Company) -> None:
    """As of a double click: Enter in a number, pressed twice, brought a foe of another kind too,
    since the form was empty again by the second; and a roll stood twice in the log (KN-8)."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    company.only(ana, ben)
    unfolds(ana, "#new-party")
    for field in ("#foe-count", "#party-count"):
        ana.page.fill(field, "2")
        for _press in range(2):
            ana.page.press(field, "Enter")
        ana.page.wait_for_timeout(400)
    ben.presses("#tab-sheet")
    for _press in range(2):
        ben.page.press("#save-wis", "Space")
    ben.page.wait_for_timeout(400)
    kinds = ("foes_added", "party_added", "save_rolled")
    found = {kind: len(company.events(kind)) for kind in kinds}
    assert set(found.values()) == {1}, found
