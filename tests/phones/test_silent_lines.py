"""A network that takes everything and answers nothing, or takes its time, and is then back."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.phones.arriving import ben_alone
from tests.phones.knave import KNAVES, on_own_sheet, wait_until
from tests.phones.lost_lines import KEPT, comes_back, goes_off, hurries, looks_every
from tests.phones.people import NO_NETWORK, Company, Person
from tests.phones.wire import Wire

# As a camera's EXIF has it that was held upright.
ORIENTATION, TURNED_RIGHT = 0x0112, 6


def picture_of_ben(company: Company) -> bytes:
    """Return the portrait that the house keeps of the knave whom Ben plays."""
    last = f"select picture from characters_portrait where character_id = (select c.id{KNAVES})"
    return bytes(company.house.one(last, company.code, "Ben"))


def test_a_kept_tap_that_was_sent_into_silence_is_sent_again_when_the_line_is_back(
    company: Company, wire: Wire
) -> None:
    """R1, R5: its request waited for an answer for as long as a browser does, and all others
    behind it."""
    ben = ben_alone(company, address=wire.address)
    ben.is_live()
    for trouble in (NO_NETWORK, re.compile("htmx:timeout")):
        ben.expects_trouble(trouble)
    ben.page.wait_for_load_state("networkidle")  # no file is under way
    wire.mute()
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.presses("#number-13")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "", timeout=10_000)
    ben.page.wait_for_timeout(1500)  # it has been sent again by now, into the same silence
    wire.mend()
    expect(ben.sees("html")).to_have_attribute("data-line", "on", timeout=12_000)
    ben.page.wait_for_function(f"() => !({KEPT})", timeout=5000)
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_tap_is_sent_again_by_the_line_that_is_back_and_by_none_that_a_router_forgot(
    company: Company, wire: Wire
) -> None:
    """R5: by request it went over a connection that the browser still took for open, and was given
    up after eight seconds."""
    ben = ben_alone(company, address=wire.address)
    ben.catches_up()
    ben.page.wait_for_load_state("networkidle")
    wire.forget()
    ben.presses("#number-13")
    ben.page.evaluate("dispatchEvent(new Event('online'))")  # as a phone that wakes up
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true", timeout=6000)
    assert [e["number"] for e in company.events("number_picked")] == [13]


def chooses_a_photo(ben: Person, tmp_path: Path) -> None:
    photo = tmp_path / "ben.png"
    Image.effect_noise((300, 300), 80).save(photo)
    ben.sees("#portrait-file").set_input_files(photo)


def test_a_photo_takes_as_long_as_its_line(company: Company, wire: Wire, tmp_path: Path) -> None:
    """R9: after eight seconds it was given up without a word, however often it was sent."""
    ben = on_own_sheet(company, wire)
    chooses_a_photo(ben, tmp_path)
    ben.page.evaluate("htmx.config.timeout = 1000")  # eight seconds, but for the test's sake

    def is_slow(route: Route) -> None:
        time.sleep(2)
        route.continue_()

    ben.page.route("**/portrait/", is_slow)
    ben.presses("#save-portrait")
    expect(ben.sees(".done-here")).to_be_visible(timeout=20_000)
    assert picture_of_ben(company)
    ben.page.wait_for_load_state("networkidle")  # no file is under way when it closes


def test_a_photo_that_is_lost_on_its_way_is_told_and_stays_chosen(
    company: Company, wire: Wire, tmp_path: Path
) -> None:
    """R4: a form with a file fits no outbox, and nothing was said."""
    ben = on_own_sheet(company, wire)
    ben.expects_trouble(NO_NETWORK)
    chooses_a_photo(ben, tmp_path)
    ben.page.wait_for_load_state("networkidle")
    wire.cut()
    ben.presses("#save-portrait")
    ben.reads("No line to the house", where="#notice")
    wire.mend()
    ben.presses("#save-portrait")
    expect(ben.sees(".done-here")).to_be_visible()


def sends_after_others(
    company: Company, wire: Wire, tmp_path: Path, times: int
) -> tuple[Person, list[str]]:
    """Send a photo to a house that has others to do first, as often as that many times.

    Returns who sends it, and what was sent, as it is sent.
    """
    ben = on_own_sheet(company, wire)
    hurries(ben)
    ben.page.reload()
    chooses_a_photo(ben, tmp_path)
    sent: list[str] = []

    def answers(route: Route) -> None:
        sent.append(route.request.method)
        if len(sent) > times:
            route.continue_()
            return
        told = {"Taproom": "house", "Content-Type": "text/html"}
        words = '<div class="notice"><p>Others come first.</p></div>'
        route.fulfill(status=503, headers=told, body=words)

    for trouble in ("status of 503", "Error Code 503"):
        ben.expects_trouble(re.compile(trouble))
    ben.page.route("**/portrait/", answers)
    ben.presses("#save-portrait")
    return ben, sent


def test_a_photo_whose_turn_it_is_not_is_sent_again_by_itself(
    company: Company, wire: Wire, tmp_path: Path
) -> None:
    """Of three that were sent in the same instant the third was told to send it again."""
    ben, sent = sends_after_others(company, wire, tmp_path, 2)
    expect(ben.sees(".done-here")).to_be_visible(timeout=12_000)
    assert sent[:3] == ["POST"] * 3
    assert picture_of_ben(company)


def test_a_photo_whose_turn_does_not_come_is_told_and_stays_chosen(
    company: Company, wire: Wire, tmp_path: Path
) -> None:
    ben, sent = sends_after_others(company, wire, tmp_path, 99)
    expect(ben.sees("#notice")).to_contain_text("Others come first", timeout=20_000)
    assert sent == ["POST"] * 5
    assert ben.sees("#portrait-file").evaluate("one => one.files.length") == 1


def test_a_cameras_photo_is_made_small_before_it_is_sent(
    company: Company, wire: Wire, tmp_path: Path
) -> None:
    """Nobody waits minutes on a full room's line for what is drawn as small as a coin."""
    ben = on_own_sheet(company, wire)
    photo, tags = tmp_path / "lying.jpg", Image.Exif()
    tags[ORIENTATION] = TURNED_RIGHT
    lying = Image.effect_noise((3000, 2000), 80).convert("RGB")
    lying.paste((200, 20, 20), (0, 0, 1500, 2000))  # at the left, and above once it is turned
    lying.save(photo, quality=95, exif=tags)
    assert photo.stat().st_size > 3_000_000
    ben.sees("#portrait-file").set_input_files(photo)
    ben.page.wait_for_function(
        "most => document.getElementById('portrait-file').files[0].size < most",
        arg=photo.stat().st_size // 8,
    )
    ben.presses("#save-portrait")
    expect(ben.sees(".done-here")).to_be_visible()
    portrait = Image.open(io.BytesIO(picture_of_ben(company))).convert("RGB")
    (red, green, _blue), below = portrait.getpixel((128, 30)), portrait.getpixel((128, 225))
    assert red > 150 > 100 > green
    assert max(below) - min(below) < 30


# As behind a proxy that drops `Upgrade`.
NO_SOCKETS = """window.WebSocket = class {
  static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
  readyState = 0;
  constructor() { setTimeout(() => { this.readyState = 3; this.onclose({ code: 1006 }); }, 50); }
  close() { this.readyState = 3; }
}"""


def test_where_no_socket_comes_through_a_tap_is_shown_all_the_same(company: Company) -> None:
    """R5: it was done, and the page that it was pressed on never said so."""
    ben = ben_alone(company)
    ben.is_live()
    ben.context.add_init_script(NO_SOCKETS)
    hurries(ben)
    ben.page.reload()
    ben.presses("#tab-table")
    ben.presses("#offer-pass")
    ben.page.wait_for_timeout(1000)
    expect(ben.sees(".pass-offer .address")).to_contain_text("/seat/")
    ben.page.evaluate("document.getElementById('number-13').click()")
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true")
    expect(ben.sees("#panel-table")).to_be_visible()
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_tap_is_shown_where_a_socket_opens_and_nothing_comes_over_it(company: Company) -> None:
    """R5: it was done, and the page never said so: a socket that opens was taken for a line."""
    ben = ben_alone(company)
    ben.is_live()
    hurries(ben)
    ben.page.route_web_socket("**/ws/**", lambda line: None)
    ben.page.reload()
    ben.presses("#number-13")
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true", timeout=25_000)
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_tap_is_shown_where_sockets_come_through_no_more(company: Company) -> None:
    """R5: a phone that had a line comes to a network without one. Its page stood still."""
    ben = ben_alone(company)
    lines: list[WebSocketRoute] = []

    def connects(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close(code=1011)

    ben.page.route_web_socket("**/ws/**", connects)
    ben.page.reload()
    ben.is_live()
    lines[0].close(code=1011)
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.presses("#number-13")
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true", timeout=8000)
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_page_stays_where_the_house_itself_asks_for_patience(company: Company) -> None:
    """R5: what it would load in trouble is a page of trouble, with no script to come back by."""
    ben = ben_alone(company)
    ben.is_live()
    asked: list[WebSocketRoute] = []

    def is_put_off(line: WebSocketRoute) -> None:
        asked.append(line)
        line.close(code=1013)

    ben.page.route_web_socket("**/ws/**", is_put_off)
    ben.page.reload()
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.page.evaluate("document.querySelector('main').dataset.old = ''")
    ben.presses("#number-13")
    wait_until(ben, lambda: bool(company.events("number_picked")))
    before = len(asked)
    wait_until(ben, lambda: len(asked) > before + 1)
    expect(ben.sees("main")).to_have_attribute("data-old", "")


def test_a_socket_without_its_cookie_does_not_send_the_page_round_for_ever(
    company: Company,
) -> None:
    """R5: the socket said that the seat is gone, the door that it is there, again and again."""
    ben = ben_alone(company)
    ben.is_live()
    ben.page.route_web_socket("**/ws/**", lambda line: line.close(code=4403))
    pages: list[str] = []
    ben.page.on("framenavigated", lambda frame: pages.append(frame.url))
    ben.page.reload()
    ben.page.wait_for_timeout(4000)
    assert len(pages) < 4, pages
    ben.page.evaluate("document.getElementById('number-13').click()")
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true")
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_page_that_hears_nothing_says_what_may_have_been(company: Company, wire: Wire) -> None:
    """R5: a laptop with a new address was told in its terminal alone; who waited read "offline"."""
    company.ana()
    ben = company.joined("Ben", address=wire.address)
    tess = company.tess(address=wire.address)
    company.only(ben, tess)
    for who in (ben, tess):
        looks_every(who, 100)
    company.look()
    expect(tess.sees(".qr-frame")).to_be_visible()
    tess.expects_trouble(NO_NETWORK)
    goes_off(ben, wire)
    expect(ben.sees("#away")).to_be_hidden()
    for who in (ben, tess):
        expect(who.sees("#away")).to_be_visible()
        expect(who.sees("#say")).to_contain_text("The house doesn't answer.")
    expect(tess.sees(".qr-frame")).to_be_hidden()  # it leads to where nobody answers
    ben.presses("#number-7")
    for words in ("Your tap is kept", "scan the code on its screen"):
        expect(ben.sees(".no-answer")).to_contain_text(words, use_inner_text=True)
    comes_back(ben, wire)
    for who in (ben, tess):
        who.is_live()
        expect(who.sees("#away")).to_be_hidden()
    expect(tess.sees(".qr-frame")).to_be_visible()
