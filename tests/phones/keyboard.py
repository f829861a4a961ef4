"""Keys instead of fingers, and what is said aloud: for whoever does not touch or does not see."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.people import Person

HAS_FOCUS = "selector => document.activeElement?.matches(selector)"
# What has the focus, and whether it is seen from its top to its bottom.
IS_SEEN = """() => {
  const at = document.activeElement;
  const { left, top, width, bottom } = at.getBoundingClientRect();
  const isSeen = (y) => at.contains(document.elementFromPoint(left + width / 2, y));
  return [at.id || at.innerText, isSeen(top + 2) && isSeen(bottom - 2)];
}"""
# Which of a page's live regions hold some words: a part is as loud as what is nearest around it.
SAYS_ALOUD = """(words) => [...document.querySelectorAll('*')]
  .filter((one) => !one.children.length && one.textContent.includes(words))
  .map((one) => one.closest('[aria-live], [role=status], [role=alert]'))
  .filter((live) => live && live.getAttribute('aria-live') !== 'off')
  .map((live) => live.id || live.className)"""


def tabs_to(person: Person, selector: str, key: str = "") -> None:
    """Walk there with Tab alone, then press a key, if any."""
    person.sees(selector).wait_for()
    for _step in range(90):
        if person.page.evaluate(HAS_FOCUS, selector):
            if key:
                person.page.keyboard.press(key)
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def acts(person: Person, selector: str, key: str = "Enter") -> None:
    """Walk to what acts at the table, press a key, and let nobody refuse it."""
    assert person.is_answered(lambda: tabs_to(person, selector, key)).status == 204
    person.catches_up()


def hears(person: Person, sentence: str) -> None:
    """What a screen reader says by itself."""
    expect(person.sees("#say[aria-live=polite]")).to_contain_text(re.compile(sentence))


def is_somewhere(person: Person) -> bool:
    """Whether a key would go on from anywhere but the top of the page."""
    # A browser takes the focus from what is disabled a frame later.
    person.page.wait_for_timeout(100)
    return bool(person.page.evaluate("document.activeElement !== document.body"))
