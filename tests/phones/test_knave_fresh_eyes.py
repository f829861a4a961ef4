"""What people who read no manual ran into, and must not run into again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import SMALL
from tests.phones.knave import (
    begins_fight,
    does,
    has_a_knave,
    key_of,
    newest,
    of_the_list,
    player_alone,
    referee,
    unfolds,
)
from tests.phones.layout import HIDDEN, PARTED
from tests.phones.people import REFUSED, Company


def test_a_field_out_of_sight_never_holds_its_form_back_without_a_word(company: Company) -> None:
    """Errors say what to do next: what is folded opens, what is not asked does not count."""
    ana = referee(company)
    has_a_knave(company.joined("Ben"))
    company.only(ana)
    unfolds(ana, "#ask-more")
    ana.page.fill("#ask-modifier", "99")
    ana.presses("#ask-more > summary")
    ana.presses("#ask-wis")
    expect(ana.sees("#ask-modifier")).to_be_focused()
    ana.page.fill("#ask-modifier", "1")
    does(ana, "#ask-wis")
    posts(ana, "new_pile", name="Altar")
    ana.page.fill("#thing-slots", "21")
    ana.page.select_option("#thing-article", str(of_the_list(company, "torch")))
    expect(ana.sees("#thing-slots")).to_be_hidden()
    does(ana, "#add-thing")
    ana.reads("Torch", where="#gm-loot")


def test_kn25_the_referee_lays_out_a_spell_book_and_it_is_read(company: Company) -> None:
    """KN-25: a book that is found holds a spell, and whoever took it reads it aloud."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben)
    posts(ana, "new_pile", name="Altar")
    expect(ana.sees("#thing-spell")).to_be_hidden()
    book = company.house.one("select id from characters_article where kind = 'spell_book'")
    spell = company.house.one("select id from characters_spell where number = 15")
    ana.page.select_option("#thing-article", str(book))
    expect(ana.sees("#thing-name")).to_be_hidden()
    ana.page.select_option("#thing-spell", str(spell))
    does(ana, "#add-thing")
    expect(ana.sees("#thing-spell")).to_be_hidden()
    expect(ana.sees("#thing-name")).to_be_visible()
    item = company.house.one("select max(id) from characters_item where spell_id = ?", spell)
    ben.presses("#tab-game")
    does(ben, f"#take-{item}")
    ben.presses("#tab-sheet")
    unfolds(ben, f"#item-{item}")
    does(ben, f"#cast-{item}")
    assert company.events("spell_cast")


def test_kn25_a_referee_without_scripts_chooses_the_spell_of_a_book_too(company: Company) -> None:
    """KN-25: the field waited for a script to show it, and was not sent."""
    ana = referee(company, java_script_enabled=False)
    company.only()
    posts(ana, "new_pile", name="Altar")
    spell = company.house.one("select id from characters_spell where number = 15")
    for article, chosen in (("torch", ""), ("spell-book", str(spell))):
        ana.goes(f"/t/{company.code}/gm/")
        ana.page.select_option("#thing-article", str(of_the_list(company, article)))
        ana.page.select_option("#thing-spell", chosen)
        ana.presses("#add-thing")
        ana.reads("Torch", where="#gm-loot")
    held = "select spell_id from characters_item where pile_id is not null order by id"
    assert [row["spell_id"] for row in company.house.rows(held)][-2:] == [None, spell]


def test_a_fight_is_seen_by_who_stands_at_the_loot(company: Company) -> None:
    """Whoever took something in the party's view reads at once that a fight begins above it."""
    ana = referee(company)
    ben = company.joined("Ben", viewport=SMALL)
    company.only(ben)
    has_a_knave(ben)
    posts(ana, "new_pile", name="Chest", gold=9)
    for name in ("Anvil", "Bell", "Candelabra", "Drum", "Effigy"):
        posts(ana, "add_item", pile=newest(company, "pile"), name=name, slots=1, count=1)
    ben.presses("#tab-game")
    ben.catches_up()
    ben.sees("#panel-game").evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    begins_fight(ana, company, "orc", 1, first=6)
    ben.catches_up()
    expect(ben.sees("#fight-title")).to_be_in_viewport()


@pytest.mark.looks
def test_who_hosts_on_a_phone_still_reads_whose_sheet_it_is(company: Company) -> None:
    """Nothing important is cut: a long name at the top is whole, and no word of it is broken."""
    ana = referee(company, locale="es-ES")
    has_a_knave(ana)
    posts(ana, "edit_knave", character=key_of(ana), name="Bartolomé de las Casas")
    ana.goes(f"/t/{company.code}/")
    expect(ana.sees(".me-words b")).to_have_text("Bartolomé de las Casas")
    for width in (430, 390, 360, 320):
        ana.page.set_viewport_size({"width": width, "height": 700})
        assert max(ana.page.evaluate(HIDDEN, ".me-words b")) <= 0, width
        assert ana.page.evaluate(PARTED, ".me-words b") == [], width


@pytest.mark.looks
def test_on_the_page_beside_the_table_nothing_moves_out_of_line(company: Company) -> None:
    """A refusal under one coin pushed the others down; a long name broke "2 of 2 HP" in four."""
    ben = player_alone(company)
    has_a_knave(ben)
    has_a_knave(company.joined("Cleo"))
    posts(ben, "hire", character=key_of(ben), trade=1, name="Sir Featherstonehaugh-Cholmondeley")
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.expects_trouble(REFUSED)
    ben.page.fill("#gift-silver", "99")
    ben.presses("#give-coins")
    ben.reads("There are only 0.", where="#purse")
    coins = [ben.sees(f"#gift-{metal}").bounding_box() for metal in ("gold", "silver", "copper")]
    assert len({(box["y"], box["height"]) for box in coins if box}) == 1
    lines = "one => one.offsetHeight / parseFloat(getComputedStyle(one).fontSize)"
    assert ben.sees("#service .row-link > span:last-child").evaluate(lines) < 2


# The words of the headings that stand on more than one line.
BROKEN_WORDS = """() => [...document.querySelectorAll('th, .box small')].flatMap((place) => {
  const text = [...place.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  return [...(text?.data ?? '').matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(({ 0: word }) => word);
})"""


@pytest.mark.looks
def test_no_heading_of_a_printed_sheet_is_broken_within_a_word(company: Company) -> None:
    """Nothing is cut: Spanish words are longer than the English ones that columns are made for."""
    ana = company.person("Ana", viewport={"width": 794, "height": 1123}, locale="es-ES")
    ana.goes("/knave/blank/")
    ana.page.emulate_media(media="print")
    ana.reads("Bonificación")
    assert ana.page.evaluate(BROKEN_WORDS) == []


@pytest.mark.looks
def test_a_phone_s_page_is_printed_black_on_white(company: Company) -> None:
    """Browsers leave grounds out on paper: the light words of a dark table would not be seen."""
    ana = company.ana(color_scheme="dark")
    ana.page.emulate_media(media="print")
    for page in ("", "gm/", "screen/"):
        ana.goes(f"/t/{company.code}/{page}")
        colour = "getComputedStyle(document.body).color"
        assert ana.page.evaluate(colour) == "rgb(0, 0, 0)", page


def test_who_types_letters_where_a_number_belongs_is_not_told_to_fill_it_in(
    company: Company,
) -> None:
    """Errors say what to do next: some browsers show the letters, and all an e and a minus."""
    ana = referee(company)
    has_a_knave(company.joined("Ben"))
    company.only(ana)
    unfolds(ana, "#xp-other")
    ana.page.locator("#xp-amount").press_sequentially("-e")
    ana.page.locator("#xp-amount").press("Enter")
    expect(ana.sees("#xp-amount-refused")).to_have_text("A whole number.")
