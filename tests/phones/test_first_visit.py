"""What a phone has to load, counted on the wire, and what plain http can't do."""

from __future__ import annotations

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.looks import only_last
from tests.phones import arriving
from tests.phones.devices import NARROW, SMALL
from tests.phones.house import House
from tests.phones.lan import plain_http
from tests.phones.people import TABLET, Company, Person
from tests.phones.wire import Wire

FIRST, NEXT = 120_000, 15_000
PLAYS = "() => document.querySelector('video.still')?.paused === false"
IN_SAFARI = "Object.defineProperty(navigator, 'vendor', {value: 'Apple Computer, Inc.'})"
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


def test_a_first_visit_is_small_and_the_next_is_tiny(company: Company) -> None:
    """Under 120 KB from the QR code to the seat; under 15 KB for coming back.

    The first page brings its sheets along, so that it is shown as soon as it is there.
    """
    wire = Wire(company.house.port)
    company.on_leaving(wire.close)
    company.ana()
    company.only()
    ben = company.person("Ben", address=wire.address, service_workers="allow")
    ben.scans(company.code)
    ben.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ben.page.wait_for_load_state("networkidle")
    assert ben.sees("style[data-file]").count() == 2  # the others came with the door's page
    expect(ben.sees("main")).to_have_css("display", "grid")
    first, again = wire.down, FIRST
    for _visit in range(2):  # on a busy machine a socket may come twice, with all it brings
        wire.down = 0
        ben.goes(f"/t/{company.code}/")
        ben.is_live()
        ben.page.wait_for_load_state("networkidle")
        again = min(again, wire.down)
        assert ben.sees("style[data-file]").count() == 0
        expect(ben.sees("main")).to_have_css("display", "grid")
    print(f"first visit {first} bytes, second {again} bytes")
    assert first < FIRST, f"{first} bytes"
    assert again < NEXT, f"{again} bytes"


REFUSES = "ServiceWorkerContainer.prototype.register = () => Promise.reject(Error('refused'))"


def test_a_browser_that_will_have_no_worker_plays_without_one(company: Company) -> None:
    """A private window may refuse it; no fault of the page: its console is silent."""
    ana = company.person("Ana")
    ana.context.add_init_script(REFUSES)
    ana.goes("/")
    assert ana.page.evaluate("navigator.serviceWorker.register('/sw.js').catch((e) => e.message)")
    assert ana.unexpected() == []


STYLE = re.compile(r'<style nonce="([^"]+)" data-file="/static/[^"]+" data-mark="(\w+)">')
LINK = re.compile(r'(?<!<noscript>)<link rel="stylesheet"')


def asked_for(house: House, cookie: str) -> tuple[str, str]:
    """Return the front page and its policy, as a browser with this cookie is served them."""
    request = urllib.request.Request(house.address + "/", headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode(), answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("cookie", ["", "styles=", "styles=0000abcd.x", "styles=%00;styles=-"])
def test_whoever_has_not_the_sheets_is_sent_them_in_the_page(house: House, cookie: str) -> None:
    """Under a number of this page's own: what somebody else slips in as a style is none."""
    page, policy = asked_for(house, cookie)
    numbers = {number for number, _mark in STYLE.findall(page)}
    assert len(STYLE.findall(page)) > 2
    assert not LINK.search(page)
    (number,) = numbers
    assert f"style-src 'self' 'nonce-{number}';" in policy + ";"
    assert number not in asked_for(house, cookie)[0]


def test_whoever_has_the_sheets_is_told_where_they_are(house: House) -> None:
    marks = [mark for _number, mark in STYLE.findall(asked_for(house, "")[0])]
    page, policy = asked_for(house, f"styles={'.'.join(marks)}")
    assert len(LINK.findall(page)) == len(marks)
    assert "<style" not in page
    assert "nonce" not in policy
    page, _policy = asked_for(house, f"styles={marks[0]}")
    assert [mark for _number, mark in STYLE.findall(page)] == marks[1:]


def test_nothing_is_loaded_twice_or_under_a_name_that_is_not_kept(company: Company) -> None:
    """An import means the very file that the page has asked for (`config/hashed_files.py`)."""
    ana = company.ana()
    ana.page.wait_for_load_state("networkidle")  # the sheets are kept once all else has come
    ana.keeps_answers()
    ana.goes(f"/t/{company.code}/")
    ana.is_live()
    ana.page.wait_for_load_state("networkidle")
    files = [one for one in ana.answers if "/static/" in one.url]
    assert [one.url for one in files if one.status not in (200, 304)] == []
    assert [one.url for one in files if not HASHED.search(one.url)] == []
    for kind in (".js", ".css"):
        names = [one.url for one in files if one.url.endswith(kind)]
        assert len(names) > 1
        assert len(names) == len(set(names))


def test_who_has_no_script_finds_everything_of_a_page(company: Company) -> None:
    """The views behind the bar, and what is left out of the games, could not be reached at all."""
    company.ana()
    ben = company.person("Ben", java_script_enabled=False)
    arriving.sits_down(ben, company.code)
    ben.code = ""
    ben.company.only()
    ben.goes(f"/t/{company.code}/")
    for what in ("panel-sheet", "people", "log-list", "line-text", "leave-ask"):
        expect(ben.sees(f"#{what}")).to_be_visible()
    expect(ben.sees("#bar")).to_be_hidden()
    expect(ben.sees(".unscripted")).to_be_visible()
    ben.presses("#offer-pass")
    ben.reads("/seat/")
    ben.presses("#back")
    expect(ben.sees("#panel-table")).to_be_visible()


def been_here(company: Company) -> tuple[Person, Wire]:
    """Return somebody whose phone has kept the page for when there is no way to another."""
    wire = Wire(company.house.port)
    company.on_leaving(wire.close)
    ana = company.person("Ana", address=wire.address, service_workers="allow")
    ana.goes("/")
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ana.page.reload()
    return ana, wire


def test_without_a_network_the_page_says_what_to_do(company: Company) -> None:
    """An installed app that is opened without a network says so in the house's own words."""
    ana, wire = been_here(company)
    wire.cut()
    ana.page.reload()
    ana.reads("No line to the table")
    wire.mend()
    ana.presses("#retry")
    ana.reads("Sit down at a table")


@pytest.mark.parametrize("says", only_last("404 No such tunnel", "502 Bad Gateway"))
def test_a_proxy_whose_house_is_away_does_not_speak_for_it(company: Company, says: str) -> None:
    """The proxy's own page stood there, in its own words, until somebody loaded it anew (R5)."""
    ana, wire = been_here(company)
    ana.expects_trouble(re.compile(re.escape(says)))
    wire.orphan(says)
    ana.page.reload()
    ana.reads("No line to the table")
    wire.mend()
    ana.reads("Sit down at a table")  # nobody presses anything


def test_a_laptop_on_the_lan_plays_over_plain_http(company: Company) -> None:
    """Where the line is not encrypted one hint says so, once, and everything live works."""
    address = plain_http(company)
    ana = company.person("Ana", address=address)
    company.code = ana.opens_table()
    assert ana.page.evaluate("isSecureContext") is False
    hint = ana.sees("#http-hint")
    expect(hint).to_be_visible()
    hint.get_by_role("button").tap()
    expect(hint).to_be_hidden()
    ana.page.reload()
    ana.is_live()
    expect(hint).to_be_hidden()
    ben = company.joined("Ben", address=address)
    ben.sees("#http-hint button").tap()
    for person, number in ((ana, 7), (ben, 13)):
        person.picks(number)
    ana.catches_up()
    ana.begins()
    ana.rolls(5)
    ben.has_a_clock()
    ben.shouts("brave")
    ana.reads("Ben must roll higher than 5")
    # The line was measured over this socket as over any other.
    rows = company.house.rows("select timing from games_play where timing is not null order by id")
    assert json.loads(rows[-1]["timing"])["delay_ms"] is not None


def test_a_screen_stays_awake_over_plain_http(company: Company) -> None:
    """L6: there is no wake lock there, but whoever plays a video is not left in the dark either."""
    address = plain_http(company)
    company.code = company.person("Ana", address=address).opens_table()
    tess = company.person("Tess", address=address, **TABLET)
    tess.is_the_screen(company.code)
    for _visit in range(2):
        tess.page.wait_for_function(PLAYS)
        expect(tess.sees("html")).to_have_attribute("data-awake", "on")
        expect(tess.sees("#http-hint .awake-hint")).to_be_hidden()
        tess.page.reload()


def test_a_screen_that_may_fall_asleep_says_so(company: Company) -> None:
    """L6: Apple's browsers let it sleep beside a silent video, so the one hint tells what to do."""
    ana = company.person("Ana", address=plain_http(company))
    ana.context.add_init_script(IN_SAFARI)
    company.code = ana.opens_table()
    expect(ana.sees("html")).to_have_attribute("data-awake", "off")
    expect(ana.sees("#http-hint .awake-hint")).to_be_visible()
    assert ana.sees("video.still").count() == 0


@pytest.mark.looks
def test_the_hint_pushes_nothing_off_the_screen(company: Company) -> None:
    """A phone's tabs and its main button, and every hand on the tablet, stay in sight beside it."""
    address = plain_http(company)
    ana = company.person("Ana", address=address, viewport=NARROW)
    company.code = ana.opens_table()
    ben = company.joined("Ben", address=address)
    tess = company.person("Tess", address=address, **TABLET)
    tess.is_the_screen(company.code)
    for person in (ana, ben):
        expect(person.sees("#http-hint")).to_be_visible()
        expect(person.sees("#bar")).to_be_in_viewport(ratio=1)
    company.begins({ana: 7, ben: 13})
    expect(tess.sees("#http-hint")).to_be_visible()
    for person, last in ((ana, "#bar"), (ben, "#bar"), (ben, "#shout-knave"), (tess, ".place")):
        for shown in person.sees(last).all():
            expect(shown).to_be_in_viewport(ratio=1)


@pytest.mark.looks
def test_the_hint_waits_while_a_bout_is_played(company: Company) -> None:
    """The look: on a small phone the die was cut by it, and whoever may knock had to scroll."""
    address = plain_http(company)
    ana = company.person("Ana", address=address, viewport=SMALL)
    company.code = ana.opens_table()
    ben = company.joined("Ben", address=address, viewport=SMALL)
    expect(ben.sees("#http-hint")).to_be_visible()
    company.begins({ana: 7, ben: 13})
    ana.rolls(5)
    company.catch_up()
    for person, part in ((ana, "#knock"), (ben, "#shout-brave"), (ben, ".stage .die")):
        expect(person.sees("#http-hint")).to_be_hidden()
        expect(person.sees(part)).to_be_in_viewport(ratio=1)
    arriving.posts(ana, "end_bout")
    expect(ben.sees("#http-hint")).to_be_visible()


@pytest.mark.looks
def test_who_has_no_script_sees_the_number_that_is_shouted_at(company: Company) -> None:
    """BK-7: the two calls stood there alone, with the die and the ring rolled up above them."""
    ana = company.ana()
    ben = company.person("Ben", java_script_enabled=False)
    arriving.sits_down(ben, company.code)
    company.only(ana)
    for person, number in ((ana, 7), (ben, 13)):
        arriving.posts(person, "pick_number", number=number)
    company.house.dice_fall(1, 9)
    arriving.posts(ana, "start_bout")
    arriving.posts(ana, "roll")
    ben.goes(f"/t/{company.code}/")
    expect(ben.sees("#shout-brave")).to_be_visible()
    room, *parts = [ben.sees(part).bounding_box() for part in (".upper", "#stage", "#ring")]
    assert room is not None
    for part in parts:
        assert part is not None
        assert part["y"] + part["height"] <= room["y"] + room["height"] + 1


@pytest.mark.looks
def test_who_has_no_script_finds_nothing_over_what_is_told(company: Company) -> None:
    """There is no bar at the foot of that page: the button to play on lay over a bout's story, with
    lines of it above and below."""
    ana = company.ana()
    ben = company.person("Ben", java_script_enabled=False)
    arriving.sits_down(ben, company.code)
    company.only()
    for person, number in ((ana, 7), (ben, 13)):
        arriving.posts(person, "pick_number", number=number)
    ben.goes(f"/t/{company.code}/")
    lies = "(one) => getComputedStyle(one.closest('.at-foot')).position"
    assert ben.sees("#start").evaluate(lies) == "static"
    company.house.dice_fall(1, 1)
    arriving.posts(ana, "start_bout")
    arriving.posts(ana, "roll")
    ben.goes(f"/t/{company.code}/")
    assert ben.sees("#rematch").evaluate(lies) == "static"
