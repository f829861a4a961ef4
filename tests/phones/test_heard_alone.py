"""Who hears a page one button at a time is told what each does, and to whom (WCAG 2.4.6)."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.arriving import posts, seats_of
from tests.phones.knave import (
    begins_fight,
    has_a_knave,
    key_of,
    player_alone,
    referee,
    unfolds,
)
from tests.phones.people import Company

# What is heard of several buttons alike: their names, and the groups that they are in.
ALIKE = """(where) => {
  const words = (one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    return copy.textContent.replace(/\\s+/g, ' ').trim();
  };
  const named = (one) => one.getAttribute('aria-label')
    ?? (one.getAttribute('aria-labelledby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  const heard = [...document.querySelector(where).querySelectorAll('button, a[href], summary')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.closest('[role=group]') ? named(one.closest('[role=group]')) : '',
      named(one) || words(one)].join(' | '));
  return heard.filter((one, i) => heard.indexOf(one) !== i);
}"""
# The figures of a row of buttons, and the group that they are in.
GROUP_OF = "(one) => one.closest('[role=group]')?.getAttribute('aria-label')"


def test_in_a_fight_each_foe_and_each_of_the_party_is_named_by_their_buttons(
    company: Company,
) -> None:
    """KN-13: eight folds in a row were "Hurt, heal, morale, flight" and "Strike for them", and
    whoever plays two knaves heard "Orc 1, unhurt" twice."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ana, ben)
    has_a_knave(ben)
    posts(ana, "hand_knave", character=has_a_knave(cleo), seat_to=seats_of(company)[1])
    begins_fight(ana, company, "orc", 2, first=6)
    ana.catches_up()
    ben.catches_up()
    expect(ben.sees("#fight .fighter")).to_have_count(2)
    assert ben.page.evaluate(ALIKE, "#fight") == []
    expect(ben.sees("#fight").get_by_role("button", name="strikes at Orc 1")).to_have_count(2)
    assert ana.page.evaluate(ALIKE, "#gm-fight") == []
    unfolds(ana, "#foe-more-orc-1")
    assert ana.sees("#hurt-orc-1-3").evaluate(GROUP_OF) == "Orc 1: Hurt"
    assert ana.sees("#heal-orc-1-3").evaluate(GROUP_OF) == "Orc 1: Heal"


def test_bare_figures_say_what_they_are_of(company: Company) -> None:
    """KN-16: "−3" and "+3" are heard as damage, healing or somebody's hit points."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    ana.catches_up()
    assert ana.sees("#hurt-many-3").evaluate(GROUP_OF) == "Damage"
    assert ana.sees("#heal-many-3").evaluate(GROUP_OF) == "Healing"
    unfolds(ana, f"#person-more-{key_of(ben)}")
    whose = ana.sees(f"#hp-by-{key_of(ben)}-5").evaluate(GROUP_OF)
    assert whose.endswith(": Hit points")
    assert whose != ": Hit points"
    ben.presses("#tab-sheet")
    assert ben.sees("#hp-by-5").evaluate(GROUP_OF) == "Hit points"


def test_what_is_done_with_a_thing_says_with_which(company: Company) -> None:
    """KN-4: with two things open, "Drop" was heard twice."""
    ben = player_alone(company)
    has_a_knave(ben)
    ben.presses("#tab-sheet")
    for opened in range(2):
        ben.sees("#slots .item > summary").nth(opened).click()
    assert ben.page.evaluate(ALIKE, "#slots") == []


def test_a_push_leaves_the_place_of_whoever_hears_the_page(company: Company) -> None:
    """BK-3: a screen reader goes on from the node that it has read. All numbers were made anew when
    one was taken while another had the focus, and the next button that was heard lay behind."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ben)
    ben.sees("#number-9").focus()
    ben.page.evaluate("window.read = [...document.querySelectorAll('#numbers form, .number')]")
    posts(ana, "pick_number", number=12)
    expect(ben.sees("#number-12")).to_be_disabled()
    expect(ben.sees("#number-9")).to_be_focused()
    assert ben.page.evaluate("window.read.length > 9")
    assert ben.page.evaluate("window.read.every((one) => one.isConnected)")
