"""The stop and the content lines, on real phones: one asks, all pause alike, nobody is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.looks import only_last
from tests.phones.devices import NARROW
from tests.phones.knave import has_a_knave, referee, wait_until
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import Company, Person
from tests.phones.wicked import referee as wicked_gm
from tests.phones.wire import Wire

LONGEST_WAIT = 9000
# What lies beneath the button, topmost first, wherever the page, or what moves in it, is scrolled.
BENEATH_THE_STOP = """() => {
  const inner = document.querySelector('.gm-scroll, .wgm-scroll');
  const isInner = inner && getComputedStyle(inner).overflowY === 'auto';
  const scrolls = isInner ? inner : document.documentElement;
  const { left, right, top, bottom } = document.getElementById('stop-open').getBoundingClientRect();
  const found = new Set();
  for (let y = 0; y === 0 || y < scrolls.scrollHeight - scrolls.clientHeight; y += 23) {
    scrolls.scrollTo(0, y);
    for (const at of [[left + 2, top + 2], [right - 2, bottom - 2], [left + 2, bottom - 2]]) {
      const all = document.elementsFromPoint(...at).filter((one) => !one.closest('#safety'));
      if (all[0].closest('.card')) found.add(all[0].outerHTML.slice(0, 60));
    }
  }
  return [...found];
}"""


@pytest.fixture(params=only_last("brave_or_knave", "knave"))
def at_table(request: pytest.FixtureRequest, company: Company) -> list[Person]:
    """Ana who hosts, Ben, and Tess, whose pages nobody has looked at yet."""
    if request.param == "knave":
        ana = referee(company)
        ben = company.joined("Ben")
        has_a_knave(ben)
    else:
        ana, ben = company.ana(), company.joined("Ben")
    return [ana, ben, company.tess()]


def beats_of(person: Person) -> list[str]:
    """Keep what this phone will say from the first, as it goes over the wire."""
    said: list[str] = []

    def hear(frame: str | bytes) -> None:
        if "beat" in json.loads(frame):
            said.append(str(frame))

    person.window.page().on("websocket", lambda line: line.on("framesent", hear))
    return said


def test_one_stops_and_every_screen_pauses_alike(company: Company, at_table: list[Person]) -> None:
    """G6: two taps, no request, no name; the host goes on."""
    ana, ben, _tess = at_table
    said = {person.name: beats_of(person) for person in (ana, ben)}
    ben.presses("#stop-open")
    ben.reads("Nobody is told who.", where="#stop-sheet")
    ben.keeps_answers()
    ben.presses("#stop-now")
    expect(ben.sees("#stop-sheet")).to_be_hidden()
    assert ben.answers == []
    shown = {}
    for person in at_table:
        expect(person.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)
        words = person.sees("#pause-screen").inner_text()
        assert "Ben" not in words
        shown[person.name] = words
    assert shown["Ben"] == shown["Tess"]
    assert company.events("paused") == [{}]
    wait_until(ben, lambda: all(len(beats) > 1 for beats in said.values()))
    for beats in said.values():
        assert {len(beat) for beat in beats} == {len('{"beat":""}') + 32}
    ben.presses("#pause-fold")  # to look at the table meanwhile
    expect(ben.sees("#tab-log")).to_be_visible()
    ana.presses("#pause-resume")
    for person in at_table:
        expect(person.sees("#pause-screen")).to_have_count(0)


def test_the_hosts_own_pause_looks_the_same(company: Company) -> None:
    ana = referee(company)
    ben = company.joined("Ben")
    ana.presses("#pause")
    expect(ben.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)
    first = ben.sees("#pause-screen").inner_text()
    ana.presses("#pause-resume")
    expect(ben.sees("#pause-screen")).to_have_count(0)
    ana.presses("#stop-open")
    ana.presses("#stop-now")
    expect(ben.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)
    assert ben.sees("#pause-screen").inner_text() == first


def test_what_is_typed_for_the_list_survives_a_push_and_a_refusal(
    company: Company, at_table: list[Person]
) -> None:
    """G7, R4: the list is pushed, the form is not."""
    ana, ben, tess = at_table
    ben.presses("#stop-open")
    ben.page.fill("#line-text", "Spiders, as big as")
    ana.presses("#stop-open")
    ana.page.fill("#line-text", "Drowning")
    ana.presses("#add-veil")
    expect(ben.sees("#content-lines")).to_contain_text("Drowning")
    expect(ben.sees("#line-text")).to_have_value("Spiders, as big as")
    ben.presses("#add-line")
    expect(ana.sees("#content-lines")).to_contain_text("Spiders, as big as")
    expect(ben.sees("#line-text")).to_have_value("")
    ana.presses("#content-lines button >> nth=0")
    expect(ben.sees("#content-lines")).not_to_contain_text("Spiders")
    ben.catches_up()
    tess.catches_up()
    assert "Drowning" not in tess.sees("main").inner_text()


def test_the_stop_goes_out_when_the_line_is_back(company: Company) -> None:
    ana, ben = company.ana(), company.joined("Ben")
    ben.page.evaluate("document.documentElement.dataset.line = 'off'")
    ben.page.evaluate(
        "WebSocket.prototype.send = ((send) => function (data) {"
        " if (!window.isCut) send.call(this, data); })(WebSocket.prototype.send);"
        " window.isCut = true"
    )
    ben.presses("#stop-open")
    ben.presses("#stop-now")
    ben.page.wait_for_timeout(2500)
    expect(ana.sees("#pause-screen")).to_have_count(0)
    ben.page.reload()  # the wish outlives the page
    ben.is_live()
    expect(ana.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)


def test_a_stop_outlives_the_storage_it_waits_in(company: Company, wire: Wire) -> None:
    """Whoever empties the browser without a line still wants play to stop."""
    ana, ben = company.ana(), company.joined("Ben", address=wire.address)
    goes_off(ben, wire)
    ben.presses("#stop-open")
    ben.presses("#stop-now")
    ben.page.evaluate("sessionStorage.clear()")
    comes_back(ben, wire)
    expect(ana.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)


@pytest.mark.looks
def test_nothing_runs_under_the_stop_on_a_page_that_scrolls(company: Company) -> None:
    """It has a strip of its own there: a finger meant for the page must not land on it."""
    ana = company.ana(viewport=NARROW)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    assert ana.page.evaluate("document.documentElement.scrollHeight > 2 * innerHeight")
    assert ana.page.evaluate(BENEATH_THE_STOP) == []
    erin = wicked_gm(company)
    erin.page.set_viewport_size({"width": 1180, "height": 480})
    assert erin.page.evaluate(BENEATH_THE_STOP) == []


@pytest.mark.parametrize("width", only_last(390, 320))
def test_every_hosts_page_has_the_stop_one_tap_away_on_a_phone(
    company: Company, width: int
) -> None:
    """G6: in all three games, wherever the page is scrolled to, and nothing runs under it."""
    narrow: Any = {"viewport": {"width": width, "height": 844}}
    erin = wicked_gm(company)
    erin.page.set_viewport_size(narrow["viewport"])
    writing = company.ana(**narrow)
    writing.goes(f"/t/{company.code}/gm/house-rule/")
    for host in (referee(company, **narrow), erin, writing):
        assert host.page.evaluate(BENEATH_THE_STOP) == []
        expect(host.sees("#stop-open")).to_be_in_viewport(ratio=1)
        host.presses("#stop-open")
        expect(host.sees("#stop-now")).to_be_in_viewport(ratio=1)
        host.presses("#stop-close")


def test_who_is_on_a_page_beside_the_table_can_stop_as_well(company: Company) -> None:
    """G6: one tap from anywhere; the graveyard tells how people died, the records what they did,
    a campaign's what their characters wanted, and rules are looked up in the middle of it all.
    In the shop people act, and the pause comes there too."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    ben.goes(ben.page.evaluate("document.querySelector('a[href*=shop]').getAttribute('href')"))
    ben.presses("#stop-open")
    ben.presses("#stop-now")
    for person in (ana, ben):
        expect(person.sees("#pause-screen h2")).to_have_text("We pause.", timeout=LONGEST_WAIT)
    ana.presses("#pause-resume")
    expect(ana.sees("#pause-screen")).to_have_count(0)
    for page in ("graveyard/", "records/", "campaign/", f"../../rules/knave/?table={company.code}"):
        ben.goes(f"/t/{company.code}/{page}")
        ben.page.wait_for_selector('html[data-line="on"]')
        expect(ben.sees("#stop-open")).to_be_in_viewport(ratio=1)
        ben.presses("#stop-open")
        expect(ben.sees("#stop-now")).to_be_visible()
        ben.presses("#stop-close")
    ben.presses("#stop-open")
    ben.presses("#stop-now")
    expect(ana.sees("#pause-screen")).to_be_visible(timeout=LONGEST_WAIT)
