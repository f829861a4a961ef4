"""What somebody looks for is whole on the screen, in reach, and drawn once: at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW, ON_ITS_SIDE, SMALL, SPANISH, USUAL
from tests.phones.knave import begins_fight, does, has_a_knave, key_of, referee
from tests.phones.layout import HIDDEN, OVERLAPS, box, is_whole, of_what_is_seen
from tests.phones.people import Company
from tests.phones.wicked import begins, starts, takes
from tests.phones.wicked_ready import at_sheets, in_play

pytestmark = pytest.mark.looks

UPRIGHT: ViewportSize = {"width": 768, "height": 1024}
LEFTS = """(where) => [...document.querySelectorAll(where)].filter((e) => e.checkVisibility())
  .map((e) => Math.round(e.getBoundingClientRect().left))"""
# What reaches over an edge of the screen.
BEYOND = of_what_is_seen("""(where) => seen(where).map((e) => e.getBoundingClientRect())
  .filter((b) => b.left < 0 || b.top < 0 || b.right > innerWidth || b.bottom > innerHeight)""")
# As WCAG 1.4.12 has it; a broad serif takes as much.
BROADER = """(where) => document.querySelectorAll(where).forEach((one) => {
  one.style.letterSpacing = '.12em';
})"""
COLOUR = "(one) => getComputedStyle(one).backgroundColor"
TOPS = LEFTS.replace(".left", ".top")


def test_whoever_opens_sees_one_die_and_everybody_at_the_table(company: Company) -> None:
    """The look: what is to be done is in sight, a number first; then the die lies at the thumb, and
    no second one above it; the players are whole."""
    ana, ben = company.ana(), company.joined("Ben", **SPANISH)
    for size in (SMALL, USUAL):
        ben.page.set_viewport_size(size)
        expect(ben.sees("#number-2")).to_be_in_viewport(ratio=1)
    company.begins({ana: 7, ben: 13})
    ben.catches_up()
    expect(ana.sees("#stage .die")).to_be_hidden()
    expect(ana.sees("#roll .die")).to_be_visible()
    for person in (ana, ben):
        person.page.set_viewport_size(SMALL)
        is_whole(person.page, "#ring")
    ana.page.set_viewport_size(ON_ITS_SIDE)
    for button in ("#roll", "#typed-open"):
        expect(ana.sees(button)).to_be_in_viewport(ratio=1)
        assert not ana.page.evaluate(OVERLAPS, [button, "#bar"])


def test_a_real_die_can_be_told_of_while_the_game_is_still_explained(company: Company) -> None:
    """Of “I rolled a real die” a line explained on a phone of the usual size left an edge."""
    ana, ben = company.ana(), company.joined("Ben")
    company.begins({ana: 7, ben: 13})
    ana.rolls(13)
    ben.names(ana, "brave")
    ana.is_in("challenge")
    expect(ana.sees("#act .teach")).to_be_visible()
    expect(ana.sees("#typed-open")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, ["#typed-open", "#bar"])


def test_ten_at_the_table_are_whole_above_the_calls_of_a_small_phone(company: Company) -> None:
    """The look: with the line that explains the calls, too, which is there the first two times."""
    ana, ben = company.ana(), company.joined("Ben", viewport=NARROW, **SPANISH)
    company.only(ana, ben)
    for name in ("Cleo", "Dora", "Edda", "Finn", "Gus", "Hedda", "Ib", "Jonquil"):
        posts(ana, "add_player", name=name)
    numbers = "select s.number from games_seat s join games_table t on t.id = s.table_id"
    for seat in company.house.rows(f"{numbers} where t.code = ? and s.number > 2", company.code):
        posts(ana, "pick_number", seat=seat["number"], number=seat["number"])
    company.begins({ana: 17, ben: 19})
    ana.rolls(12)
    ben.catches_up()
    expect(ben.sees("#act .teach")).to_be_visible()
    is_whole(ben.page, "#ring")


def test_a_cry_leaves_the_players_whole_for_those_who_wait(company: Company) -> None:
    """The look: who must roll, and who is in, are read at a glance above sleeping calls."""
    ana, ben, cleo, _dora = company.bout(Ana=7, Ben=13, Cleo=17, Dora=2)
    company.only(ana, ben, cleo)
    ana.rolls(5)
    ben.shouts("brave")
    cleo.taps("#late-knave")
    ben.rolls(5)
    cleo.catches_up()
    cleo.reads("Bounce!", where="#stage .cry")
    for size in (USUAL, SMALL):
        cleo.page.set_viewport_size(size)
        is_whole(cleo.page, "#ring")
        is_whole(cleo.page, "#stage .headline")


def test_whoever_is_sent_and_how_leaves_the_players_whole(company: Company) -> None:
    """The look (BK-18): a lost finger, whose number it is and who was named are told above a ring
    that is read at a glance; and the finger is given up without looking for it."""
    ana, ben, cleo = (
        company.ana(**SPANISH),
        *(company.joined(n, **SPANISH) for n in ("Ben", "Cleo")),
    )
    dora = company.joined("Dora", **SPANISH)
    company.begins({ana: 7, ben: 13, cleo: 17, dora: 2})
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(2)
    ben.page.set_viewport_size(SMALL)
    for finger in ("little", "thumb"):
        expect(ben.sees(f"#finger-{finger}")).to_be_in_viewport(ratio=1)
    dora.catches_up()
    dora.names(cleo, "brave")
    ana.catches_up()
    for size in (USUAL, SMALL):
        ana.page.set_viewport_size(size)
        is_whole(ana.page, "#ring")
        is_whole(ana.page, "#stage .headline")


def test_three_who_have_shouted_leave_the_players_whole_for_who_waits(company: Company) -> None:
    """The look (BK-14): calls that wait for the next number cut the hands that are left in half."""
    names = ("Ana", "Benjamín", "Cleo", "Búho Verde")
    ana = company.ana(**SPANISH)
    ben, cleo, dora = (company.joined(name, **SPANISH) for name in names[1:])
    company.begins({ana: 7, ben: 13, cleo: 17, dora: 2})
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(8)
    cleo.shouts("brave")
    dora.taps("#late-knave")
    ana.taps("#late-knave")
    dora.catches_up()
    for size in (USUAL, SMALL):
        dora.page.set_viewport_size(size)
        is_whole(dora.page, "#ring")


def test_a_turned_card_lies_within_a_flat_tablet(company: Company) -> None:
    """Each part is turned to its side: of three at the table, too, no corner is cut off."""
    ana, ben, _cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    company.only(ana, ben)
    ana.rolls(5)
    ben.shouts("brave")
    tess = company.tess()
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    assert tess.page.evaluate(BEYOND, ".place-card") == []


def test_a_first_knave_is_rolled_at_the_thumb_and_a_fight_has_the_whole_width(
    company: Company,
) -> None:
    """The main action is at the foot; a phone on its side keeps no room for what nobody asks."""
    ana = referee(company)
    ben = company.joined("Ben")
    for size in (USUAL, SMALL, ON_ITS_SIDE):
        ben.page.set_viewport_size(size)
        button = box(ben.page, "#new-knave")
        assert button["y"] > size["height"] / 2
        expect(ben.sees("#new-knave")).to_be_in_viewport(ratio=1)
    ben.page.set_viewport_size(USUAL)
    has_a_knave(ben)
    posts(ana, "edit_knave", character=key_of(ben), name="Maximilian Müller")
    begins_fight(ana, company, "orc", 1, first=5)
    ben.presses("#tab-game")
    ben.catches_up()
    assert max(ben.page.evaluate(HIDDEN, ".me-words b")) <= 0  # beside the hit points
    ben.page.set_viewport_size(ON_ITS_SIDE)
    expect(ben.sees("#asks")).to_be_hidden()
    assert box(ben.page, "#panel-game")["width"] == ON_ITS_SIDE["width"]
    does(ana, "#ask-wis")
    ben.catches_up()
    expect(ben.sees("#asks")).to_be_visible()
    assert not ben.page.evaluate(OVERLAPS, ["#asks", "#panel-game"])


def test_the_code_and_the_people_are_whole_on_an_upright_tablet(company: Company) -> None:
    """A flat tablet is turned either way: nothing lies over the cards, and the code is read."""
    ana, (ben, *_others) = begins(company, "Ben", "Cleo", "Dora")
    tess = company.tess(viewport=UPRIGHT)
    posts(ben, "open_chapter")
    posts(ben, "choose_oracle", oracle="bronze_and_dust")
    tess.catches_up()
    assert max(tess.page.evaluate(HIDDEN, "#story-board")) <= 1
    company.house.dice_fall(1, 1, 1, 1)
    posts(ben, "deal_cards")
    tess.catches_up()
    expect(tess.sees(".board-card")).to_have_count(4)
    assert max(tess.page.evaluate(HIDDEN, "#story-board, #cast-board")) <= 1
    assert not tess.page.evaluate(OVERLAPS, [".board-members li", ".board-card, #owe-strip"])
    assert ana.code == tess.code


def test_elements_are_whole_on_their_cards_in_a_broad_letter(company: Company) -> None:
    """WCAG 1.4.12: many a tablet's serif is broader than the tests' own. Of what was just not long
    the first and the last line lay beyond the card, dark on dark."""
    _ana, (ben, *_others) = begins(company, "Ben", "Cleo", "Dora")
    tess = company.tess(viewport={"width": 1024, "height": 768})
    posts(ben, "open_chapter")
    posts(ben, "choose_oracle", oracle="the_weighing_house")
    posts(ben, "type_cards", cards="QH 8H 5H 3D")
    tess.catches_up()
    expect(tess.sees(".board-card")).to_have_count(4)
    tess.page.evaluate(BROADER, ".board-card p")
    assert max(tess.page.evaluate(HIDDEN, "#story-board, .board-card")) <= 1


def test_the_marks_of_those_who_fight_stand_in_one_line(company: Company) -> None:
    """The look: whoever is awaited is marked in the margin, and not moved."""
    ana, (ben, cleo, _dora) = in_play(company)
    company.only(ana, ben, cleo)
    starts(ben, "She cuts the rope", "Sarel", "Imra")
    company.catch_up()
    takes(ben, "Sarel", "covertly", "for_myself")
    ana.catches_up()
    cleo.catches_up()
    assert len(set(cleo.page.evaluate(LEFTS, "#fight .fighter-line .mark"))) == 1
    assert cleo.sees("#fight .fighter-line.is-awaited").count() == 1


def test_what_points_at_the_forms_does_not_outshine_the_button_that_takes_them(
    company: Company,
) -> None:
    """“Choose your forms, further up” was as bright, right below the pair that was just chosen."""
    _ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    starts(ben, "steals the purse", "Sarel", "Imra")
    colours = [ben.sees("#go-up").evaluate(COLOUR)]
    ben.sees(".pair-choice summary").first.tap()
    takes_them = ben.sees(".pair-choice[open] .primary")
    colours += [takes_them.evaluate(COLOUR), ben.sees("#go-up").evaluate(COLOUR)]
    assert colours[0] == colours[1] != colours[2]


def test_dice_to_trade_lie_in_even_rows(company: Company) -> None:
    """WA-13: five others in three and two; no die is left alone at the end of a row."""
    _ana, (ben, *_others) = at_sheets(company, 2)
    company.only(ben)
    ben.presses("#lay-directly > summary")
    tops = ben.page.evaluate(TOPS, "#lay-directly .lay")
    assert sorted(tops.count(top) for top in set(tops)) == [2, 3]
