"""What a phone has kept is answered late as it would have been at once, whatever page is there."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Route, expect

from tests.phones.arriving import ben_alone, posts
from tests.phones.knave import (
    Build,
    figure,
    has_a_knave,
    in_a_fight,
    key_of,
    on_own_sheet,
    player_alone,
    referee,
    unfolds,
)
from tests.phones.lost_lines import KEPT, comes_back, goes_off
from tests.phones.people import NO_NETWORK, REFUSED, Company, Person
from tests.phones.wire import Wire

INTO_A_POCKET = """() => {
  Object.defineProperty(document, 'hidden', {value: true, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
  delete document.hidden;
}"""


def test_what_only_a_request_can_do_is_done_when_the_line_is_back(
    company: Company, wire: Wire
) -> None:
    """R1: the code is shown, the page speaks the language, and who got up was not put out.

    The code was drawn for nobody, the page stayed as it was, and the door said that somebody had
    taken the seat away.
    """
    ben = ben_alone(company, address=wire.address)
    ben.presses("#tab-table")
    goes_off(ben, wire)
    ben.presses("#offer-pass")
    expect(ben.sees("#offer-pass")).to_have_attribute("aria-busy", "true")
    comes_back(ben, wire)
    expect(ben.sees(".pass-offer .address")).to_contain_text("/seat/")
    expect(ben.sees("#offer-pass")).not_to_have_attribute("aria-busy", "true")

    goes_off(ben, wire)
    ben.presses("#speak-es")
    comes_back(ben, wire)
    expect(ben.sees("html")).to_have_attribute("lang", "es")
    expect(ben.sees("#panel-table")).to_be_visible()

    goes_off(ben, wire)
    ben.presses("#leave-ask > summary")
    ben.page.evaluate(INTO_A_POCKET)
    expect(ben.sees("#leave")).to_be_hidden()  # what one press in there opened, the next would do
    ben.presses("#leave-ask > summary")
    ben.presses("#leave")
    ben.code = ""
    comes_back(ben, wire)
    ben.page.wait_for_url(f"{wire.address}/")
    assert ben.page.evaluate(KEPT) == 0


def test_what_was_on_its_way_when_the_page_went_is_asked_again_and_happens_once(
    company: Company,
) -> None:
    """R1: a thumb pulls the page down while a tap is under way on a slow line."""
    ben = ben_alone(company)
    ben.is_live()
    for number, waits in ((13, 5000), (7, 0)):  # before it left, and after
        ben.holds_back(waits)
        ben.presses(f"#number-{number}")
        ben.page.reload()
        ben.is_live()
        expect(ben.sees(f"#number-{number}")).to_have_attribute("aria-pressed", "true")
        ben.page.wait_for_function(f"() => !({KEPT})")
    assert [e["number"] for e in company.events("number_picked")] == [13, 7]


def keeps_a_number(company: Company, wire: Wire) -> Person:
    """Ben, whose thirteen waits for the line."""
    ben = ben_alone(company, address=wire.address)
    goes_off(ben, wire)
    ben.presses("#number-13")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    return ben


def test_a_kept_tap_outlives_the_storage_it_was_kept_in(company: Company, wire: Wire) -> None:
    """R1: whoever empties the browser while a tap waits lost it, and was told nothing."""
    ben = keeps_a_number(company, wire)
    ben.page.evaluate("sessionStorage.clear()")
    comes_back(ben, wire)
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true", timeout=10_000)
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_a_kept_tap_outlives_the_token_of_its_page(company: Company, wire: Wire) -> None:
    """R1: whoever logs in beside the table gets another one. The tap was refused, and dropped."""
    ben = keeps_a_number(company, wire)
    ben.expects_trouble(REFUSED)
    (token,) = (one for one in ben.context.cookies() if one["name"] == "csrf")
    ben.context.add_cookies([{"name": "csrf", "value": token["value"][::-1], "url": wire.address}])
    comes_back(ben, wire)
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true", timeout=10_000)
    assert [e["number"] for e in company.events("number_picked")] == [13]
    assert ben.page.evaluate(KEPT) == 0


def test_what_was_kept_at_the_table_is_sent_from_the_front_door(
    company: Company, wire: Wire
) -> None:
    """R1: all waited for whoever had gone on to another page, until they came back to the table."""
    ben = keeps_a_number(company, wire)
    ben.page.goto("about:blank")
    comes_back(ben, wire)

    def is_slow(route: Route) -> None:
        time.sleep(1.5)
        route.continue_()

    ben.page.route("**/act/", is_slow)
    ben.goes("/")
    ben.page.wait_for_function(f"() => !({KEPT})")
    assert [e["number"] for e in company.events("number_picked")] == [13]


def test_what_was_pressed_last_counts_last(company: Company) -> None:
    """R2: a number that could not be written down came after the one that was taken instead."""
    ben = ben_alone(company)
    ben.is_live()
    ben.expects_trouble(re.compile("503"))
    ben.posts_taps()
    cannot = {"status": 503, "headers": {"Taproom": "house"}, "body": "<p>Wait.</p>"}
    ben.page.route("**/act/", lambda route: route.fulfill(**cannot), times=1)
    ben.presses("#number-13")
    expect(ben.sees("#number-13")).to_have_attribute("aria-busy", "true")
    ben.presses("#number-7")
    ben.page.wait_for_function(f"() => !({KEPT})")
    assert [e["number"] for e in company.events("number_picked")] == [13, 7]
    expect(ben.sees("#number-7")).to_have_attribute("aria-pressed", "true")


def test_a_kept_form_of_a_page_beside_the_table_is_done_and_shown(
    company: Company, wire: Wire
) -> None:
    """R4: the page stayed as it was, full of what had been saved long ago."""
    ben = on_own_sheet(company, wire)
    ben.expects_trouble(NO_NETWORK)
    ben.page.fill("#hp-by", "-2")
    ben.page.fill("#coins-gold", "3")
    ben.context.set_offline(True)
    wire.cut()
    ben.sees("#save-hp").focus()
    ben.page.keyboard.press("Enter")
    expect(ben.sees("#save-hp")).to_have_attribute("aria-busy", "true")
    expect(ben.sees("#save-hp")).to_be_focused()
    expect(ben.sees("#hp-by")).to_have_value("-2")
    comes_back(ben, wire)
    expect(ben.sees(".done-here")).to_be_visible()
    expect(ben.sees("#hp-by")).to_have_value("")
    expect(ben.sees("#coins-gold")).to_have_value("3")  # half typed still
    assert figure(ben, "hp") == 4


def test_a_receipts_undo_is_kept(company: Company, wire: Wire) -> None:
    """R1: it was lost without a word."""
    ana = referee(company, address=wire.address)
    unfolds(ana, "#new-pile")
    ana.page.fill("#pile-name", "Attic")
    ana.is_answered(lambda: ana.presses("#pile-shown"))
    expect(ana.sees("#notice [data-undo]")).to_be_visible()
    expect(ana.sees("#gm-loot")).to_contain_text("Attic")
    goes_off(ana, wire)
    ana.presses("#notice [data-undo]")
    expect(ana.sees("html")).to_have_attribute("data-unsent", "")
    comes_back(ana, wire)
    expect(ana.sees("#gm-loot")).not_to_contain_text("Attic")


def test_dice_of_a_blow_that_was_kept_are_not_rolled_again_for_the_next_one(
    company: Company,
) -> None:
    """KN-10, KN-15: typed without a line, they stayed chosen, and the next blow was of them too."""
    ana, ben = in_a_fight(company)
    company.only(ana)
    for folded in ("#own-blow", "#own-blow-two"):
        unfolds(ana, folded)
    for chosen in (f"by-k{key_of(ben)}", "on-orc-1", "die-0-4", "die-1-3"):
        ana.presses(f"label[for=own-blow-{chosen}]")
    ana.expects_trouble(NO_NETWORK)
    ana.context.set_offline(True)
    expect(ana.sees("html")).to_have_attribute("data-line", "off")
    ana.presses("#own-blow-better")
    expect(ana.sees("html")).to_have_attribute("data-unsent", "")
    ana.context.set_offline(False)
    expect(ana.sees("html")).not_to_have_attribute("data-unsent", "", timeout=10_000)
    ana.catches_up()
    assert [e["faces"] for e in company.events("Attacked")] == [[4, 3]]
    expect(ana.sees("#own-blow-two input:checked")).to_have_count(0)


def test_a_kept_blow_that_comes_too_late_is_told_by_the_foes_name(company: Company) -> None:
    """KN-12, R1: the turn went by while a phone slept; its player reads whom the tap was for."""
    ana, ben = in_a_fight(company)
    company.only(ana, ben)
    ben.expects_trouble(NO_NETWORK)
    ben.expects_trouble(REFUSED)
    ben.presses("#tab-game")
    ben.context.set_offline(True)
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    ben.presses(f"#attack-k{key_of(ben)}-orc-1")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    posts(ana, "side_done")
    ben.context.set_offline(False)
    ben.reads("Orc 1 – Your side's turn is over for this round.", where="#notice")
    assert not company.events("Attacked")


def test_what_is_refused_many_times_is_told_once(company: Company) -> None:
    """R4: of a hundred taps without a line each was told by itself, in notices over the screen."""
    ben = player_alone(company)
    has_a_knave(ben, Build(hp=1))
    ben.presses("#tab-sheet")
    ben.expects_trouble(NO_NETWORK)
    ben.expects_trouble(REFUSED)
    ben.context.set_offline(True)
    expect(ben.sees("html")).to_have_attribute("data-line", "off")
    for _press in range(5):
        ben.presses("#hp-less")
    assert ben.page.evaluate(KEPT) == 5
    ben.context.set_offline(False)
    ben.page.wait_for_function(f"() => !({KEPT})")
    ben.reads("One hit point less –", where="#notice")
    expect(ben.sees("#notice .notice")).to_have_count(1)
