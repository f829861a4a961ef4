"""Phones lose the network, are closed, are handed on: nothing is lost, nothing happens twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.phones.arriving import ben_alone, posts
from tests.phones.lost_lines import FASTER, KEPT, comes_back, goes_off, hurries
from tests.phones.people import NO_NETWORK, REFUSED, Company, Person
from tests.phones.wire import Wire


def test_a_shared_screen_without_a_line_says_so(company: Company, wire: Wire) -> None:
    """L4: it was told in the closed menu alone, and the table read what stood there before."""
    company.ana()
    company.only()
    tess = company.tess(address=wire.address)
    expect(tess.sees(".screen-line")).to_be_hidden()
    goes_off(tess, wire)
    expect(tess.sees(".screen-line .line-off")).to_be_visible()
    comes_back(tess, wire)
    tess.is_live()
    expect(tess.sees(".screen-line")).to_be_hidden()


def test_a_socket_that_is_never_answered_is_asked_for_anew(company: Company, wire: Wire) -> None:
    """R4: a line that went while the socket opened was waited for as long as the browser does."""
    ben = ben_alone(company, address=wire.address)
    hurries(ben)
    ben.page.reload()
    ben.catches_up()
    ben.expects_trouble(NO_NETWORK)
    wire.mute()
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.page.wait_for_timeout(3000 / FASTER)  # the longest rest between two tries is over
    wire.mend()
    expect(ben.sees("html")).to_have_attribute("data-line", "on", timeout=12_000)


REFUSES = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {get() { throw new DOMException("", "SecurityError"); }});
"""
IS_FULL = """
Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
"""


@pytest.mark.parametrize("storage", [REFUSES, IS_FULL])
def test_a_browser_that_keeps_nothing_plays_and_loses_no_tap(
    company: Company, wire: Wire, storage: str
) -> None:
    """R4: a private window, no room. There the page had no line, and no button did a thing."""
    company.ana()
    company.only()
    ben = company.joined("Ben", address=wire.address)
    ben.context.add_init_script(storage)
    ben.page.reload()
    ben.catches_up()
    ben.picks(13)
    goes_off(ben, wire)
    ben.presses("#number-7")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    comes_back(ben, wire)
    expect(ben.sees("html")).not_to_have_attribute("data-unsent", "", timeout=10_000)
    assert [e["number"] for e in company.events("number_picked")] == [13, 7]


def test_a_phone_that_was_away_sees_the_present_and_its_tap_counts_once(
    company: Company, wire: Wire
) -> None:
    """R4: back within three seconds; what was tapped without a network is kept and done once."""
    ana = company.ana()
    ben = company.joined("Ben", address=wire.address)
    company.begins({ana: 7, ben: 13})
    ana.rolls(5)
    ben.shouts("brave")

    goes_off(ben, wire)
    company.house.dice_fall(12)
    ben.presses("#roll")  # into the void
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    ben.reads("sending")
    ben.reads("No network. Your tap is kept")
    expect(ben.sees("#roll")).to_have_attribute("aria-busy", "true")
    ben.presses("#roll")  # whoever doubts it presses again
    assert ben.page.evaluate(KEPT) == 1
    assert [e["face"] for e in company.events("Rolled")] == [5]
    ana.presses("#tab-table")
    ana.reads("away", where="#people")
    ana.presses("#tab-game")

    back = comes_back(ben, wire)
    expect(ben.sees("#stage .die-face")).to_have_text("12", timeout=3000)
    assert time.monotonic() - back < 3
    ana.reads("Shout! Who beats 12?")
    expect(ben.sees("html")).not_to_have_attribute("data-unsent", "")
    assert [e["face"] for e in company.events("Rolled")] == [5, 12]


def test_a_phone_that_slept_through_a_challenge_shows_the_present(
    company: Company, wire: Wire
) -> None:
    """R4: no shout, no die and no finger of the time away is missing, and what is typed stays."""
    ana, ben = company.ana(), company.joined("Ben")
    cleo = company.joined("Cleo", address=wire.address)
    company.begins({ana: 7, ben: 13, cleo: 17})
    goes_off(cleo, wire)
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(3)

    back = comes_back(cleo, wire)
    expect(cleo.sees("#stage")).to_contain_text("Ben opens with a roll", timeout=3000)
    assert time.monotonic() - back < 3
    cleo.presses("#tab-log")
    for sentence in (
        "Ana opens with 5.",
        "Ben shouts BRAVE.",
        "Ben rolls 3.",
        "Ben loses a finger.",
    ):
        expect(cleo.sees("#log-list li", has_text=sentence)).to_have_count(1)


def loses_a_request(ana: Person, lost: list[str]) -> None:
    """Let the house do the next tap that is posted, and let nobody hear of it."""

    def lose_the_answer(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    ana.page.route("**/act/", lose_the_answer)
    ana.posts_taps()


def loses_a_line(ana: Person, lost: list[str]) -> None:
    """Let the socket break when the house answers the next tap by it."""

    def lose_the_answer(line: WebSocketRoute) -> None:
        house = line.connect_to_server()

        def hear(message: str | bytes) -> None:
            if not lost and str(message).startswith('{"did":'):
                lost.append(str(message))
                line.close()
            else:
                line.send(message)

        house.on_message(hear)

    ana.page.route_web_socket("**/ws/**", lose_the_answer)
    ana.page.reload()
    ana.is_live()


def tells_another_epoch_later(ben: Person) -> list[WebSocketRoute]:
    """Let the second line of a page come to a house of another epoch, by a push alone."""
    lines: list[WebSocketRoute] = []

    def connects(line: WebSocketRoute) -> None:
        house = line.connect_to_server()
        lines.append(line)
        is_second = len(lines) == 2

        def hear(message: str | bytes) -> None:
            text = str(message)
            new = "" if text.startswith('{"pong"') else "another"
            line.send(re.sub(r'"epoch":"[^"]+"', f'"epoch":"{new}"', text) if is_second else text)

        house.on_message(hear)

    ben.page.route_web_socket("**/ws/**", connects)
    return lines


def test_a_backup_that_was_put_back_is_another_past(company: Company) -> None:
    """R11: a page from before is loaded anew, whichever comes first of the house: pong or push.

    By a push alone it went on, its log with lines of what never was and without new ones.
    """
    ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ben)
    lines = tells_another_epoch_later(ben)
    ben.page.reload()
    ben.catches_up()
    ben.page.evaluate("document.getElementById('log-list').lastElementChild.textContent = 'never'")
    lines[0].close()
    expect(ben.sees("#log-list")).not_to_contain_text("never")
    company.house.dice_fall(5)
    posts(ana, "roll")
    ben.catches_up()
    expect(ben.sees("#log-list li", has_text="Ana opens with 5.")).to_have_count(1)


def test_a_page_beside_the_table_is_loaded_anew_for_another_release(company: Company) -> None:
    """R4: its forms are of the house that it came from; what is typed in them is there again."""
    ben = ben_alone(company)
    lines = tells_another_epoch_later(ben)
    ben.goes(f"/t/{company.code}/records/")
    expect(ben.sees("html")).to_have_attribute("data-line", "on")
    ben.page.evaluate("document.querySelector('main').dataset.old = ''")
    lines[0].close()
    expect(ben.sees("main")).not_to_have_attribute("data-old", "")
    expect(ben.sees("html")).to_have_attribute("data-line", "on")
    assert len(lines) == 3


def test_a_page_that_newer_ones_have_put_to_rest_says_so_and_goes_on_when_tapped(
    company: Company,
) -> None:
    """S1: a seat has four sockets. The fifth window's page said "offline", for good."""
    ben = ben_alone(company)
    lines: list[WebSocketRoute] = []

    def connects(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    ben.page.route_web_socket("**/ws/**", connects)
    ben.page.reload()
    ben.is_live()
    lines[0].close(code=4408)
    expect(ben.sees(".rests")).to_be_visible()
    expect(ben.sees(".line-off")).to_be_hidden()
    ben.page.wait_for_timeout(700)  # when a broken line would have come back
    assert len(lines) == 1
    ben.page.mouse.click(5, 300)
    ben.is_live()
    expect(ben.sees(".rests")).to_be_hidden()


@pytest.mark.parametrize("loses", [loses_a_request, loses_a_line])
def test_an_answer_that_is_lost_does_not_make_a_second_roll(
    company: Company, loses: Callable[[Person, list[str]], None]
) -> None:
    """R1: the same tap sent again happens once."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ana.expects_trouble(NO_NETWORK)
    lost: list[str] = []
    loses(ana, lost)
    company.house.dice_fall(12, 9)
    ana.presses("#roll")
    ben.reads("Shout! Who beats 12?")
    expect(ana.sees("html")).not_to_have_attribute("data-unsent", "")
    ana.page.wait_for_function("() => sessionStorage.getItem('taproom-outbox') === '[]'")
    assert lost
    assert [e["face"] for e in company.events("Rolled")] == [12]


def test_a_tap_whose_button_was_redrawn_meanwhile_is_kept_too(company: Company, wire: Wire) -> None:
    """R1: a push may replace the pressed button while its request is still under way."""
    ana = company.ana()
    ben = company.joined("Ben", address=wire.address)
    company.only(ben)
    ben.expects_trouble(NO_NETWORK)
    ben.holds_back(3000)
    ben.presses("#number-13")
    posts(ana, "pick_number", number=7)
    ben.reads("Ana", where="#number-7")
    ben.context.set_offline(True)
    wire.cut()
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    comes_back(ben, wire)
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true")
    assert [e["number"] for e in company.events("number_picked")] == [7, 13]


def test_a_closed_page_opens_on_the_same_seat(company: Company) -> None:
    """A phone that was closed, or whose battery died, sits where it sat."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ana.rolls(5)
    ben.page.close()
    ana.presses("#tab-table")
    ana.reads("away", where="#people")
    ben.opens_page()
    ben.goes("/")
    ben.presses(f'a[href="/t/{company.code}/"]')
    ben.is_live()
    ben.reads("Ben", where="#top")
    ben.reads("Number 13", where="#top")
    ben.shouts("brave")
    ana.presses("#tab-game")
    ana.reads("Ben must roll higher than 5")


def test_a_seat_moves_to_another_phone_by_a_code_that_works_once(company: Company) -> None:
    """The seat goes with everything on it, and the old phone is out."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ben.presses("#tab-table")
    ben.taps("#offer-pass")
    offered = ben.sees(".pass-offer .address").inner_text()
    path = "/seat/" + offered.split("/seat/")[1]

    new = company.person("Ben")
    new.goes(path)
    new.reads("Play on as Ben")
    new.presses("#take-over")
    new.code = company.code
    new.is_live()
    new.reads("Number 13", where="#top")
    ben.page.wait_for_url("**/join/?gone=2")
    ben.code = ""
    ana.rolls(5)
    new.shouts("brave")
    ana.reads("Ben must roll higher than 5")

    thief = company.person("Cleo")
    thief.expects_trouble(REFUSED)
    thief.goes(path)
    expect(thief.sees("#take-over")).to_have_count(0)


def test_a_phone_whose_seat_moved_while_it_slept_is_told_so(company: Company, wire: Wire) -> None:
    """It wakes, and does not wait for ever at a table where it holds no seat any more.

    What was half typed can be copied there, and on no other page.
    """
    ana = company.ana()
    ben = company.joined("Ben", address=wire.address)
    ben.page.fill("#guild-name", "Moth of the")
    goes_off(ben, wire)
    ben.expects_trouble(REFUSED)
    ben.page.evaluate("document.getElementById('number-13').click()")  # the name stays half typed
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.presses("#seat-more-2 > summary")
    ana.taps("#pass-2")
    path = "/seat/" + ana.sees(".pass-offer .address").inner_text().split("/seat/")[1]
    new = company.person("Ben")
    new.goes(path)
    new.presses("#take-over")
    new.code = company.code
    new.is_live()
    ben.code = ""
    comes_back(ben, wire)
    ben.page.wait_for_url("**/join/?gone=2")
    assert ben.page.evaluate("sessionStorage.getItem('taproom-outbox')") == "[]"
    for _look in range(2):  # once more after a thumb has pulled it down
        expect(ben.page.get_by_label("Your guild name")).to_have_value("Moth of the")
        ben.page.reload()
    for path in ("/", f"/t/{company.code}/join/?gone=2"):
        ben.goes(path)
    expect(ben.sees("#left-words")).to_be_hidden()


def test_an_answer_from_before_sitting_down_takes_no_seat_away(company: Company) -> None:
    """R4: what was still under way with the old cookie must not take the new one (and the seat)."""
    company.ana()
    company.only()
    ben = company.person("Ben")
    key = company.house.one("select key from games_table where code = ?", company.code)
    ben.goes(f"/j/{key}/")
    before: list[Any] = list(ben.context.cookies())
    ben.sits_down(company.code)
    late = company.person("Ben")  # the same phone, a moment ago
    late.context.add_cookies(before)
    late.goes("/offline/")
    assert [c["value"] for c in late.context.cookies() if c["name"] == "sid"] == [
        c["value"] for c in before if c["name"] == "sid"
    ]


def test_a_tap_is_kept_at_once_where_the_socket_only_looks_open(company: Company) -> None:
    """R1: a browser knows that it is offline before its socket breaks: the tap need not wait."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ana.rolls(5)
    ben.shouts("brave")
    ben.expects_trouble(NO_NETWORK)
    ben.context.set_offline(True)
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    company.house.dice_fall(12)
    ben.presses("#roll")
    expect(ben.sees("#unsent")).to_be_visible(timeout=3000)
    ben.context.set_offline(False)
    ana.reads("Shout! Who beats 12?")
    assert [e["face"] for e in company.events("Rolled")] == [5, 12]
