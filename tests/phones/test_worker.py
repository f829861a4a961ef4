"""The service worker of an earlier release gives way to today's, though its pages stay open."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.test import RequestFactory
from playwright.sync_api import Browser, Page, expect

from games.views import pwa

PAGE = (
    "<!doctype html><title>{0}</title><p>{0}</p>"
    '<script>navigator.serviceWorker.register("/sw.js")</script>'
)
HOW_MANY = """async () => Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).length))"""
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class Releases(ThreadingHTTPServer):
    """A house that says of each page which release it is of, with the worker that ours would have.

    Its files are whatever is asked for. `is_away`: a proxy answers for it. `has_portal`: a tunnel
    asks whoever comes without its cookie, for a file as for a page, whether they meant to.
    `breaks_off`: the line ends in the middle of a page. `is_silent`: nothing is answered.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.release, self.is_away = "one", False
        self.waits_for_pages = self.has_portal = self.breaks_off = self.is_silent = False
        self.address = f"http://127.0.0.1:{self.server_port}"

    def worker(self) -> str:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(pwa, "mark_of_pages", lambda: self.release)
            text = pwa.service_worker(RequestFactory().get("/sw.js")).content.decode()
        assert "await self.skipWaiting();" in text
        assert "= 30000;" in text
        text = text.replace("= 30000;", "= 1000;")
        return text.replace("await self.skipWaiting();", "") if self.waits_for_pages else text


class _Answers(BaseHTTPRequestHandler):
    server: Releases

    def do_GET(self) -> None:
        while self.server.is_silent:
            time.sleep(0.1)
        kind, text = "text/html", PAGE.format(f"{self.path} of {self.server.release}")
        if self.path == "/sw.js":
            kind, text = "text/javascript", self.server.worker()
        elif self.path.endswith((".css", ".js", ".svg")) and not self.server.has_portal:
            kind = KINDS[self.path.rpartition(".")[2]]
        self.send_response(502 if self.server.is_away else 200)
        self.send_header("Content-Type", kind)
        if not self.server.has_portal:
            self.send_header("Taproom", "house")
        # As `offline` and static files are.
        is_kept = self.path not in ("/", "/sw.js") and not self.server.has_portal
        self.send_header("Cache-Control", "public, max-age=3600" if is_kept else "no-cache")
        if self.server.breaks_off and self.path == "/":
            self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_words: object) -> None: ...


@pytest.fixture
def releases() -> Iterator[Releases]:
    with Releases() as served:
        Thread(target=served.serve_forever, daemon=True).start()
        yield served
        served.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def caches(page: Page) -> list[str]:
    names: list[str] = page.evaluate("caches.keys()")
    return names


def is_coming(page: Page) -> bool:
    """Tell whether a worker is being installed."""
    ask = "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.installing))"
    return bool(page.evaluate(ask))


def until(is_so: Callable[[], object]) -> None:
    """Wait for what has to be asked of a browser."""
    last = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < last
        time.sleep(0.1)


def comes_to_the_next_release(page: Page, releases: Releases) -> None:
    """Keep a page of the first release open, let the next one come, and load the page anew."""
    page.goto(releases.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # from now on the worker is asked
    (former,) = caches(page)
    releases.release = "two"
    page.reload()
    expect(page).to_have_title("/ of two")
    until(lambda: set(caches(page)) - {former} and not is_coming(page))


def test_without_a_line_the_page_of_the_present_release_is_shown(
    page: Page, releases: Releases
) -> None:
    comes_to_the_next_release(page, releases)
    until(lambda: len(caches(page)) == 1)
    releases.is_away = True
    page.reload()
    expect(page).to_have_title("/offline/ of two")


def test_a_worker_that_waits_for_open_pages_shows_that_of_the_former(
    page: Page, releases: Releases
) -> None:
    """The control."""
    releases.waits_for_pages = True
    comes_to_the_next_release(page, releases)
    releases.is_away = True
    page.reload()
    expect(page).to_have_title("/offline/ of one")


def test_a_page_that_breaks_off_gives_way_to_the_one_without_a_line(
    page: Page, releases: Releases
) -> None:
    """R5: it stayed blank, or half drawn and without a script, until somebody loaded it anew."""
    page.goto(releases.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    releases.breaks_off = True
    page.reload(wait_until="commit")
    expect(page).to_have_title("/offline/ of one")


def test_a_page_that_is_asked_for_in_silence_gives_way_too(page: Page, releases: Releases) -> None:
    """R5: it was waited for, though the line was long back."""
    page.goto(releases.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    releases.is_silent = True
    try:
        page.reload(wait_until="commit", timeout=5000)
        expect(page).to_have_title("/offline/ of one")
    finally:
        releases.is_silent = False


def test_what_a_tunnel_says_in_the_place_of_a_file_is_not_kept_as_that_file(
    page: Page, releases: Releases
) -> None:
    """R4: its page was kept under the names of scripts and sheets, and no page of ours worked."""
    releases.has_portal = True
    page.goto(releases.address)
    until(lambda: page.evaluate("navigator.serviceWorker.getRegistration().then((one) => !one)"))
    assert page.evaluate(HOW_MANY) == []
    releases.has_portal = False
    page.reload()
    until(lambda: page.evaluate(HOW_MANY) == [len(pwa.CACHED) + 1])
