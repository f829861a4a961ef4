"""What a thumb finds on a Knave phone in a fight: buttons that act, a page that stands still."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW
from tests.phones.faults import STUCK
from tests.phones.knave import (
    Build,
    attacks,
    does,
    figure,
    forms_of,
    has_a_knave,
    in_a_fight,
    is_struck,
    key_of,
    next_round,
    player_alone,
    referee,
    strikes,
    thing,
    unfolds,
    wait_until,
)
from tests.phones.layout import top_of
from tests.phones.people import Company, Person

SEAT_OF = (
    "select s.number from games_seat s join games_table t on t.id = s.table_id"
    " where t.code = ? and s.name = ?"
)
ORCS_HP = 4
# Between a slot's number and the line of what takes several slots.
ROOM_BESIDE = """rows => rows.map(row => {
  const line = row.getBoundingClientRect().left + row.clientLeft
    + parseFloat(getComputedStyle(row, '::before').left);
  const number = document.createRange();
  number.selectNodeContents(row.querySelector('.rung-number'));
  return line - number.getBoundingClientRect().right;
})"""


def test_a_stunt_is_tried_with_the_apps_dice_or_with_real_ones(company: Company) -> None:
    """KN-17: where either dice may be used, the app's button acts, whatever was typed before; and
    KN-18: that a turn is both, ticked for the attack, holds for the stunt that is tried first."""
    ana, ben = in_a_fight(company)
    company.only(ben)
    me = forms_of(ben)
    stunt, typed = f"stunt-{me}", f"stunt-typed-{me}"
    ben.presses("#tab-game")
    unfolds(ben, f"#how-{me}")
    ben.presses(f"label:has(#how-{me}-both)")
    for folded in (f"#{stunt}", f"#{stunt}-typed", f"#{typed}-two"):
        unfolds(ben, folded)
    ben.presses(f"label:has(#{typed}-d0-14)")
    for folded in (f"#{typed}-two", f"#{stunt}-typed"):
        ben.presses(f"{folded} > summary")
    company.house.dice_fall(17)
    does(ben, f"#{stunt}-go")
    assert company.events("Stunted")[-1]["faces"] == [17]
    attacks(ben, "orc-1", 12, 1)

    # KN-10: in the next round the rows of real dice count, as their own button is pressed.
    next_round(ana, 5)
    ben.catches_up()
    stunt, typed = f"stunt-{forms_of(ben)}", f"stunt-typed-{forms_of(ben)}"
    for folded in (f"#{stunt}", f"#{stunt}-typed", f"#{typed}-two"):
        unfolds(ben, folded)
    for die, face in ((0, 14), (1, 3)):
        ben.presses(f"label:has(#{typed}-d{die}-{face})")
    does(ben, f"#{typed}-better")
    told = company.events("Stunted")[-1]
    assert (told["faces"], told["counted"]) == ([14, 3], 14)


def test_two_dice_that_a_save_was_typed_with_are_not_those_of_the_next_one(
    company: Company,
) -> None:
    """KN-8, KN-10: a face that is tapped is the one d20, whatever the rows for two of them say."""
    referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    company.only(ben)
    unfolds(ben, "#save-typed")
    unfolds(ben, "#typed-two")
    for die, face in ((0, 14), (1, 3)):
        ben.presses(f"label:has(#typed-d{die}-{face})")
    does(ben, "#typed-better")
    does(ben, "#typed-face-5")
    assert [e["faces"] for e in company.events("save_rolled")] == [[14, 3], [5]]


def test_two_dice_of_one_blow_are_not_rolled_again_for_the_next_one(company: Company) -> None:
    """KN-10, KN-15: the host typed them once; the app's buttons beside them roll anew."""
    ana, ben = in_a_fight(company)
    company.only(ana)
    who = f"k{key_of(ben)}"
    for folded in ("#own-blow", "#own-blow-two"):
        unfolds(ana, folded)
    for chosen in (f"by-{who}", "on-orc-1", "die-0-4", "die-1-3"):
        ana.presses(f"label[for=own-blow-{chosen}]")
    does(ana, "#own-blow-better")
    expect(ana.sees("#own-blow-two input:checked")).to_have_count(0)
    company.house.dice_fall(5)
    does(ana, "#initiative")
    for chosen in (f"by-{who}", "on-orc-1"):
        ana.presses(f"label[for=own-blow-{chosen}]")
    company.house.dice_fall(2)
    does(ana, "#own-blow-plain")
    assert [e["faces"] for e in company.events("Attacked")] == [[4, 3], [2]]


@pytest.mark.looks
def test_what_unfolds_in_a_fight_pushes_nothing_up_and_asks_for_nothing_unseen(
    company: Company,
) -> None:
    """The head of the page stays at the top, on a large phone and on a small one; and with its
    fields asked for, the stunt's button is one that would wait for what is folded away: it is
    found by what every page is asked."""
    _ana, ben = in_a_fight(company)
    company.only(ben)
    ben.presses("#tab-game")
    stunt = f"stunt-{forms_of(ben)}"
    for size in (ben.page.viewport_size, NARROW):
        assert size
        ben.page.set_viewport_size(size)
        ben.presses(f"#{stunt} > summary")
        ben.page.wait_for_timeout(200)
        assert ben.page.evaluate("scrollY") == 0
        expect(ben.sees("#top")).to_be_in_viewport(ratio=1)
    unfolds(ben, f"#{stunt}")
    assert ben.page.evaluate(STUCK) == []
    ben.sees(f"#{stunt}-go").evaluate("button => { button.formNoValidate = false; }")
    assert {found.split()[0] for found in ben.page.evaluate(STUCK)} == {f"{stunt}-go"}


def test_a_fight_where_everybody_has_acted_waits_for_nobody(company: Company) -> None:
    """KN-12: when the round is done every screen says so, and the phone's button names nobody."""
    ana, ben = in_a_fight(company, foes=1, first=2)
    tess = company.tess()
    ben.presses("#tab-sheet")
    does(ana, "#side-done")
    attacks(ben, "orc-1", 2)
    company.catch_up()
    for person, where in ((ben, "#fight-now"), (ana, "#fight-now"), (tess, "#foes-board")):
        person.reads("Everybody has acted", where=where)
    ben.presses("#tab-sheet")
    expect(ben.sees("#go-look")).to_have_text("A fight!")
    expect(ben.sees("#fight .why-not")).to_have_text(
        "You have made all your attacks for this round."
    )


@pytest.mark.looks
def test_the_next_round_is_out_of_the_way_until_this_one_is_done(company: Company) -> None:
    """A slip of the finger on the GM's page must not take a turn from those who still wait."""
    ana, ben = in_a_fight(company, foes=1, first=2)
    company.only(ana)
    begins, strike = ana.sees("#initiative"), ana.sees(f"#strike-orc-1-k{key_of(ben)}")
    expect(begins).not_to_have_class(re.compile("primary"))
    assert top_of(begins) > top_of(strike) > top_of(ana.sees("#side-done"))
    strikes(ana, "orc-1", ben, 2)
    ben.house.dice_fall(2)
    posts(ben, "fight-attack", by=f"k{key_of(ben)}", on="orc-1", rolled_by="attacker")
    ana.catches_up()
    expect(begins).to_have_class(re.compile("primary"))
    assert top_of(begins) < top_of(ana.sees("#foe-orc-1"))
    ana.house.dice_fall(5)
    does(ana, "#initiative")
    ana.reads("Round 2", where="#fight-now")


@pytest.mark.looks
def test_kn4_the_line_of_a_thing_over_the_limit_runs_beside_its_numbers(company: Company) -> None:
    """It was drawn through them: their row begins further in."""
    ana = referee(company)
    ben = company.joined("Ben", viewport=NARROW)
    company.only(ben)
    key = has_a_knave(ben)
    posts(ana, "allow_overload", character=key, on="true")
    posts(ana, "add_item", character=key, name="Anvil", slots=9, count=1)
    ben.presses("#tab-sheet")
    over = ben.sees(".rung.is-over.is-joined")
    expect(over.first).to_be_visible()
    assert min(over.evaluate_all(ROOM_BESIDE)) >= 0


def sees_what_ben_does(company: Company) -> Person:
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    ana.goes(f"/t/{ana.code}/gm/as/{int(ben.house.one(SEAT_OF, ben.code, ben.name))}/")
    return ana


@pytest.mark.looks
def test_what_a_player_sees_says_nothing_of_a_line(company: Company) -> None:
    """No socket opens there: beside Ben's name it stood for good that he was joining."""
    ana = sees_what_ben_does(company)
    expect(ana.sees("#top")).to_be_visible()
    expect(ana.sees("#top .line")).to_be_hidden()


@pytest.mark.looks
def test_what_a_player_sees_is_headed_by_words_beside_each_other(company: Company) -> None:
    """The line above the heading was fixed to the screen's edge, as on a host's own page."""
    ana = sees_what_ben_does(company)
    line, heading = (ana.sees(f".page-head {one}").bounding_box() for one in (".eyebrow", "h1"))
    assert line
    assert heading
    is_above = line["y"] + line["height"] <= heading["y"]
    assert is_above or line["x"] + line["width"] <= heading["x"]


def test_who_has_fallen_comes_last_and_is_never_chosen_for_you(company: Company) -> None:
    """KN-16: the unconscious may be struck at, by whoever means it."""
    ana, ben = in_a_fight(company)
    company.only(ben)
    me = forms_of(ben)
    ben.presses("#tab-game")
    unfolds(ben, f"#stunt-{me}")
    posts(ana, "fight-hurt", on="orc-1", amount=ORCS_HP)
    ben.catches_up()
    expect(ben.sees("#fight .strike b")).to_have_text(["Orc 2", "Orc 1"])
    expect(ben.sees(f"#stunt-{me} input[name=on]:checked")).to_have_value("orc-2")
    expect(ben.sees(f"#attack-typed-{me} input[name=on]:checked")).to_have_value("orc-2")


def test_a_phone_that_is_opened_again_opens_at_the_fight(company: Company) -> None:
    """R4: whoever is in a fight comes back to it; who is in none, to the sheet."""
    ana, ben = in_a_fight(company)
    cleo = company.joined("Cleo")
    company.only(ben, cleo)
    ben.presses("#tab-sheet")
    for person, tab in ((ben, "game"), (cleo, "sheet")):
        address = person.page.url
        person.page.close()
        person.opens_page()
        person.page.goto(address)
        person.is_live()
        expect(person.sees(f"#panel-{tab}")).to_be_visible()
        expect(person.sees("[data-panel]:visible")).to_have_count(1)
        expect(person.sees(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        expect(person.sees('#bar [aria-selected="true"]')).to_have_count(1)
    expect(ben.sees(f"#attack-k{key_of(ben)}-orc-1")).to_be_visible()
    for foe in ("orc-1", "orc-2"):
        posts(ana, "fight-hurt", on=foe, amount=10)
    posts(ana, "end_fight")
    ben.page.reload()
    ben.is_live()
    expect(ben.sees("#sheet")).to_be_visible()


def test_a_death_is_told_alone_and_the_next_knave_is_there_to_be_looked_at(
    company: Company,
) -> None:
    """KN-16: no old roll above the grave; what was rolled anew is shown, whatever tab is open."""
    ana, ben = in_a_fight(company, foes=1)
    company.only(ben)
    attacks(ben, "orc-1", 15, 1)
    ben.reads("hit", where="#asks .my-roll")
    is_struck(ben, ana, "orc-1", 20, 8, 8)
    ben.catches_up()
    ben.reads("is dead", where="#asks")
    expect(ben.sees("#asks .my-roll")).to_have_count(0)
    company.house.dice_fall(*Build().faces)
    does(ben, "#new-after-death")
    expect(ben.sees("#confirm")).to_be_in_viewport()
    expect(ben.sees("#tab-sheet")).to_have_attribute("aria-selected", "true")


MAKES = {
    "add-foes": "foes_added",
    "add-party": "party_added",
    "goal-shown": "goal_announced",
    "camp-night": "night_rest",
}


def test_of_a_double_click_one_thing_is_made_or_given(company: Company) -> None:
    """KN-22: a button that stays gives once; those that count a hit point count each click. And
    it rolled eight knaves of four, slept two nights with their rations, brought foes twice."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben, Build(hp=8))
    company.only(ana)
    ana.page.locator("#xp-50").dblclick()
    wait_until(ana, lambda: len(company.events("xp_awarded")) == 1)
    hp_down = f"#hp-down-{key_of(ben)}"
    ana.page.locator(hp_down).dblclick()
    wait_until(ana, lambda: figure(ben, "hp") == 6)
    assert [told["amount"] for told in company.events("xp_awarded")] == [50]
    ana.page.fill("#goal-text", "Find the bell")
    unfolds(ana, "#new-party")
    for button in MAKES:
        ana.page.locator(f"#{button}").dblclick()
        ana.page.wait_for_timeout(300)
    found = {kind: len(company.events(kind)) for kind in MAKES.values()}
    assert found == dict.fromkeys(MAKES.values(), 1)


SECOND_CLICK = """([first, second]) => {
  document.querySelector(first).click();
  const again = {bubbles: true, cancelable: true, detail: 2};
  document.querySelector(second).dispatchEvent(new MouseEvent('click', again));
}"""


def test_of_a_double_click_the_second_presses_nothing_that_has_come_under_it(
    company: Company,
) -> None:
    """KN-12: "The party is done" came where "Roll initiative" had been, and its turn was over."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben, Build(hp=8))
    company.only(ana)
    ana.page.evaluate(SECOND_CLICK, [f"#hp-down-{key_of(ben)}", "#time-6"])
    wait_until(ana, lambda: figure(ben, "hp") == 7)
    ana.page.wait_for_timeout(300)
    assert company.events("turns_passed") == []
    ana.page.locator("#time-6").click()
    wait_until(ana, lambda: len(company.events("turns_passed")) == 1)


def test_of_a_double_touch_one_save_is_rolled_and_one_thing_used(company: Company) -> None:
    """KN-8: two stood in the log, and nobody knew which counts. A later touch rolls anew. KN-3: it
    ate both rations that a knave begins with, and one alone could be taken back."""
    ben = player_alone(company)
    has_a_knave(ben)
    box = ben.sees("#save-wis").bounding_box()
    assert box
    touches = partial(ben.page.touchscreen.tap, box["x"] + 20, box["y"] + 20)
    for _touch in range(2):
        touches()
    ben.page.wait_for_timeout(500)
    assert len(company.events("save_rolled")) == 1
    touches()
    wait_until(ben, lambda: len(company.events("save_rolled")) == 2)

    rations = thing(ben, "travel-rations")
    unfolds(ben, f"#item-{rations}")
    ben.page.locator(f"#use-{rations}").dblclick()
    wait_until(ben, lambda: len(company.events("item_used")) > 0)
    ben.page.wait_for_timeout(500)
    assert len(company.events("item_used")) == 1
    ben.page.locator(f"#use-{rations}").click()  # a later one eats the other
    wait_until(ben, lambda: len(company.events("item_used")) == 2)


def test_of_what_is_pressed_again_on_a_slow_line_one_thing_is_made(company: Company) -> None:
    """R9: nothing had come of the first press yet, and so the second slept another night, ate
    another ration of everybody's, and brought as many foes again."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    company.only(ana, ben)
    ana.holds_back(1500)
    ben.holds_back(1500)
    buttons = [ana.sees("#add-foes"), ana.sees("#camp-night"), ben.sees("#save-wis")]
    ben.presses("#tab-sheet")
    for button in buttons:
        button.click()
    ana.page.wait_for_timeout(600)
    for button in buttons:
        button.click()
    kinds = ("foes_added", "night_rest", "save_rolled")
    wait_until(ana, lambda: all(company.events(kind) for kind in kinds))
    ana.page.wait_for_timeout(3500)
    assert [len(company.events(kind)) for kind in kinds] == [1, 1, 1]
    ben.presses("#save-wis")  # answered: it rolls anew
    wait_until(ben, lambda: len(company.events("save_rolled")) == 2)
