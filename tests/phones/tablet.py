"""The shared screen as it is read from the other side of the table, at every size that it has."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, ViewportSize

from tests.phones.layout import of_what_is_seen
from tests.phones.people import Person

# A tablet either way, a larger one, a television, a host's small laptop.
SCREENS: tuple[ViewportSize, ...] = (
    {"width": 1180, "height": 820},
    {"width": 820, "height": 1180},
    {"width": 1366, "height": 1024},
    {"width": 1920, "height": 1080},
    {"width": 1024, "height": 600},
)
# Of nine who sit round it.
LONG_NAMES = (
    *("Bartholomäus Wolframmmm", "Wilhelmina Konstantinop", "Esmeralda de la Fronter"),
    *("Ferdinand von Hohenstei", "Guadalupe Maravillas Cr", "Hildegard vom Zauberber"),
    *("Iphigenie von der Heide", "Jacqueline aus Montreal", "Konstantin Rumpelstilzc"),
)
# What of the words in the middle lies over a seat, which seats lie over one another or an edge, and
# whose name is not whole.
TANGLES = of_what_is_seen("""() => {
  const box = (one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return (one.matches('svg, .qr-frame') ? one : words).getBoundingClientRect();
  };
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const found = [];
  const seats = seen('.place-card');
  const middle = [...document.querySelectorAll(`.hub :is(.headline:not(.flip), .cry, .moment,
    .whose, .call, .shout-mark, .eyebrow, .big-code, .quiet-text, .qr-frame, .die svg)`)]
    .filter((one) => one.checkVisibility());
  for (const [i, seat] of seats.entries()) {
    const { left, top, right, bottom } = seat.getBoundingClientRect();
    const whose = seat.querySelector('b').textContent;
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
      found.push(`over the edge: ${whose}`);
    for (const other of [...seats.slice(i + 1), ...middle])
      if (meet(seat.getBoundingClientRect(), box(other)))
        found.push(`${whose} under ${other.textContent.trim()}`);
  }
  for (const name of document.querySelectorAll('.place-name b'))
    if (name.scrollHeight > name.clientHeight + 2) found.push(`cut: ${name.textContent}`);
  return found;
}""")
# How large the smallest words are, in hundredths of the shorter side.
SMALLEST = """() => Math.min(...[...document.querySelectorAll('main :not(.screen-menu *)')]
  .filter((one) => one.checkVisibility()
    && !one.closest('.visually-hidden, svg, .mark, .screen-menu')
    && [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * 100
    / Math.min(innerWidth, innerHeight)))"""
READABLE = 1.8  # of a tablet's 820 pixels nearly 15: letters of three millimetres
# A die that rolls takes more room than one that lies there.
IS_AT_REST = """() => !document.getAnimations().some(({ playState, effect }) =>
  playState === 'running' && effect.getTiming().iterations !== Infinity)"""


def at_every_size(page: Page) -> Iterator[str]:
    """Turn the screen into each of those that people have, and say which it is."""
    for size in SCREENS:
        page.set_viewport_size(size)
        page.wait_for_function(IS_AT_REST)
        yield f"{size['width']} by {size['height']}"


def reads_from_across(tess: Person) -> Iterator[str]:
    """At every size see that words are large enough and nothing has to be scrolled."""
    tess.catches_up()
    for where in at_every_size(tess.page):
        assert tess.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), where
        assert tess.page.evaluate(SMALLEST) >= READABLE, where
        yield where


def is_untangled(tess: Person) -> None:
    """See at every size that all is read from across, and nothing lies over anything else."""
    for where in reads_from_across(tess):
        assert tess.page.evaluate(TANGLES) == [], where
