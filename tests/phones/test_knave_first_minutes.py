"""The first minutes of a Knave evening, for people who have never seen it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW, SMALL, SPANISH
from tests.phones.knave import Build, does, has_a_knave, key_of, player_alone, referee
from tests.phones.lan import plain_http
from tests.phones.layout import OVERLAPS, PARTED
from tests.phones.people import Company


def test_who_opens_a_table_is_told_how_the_others_come_in(company: Company) -> None:
    """The code and the way to the QR code stand there until somebody else sits down."""
    ana = referee(company)
    ana.reads(company.code, where="#gm-door")
    ana.presses("#go-invite")
    expect(ana.sees("#invite .qr-frame")).to_be_in_viewport()
    company.joined("Ben")
    company.only(ana)
    ana.catches_up()
    expect(ana.page.locator("#gm-door")).to_be_hidden()


def test_a_new_knave_offers_only_what_may_be_done_and_begins_at_its_top(company: Company) -> None:
    """KN-7: a name by choice is one tap away; wounds and purse come with the confirmed knave."""
    ben = player_alone(company)
    company.house.dice_fall(*Build().faces)
    posts(ben, "new_knave")
    ben.presses("#write-name")
    expect(ben.sees("#name")).to_be_in_viewport()
    for refused in ("#save-hp", "#save-coins", "#add-item"):
        expect(ben.page.locator(refused)).to_have_count(0)
    ben.presses("#name")
    ben.page.keyboard.type("Moth")  # what the dice proposed gives way
    with ben.page.expect_navigation():
        ben.presses("#save-knave")
    expect(ben.sees("#name")).to_have_value("Moth")
    ben.goes(f"/t/{company.code}/")
    ben.is_live()
    ben.page.evaluate("document.querySelector('#panel-sheet').scrollTop = 9999")
    does(ben, "#confirm")
    expect(ben.sees("#sheet-name")).to_be_in_viewport()
    ben.reads("Moth", where="#sheet-name")
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    expect(ben.sees("#save-hp")).to_have_count(1)


@pytest.mark.looks
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
def test_no_word_lies_under_the_first_button_beside_the_hint(
    company: Company, language: str
) -> None:
    """On a small phone the last line before it did, while the hint about http was open."""
    referee(company)
    ben = company.joined("Ben", address=plain_http(company), viewport=SMALL, locale=language)
    company.only(ben)
    expect(ben.sees("#http-hint")).to_be_visible()
    expect(ben.sees("#new-knave")).to_be_in_viewport(ratio=1)
    assert not ben.page.evaluate(OVERLAPS, ["#new-knave", ".make-start .lead"])


@pytest.mark.looks
def test_what_a_purchase_did_is_in_view_wherever_one_is_in_the_shop(company: Company) -> None:
    """The purse stays under the way back, so that nobody pays twice for want of an answer."""
    ben = player_alone(company)
    has_a_knave(ben)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/shop/")
    ben.page.evaluate("scrollTo(0, 900)")
    bar = ben.sees("main > .eyebrow").bounding_box()
    purse = ben.sees(".shop-purse").bounding_box()
    assert bar is not None
    assert purse is not None
    assert abs(purse["y"] - (bar["y"] + bar["height"])) <= 1


@pytest.mark.looks
def test_no_word_of_the_dice_nor_a_name_breaks_on_a_narrow_phone(company: Company) -> None:
    """WCAG 1.4.10, at 320 px and in the longer language; and chosen chips can be read."""
    referee(company)
    ines = company.joined("Inés", viewport=NARROW, **SPANISH)
    company.only(ines)
    company.house.dice_fall(*Build().faces)
    posts(ines, "new_knave")
    made = int(ines.house.one("select max(id) from characters_character"))
    posts(ines, "edit_knave", character=made, name="Maravillosa", gender="", notes="")
    assert ines.page.evaluate(PARTED, ".rolls th, .make-head h2") == []
    ines.presses("#weapons > summary")
    chosen = ines.sees("#weapons .chip[aria-pressed=true]")
    colours = chosen.evaluate(
        "c => [c, c.querySelector('small')].map(e => getComputedStyle(e).color)"
    )
    assert colours[0] == colours[1]


def test_saving_one_thing_loses_nothing_that_is_written_beside_it(company: Company) -> None:
    """A sheet's page is loaded anew after each tap: other words stay, and their fold stays open."""
    ben = player_alone(company)
    has_a_knave(ben)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.page.fill("#notes", "Owes the miller.")
    ben.presses("#traits-edit > summary")
    ben.page.fill("#trait-skin", "Blue")
    ben.page.fill("#trait-face", "Moonlike")
    with ben.page.expect_navigation():
        ben.presses("#save-trait-face")
    expect(ben.sees("#trait-face")).to_have_attribute("value", "Moonlike")
    expect(ben.sees("#trait-skin")).to_have_value("Blue")
    expect(ben.sees("#notes")).to_have_value("Owes the miller.")
    with ben.page.expect_navigation():
        ben.presses("#save-knave")
    expect(ben.sees("#trait-skin")).to_have_value("Blue")
    ben.page.reload()
    expect(ben.sees("#notes")).to_have_text("Owes the miller.")
