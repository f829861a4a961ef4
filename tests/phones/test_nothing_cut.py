"""Words that the house says itself are read whole, in the longer language as well."""

from __future__ import annotations

from typing import Any

from tests.phones.people import Company
from tests.phones.test_for_everyone import NARROW
from tests.phones.wicked_ready import at_sheets, posts

SPANISH: dict[str, Any] = {"locale": "es-ES"}
# Of what is found: how much is hidden at the right and below, in pixels.
HIDDEN = """(where) => [...document.querySelectorAll(where)].filter((e) => e.checkVisibility())
  .map((e) => Math.max(e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight))"""
# How far the words of each button stand from its edges.
ROOM = """(where) => [...document.querySelectorAll(where)].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const [inner, outer] = [words.getBoundingClientRect(), one.getBoundingClientRect()];
  return Math.min(inner.left - outer.left, outer.right - inner.right);
})"""


def test_the_step_of_a_chapter_is_read_whole_in_spanish_on_a_narrow_phone(company: Company) -> None:
    """WCAG 1.4.10: what the chapter is at stands in the head of the page."""
    ana, (ben, *_others) = at_sheets(company, **SPANISH)
    ben.page.set_viewport_size(NARROW)
    for _step in range(3):
        assert max(ben.page.evaluate(HIDDEN, ".me-words small")) <= 1
        posts(ana, "step_back")
        company.catch_up()


def test_a_finger_has_room_around_its_name_in_spanish(company: Company) -> None:
    """WCAG 1.4.12: «meñique» does not touch the edges of its button."""
    ana, ben = company.ana(**SPANISH), company.joined("Ben", **SPANISH)
    for person, number in ((ana, 7), (ben, 13)):
        person.picks(number)
    ana.begins()
    ana.page.evaluate(
        """(names) => document.querySelector('#act, main').insertAdjacentHTML('beforeend',
          `<div class="finger-strip"><div class="finger-row">${names.map((n) =>
            `<button class="button finger-button">${n}</button>`).join('')}
          </div></div>`)""",
        ["pulgar", "índice", "medio", "anular", "meñique"],
    )
    for width in (320, 390):
        ana.page.set_viewport_size({"width": width, "height": 844})
        assert min(ana.page.evaluate(ROOM, ".finger-button")) >= 5
