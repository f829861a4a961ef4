"""Names written right to left: where one is cut, it loses its end and never its beginning."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones import wicked_ready
from tests.phones.arriving import posts
from tests.phones.devices import NARROW
from tests.phones.knave import Build, has_a_knave, key_of, referee
from tests.phones.people import Company, Person
from tests.phones.wicked_ready import in_play

HEBREW = "שלומית בת אברהם ושרה מירושלים"
ARABIC = "عبد الرحمن بن محمد بن عبد الله"
TABLE = "השולחן הגדול של כל החברים הטובים שלנו בערב שבת ובכל ערב אחר"
assert max(len(HEBREW), len(ARABIC)) <= 30
assert len(TABLE) <= 60
# Of every cut name: how far its first letter stands outside the box, and how many were looked at.
BEGINNINGS = """() => {
  const lost = [];
  let seen = 0;
  for (const one of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(one);
    if (style.textOverflow !== 'ellipsis' || !one.checkVisibility()) continue;
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    let text = texts.nextNode();
    while (text && !text.textContent.trim()) text = texts.nextNode();
    const start = text ? text.textContent.search(/\\S/) : -1;
    if (start < 0 || !/[\\u0590-\\u06ff]/.test(text.textContent[start])) continue;
    seen += 1;
    const first = document.createRange();
    first.setStart(text, start);
    first.setEnd(text, start + 1);
    const [letter, box] = [first.getBoundingClientRect(), one.getBoundingClientRect()];
    if (letter.left < box.left - 1 || letter.right > box.right + 1)
      lost.push(`${one.className || one.parentElement.className}: ${text.textContent.trim()}`);
  }
  return [seen, lost];
}"""

# How far right a piece of text begins, within an element.
LEFT_OF = """([selector, piece]) => {
  const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode()); ) {
    const at = node.data.indexOf(piece);
    if (at < 0) continue;
    const place = document.createRange();
    place.setStart(node, at);
    place.setEnd(node, at + piece.length);
    return place.getBoundingClientRect().left;
  }
}"""


def stands_before(person: Person, selector: str, first: str, second: str) -> None:
    """Tell that one piece of text is drawn to the left of another."""
    left, right = (person.page.evaluate(LEFT_OF, [selector, piece]) for piece in (first, second))
    assert left < right, f"{second} is drawn before {first}"


def keeps_beginnings(person: Person, at_least: int = 1) -> None:
    seen, lost = person.page.evaluate(BEGINNINGS)
    assert not lost
    assert seen >= at_least, "no such name was on this page"


@pytest.mark.looks
def test_a_name_from_right_to_left_keeps_its_beginning_in_brave_or_knave(company: Company) -> None:
    """WCAG 1.3.2: the head of the page, the ring, who rolled, who shouted, the shared screen."""
    ana, ben = company.ana(), company.joined(HEBREW)
    dora, tess = company.joined(ARABIC), company.tess()
    posts(ana, "rename_table", name=TABLE)
    company.begins({ana: 7, ben: 13, dora: 4})
    ben.page.set_viewport_size(NARROW)
    keeps_beginnings(ben, 3)
    head = ben.page.evaluate("getComputedStyle(document.querySelector('.me-words b')).textAlign")
    assert head == "left", "a name at the head of the page stands beside its mark"
    ana.rolls(5)
    company.catch_up()
    keeps_beginnings(ben, 3)
    posts(ana, "configure", setting="shouting", value="mouth")
    expect(tess.sees(".heard-grid")).to_be_visible()
    keeps_beginnings(tess, 2)


@pytest.mark.looks
def test_a_name_from_right_to_left_keeps_its_beginning_in_a_wicked_age(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WCAG 1.3.2: the head of the page names whom one plays."""
    cast = {name: f"{HEBREW} {TABLE}"[:58] + name[:2] for name in wicked_ready.CAST}
    monkeypatch.setattr(wicked_ready, "CAST", cast)
    _ana, (ben, *_others) = in_play(company)
    company.only(ben)
    ben.page.set_viewport_size(NARROW)
    keeps_beginnings(ben)


@pytest.mark.looks
def test_numbers_beside_a_name_from_right_to_left_keep_their_side_in_knave(
    company: Company,
) -> None:
    """WCAG 1.3.2: a purse in the shop, hit points in the log, a wage in somebody's service."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben, Build(bonuses=(1, 1, 3, 1, 1, 2), hp=8))
    key, name = key_of(ben), "שלמה"
    posts(ben, "edit_knave", character=key, name=name, gender="", notes="")
    posts(ben, "set_coins", character=key, gold=3, silver=4, copper=6)
    trade = ben.house.one("select id from characters_hirelingkind order by id")
    posts(ben, "hire", character=key, trade=trade, name="דוד")
    posts(ana, "hurt_many", who=str(key), amount=5)
    ben.catches_up()
    stands_before(ben, "#asks", name, "5 hit points")
    ben.goes(f"/t/{ben.code}/knave/{key}/shop/")
    stands_before(ben, ".shop-purse", name, "3 gold")
    ben.goes(f"/t/{ben.code}/knave/{key}/")
    direction = "(id) => getComputedStyle(document.getElementById(id)).direction"
    assert ben.page.evaluate(direction, "name") == "rtl", "else its beginning is out of sight"
    stands_before(ben, "#service .rows", "דוד", "1 copper a day")
    stands_before(ben, "#record .record-list li", name, "5 hit points")
