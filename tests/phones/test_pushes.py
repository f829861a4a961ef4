"""What a push leaves as it was, and what a page says of itself after it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.people import Company, Person

TOLD = "localStorage.getItem('taproom-taught-shout')"
REDRAWN = """async () => {
  const { bring } = await import(document.querySelector('script[src*="regions"]').src);
  const act = document.getElementById('act').cloneNode(true);
  for (const line of act.querySelectorAll('.teach')) {
    line.removeAttribute('data-counted');
    line.removeAttribute('hidden');
  }
  bring([['act', act.outerHTML]]);
  document.dispatchEvent(new CustomEvent('taproom:drawn'));
}"""


def holds(person: Person) -> set[str]:
    return set((person.sees("main").get_attribute("data-holds") or "").split())


def test_what_a_page_holds_is_said_alike_after_a_push_and_when_it_is_loaded(
    company: Company,
) -> None:
    """The style sheets go by it: a page that is loaded anew must not look another way."""
    ana, ben, cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    ana.rolls(5)
    company.catch_up()
    assert "calls" in holds(ben)
    cleo.shouts("knave")
    ana.is_in("challenge")
    company.catch_up()
    assert "shouts" in holds(ana)
    for person in (ana, ben, cleo):
        pushed = holds(person)
        person.page.reload()
        person.is_live()
        assert holds(person) == pushed


def test_a_lesson_is_told_once_as_long_as_it_stands(company: Company) -> None:
    """However often what stands around it is drawn, it counts once and does not come and go."""
    ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ben)
    company.look()  # he hears of the roll by a push
    company.house.dice_fall(5)
    posts(ana, "roll")
    ben.catches_up()
    lesson = ben.sees("#act .teach[data-teach=shout]")
    expect(lesson).to_be_visible()
    for _push in range(3):
        ben.page.evaluate(REDRAWN)
    expect(lesson).to_be_visible()
    assert ben.page.evaluate(TOLD) == "1"
