"""What people who read no manual ran into, and must not run into again."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.knave import (
    does,
    makes_a_knave,
    referee,
    unfolds,
)
from tests.phones.people import Company


def test_a_field_out_of_sight_never_holds_its_form_back_without_a_word(company: Company) -> None:
    """Errors say what to do next: what is folded opens, what is not asked does not count."""
    ana = referee(company)
    makes_a_knave(company.joined("Ben"))
    unfolds(ana, "#ask-more")
    ana.page.fill("#ask-modifier", "99")
    ana.presses("#ask-more > summary")
    ana.presses("#ask-wis")
    expect(ana.sees("#ask-modifier")).to_be_focused()
    ana.page.fill("#ask-modifier", "1")
    does(ana, "#ask-wis")
    unfolds(ana, "#new-pile")
    ana.page.fill("#pile-name", "Altar")
    does(ana, "#pile-shown")
    ana.page.fill("#thing-slots", "21")
    torch = company.house.one("select id from characters_article where key = 'torch'")
    ana.page.select_option("#thing-article", str(torch))
    expect(ana.sees("#thing-slots")).to_be_hidden()
    does(ana, "#add-thing")
    ana.reads("Torch", where="#gm-loot")


def test_kn25_the_referee_lays_out_a_spell_book_and_it_is_read(company: Company) -> None:
    """KN-25: a book that is found holds a spell, and whoever took it reads it aloud."""
    ana = referee(company)
    ben = company.joined("Ben")
    makes_a_knave(ben)
    unfolds(ana, "#new-pile")
    ana.page.fill("#pile-name", "Altar")
    does(ana, "#pile-shown")
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
