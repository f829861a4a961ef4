"""S9: a phone that is handed on shows its next user nothing of the last one.

In Chromium with its service worker, its caches and its back-forward cache.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page

from tests.chaos.house import House, Zygote, house_of
from tests.characters.company import Company
from tests.games.worlds import needs_a_file
from tests.security.browsing import chromium, laid_down, phone_of, sid_of
from tests.security.figures import measured
from tests.standing import Standing

pytestmark = [pytest.mark.browser, needs_a_file]

CACHES = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      found.push([new URL(request.url).pathname, await answer.text()]);
    }
  }
  return found;
}"""
STORED = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
# Asks the browser's own cache, never the house.
KEPT = """async (path) => {
  try {
    const answer = await fetch(path, { cache: "only-if-cached", mode: "same-origin" });
    return answer.ok ? await answer.text() : "";
  } catch { return ""; }
}"""
LEAVES = """async (code) => {
  const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
  const body = new URLSearchParams({
    action: "leave_table", seat: document.querySelector("main").dataset.seat, tap: "leaves-now",
  });
  const answer = await fetch(`/t/${code}/act/`, { method: "POST", body, headers });
  return answer.status;
}"""
OURS = ("Ash", "Warden", "Birch")


def shows_ours(text: str, code: str) -> list[str]:
    return [word for word in (*OURS, code) if word and word in text]


@pytest.fixture
def house(mother: Zygote, assembled: Standing[Company]) -> Any:
    with house_of(mother) as house:
        yield house, laid_down(assembled, house)


async def look_round(page: Page, house: House, company: Company) -> list[str]:
    """Let Ben look at everything that is his; return the paths."""
    table = f"/t/{company.ben.code}/"
    paths = [table, f"{table}knave/{company.ash.pk}/", f"{table}records/", f"{table}graveyard/"]
    for path in paths:
        await page.goto(f"http://127.0.0.1:{house.port}{path}")
    await page.goto(f"http://127.0.0.1:{house.port}{table}")
    await page.wait_for_selector('html[data-line="on"] main[data-page]')
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return paths


async def remains(page: Page, paths: list[str], code: str) -> list[str]:
    """Return where something of the last user's is still to be found."""
    found = []
    for path, text in await page.evaluate(CACHES):
        if shows_ours(text, code) or not path.startswith(("/static/", "/offline/")):
            found.append(f"Cache Storage: {path}")
    if shows_ours(stored := await page.evaluate(STORED), code):
        found.append(f"what pages store: {stored}")
    for path in paths:
        if shows_ours(await page.evaluate(KEPT, path), code):
            found.append(f"the browser's cache: {path}")
    return found


async def test_the_next_user_of_a_phone_finds_nothing_of_the_last(house: Any):
    house, company = house
    await house.opens()
    code = company.ben.code
    no_flag = ["--disable-back-forward-cache"]
    async with chromium(ignore_default_args=no_flag) as browser:
        context = await phone_of(browser, house, sid_of(company.ben))
        page = await context.new_page()
        paths = await look_round(page, house, company)
        assert shows_ours(await page.content(), code)
        async with page.expect_response(lambda r: r.url.endswith("/act/")) as answered:
            assert await page.evaluate(LEAVES, code) == 204
        told = await (await answered.value).all_headers()
        assert (told["clear-site-data"], told["hx-redirect"]) == ('"cache"', "/")
        # The socket is closed, and the page goes to the door by itself.
        await page.wait_for_url("**/join/?gone=*")
        await page.goto(f"http://127.0.0.1:{house.port}/")
        assert await remains(page, paths, code) == []
        assert await page.evaluate("caches.keys().then((names) => names.length)") == 1
        # Back, as far as there is: to the table, its records, the sheet.
        for _n in range(len(paths) + 1):
            await page.go_back()
            text = await page.inner_text("body")
            assert not [word for word in OURS if word in text], page.url
            assert not await page.evaluate("window.cameBackFromCache"), page.url
        for path in paths:
            answer = await page.goto(f"http://127.0.0.1:{house.port}{path}")
            assert answer
            assert not [word for word in OURS if word in await answer.text()], path
    measured("S9", "places looked at", len(paths) * 3 + 2)


async def test_what_a_careless_page_would_leave_is_found(house: Any):
    """The control: a page in Cache Storage, one in the storage, one that may be cached."""
    house, company = house
    await house.opens()
    async with chromium() as browser:
        context = await phone_of(browser, house, sid_of(company.ben), service_workers="block")
        page = await context.new_page()
        path = f"/t/{company.ben.code}/"
        await page.goto(f"http://127.0.0.1:{house.port}{path}")
        # The page itself is still open, and htmx keeps its address.
        assert await remains(page, [path], "") == []
        await page.evaluate(
            """async (path) => {
              const cache = await caches.open("careless");
              await cache.put(path, new Response("Ash is here"));
              sessionStorage.setItem("htmx-history-cache", JSON.stringify(["Birch"]));
            }""",
            path,
        )
        cached, stored = await remains(page, [path], "")
        assert cached == f"Cache Storage: {path}"
        assert "Birch" in stored
        static = await page.evaluate("document.querySelector('script[src]').src")
        assert await page.evaluate(KEPT, static), "the browser's cache can't be asked"
