"""What keeps a page from being for everybody: what axe finds, buttons in vain, and scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.phones.devices import NARROW
from tests.phones.layout import STICKS_OUT
from tests.phones.people import Person
from tests.sizes import size

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LIGHTS = ("dark", "light")
# The two lights differ in nothing but their colours.
COLOURS = {"type": "rule", "values": ["color-contrast"]}
# What a page that was not loaded since the last look still has; and what breaks a rule, in each of
# the lights by the rules that are looked at in it: all else that axe tells would only be carried.
HAS_AXE = "typeof axe === 'object'"
BROKEN = """async (lights) => {
  const found = [];
  for (const [light, runOnly] of lights) {
    document.documentElement.dataset.theme = light;
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] });
    for (const { id, nodes } of violations) {
      const where = nodes.slice(0, 4).map(({ target }) => target.join(' '));
      found.push(`${light}: ${id}: ${where.join(' | ')}`);
    }
  }
  return found;
}"""
# Buttons that a browser would not let send their form, in silence: something has to be filled in,
# and it lies folded away, or hidden, where the button does not. Of radios one chosen is enough.
STUCK = """() => {
  const isLacking = (field) => field.willValidate && field.required && !(field.type === 'radio' &&
    [...field.form.elements].some((one) => one.name === field.name && one.checked));
  const isApart = (field, button) => {
    if (button.checkVisibility() && !field.checkVisibility()) return true;
    for (let e = field.parentElement; e; e = e.parentElement)
      if (e.matches('details, dialog, [hidden]') && !e.contains(button)) return true;
    return false;
  };
  const found = new Set();
  for (const form of document.forms) {
    const fields = [...form.elements].filter(isLacking);
    for (const button of form.noValidate ? [] : form.elements)
      for (const field of button.type === 'submit' && !button.formNoValidate ? fields : [])
        if (isApart(field, button)) found.add(`${button.id} waits for ${field.name} out of sight`);
  }
  return [...found];
}"""
# A phone's page stands still, and only what lies in it scrolls: else whatever is brought into view
# takes the top of the page with it. Chromium counts what is drawn outside every scroller.
SHIFTS = """() => {
  const { scrollHeight, clientHeight } = document.documentElement;
  const isPhone = document.querySelector('main[data-page="phone"]');
  return isPhone && scrollHeight > clientHeight ? [`the page scrolls: ${scrollHeight}`] : [];
}"""
# Words that something around them makes pale: axe does not judge them over a gradient.
PALE = """() => {
  const hasWords = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const seen = (e) => (e ? getComputedStyle(e).opacity * seen(e.parentElement) : 1);
  return [...document.body.querySelectorAll('*')].filter((e) => hasWords(e) && e.checkVisibility()
    && !e.closest(':disabled, [aria-hidden="true"], svg, .die') && seen(e) < .75)
    .map((e) => `pale: ${e.textContent.trim()}`);
}"""
# Controls that have another name than they read: who speaks to the device says what they see.
MISNAMED = """() => {
  const bare = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}+−-]+/gu, ' ').trim();
  const seen = (node) => node.nodeType === 3 ? node.data : node.nodeType !== 1 ||
    node.matches('svg, .visually-hidden, [aria-hidden="true"]') || !node.checkVisibility() ? ''
    : [...node.childNodes].map(seen).join(' ');
  return [...document.querySelectorAll(':is(button, a, summary)[aria-label]')]
    .filter((e) => e.checkVisibility() && !bare(e.ariaLabel).includes(bare(seen(e))))
    .map((e) => `reads "${bare(seen(e))}", is called "${e.ariaLabel}"`);
}"""
TO_THE_TOP = """async () => {
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
  for (const one of [window, ...document.querySelectorAll('.panel')]) one.scrollTo(0, 0);
}"""


def faults(page: Page, where: str) -> Iterator[str]:
    """What axe finds in both lights, buttons that do nothing or are misnamed, and scrolling.

    In `make test` each page is looked at in one of the lights, by turns.
    """
    wide = page.viewport_size
    if not page.evaluate(HAS_AXE):
        page.evaluate(AXE_SCRIPT)
    first = crc32(where.encode()) % 2
    lights = [[LIGHTS[first], TAGS], [LIGHTS[1 - first], COLOURS]]
    broken = page.evaluate(BROKEN, lights[: size(1, 2)])
    yield from (f"{where}, {rule}" for rule in broken)
    yield from (f"{where}: {button}" for button in page.evaluate(STUCK))
    yield from (f"{where}: {words}" for words in page.evaluate(PALE))
    yield from (f"{where}: {shift}" for shift in page.evaluate(SHIFTS))
    yield from (f"{where}: {control}" for control in page.evaluate(MISNAMED))
    page.set_viewport_size(NARROW)
    narrow = (*page.evaluate(STICKS_OUT), *page.evaluate(SHIFTS))
    yield from (f"{where}, 320 px: {fault}" for fault in narrow)
    assert wide
    page.set_viewport_size(wide)


class Looks:
    """Collects what is wrong on every page that is looked at."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def at(self, page: Page, where: str) -> None:
        # What lies half under a bar would look too small; a phone's panels scroll by themselves,
        # and what was unfolded is brought into view within two frames.
        page.evaluate(TO_THE_TOP)
        self.found.extend(faults(page, where))

    def at_tabs(self, person: Person, *tabs: str) -> None:
        for tab in tabs:
            person.presses(f"#tab-{tab}")
            self.at(person.page, f"phone, {tab}")

    def judges(self) -> None:
        if self.found:
            pytest.fail("\n".join(self.found))
