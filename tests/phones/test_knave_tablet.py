"""The referee's page on a tablet: its width is used, above all while a fight goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW, SPANISH
from tests.phones.knave import begins_fight, has_a_knave, key_of, newest, next_round, referee
from tests.phones.layout import CUT, HIDDEN, PARTED, top_of
from tests.phones.people import REFUSED, Company, Person
from tests.phones.tablet import LONG_NAMES

# How much of what a referee sees of the page's parts, scrolling through the fight, is empty.
EMPTY = """() => {
  const deck = document.querySelector('.gm-deck').getBoundingClientRect();
  const bottom = document.getElementById('gm-fight').getBoundingClientRect().bottom + scrollY;
  let all = 0, empty = 0;
  for (let top = 0; top === 0 || top + innerHeight <= bottom; top += 350) {
    scrollTo(0, top);
    for (let y = Math.max(60, deck.top - top); y < innerHeight; y += 30) {
      for (let x = deck.left + 8; x < deck.right; x += 30) {
        const found = document.elementFromPoint(x, y);
        all += 1;
        empty += found?.closest('.card, .gm-bar, .safety, #notice') ? 0 : 1;
      }
    }
  }
  scrollTo(0, 0);
  return empty / all;
}"""
NO_WIDER = "document.documentElement.scrollWidth <= innerWidth"


def in_fight(company: Company, foes: int) -> Person:
    ana = referee(company)  # at 1180 by 820
    for name in ("Ben", "Cleo"):
        has_a_knave(company.joined(name))
    company.only(ana)
    begins_fight(ana, company, "orc", foes, first=2)
    return ana


@pytest.mark.looks
def test_no_large_part_of_the_page_is_empty_in_a_fight(company: Company) -> None:
    """screens.md, GM: what a fight needs stands together, and beside a crowd the party stays."""
    ana = in_fight(company, 14)
    assert ana.page.evaluate(EMPTY) < 0.15
    ana.page.evaluate("scrollTo(0, 900)")
    expect(ana.sees("#gm-party-title")).to_be_in_viewport()
    for part in ("log", "loot", "rolls", "table", "party"):
        ana.presses(f"#go-{part}")
        where = "#gm-party" if part == "party" else f"#part-{part}"
        expect(ana.sees(where)).to_be_in_viewport()


@pytest.mark.looks
def test_four_foes_and_their_blows_are_seen_without_scrolling(company: Company) -> None:
    ana = in_fight(company, 4)
    ana.page.evaluate("scrollTo(0, 0)")
    for foe in range(1, 5):
        expect(ana.sees(f"#foe-orc-{foe} .strike").first).to_be_in_viewport(ratio=1)
    for width in (1024, 820, 390, 320):
        ana.page.set_viewport_size({"width": width, "height": 820})
        assert ana.page.evaluate(NO_WIDER), width


SIZES: tuple[ViewportSize, ...] = (
    NARROW,
    {"width": 1180, "height": 820},
)


def test_too_many_foes_are_refused_beside_the_field_and_what_was_typed_stays(
    company: Company,
) -> None:
    """KN-12: errors say what to do next, where the eye is, for as long as they are true."""
    ana = in_fight(company, 2)
    ana.expects_trouble(REFUSED)
    why, count = ana.sees("#foe-count-range"), ana.sees("#foe-count")
    for size in SIZES:
        ana.page.set_viewport_size(size)
        for typed in ("999", "0"):
            count.fill(typed)
            ana.presses("#add-foes")
            ana.page.wait_for_timeout(300)
            expect(why).to_have_text("From 1 to 30 at once.")
            expect(why).to_be_in_viewport(ratio=1)
            expect(why).to_have_css("border-top-style", "solid")
            expect(count).to_have_value(typed)
            assert 0 <= top_of(count) - bottom_of(why) < 24
        # There are two knaves and two orcs, so that there is room for thirty more, once.
        for status in (200, 409) if size is SIZES[0] else (409,):
            count.fill("30")
            assert ana.taps("#add-foes") == status
            ana.catches_up()
            expect(why).to_have_css("border-top-style", "none")
            # Or it would be the same tap twice, of which nobody is told.
            ana.page.wait_for_timeout(1000)
        ana.reads("There is room for 26 more.", where=".refused-here")
        expect(ana.sees(".refused-here")).to_be_in_viewport(ratio=1)
        expect(count).to_have_value("30")


def bottom_of(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["y"] + box["height"]


@pytest.mark.looks
def test_no_usual_name_is_broken_within_a_word_on_the_shared_screen(company: Company) -> None:
    """KN-7, a small party beside its fight: the names that the dice give are read across the table,
    on a large tablet and on a small one."""
    ana = referee(company)
    for name, knave in (("Ben", "Maravillas"), ("Cleo", "Tiburcio"), ("Dora", "Carmela")):
        player = company.joined(name)
        has_a_knave(player)
        posts(player, "edit_knave", character=key_of(player), name=knave)
        posts(ana, "set_level", character=key_of(player), level=3, xp=2000, max_hp=24)
    posts(ana, "heal_many", amount=24)
    begins_fight(ana, company, "orc", 3, first=5)
    tess = company.tess()
    company.only(tess)
    for size in ({"width": 1180, "height": 820}, {"width": 1024, "height": 768}):
        tess.page.set_viewport_size(size)
        expect(tess.sees(".member-name b")).to_have_count(3)
        assert tess.page.evaluate(PARTED, ".member-name b") == []
        assert max(tess.page.evaluate(HIDDEN, ".member-name b")) <= 0


@pytest.mark.looks
def test_a_crowd_of_foes_is_whole_above_a_party_of_eleven_and_counted(company: Company) -> None:
    """The look, Knave: on a small tablet rows of 24 foes were cut through."""
    ana, tess = referee(company, **SPANISH), company.tess(**SPANISH)
    people = [company.joined(name) for name in (*LONG_NAMES, "Ben", "Cleo")]
    company.only(tess)
    for person in people:
        has_a_knave(person)
    posts(ana, "prepare_encounter")
    key = company.house.one("select id from characters_monster where key = ?", "hobgoblin")
    for count in (20, 4):
        posts(ana, "add_foes", encounter=0, monster=key, count=count)
    posts(ana, "start_fight", encounter=newest(company, "encounter"))
    next_round(ana, 5)
    posts(ana, "fight-hurt", on="hobgoblin-3", amount=99)
    posts(ana, "fight-hurt", on="hobgoblin-5", amount=1)
    tess.catches_up()
    for width, height in ((768, 1024), (1024, 768)):
        tess.page.set_viewport_size({"width": width, "height": height})
        for flat in ("off", "on"):
            tess.page.evaluate("(flat) => { document.documentElement.dataset.flat = flat; }", flat)
            expect(tess.sees(".foes-board > .eyebrow")).to_contain_text("23 de 24 enemigos en pie")
            assert tess.page.evaluate(CUT, [".foe-face.is-up :is(b, svg)", ".foe-grid"]) == [], (
                width,
                flat,
            )
            assert tess.page.evaluate(CUT, [".foe-grid", ".foes-board"]) == [], (width, flat)


@pytest.mark.looks
def test_in_a_party_of_thirteen_too_the_shared_screen_says_who_may_act(company: Company) -> None:
    """What spares a word in a ring of Brave or Knave took it from a party of thirteen as well."""
    ana, tess = referee(company), company.tess()
    party = [company.joined(f"Guest {number}") for number in range(13)]
    company.only(tess)
    for person in party:
        has_a_knave(person)
    begins_fight(ana, company, "orc", 1, first=5)
    tess.catches_up()
    expect(tess.sees("#party-board")).to_have_attribute("data-n", "13")
    expect(tess.sees(".member .is-due").first).to_be_visible()


def test_kn22_what_earns_experience_is_at_hand_as_soon_as_it_is_chosen(company: Company) -> None:
    """What is given for a milestone, an evening or coin came with the next load of the page."""
    ana = referee(company)
    given = {"milestones": "#award-level", "sessions": "#award-session", "coin": "#award-coin"}
    for chosen, button in given.items():
        posts(ana, "configure_knave", setting="experience", value=chosen)
        expect(ana.sees(button)).to_be_visible()
        for other in {*given.values()} - {button}:
            expect(ana.sees(other)).to_be_hidden()
