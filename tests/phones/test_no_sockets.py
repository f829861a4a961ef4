"""R5: where no socket comes through, what others do is asked for by request, and shown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Request, expect

from tests.phones.arriving import posts
from tests.phones.knave import wait_until
from tests.phones.lost_lines import FASTER, hurries, looks_every
from tests.phones.people import NO_NETWORK, REFUSED, Company, Person
from tests.phones.wire import Wire

# A line counts as lost after eight seconds; then news are asked for every few. In a page that
# hurries that is sooner.
SOME_SECONDS = 20_000
A_WHILE = 4000


@pytest.fixture
def away(company: Company, wire: Wire) -> Callable[..., list[str]]:
    """Let somebody's page come by a line without sockets.

    Returns what their page asks for, a list that grows. It is marked, so that one that was loaded
    anew is told from it.
    """

    def comes(who: Person, how: str = "refused", path: str = "") -> list[str]:
        who.expects_trouble(NO_NETWORK)
        wire.lets_no_socket_through(how)
        asked: list[str] = []

        def notes(one: Request) -> None:
            asked.append(one.url)

        who.page.on("request", notes)
        who.goes(path) if path else who.page.reload()
        who.page.evaluate("document.querySelector('main').dataset.old = ''")
        return asked

    return comes


def with_ben(company: Company, wire: Wire) -> tuple[Person, Person]:
    """Seat Ana and Ben; only Ben looks, and his next page hurries."""
    ana = company.ana()
    ben = company.joined("Ben", address=wire.address)
    hurries(ben)
    company.only(ben)
    company.look()
    return ana, ben


def news(asked: list[str]) -> int:
    return sum("/news/" in one for one in asked)


@pytest.mark.parametrize("how", ["refused", "silent"])
def test_what_others_do_is_shown_and_nothing_half_done_is_lost(
    company: Company, wire: Wire, away: Callable[..., list[str]], how: str
) -> None:
    """It came with one's own next tap, and not before."""
    ana, ben = with_ben(company, wire)
    away(ben, how)
    ben.page.fill("#guild-name", "Half a na")
    posts(ana, "pick_number", number=13)
    expect(ben.sees("#number-13 .taken")).to_have_text("Ana", timeout=SOME_SECONDS)
    expect(ben.sees("#guild-name")).to_have_value("Half a na")
    expect(ben.sees("#guild-name")).to_be_focused()
    expect(ben.sees("#log-list")).to_contain_text("13")
    ben.presses("#number-7")  # it is known by now that there is no line: this comes at once
    expect(ben.sees("#number-7")).to_have_attribute("aria-pressed", "true", timeout=3000)
    posts(ana, "pick_number", number=12)
    expect(ben.sees("#number-12 .taken")).to_have_text("Ana", timeout=8000)
    expect(ben.sees("main")).to_have_attribute("data-old", "")


def test_without_asking_a_page_stands_still(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    """The control."""
    ana, ben = with_ben(company, wire)
    ben.page.route("**/news/**", lambda route: route.abort())
    asked = away(ben)
    posts(ana, "pick_number", number=13)
    wait_until(ben, lambda: news(asked) > 1, seconds=20)
    expect(ben.sees("#number-13 .taken")).to_have_count(0)


def test_it_is_asked_seldom_and_neither_unseen_nor_beside_a_socket(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    _ana, ben = with_ben(company, wire)
    looks_every(ben, 500)
    asked = away(ben)
    wait_until(ben, lambda: news(asked) > 0, seconds=20)
    before = news(asked)
    ben.page.wait_for_timeout(A_WHILE / FASTER)
    assert news(asked) - before <= A_WHILE / 2000
    # Nor is the house, which answers, taken for silent.
    expect(ben.sees("html")).not_to_have_attribute("data-away", "")
    ben.page.evaluate(
        "Object.defineProperty(document, 'visibilityState', {value: 'hidden', writable: true})"
    )
    before = news(asked)
    ben.page.wait_for_timeout(A_WHILE / FASTER)
    assert news(asked) - before <= 1  # what was under way
    wire.mend()
    ben.page.evaluate("document.visibilityState = 'visible'")
    ben.is_live()
    before = news(asked)
    ben.page.wait_for_timeout(A_WHILE / FASTER)
    assert news(asked) == before


def test_it_comes_to_the_hosts_panel_and_the_tablet(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    ana = company.ana(address=wire.address)
    ben = company.joined("Ben")
    tess = company.tess(address=wire.address)
    company.only(ana, tess)
    company.look()
    for who, path in ((ana, f"/t/{company.code}/gm/"), (tess, "")):
        hurries(who)
        away(who, path=path)
    posts(ben, "name_guild", name="The Ferret")
    for who, place in ((ana, "#gm-seats"), (tess, "#table-ring")):
        expect(who.sees(place)).to_contain_text("Ferret", timeout=SOME_SECONDS)
        expect(who.sees("main")).to_have_attribute("data-old", "")


def test_a_pause_comes_to_a_page_beside_the_table(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    """What somebody stops is stopped for all."""
    ana, ben = with_ben(company, wire)
    away(ben, path=f"/t/{company.code}/records/")
    posts(ana, "pause")
    expect(ben.sees("#pause-screen")).to_be_visible(timeout=SOME_SECONDS)


def test_a_stop_goes_with_what_a_page_asks_for_anyway(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    """G6: by a request like all others, before and after, so that no line tells who asked."""
    _ana, ben = with_ben(company, wire)
    beats: list[str] = []
    ben.page.on(
        "request", lambda one: beats.append(one.headers["beat"]) if "/news/" in one.url else None
    )
    asked = away(ben)
    wait_until(ben, lambda: news(asked) > 0, seconds=20)
    ben.presses("#stop-open")
    ben.presses("#stop-now")
    expect(ben.sees("#pause-screen h2")).to_have_text("We pause.", timeout=SOME_SECONDS)
    assert len(beats) > 1
    assert all(re.fullmatch("[0-9a-f]{32}", beat) for beat in beats), beats


def test_who_is_removed_is_led_to_the_door(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    ana, ben = with_ben(company, wire)
    ben.expects_trouble(REFUSED)
    away(ben)
    posts(ana, "remove", who=2)
    ben.page.wait_for_url("**/join/?gone=2", timeout=SOME_SECONDS)


# What is waited for half a minute is given up sooner, so that the test need not wait.
SOON_GIVEN_UP = """
const after = setTimeout;
setTimeout = (act, rest, ...more) => after(act, rest === 30_000 ? 2000 : rest, ...more);
"""


def test_a_silence_is_not_taken_for_a_house_that_takes_its_time(
    company: Company, wire: Wire, away: Callable[..., list[str]]
) -> None:
    """R5: after half a minute in a dead spot nothing was asked for five minutes."""
    _ana, ben = with_ben(company, wire)
    ben.context.add_init_script(SOON_GIVEN_UP)
    ben.page.route("**/news/**", lambda _route: None)  # no answer ever comes
    asked = away(ben)
    wait_until(ben, lambda: news(asked) > 0, seconds=20)
    wait_until(ben, lambda: news(asked) > 1, seconds=10)
