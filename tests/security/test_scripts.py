"""S7: scripts for names are names. On every screen, in a real browser, with its policy watching.

They stand in the rows themselves: what is cleaned on the way in is not what is relied upon.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.campaigns.saga import Saga
from tests.chaos.house import House, Zygote, house_of
from tests.characters.company import Company
from tests.games.party import Party
from tests.games.worlds import needs_a_file
from tests.security.browsing import Watched, chromium, laid_down, phone_of, sid_of
from tests.security.figures import measured
from tests.security.routes import every_route
from tests.security.scripts import RUNS, Infection, payloads
from tests.sizes import IS_FULL, size
from tests.standing import Standing

pytestmark = [pytest.mark.browser, needs_a_file]

PAYLOADS = size(50, 500)
WRITTEN = "<img src=x onerror=window.pwned=1>live"
# What is looked at with every change; in the full size everything is.
QUICK = {"phone", "screen", "gm", "records", "knave_sheet", "wicked_records"}
NO_PAGES = {
    "api_table", "api_actions", "api_schema", "act", "knave_portrait", "wicked_file",
    "wicked_markdown", "wicked_oracle_file", "wicked_record", "record", "manifest", "suggest",
    "service_worker", "wicked_bring", "open_table", "open_trial", "join_code", "set_language",
    "take_over", "scan", "shared_rule", "rules", "knave_blank", "offline",
}  # fmt: skip
ADDS_A_LINE = """async (text) => {
  const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
  const { code, seat } = document.querySelector("main").dataset;
  const body = new URLSearchParams({ action: "add_content_line", seat, text, tap: "adds-a-line" });
  return (await fetch(`/t/${code}/act/`, { method: "POST", body, headers })).status;
}"""


class Place:
    """A house with a game on the table, all of whose names are payloads."""

    def __init__(self, house: House, standing: Standing[Any], supply: Iterator[str]) -> None:
        self.house = house
        infection = Infection(house, supply)
        infection.learn(standing._rows)
        self.built = laid_down(standing, house, infection)
        self.used = list(infection.instead.values())

    def people(self) -> list[Any]:
        one = self.built
        if isinstance(one, Saga):
            return [one.erin, one.amy]
        return [one.ana, one.ben]

    def paths(self) -> list[str]:
        """Return every page of the table, those that are not this game's too."""
        knave = self.built.ash.pk if isinstance(self.built, Company) else 1
        oracle = "own-1"
        if isinstance(self.built, Saga):
            ((key,),) = self.house.rows("SELECT max(id) FROM campaigns_ownoracle")
            oracle = f"own-{key}"
        code = self.people()[0].code
        given = {"<slug:code>": code, "<int:character>": str(knave), "<int:number>": "1",
                 "<slug:oracle>": oracle, "<int:seat>": "2", "<int:game>": "1"}  # fmt: skip
        found = []
        for name, path, _names in every_route():
            if ":" in name or name in NO_PAGES or not (IS_FULL or name in QUICK):
                continue
            for mark, value in given.items():
                path = path.replace(mark, value)  # noqa: PLW2901
            found.append("/" + path)
        return found


async def looked_at(browser: Browser, place: Place) -> tuple[int, list[str], str]:
    """Open every page as two people; return how many, what was run, and all that was shown."""
    pages, wrong, shown = 0, [], []
    for person in place.people() if IS_FULL else place.people()[:1]:
        context = await phone_of(browser, place.house, sid_of(person), service_workers="block")
        page = await context.new_page()
        watched = Watched(page)
        for path in place.paths():
            answer = await page.goto(f"http://127.0.0.1:{place.house.port}{path}")
            assert answer
            assert answer.status < 500, f"{path}: {place.house.log.read_text()[-3000:]}"
            pages += answer.status == 200
            shown.append(await page.content())
            wrong += [f"{path}: {trouble}" for trouble in await watched.troubles()]
        wrong += await pushed(page, place)
        wrong += await watched.troubles()
        await context.close()
    return pages, wrong, "".join(shown)


async def pushed(page: Page, place: Place) -> list[str]:
    """Let a push bring one more, in the middle of an open page."""
    await page.goto(f"http://127.0.0.1:{place.house.port}/t/{place.people()[0].code}/")
    await page.wait_for_selector('html[data-line="on"] main[data-page]')
    status = await page.evaluate(ADDS_A_LINE, WRITTEN)
    if status == 404:  # only one of the two is anybody here
        return []
    assert status == 204
    await page.wait_for_function(
        "(text) => document.getElementById('content-lines').textContent.includes(text)", arg=WRITTEN
    )
    return await Watched(page).troubles()


@pytest.fixture
def standings(gathered: Any, assembled: Any, places: Any) -> list[Standing[Any]]:
    return [gathered, assembled, places("turn")]


async def test_a_name_that_is_a_script_is_a_name(mother: Zygote, standings: list[Standing[Any]]):
    used, looked = set[str](), 0
    # One supply for all: a table of three people takes four payloads, a campaign thirty. With every
    # change what is left when each game has had its own is that campaign's as well.
    every = payloads(PAYLOADS)
    supply = itertools.cycle(every)
    again = itertools.cycle(standings if IS_FULL else standings[-1:])
    async with chromium() as browser:
        for at, rows in enumerate(itertools.chain(standings, again)):
            if at >= len(standings) and used >= set(every):
                break
            with house_of(mother) as house:
                place = Place(house, rows, supply)
                await house.opens()
                pages, wrong, shown = await looked_at(browser, place)
            assert wrong == []
            assert f"{RUNS}&gt;" in shown or f"{RUNS}&lt;" in shown
            used |= set(place.used)
            looked += pages
    measured("S7", "payloads", len(used))
    measured("S7", "pages", looked)


class Careless(Watched):
    """A page of ours into which a name was written as it is."""

    async def opens(self, house: House, is_free: bool) -> list[str]:
        async def answer(route: Any) -> None:
            ours = await route.fetch()
            body = (await ours.text()).replace(
                "</main>", f"{WRITTEN}<script>{RUNS}</script></main>"
            )
            headers = {k: v for k, v in ours.headers.items() if k != "content-encoding"}
            if is_free:
                headers.pop("content-security-policy")
            await route.fulfill(status=200, headers=headers, body=body)

        await self.page.route("**/offline/", answer)
        await self.page.goto(f"http://127.0.0.1:{house.port}/offline/")
        await self.page.wait_for_timeout(200)
        return await self.troubles()


async def test_a_script_that_runs_would_be_seen_and_the_policy_stops_it(mother: Zygote):
    """The control: without escaping the policy reports it; without the policy it runs."""
    with house_of(mother) as house:
        await house.opens()
        async with chromium() as browser:
            context = await phone_of(browser, house, "nobody", service_workers="block")
            stopped = await Careless(await context.new_page()).opens(house, is_free=False)
            assert any(one.startswith("CSP: script-src") for one in stopped)
            assert "executed" not in stopped
            assert "executed" in await Careless(await context.new_page()).opens(house, is_free=True)


def test_the_payloads_are_many_and_different():
    assert len(set(payloads(500))) == 500


def test_htmx_runs_nothing_that_a_page_says(party: Party):
    """Beside the policy: what came in as an attribute would be no script, and no other site's."""
    (told,) = re.findall(r"name=\"htmx-config\" content='([^']+)'", party.ana.sees())
    rules = json.loads(told)
    assert (rules["allowEval"], rules["allowScriptTags"]) == (False, False)
    assert (rules["selfRequestsOnly"], rules["historyCacheSize"]) == (True, 0)
