"""How things lie on a page: what is cut, over something else, or past an edge.

What stands in capitals is for `evaluate`; where nothing else is said, it takes a selector.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def of_what_is_seen(script: str) -> str:
    """Let a script ask for what is seen of a selector by `seen(where)`.

    Where that is nothing it fails: of a part that has another name by now, all would be well.
    """
    return f"""(given) => {{
  const seen = (where) => {{
    const all = [...document.querySelectorAll(where)].filter((one) => one.checkVisibility());
    if (!all.length) throw new Error(`nothing is seen of ${{where}}`);
    return all;
  }};
  return ({script})(given);
}}"""


# Of what is found: how much is hidden at the right and below, in pixels.
HIDDEN = """(where) => [...document.querySelectorAll(where)].filter((e) => e.checkVisibility())
  .map((e) => Math.max(e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight))"""
# Words that stand on more lines than they have spaces to be parted at.
PARTED = of_what_is_seen("""(where) => seen(where).filter((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const lines = new Set([...words.getClientRects()].map((line) => Math.round(line.top)));
  return lines.size > one.textContent.trim().split(/\\s+/).length;
}).map((one) => one.textContent)""")
# Boxes within words that are cut after some lines: Safari counts each as a line of its own.
BOXED = of_what_is_seen("""(where) => seen(where).filter((one) =>
  getComputedStyle(one).webkitLineClamp !== 'none').flatMap((one) => [...one.querySelectorAll('*')])
  .filter((inner) => inner.textContent.trim()
    && !['inline', 'contents', 'none'].includes(getComputedStyle(inner).display))
  .map((inner) => inner.textContent)""")
# How far the words of each button stand from its edges.
ROOM = """(where) => [...document.querySelectorAll(where)].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const [inner, outer] = [words.getBoundingClientRect(), one.getBoundingClientRect()];
  return Math.min(inner.left - outer.left, outer.right - inner.right);
})"""
# What of some boxes lies over one of some others.
OVERLAPS = of_what_is_seen("""([ones, others]) => {
  const [these, those] = [ones, others].map((where) =>
    seen(where).map((one) => one.getBoundingClientRect()));
  return these.some((a) => those.some((b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom));
}""")
# Pairs of buttons that lie over one another.
TANGLED = of_what_is_seen("""(where) => {
  const boxes = seen(where).map((one) => one.getBoundingClientRect());
  return boxes.filter((a, i) => boxes.slice(i + 1).some((b) => a.left < b.right - 1
    && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
}""")
# Of one place that is found: how high it is drawn.
HEIGHT = "(one) => one.getBoundingClientRect().height"
# Of what is found: which is not whole in itself, or reaches out of what cuts it off.
CUT = of_what_is_seen("""([where, within]) => seen(where).filter((one) => {
  const [a, b] = [one.getBoundingClientRect(), one.closest(within).getBoundingClientRect()];
  return one.scrollHeight > one.clientHeight + 3 || a.bottom > b.bottom + 2 || a.top < b.top - 2
    || a.right > b.right + 2;
}).map((one) => one.textContent.trim())""")
# What sticks out to the side, or has to be scrolled sideways to be read.
STICKS_OUT = """() => {
  const wide = document.scrollingElement;
  const found = wide.scrollWidth > wide.clientWidth ? [`page ${wide.scrollWidth}`] : [];
  for (const e of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(e);
    if (/auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth)
      found.push(`${e.tagName} ${e.id || e.className} ${e.scrollWidth} > ${e.clientWidth}`);
  }
  return found;
}"""


def box(page: Page, where: str) -> dict[str, float]:
    """Where the first of what is found lies, and how large it is."""
    found = page.locator(where).first.bounding_box()
    assert found, where
    return dict(found)


def is_whole(page: Page, where: str) -> None:
    """See that it ends above whatever the phone shows below the part that it lies in."""
    inner, outer = box(page, where), box(page, ".upper")
    assert inner["y"] >= outer["y"] - 1
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


def top_of(place: Locator) -> float:
    found = place.bounding_box()
    assert found
    return found["y"]
