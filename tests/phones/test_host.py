"""What the host does, as every screen shows it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.looks import only_last
from tests.phones import arriving
from tests.phones.arriving import PASS, ben_alone, posts
from tests.phones.keyboard import SAYS_ALOUD, hears
from tests.phones.layout import OVERLAPS, TANGLED
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import REFUSED, Company, Person
from tests.phones.wire import Wire


def test_the_host_takes_a_lost_finger_back_on_every_screen(company: Company) -> None:
    """Undo: the finger is there again for all, and the log says who did it."""
    ana, ben = company.bout(Ana=7, Ben=13)
    tess = company.tess()
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(3)
    ben.gives_up("little")
    bens = tess.sees(".place", has_text="Ben").get_by_role("img")
    expect(bens).to_have_accessible_name("4 fingers left")

    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    line = ana.sees("#log-list li", has_text="Ben rolls 3.")
    line.get_by_role("button").tap()
    ana.reads(re.compile(r"Ana takes the last \d moves back"), where="#log-list")

    expect(bens).to_have_accessible_name("5 fingers left")
    expect(ben.sees("#ring")).to_contain_text(re.compile(r"Ben:\s+number 13,\s*5 fingers"))
    ben.reads("Roll higher than 5!")
    ben.presses("#tab-sheet")
    expect(ben.sees("#hand .finger.lost")).to_have_count(0)
    ben.presses("#tab-log")
    ben.reads(re.compile(r"Ana takes the last \d moves back"), where="#log-list")
    expect(ben.sees("#log-list .is-undone", has_text="Ben rolls 3.")).to_be_visible()
    expect(ben.sees("#log-list .is-undone", has_text="Ana rolls 5.")).to_have_count(0)


def test_the_log_on_a_phone_follows_whoever_reads_its_last_line(company: Company) -> None:
    """And leaves in peace whoever looks further up."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ben.page.set_viewport_size({"width": 320, "height": 340})
    ben.presses("#tab-log")
    ana.rolls(5)
    company.catch_up()
    expect(ben.sees("#log-list li").last).to_be_in_viewport()
    ben.page.evaluate("document.getElementById('panel-log').scrollTo(0, 0)")
    ana.knocks(1)
    company.catch_up()
    expect(ben.sees("#log-list li").last).not_to_be_in_viewport()


def leads_to_all_before(person: Person) -> None:
    """The lines before those on the phone stand where it leads, up to the first of them."""
    person.catches_up()
    person.presses("#tab-log")
    here = person.sees("#log-list li")
    first, last = (int((one.get_attribute("id") or "")[4:]) for one in (here.first, here.last))
    assert here.count() == last - first + 1, "a line is missing between them"
    person.presses("#to-log")
    expect(person.sees(f"#log-{first - 1}")).to_be_visible()
    expect(person.sees(f"#log-{first}")).to_have_count(0)


def test_every_line_of_a_long_evening_is_on_the_phone_or_where_it_leads(company: Company) -> None:
    """Those that came after the page, and had to make room again, were in neither place."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ben)
    company.look()
    expect(ben.sees("#to-log")).to_be_hidden()
    for n in range(90):
        posts(ana, "rename_table", name=f"The Swan {n}")
    leads_to_all_before(ben)


def test_what_a_phone_missed_and_is_not_told_is_where_its_log_leads(
    company: Company, wire: Wire
) -> None:
    """Of more than sixty it is told the newest; they stood behind the old ones as if next."""
    ana, ben = company.ana(), company.joined("Ben", address=wire.address)
    company.only(ben)
    company.look()
    goes_off(ben, wire)
    for n in range(70):
        posts(ana, "rename_table", name=f"The Swan {n}")
    comes_back(ben, wire)
    leads_to_all_before(ben)


def test_the_host_is_handed_on_by_two_taps_and_a_name_is_seated_once(company: Company) -> None:
    """What cannot be undone asks once; what was typed and done is not there to be done again."""
    ana = company.ana()
    ben = company.joined("Ben")
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.page.fill("#player-name", "Vane")
    assert ana.taps("#add-player") == 204
    expect(ana.sees("#player-name")).to_have_value("")
    expect(ana.sees("#table-name")).to_have_value("Ana's table")

    ana.presses("#seat-more-2 > summary")
    ana.presses("#host-2-ask > summary")
    expect(ana.sees("#host-2-ask")).to_contain_text("only Ben can hand it back")
    roles = "select s.role from games_seat s join games_table t on t.id = s.table_id"
    bens = f"{roles} where t.code = ? and s.name = 'Ben'"
    assert company.house.one(bens, company.code) == "player"
    expect(ben.sees("#top .me-words small")).not_to_contain_text("host")
    ana.taps("#host-2")
    assert company.house.one(bens, company.code) == "gm"
    expect(ben.sees("#notice")).to_contain_text("You are the host now.")
    expect(ben.sees("#top .me-words small")).to_contain_text("host")
    expect(ana.sees("#notice")).to_be_empty()
    ben.presses("#tab-table")
    expect(ben.sees("#to-gm")).to_be_visible()


def test_who_gets_up_is_at_the_front_door_however_late_the_answer(company: Company) -> None:
    """Their seat is gone before the answer comes: that it was taken away would be no true word."""
    ben = ben_alone(company)

    def after_the_socket(route: Route) -> None:
        answer = route.fetch()
        ben.page.wait_for_timeout(500)
        route.fulfill(response=answer)

    ben.page.route("**/act/", after_the_socket)
    ben.presses("#tab-table")
    ben.presses("#leave-ask > summary")
    ben.code = ""
    ben.presses("#leave")
    expect(ben.page).to_have_url(ben.address + "/")


@pytest.mark.parametrize("rules", only_last("brave_or_knave", "knave", "wicked_age"))
def test_a_host_reads_the_code_beside_stop_on_a_phone_at_twice_its_size(
    company: Company, rules: str
) -> None:
    """WCAG 1.4.4, 1.4.10: a phone at 200 % is 195 pixels wide. The code lay under "Stop", and the
    parts of the page over one another."""
    ana = company.person("Ana", locale="es-ES", viewport={"width": 195, "height": 422})
    company.code = arriving.opens(ana, rules)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    expect(ana.sees(".page-head .code")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, [".page-head .code", "#stop-open"])
    if rules != "brave_or_knave":  # whose host has no such bar
        assert ana.page.evaluate(TANGLED, ":is(.gm-bar, .wgm-bar) span") == 0
    assert ana.page.evaluate("document.scrollingElement.scrollWidth") == 195


@pytest.mark.looks
def test_a_bout_of_ten_is_begun_without_looking_for_the_button(company: Company) -> None:
    """The look: the main action is in sight on a laptop, and whoever comes pushes it nowhere."""
    ana = company.ana(viewport={"width": 1280, "height": 720})
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    for number in range(9):
        posts(ana, "add_player", name=f"Wilhelmina Konstantinopo{number}")
    ana.catches_up()
    expect(ana.sees("#gm-bout .chip")).to_have_count(11)
    expect(ana.sees("#start")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("rules", only_last("brave_or_knave", "wicked_age", "knave"))
def test_a_code_that_was_used_goes_and_says_who_goes_on(company: Company, rules: str) -> None:
    """It lay there until the page was loaded anew, and led the next phone to a refusal."""
    ana = company.person("Ana", viewport={"width": 1180, "height": 820})
    company.code = arriving.opens(ana, rules)
    company.joined("Ben")
    company.joined("Cleo")
    company.only(ana)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    cleos = PASS.search(arriving.asks(ana, "offer_pass", who=3).text())
    ana.presses("#seat-more-2 > summary")
    ana.taps("#pass-2")
    bens = PASS.search(ana.sees(".pass-offer .address").inner_text())
    assert cleos
    assert bens
    arriving.takes_over(company.person("Cleo"), cleos[0])
    ana.catches_up()
    expect(ana.sees(".pass-offer .address")).to_be_visible()
    arriving.takes_over(company.person("Ben"), bens[0])
    expect(ana.sees("#pass-offer")).to_have_text("Ben goes on from another phone.")
    expect(ana.sees("#pass-offer .qr-frame")).to_have_count(0)
    hears(ana, "Ben goes on from another phone.")
    assert ana.page.evaluate(SAYS_ALOUD, "Ben goes on from another phone.") == ["say"]
    ana.sees("#close-offer").press("Enter")
    expect(ana.sees("#pass-offer")).to_be_empty()


def test_a_tablet_that_is_let_in_becomes_the_shared_screen_by_itself(company: Company) -> None:
    """Where newcomers knock: it lies in the middle of the table, and nobody wants to touch it."""
    ana = company.ana()
    company.only(ana)
    posts(ana, "set_door", door="ask")
    tess = company.tess()
    tess.reads("a shared screen waits", where="#door")
    posts(ana, "admit", who=2)
    expect(tess.sees("#table-ring")).to_be_visible()
    tess.is_live()


def test_a_pasted_rule_that_is_none_is_told_at_its_field(company: Company) -> None:
    """BK-25: on the page that came back the focus was nowhere, and why was told at its top."""
    ana = company.ana()
    company.only(ana)
    ana.expects_trouble(REFUSED)
    ana.goes(f"/t/{company.code}/gm/house-rule/")
    ana.page.fill("#text", "Meow!")
    ana.presses("#import-rule")
    pasted = ana.sees("#text")
    expect(pasted).to_be_focused()
    expect(pasted).to_have_value("Meow!")
    expect(pasted).to_have_attribute("aria-invalid", "true")
    expect(pasted).to_have_accessible_description("That is not a house rule.")
    expect(ana.sees("#text-error")).to_be_in_viewport(ratio=1)
