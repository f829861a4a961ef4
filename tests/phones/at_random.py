"""People who press whatever their pages offer, and a page held against what is served now."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.phones.people import Person
from tests.phones.windows import wait_for

# What leads away from the table, or changes who sits there and how.
LEFT_ALONE = (
    *("leave_table", "remove", "remove_seat", "offer_pass", "hand_over", "hand_host", "host_table"),
    *("turn_table", "speak", "stop", "show_hand", "rename_table", "configure", "set_door"),
)
TEXTS = ("Odo", "a lamp", "the well", "Iri")
MOST_TRIES = 20

PRESS = """([seed, leftAlone, texts]) => {
  let state = seed;
  const chance = () => ((state = (state * 48271) % 2147483647) - 1) / 2147483646;
  const one = (many) => many[Math.floor(chance() * many.length)];
  const wordOf = (form) => form.querySelector('[name=action]')?.value;
  const isOffered = (form) => !leftAlone.includes(wordOf(form)) && form.checkVisibility();
  const form = one([...document.querySelectorAll('main form[data-tap]')].filter(isOffered));
  if (!form) return '';
  for (const field of form.elements) {
    if (field.localName === 'select') {
      field.value = one([...field.options].filter((option) => !option.disabled))?.value;
    } else if (field.type === 'number') {
      const low = Number(field.min || 1);
      const high = Math.min(Number(field.max || 20), low + 19);
      field.value = low + Math.floor(chance() * (high - low + 1));
    } else if (/^text/.test(field.type)) field.value = one(texts);
    else if (field.type === 'checkbox') field.checked = chance() < 0.5;
    else if (field.type === 'radio' && chance() < 0.4) field.checked = true;
  }
  const buttons = [...form.elements].filter((field) => field.type === 'submit');
  const button = one(buttons.filter((button) => !button.disabled));
  if (!button) return '';
  form.requestSubmit(button);
  return wordOf(form);
}"""
VIEWS = "document.querySelectorAll('button[data-tab]').length"
TURN = """(at) => {
  const tabs = [...document.querySelectorAll('button[data-tab]')];
  if (tabs.length) tabs[at % tabs.length].click();
}"""
# A finger that begins to scroll on a button, after a while.
HOLD = """(ms) => {
  const touch = { bubbles: true, pointerType: 'touch', isPrimary: true };
  const buttons = [...document.querySelectorAll('main button')];
  const button = buttons.find((one) => one.checkVisibility());
  button?.dispatchEvent(new PointerEvent('pointerdown', touch));
  window.fingers = (window.fingers ?? 0) + 1;
  setTimeout(() => {
    document.dispatchEvent(new PointerEvent('pointercancel', touch));
    window.fingers -= 1;
  }, ms);
}"""
LIFTED = "() => !window.fingers"
# What a page notes about itself, and what somebody has chosen there, is no part of what was pushed.
DIFFERENCES = r"""async (names) => {
  const own = /^(hidden|open|tabindex|data-counted|data-sent|style|aria-invalid)$/;
  const isNone = /^$|-refused$/;
  const plain = (region) => {
    const copy = region.cloneNode(true);
    const more = copy.querySelectorAll('[name=csrfmiddlewaretoken], [id$=-refused]');
    for (const one of more) one.remove();
    for (const node of [copy, ...copy.querySelectorAll('*')]) {
      node.classList.remove('is-pressed', 'htmx-request');
      const had = [...node.attributes].map(({ name, value }) => [name, value]).sort();
      for (const [name] of had) node.removeAttribute(name);
      for (const [name, value] of had) {
        const isWithout = /^(class|aria-describedby)$/.test(name) && isNone.test(value);
        if (!own.test(name) && !isWithout) node.setAttribute(name, value);
      }
    }
    return copy.outerHTML.replace(/\s+/g, ' ').replace(/> </g, '><').replace(/ >/g, '>');
  };
  const answer = await fetch(location.href, { cache: 'no-store' });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [seq, now] = [page, document].map((one) => one.querySelector('main').dataset.seq);
  if (seq !== now) return null;
  const differences = [];
  for (const name of names) {
    const regions = [document, page].map((one) => one.getElementById(name));
    const [is, should] = regions.map((region) => (region ? plain(region) : ''));
    if (is === should) continue;
    const at = [...is].findIndex((letter, i) => letter !== should[i]);
    const from = Math.max(0, (at < 0 ? is.length : at) - 120);
    const [has, lacks] = [is, should].map((html) => html.slice(from, from + 300));
    differences.push(`${name}\n  has    ${has}\n  and not ${lacks}`);
  }
  return differences;
}"""


def presses(person: Person, luck: random.Random) -> bool:
    """Send one of the forms in sight, filled in at random; False where there is none."""
    word = person.page.evaluate(PRESS, [luck.randrange(1, 2**31 - 1), LEFT_ALONE, TEXTS])
    return bool(word)


def turns(person: Person, luck: random.Random) -> None:
    """Look at another view of the page, if there is one."""
    person.page.evaluate(TURN, luck.randrange(8))


def holds(person: Person, luck: random.Random) -> None:
    """Put a finger on a button for a while."""
    person.page.evaluate(HOLD, luck.choice((100, 400, 1500)))


def adds_up(person: Person, tries: int = MOST_TRIES) -> int:
    """Hold every region that was ever pushed to somebody against their page as it is served now.

    Returns how many. Raises AssertionError with what differs, after so many tries.
    """
    names = pushed(person)
    differences: Any = None
    wait_for(person.page, LIFTED)  # until then nothing is drawn, and each look is a page served
    for _try in range(tries):
        person.catches_up()
        # Of a view that nobody looks at nothing is promised.
        for view in range(person.page.evaluate(VIEWS)):
            person.page.evaluate(TURN, view)
        differences = person.page.evaluate(DIFFERENCES, names)
        if differences == []:
            return len(names)
        person.page.wait_for_timeout(100)
    raise AssertionError("\n".join([person.name, *(differences or ["never at rest"])]))


def pushed(person: Person) -> list[str]:
    """The names of all regions that somebody's socket has brought."""
    told = [json.loads(frame) for frame in person.frames if frame.startswith('{"epoch"')]
    return sorted({name for push in told for name in (*push["regions"], *push["common"])})
