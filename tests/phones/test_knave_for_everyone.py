"""Knave's screens for everybody: WCAG 2.2 AA, 320 px, both lights; and its sheets on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW
from tests.phones.faults import Looks
from tests.phones.knave import (
    Build,
    attacks,
    begins_fight,
    does,
    forms_of,
    has_a_knave,
    is_struck,
    key_of,
    of_the_list,
    player_alone,
    referee,
    thing,
    unfolds,
)
from tests.phones.layout import STICKS_OUT
from tests.phones.paper import sheets
from tests.phones.people import Company, Person

RICH = Build(bonuses=(2, 1, 6, 1, 1, 1), hp=8, gear=(10, 20, 20, 11, 3, 1))
# What of a sheet has more in it than is printed.
CUT_ON_PAPER = """() => [...document.querySelectorAll('.paper, .paper *')].filter((place) =>
  !place.closest('.hidden') && getComputedStyle(place).overflowY !== 'visible'
  && place.scrollHeight > place.clientHeight + 2).map((place) => place.outerHTML)"""


@pytest.mark.looks(also_quick=True)
def test_a_knaves_phone_is_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA; 1.4.10: making, each tab, things unfolded, asked, in a fight, levelling up."""
    looks = Looks()
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    looks.at(ben.page, "phone, no knave yet")
    company.house.dice_fall(*RICH.faces)
    does(ben, "#new-knave")
    for part in ("#swap", "#weapons", "#gear-rolls", "#traits-each"):
        unfolds(ben, part)
    looks.at(ben.page, "phone, making")
    does(ben, "#confirm")
    for part in (f"#item-{thing(ben, 'torch')}", "#ability-str", "#number-slots", "#hp-far"):
        unfolds(ben, part)
    posts(ana, "ask_saves", ability="dex")
    ben.catches_up()
    looks.at(ben.page, "phone, asked for a save, things unfolded")
    looks.at_tabs(ben, "game", "table", "log")
    posts(ana, "add_item", character=key_of(ben), article=of_the_list(company, "dagger"), count=1)
    begins_fight(ana, company, "orc", 3, first=5)
    ben.presses("#tab-game")
    me = forms_of(ben)
    for part in (f"#how-{me}", f"#attack-typed-{me}", f"#stunt-{me}", f"#wielding-{me}"):
        unfolds(ben, part)
    looks.at(ben.page, "phone, in a fight")
    attacks(ben, "orc-1", 12, 8)
    _they_win(ana)
    ben.catches_up()
    unfolds(ben, "#level-up-2")
    looks.at(ben.page, "phone, a level is due")
    ben.presses("#level-up-2 .sheet-closer")
    ben.presses("#tab-sheet")
    unfolds(ben, "#hp-far")
    does(ben, "#hp-by--10")
    looks.at(ben.page, "phone, dead")
    looks.judges()


def _they_win(ana: Person) -> None:
    posts(ana, "award_xp", amount=1000)
    for foe in ("orc-2", "orc-3"):
        posts(ana, "fight-hurt", on=foe, amount=10)
    posts(ana, "end_fight")


@pytest.mark.looks(also_quick=True)
def test_the_referees_page_and_the_tablet_are_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA; 1.4.10: quiet, with loot and goals, in a fight with somebody dead."""
    looks = Looks()
    ana = referee(company)
    tess = company.tess()
    looks.at(tess.page, "tablet, nobody yet")
    looks.at(ana.page, "referee, nobody yet")
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    has_a_knave(ben, RICH)
    has_a_knave(cleo, Build(hp=2))
    company.only(ana, tess)
    posts(ana, "ask_saves", ability="wis")
    posts(ana, "roll_table", table="reaction", is_secret="true")
    posts(ana, "announce_goal", text="Find out what the miller was paid for")
    tess.catches_up()
    looks.at(tess.page, "tablet, goals")
    begins_fight(ana, company, "ghoul", 2, first=2)
    is_struck(cleo, ana, "ghoul-1", 18, 3)
    ana.catches_up()
    for part in ("#foe-more-ghoul-1", "#blow", "#stunt", f"#fighter-more-k{key_of(ben)}"):
        unfolds(ana, part)
    for part in ("#stat-line", "#new-encounter", "#ask-more", "#new-npc", "#dice-other", "#views"):
        unfolds(ana, part)
    unfolds(ana, f"#person-more-{key_of(ben)}")
    # A receipt lies over buttons, lets taps through and goes by itself: here it is not waited for.
    ana.page.evaluate("document.getElementById('notice').replaceChildren()")
    looks.at(ana.page, "referee, in a fight, all unfolded")
    tess.catches_up()
    looks.at(tess.page, "tablet, in a fight")
    looks.judges()


@pytest.mark.looks(also_quick=True)
def test_knaves_other_pages_are_for_everyone(company: Company) -> None:
    """WCAG 2.2 AA; 1.4.10: sheet, draft, shop, graveyard, print, seen by others, records, rules."""
    looks = Looks()
    ana = referee(company)
    ben = company.joined("Ben")
    company.only()
    has_a_knave(ben, Build(hp=4))
    begins_fight(ana, company, "orc", 1, first=2)
    is_struck(ben, ana, "orc-1", 15, 5)
    company.house.dice_fall(*RICH.faces)
    posts(ben, "new_knave")
    draft = company.house.one("select max(id) from characters_character")
    table = f"/t/{company.code}/"
    ben.goes(f"{table}knave/{draft}/")
    looks.at(ben.page, "a draft's page")
    posts(ben, "confirm_knave", character=draft)
    posts(ben, "set_coins", character=draft, gold=0, silver=1, copper=0)
    sheet = f"{table}knave/{draft}/"
    for path, where in (
        (sheet, "sheet"),
        (f"{sheet}shop/?q=ar", "shop"),  # rows that can be paid for, and that cannot
        (f"{sheet}print/", "print"),
        ("/knave/blank/", "blank sheet"),
        (f"{table}graveyard/", "graveyard"),
        (f"{table}records/", "records"),
        ("/rules/knave/", "rules"),
    ):
        ben.goes(path)
        looks.at(ben.page, where)
    for path, where in ((f"{table}gm/as/2/", "what Ben sees"), (sheet, "sheet, the referee's")):
        ana.goes(path)
        looks.at(ana.page, where)
    ben.goes(f"{sheet}shop/")  # all of its rows, which are made alike
    ben.page.set_viewport_size(NARROW)
    looks.found.extend(ben.page.evaluate(STICKS_OUT))
    looks.judges()


@pytest.mark.looks
def test_in_forced_colours_the_referee_sees_who_may_act(company: Company) -> None:
    """WCAG 1.4.1: what marks them else is a shadow, and there none is drawn."""
    ana, ben = referee(company, forced_colors="active"), company.joined("Ben")
    company.only(ana)
    has_a_knave(ben, Build(hp=4))
    begins_fight(ana, company, "orc", 1, first=5)
    ana.catches_up()
    expect(ana.sees(".fighter:has(> .is-acting)")).to_have_css("border-top-width", "3px")


def test_a_sheet_is_one_page_of_paper(company: Company) -> None:
    """Print: the sheet and the blank one fit one page each; long notes go on to the next, whole."""
    ben = player_alone(company)
    has_a_knave(ben, RICH)
    path = f"/t/{company.code}/knave/{key_of(ben)}/"
    line = "A line about the old mill and who was paid there.\n"
    for page, notes, pages in (
        ("/knave/blank/", "", 1),
        (f"{path}print/", line * 8, 1),
        (f"{path}print/", line * 60, 2),
    ):
        knave = {"character": key_of(ben), "name": "Maximilian " * 5}
        posts(ben, "edit_knave", **knave, notes=notes)
        ben.goes(page)
        for paper in ("A4", "Letter"):
            assert sheets(ben.page, paper) == pages, f"{page} on {paper}"
        ben.page.emulate_media(media="print")
        assert ben.page.evaluate(CUT_ON_PAPER) == []
