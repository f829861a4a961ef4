"""Browsers that newcomers take over, emptied, from those who have gone home.

To open a page in a browser of its own takes half a second of a processor: another process, and
every script and style fetched and compiled once more. In one that is taken over it takes half that.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial, wraps
from typing import Any
from weakref import WeakSet

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

# What lasts longer than the document: after any of it a browser is closed, as is one whose test
# laid hands on the context itself.
LASTING = (
    "add_init_script",
    "close",
    "emulate_media",
    "expose_function",
    "on",
    "route",
    "route_web_socket",
)
# Something of the house's own origin, for whoever has ended up elsewhere.
LEAVES_BY = "/sw.js"
# Our scripts write down what is underway when their page is left; who hears of it after them has
# the last word. To load another page for that took as long as a quarter of the house's own.
FORGETS = """() => {
  const forget = () => [localStorage, sessionStorage].forEach((kept) => kept.clear());
  for (const when of ['pagehide', 'visibilitychange']) addEventListener(when, forget);
}"""
# Playwright's own waiting brings a page thousands of lines of script first, once for every document
# and for each of its two worlds: a fifth of what it takes to open one.
ONCE = """([what, ms]) => new Promise((answer) => {
  const last = performance.now() + ms;
  const look = () => {
    if (isSo(what)) answer(true);
    else if (performance.now() > last) answer(false);
    else setTimeout(look, 20);
  };
  look();
})"""
MOST_KEPT = 10
# Every cookie that says something of a person.
SOMEBODYS = re.compile(r"^(?!styles$)")
_marked: WeakSet[Page] = WeakSet()
listen = Page.on  # as it is before `noting_what_lasts`


@contextmanager
def noting_what_lasts() -> Iterator[None]:
    """Note of every page whether a test does to it what the next document would still feel."""
    with pytest.MonkeyPatch.context() as patch:
        for name in LASTING:
            patch.setattr(Page, name, _noted(getattr(Page, name)))
        yield


def _noted(method: Any) -> Any:
    @wraps(method)
    def noted(page: Page, *args: Any, **options: Any) -> Any:
        _marked.add(page)
        return method(page, *args, **options)

    return noted


def wait_for(page: Page, is_so: str, what: Any = None, seconds: float = 8) -> None:
    """Wait until a function says so of a page, whichever document it shows by then."""
    last = time.monotonic() + seconds
    wait = ONCE.replace("isSo", f"({is_so})")
    while (left := last - time.monotonic()) > 0:
        with suppress(Error):  # another document has come meanwhile
            if page.evaluate(wait, [what, left * 1000]):
                return
    raise AssertionError(f"{page.url} never came to {is_so} with {what}")


class Window:
    """A browser of one person's own, and its page: opened when somebody first looks at it."""

    def __init__(self, browser: Browser, looks: dict[str, Any]) -> None:
        self.looks = looks
        self.context: BrowserContext = browser.new_context(**looks)
        self.is_spent = False
        self.owner: Any = None  # hears what its page says
        self._page: Page | None = None

    def page(self) -> Page:
        """Return its page; a second one, where the first is closed."""
        if self._page is None or self._page.is_closed():
            self._page = page = self.context.new_page()
            page.set_default_timeout(8000)
            self._takes_size()
            for said in ("console", "pageerror", "websocket"):
                listen(page, said, partial(self._tell_owner, said))
        return self._page

    def is_like(self, looks: dict[str, Any]) -> bool:
        """Tell whether it would look so, or would but for its size, which is easily another."""
        return {**self.looks, "viewport": None} == {**looks, "viewport": None}

    def looks_like(self, looks: dict[str, Any]) -> Window:
        self.looks = looks
        self._takes_size()
        return self

    def _takes_size(self) -> None:
        if self._page is not None and self._page.viewport_size != self.looks["viewport"]:
            self._page.set_viewport_size(self.looks["viewport"])

    def _tell_owner(self, said: str, what: Any) -> None:
        getattr(self.owner, f"hears_{said}")(what)

    def is_emptied(self, address: str) -> bool:
        """Forget whoever had it; False where that cannot be done for certain."""
        page = self._page
        if self.is_spent or page is None or page in _marked or len(self.context.pages) != 1:
            return False
        try:
            if not page.url.startswith(f"{address}/"):
                page.goto(address + LEAVES_BY, wait_until="commit")
            page.evaluate(FORGETS)
            page.goto("about:blank", wait_until="commit")
            # It has the style sheets, as a browser that was here last year has.
            self.context.clear_cookies(name=SOMEBODYS)
        except Error:  # its test has killed the house, or hung the page
            return False
        return True


class Windows:
    """All that are open, and whose they are not any more."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[Window] = []

    def take(self, looks: dict[str, Any]) -> Window:
        """Return a browser with these looks and nothing in it."""
        fitting = [window for window in self._free if window.is_like(looks)]
        if not fitting:
            return Window(self._browser, looks)
        window = next((one for one in fitting if one.looks == looks), fitting[0])
        self._free.remove(window)
        return window.looks_like(looks)

    def give_back(self, window: Window, address: str) -> None:
        """Keep it for somebody else, if it can be emptied; `address` is all it has been to."""
        if window.is_emptied(address):
            self._free.append(window)
            if len(self._free) <= MOST_KEPT:
                return
            window = self._free.pop(0)
        window.context.close()
