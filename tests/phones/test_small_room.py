"""Where there is little room: three calls a row, seven at the table, a small phone's die."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.phones import wicked
from tests.phones.arriving import begins_for_all, posts, seats_of
from tests.phones.devices import NARROW, SMALL, SPANISH, larger
from tests.phones.knave import Build, has_a_knave, key_of, player_alone, referee
from tests.phones.layout import BOXED, HEIGHT, HIDDEN, OVERLAPS, PARTED, TANGLED, of_what_is_seen
from tests.phones.people import Company
from tests.phones.wicked import key, opens_typed, starts
from tests.phones.wicked_ready import NPCS, in_play

pytestmark = pytest.mark.looks

# What somebody sees or presses that goes past the right edge of the screen.
PAST_THE_EDGE = of_what_is_seen("""() => seen('.stage p, .act :is(p, button)')
  .filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.textContent.trim())""")
TOO_WIDE = of_what_is_seen("""(where) => seen(where)
  .filter((one) => one.scrollWidth > one.clientWidth).length""")
SCROLLS = of_what_is_seen("""(where) => seen(where)
  .filter((one) => one.scrollHeight > one.clientHeight).length""")
# Which of some buttons a card of the ring lies under, as it is turned.
ON_CARDS = of_what_is_seen("""(where) => seen(where).filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [left + 2, right - 2].some((x) => [top + 2, (top + bottom) / 2, bottom - 2].some((y) =>
    document.elementsFromPoint(x, y).some((under) => under.closest('.place-card'))));
}).map((one) => one.id)""")
LONG_NAMES = (
    "Wilhelmina Featherstonehaugh",
    "Maximilian von Hohenzollern",
    "Guadalupe Hernández-Villalobos",
    "Xx_DragonSlayer_9000_xX",
    "Rumpelstiltskin",
    "Ye Olde Innkeeper Bob",
    "Konstantinopolitanischer",
    "Anne",
    "Donaudampfschifffahrt",
)
SLIP = {
    "name": "Slip",
    "cry": "Oops",
    "number": 11,
    "on": "both",
    "effects": [
        {"kind": "lose", "target": "roller", "amount": 1},
        {"kind": "roll_again", "target": "roller", "amount": 1},
        {"kind": "reverse", "target": "roller", "amount": 1},
    ],
}


@pytest.mark.parametrize("players", [5, 7, 8])
def test_by_mouth_each_call_has_a_place_of_its_own_where_a_nine_may_be_healed(
    company: Company, players: int
) -> None:
    """BK-24 by mouth: with HEAL beside BRAVE and KNAVE no button lies over another's, nor over a
    hand, and each word is whole."""
    ana, ben = company.ana(), company.joined("Ben")
    for name in ("Cleo", "Dora", "Emma", "Finn", "Gus", "Hal")[: players - 2]:
        posts(ana, "add_player", name=name)
    seats = seats_of(company)
    for number, seat in enumerate(seats, 10):
        whose = ben if seat == seats[1] else ana
        posts(whose, "pick_number", seat=seat, number=number)
    posts(ana, "configure", setting="shouting", value="mouth")
    posts(ana, "configure", setting="has_nine_sisters", value="true")
    company.only(ana)
    tess = company.tess()
    posts(ana, "choose_first", who=seats[0])
    posts(ana, "start_bout")
    ana.rolls(9)
    tess.catches_up()
    expect(tess.sees(".heard-grid")).to_be_visible()
    for width, height in ((1180, 820), (1024, 768), (820, 1180), (768, 1024)):
        tess.page.set_viewport_size({"width": width, "height": height})
        assert tess.page.evaluate(TANGLED, ".heard-grid button") == 0
        assert not tess.page.evaluate(OVERLAPS, [".heard-grid button, .hub .die", ".place-card"])
    for phone in (320, 390):
        ana.page.set_viewport_size({"width": phone, "height": 844})
        assert ana.page.evaluate(PARTED, ".act .call-button") == []
        assert ana.page.evaluate(TANGLED, ".ring-seat .ring-number, .ring-seat .mark") == 0


def test_the_die_that_is_waited_for_is_within_reach_on_a_small_phone(company: Company) -> None:
    """The main action lies at the thumb, however much there is to tell above it."""
    ana = company.ana(**SPANISH, viewport=SMALL)
    ben = company.joined("Ben")
    company.only(ana)
    posts(ana, "name_guild", name="Ana Manuela la Manca de Triana")
    posts(ana, "add_house_rule", rule=json.dumps(SLIP))
    company.begins({ana: 7, ben: 13})
    ana.rolls(11)
    ana.catches_up()
    expect(ana.sees("#roll")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, ["#roll", "#bar"])


@pytest.mark.parametrize("tongue", [{}, SPANISH], ids=["en", "es"])
def test_beside_fingers_to_give_up_nothing_scrolls_on_a_small_phone(
    company: Company, tongue: dict[str, Any]
) -> None:
    """The look: what has happened and the players were cut above them, and the die's foot below."""
    people = [company.ana(), company.joined("Ben", **tongue, viewport=SMALL)]
    people += [company.joined(name) for name in ("Cleo", "Dora")]
    ana, ben, *_others = people
    company.only(ana, ben)
    company.begins(dict(zip(people, (7, 13, 11, 15), strict=True)))
    ana.rolls(5)
    ben.shouts("brave")
    ben.rolls(3)
    for part in ("#finger-little", "#finger-thumb", "#roll"):
        expect(ben.sees(part)).to_be_in_viewport(ratio=1)
    assert ben.page.evaluate(SCROLLS, ".upper, #panel-game") == 0
    ben.gives_up("little")
    expect(ben.sees("#undo")).to_be_in_viewport(ratio=1)
    assert ben.page.evaluate(SCROLLS, ".upper, #panel-game") == 0


def test_many_seats_on_one_small_phone_do_not_move_its_page_sideways(company: Company) -> None:
    """WCAG 1.4.10: the row of seats scrolls, and nothing that is unseen in it widens the page."""
    ana = company.ana(viewport=SMALL)
    for name in ("Cleo", "Dora", "Emma", "Finn", "Gus"):
        posts(ana, "add_player", name=name)
    ana.catches_up()
    expect(ana.sees(".companion")).to_have_count(5)
    assert ana.page.evaluate("document.scrollingElement.scrollWidth") == SMALL["width"]


def test_with_letters_twice_as_large_nothing_is_cut_and_calls_are_at_hand(company: Company) -> None:
    """WCAG 1.4.4: a browser's own letters at 200 % cut no word, and one may shout at once."""
    ana, ben = company.bout(Ana=7, Ben=13)
    for person in (ana, ben):
        larger(person, 32)
    assert ana.page.evaluate(PAST_THE_EDGE) == []  # the die, and the faces of a real one
    ana.rolls(5)
    ben.catches_up()
    expect(ben.sees("#shout-brave")).to_be_in_viewport(ratio=1)
    expect(ben.sees("#shout-knave")).to_be_in_viewport(ratio=1)
    ben.shouts("brave")
    ben.rolls(5)
    company.catch_up()
    for person in (ana, ben):
        assert person.page.evaluate(PAST_THE_EDGE) == []
    for rules in ("brave-or-knave", "knave", "wicked-age"):  # with an address in the first
        ben.goes(f"/rules/{rules}/")
        assert ben.page.evaluate("document.scrollingElement.scrollWidth") == 390, rules
    ben.goes("/")
    assert ben.page.evaluate(PARTED, "h1") == []


def test_with_letters_twice_as_large_hit_points_are_read_between_their_buttons(
    company: Company,
) -> None:
    """WCAG 1.4.4: the figure lay under "less" and "more", and on top under the line; of what the
    referee asks for half a word was left."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben, Build(hp=8))
    posts(ana, "ask_saves", ability="wis")
    ben.presses("#tab-sheet")
    larger(ben, 32)
    for parts in (
        ".hp-step, .hp-number > *",
        ".hp-step, .hp-far > summary",
        ".top :is(.top-hp, .line-dot)",
    ):
        assert ben.page.evaluate(TANGLED, parts) == 0, parts
    assert ben.page.evaluate(TOO_WIDE, ".ability-tap, .ask-button") == 0


def test_with_letters_twice_as_large_sheet_and_shop_are_read_in_whole_words(
    company: Company,
) -> None:
    """WCAG 1.4.4: beside a mark a name fell apart, beside "Buy" every letter had a line, and a
    purse's metals were no words any more."""
    ben = player_alone(company, **SPANISH)
    has_a_knave(ben)
    posts(ben, "edit_knave", character=key_of(ben), name="Bartolomé de Triana")
    larger(ben, 32)
    for page in ("", "shop/"):
        ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/{page}")
        assert ben.page.evaluate(PARTED, "h1, .money label, .item-words b") == []


def test_with_letters_twice_as_large_the_way_back_lies_beside_stop(company: Company) -> None:
    """WCAG 1.4.4: "Back" lay under "Stop", and of what can be taken back two letters were left."""
    _ana, (ben, *_others) = in_play(company, 2, **SPANISH)
    company.only(ben)
    larger(ben, 32)
    ben.presses("#tab-story")
    assert ben.page.evaluate(TANGLED, ".bar span") == 0
    ben.presses("#tab-me")
    opens_typed(ben, "start")
    assert ben.page.evaluate(TANGLED, "#typed-start .sheet-closer, #stop-open") == 0
    ben.presses("#typed-start .sheet-closer")
    starts(ben, "steals the purse", "Sarel", "Imra")
    told = ben.sees(".undo-row > span")
    expect(told).to_be_visible()
    assert told.evaluate("(e) => e.clientWidth") > 200


def test_with_letters_twice_as_large_an_oracle_s_name_stays_within_its_button(
    company: Company,
) -> None:
    """WCAG 1.4.4, 1.4.10: in a wide face "Uncovers" carried all four past the edge."""
    ana = wicked.referee(company)
    ben = company.joined("Ben", viewport=SMALL)
    company.only(ben)
    posts(ana, "begin_campaign")
    posts(ana, "open_chapter")
    larger(ben, 32)
    wide = """() => {
      document.documentElement.style.setProperty('--serif', '"DejaVu Serif", serif');
      const buttons = [...document.querySelectorAll('.oracle')];
      return buttons.map((one) => one.getBoundingClientRect().right);
    }"""
    expect(ben.sees(".oracle")).to_have_count(4)
    assert max(ben.page.evaluate(wide)) <= SMALL["width"]


def test_whoever_must_roll_on_a_small_phone_sees_the_others_above_the_die(company: Company) -> None:
    """The die had as much room as on a large phone: the row of seats was cut through, and in
    Spanish the word beside it touched the edge."""
    ana = company.ana(viewport=SMALL)
    ben, cleo = company.joined("Ben", viewport=SMALL, **SPANISH), company.joined("Cleo")
    company.only(ana, ben)
    company.begins({ana: 7, ben: 13, cleo: 17})
    ana.rolls(5)
    ben.shouts("brave")
    expect(ben.sees("#roll")).to_be_in_viewport(ratio=1)
    for seat in ben.sees(".ring-seat").all():
        expect(seat).to_be_in_viewport(ratio=1)
    assert not ben.page.evaluate(OVERLAPS, [".ring-seat", ".act"])
    room = (
        "(b) => b.getBoundingClientRect().right - b.lastElementChild.getBoundingClientRect().right"
    )
    assert ben.sees("#roll").evaluate(room) > 12


def test_with_letters_twice_as_large_a_character_is_read_in_whole_words(company: Company) -> None:
    """WCAG 1.4.4: an NPC's dice lay over one another and beyond the screen, who is in the campaign
    and who wants what fell apart, one's own name was cut, and so was what leads to the forms."""
    _ana, (ben, cleo) = in_play(company, 2, **SPANISH)
    company.only(ben, cleo)
    for person in (ben, cleo):
        larger(person, 32)
    starts(ben, "steals the purse", "Sarel", "Imra")
    assert max(ben.page.evaluate(HIDDEN, ".me-words b, .go-up")) <= 0
    npc = key(cleo, NPCS[0])
    number = company.house.one("select number from campaigns_character where id = ?", npc)
    pages = {
        f"character/{number}/": ".form-name",
        "campaign/1/": ".figures:not(.people) tbody th",
        "campaign/people/": ".people a",
    }
    for page, words in pages.items():
        cleo.goes(f"/t/{company.code}/{page}")
        assert cleo.page.evaluate("document.scrollingElement.scrollWidth") == 390, page
        assert cleo.page.evaluate(PARTED, words) == []
        if words == ".form-name":
            assert cleo.page.evaluate(TANGLED, ".form-name, .form-dice") == 0


def test_all_twenty_faces_of_a_real_die_lie_in_reach_whatever_is_told_above(
    company: Company,
) -> None:
    """Whoever had rolled a 17 saw numbers up to 15, and no sign that there were more."""
    ana, ben = company.ana(), company.joined("Ben", **SPANISH)
    company.only(ben)
    posts(ana, "configure", setting="dice", value="real")
    company.begins({ana: 7, ben: 13})
    posts(ana, "roll", dice=10)
    ben.shouts("brave")
    posts(ben, "roll", dice=10)
    posts(ana, "roll", dice=10)  # it bounces back, and everything is told at once
    ben.catches_up()
    for width, height in ((390, 844), (390, 740), (320, 568)):
        ben.page.set_viewport_size({"width": width, "height": height})
        for face in (1, 20):
            expect(ben.sees(f"#face-{face}")).to_be_in_viewport(ratio=1)
        assert not ben.page.evaluate(OVERLAPS, [".face", "#bar"])


def test_ten_names_in_the_ring_of_a_small_phone_break_between_words_only(company: Company) -> None:
    """A name that broke off anywhere was read as two; of those in the last row no fingers were
    seen. In Safari's engine "Zoe de la Rosa" was "Zoe d… la"."""
    ana = company.ana(viewport=NARROW)
    for name in LONG_NAMES:
        posts(ana, "add_player", name=name)
    seats = seats_of(company)
    for number, seat in enumerate(seats, 5):
        posts(ana, "pick_number", seat=seat, number=number)
    assert ana.page.evaluate(PARTED, ".ring-name") == []
    expect(ana.sees(".ring-name").nth(1)).to_have_text("Wilhelmina Featherstonehaugh")
    assert ana.page.evaluate(BOXED, ".ring-name") == []
    posts(ana, "choose_first", who=seats[0])
    posts(ana, "start_bout")
    ana.catches_up()
    assert ana.page.evaluate(PARTED, ".ring-name") == []
    expect(ana.sees("#roll")).to_be_in_viewport(ratio=1)
    for lives in ana.sees(".ring .lives").all():
        expect(lives).to_be_in_viewport(ratio=1)
    posts(ana, "leave", seat=seats[-1])
    struck = ana.sees(".ring-seat.is-out .ring-name > span")
    expect(struck).to_have_css("text-decoration-line", "line-through")  # a line never reaches in


@pytest.mark.parametrize("face", [8, 9])
def test_by_mouth_among_ten_each_mark_is_whole_beside_its_calls(
    company: Company, face: int
) -> None:
    """BK-8: where no name fits, its mark alone says whose call it is, and the calls lay over it."""
    ana, tess = company.ana(), company.tess()
    for name in LONG_NAMES:
        posts(ana, "add_player", name=name)
    posts(ana, "configure", setting="shouting", value="mouth")
    posts(ana, "configure", setting="has_nine_sisters", value="true")
    begins_for_all(ana, {seat: number for number, seat in enumerate(seats_of(company), 10)})
    posts(ana, "roll", dice=face)
    company.only(tess)
    tess.catches_up()
    expect(tess.sees(".heard-grid")).to_be_visible()
    for width, height in ((1180, 820), (820, 1180), (1024, 768), (768, 1024)):
        tess.page.set_viewport_size({"width": width, "height": height})
        assert not tess.page.evaluate(OVERLAPS, [".heard-grid .mark", ".heard-grid button"])
        assert not tess.page.evaluate(OVERLAPS, [".heard-grid button, .hub .die", ".place-card"])
        assert tess.page.evaluate(TANGLED, ".heard-grid button") == 0
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")  # each card is turned
    for width, height in ((1180, 820), (820, 1180), (1024, 768), (768, 1024)):
        tess.page.set_viewport_size({"width": width, "height": height})
        assert tess.page.evaluate(ON_CARDS, ".heard-grid button") == [], (width, height)


def test_with_letters_half_as_large_again_whose_phone_it_is_is_read(company: Company) -> None:
    """WCAG 1.4.4, of what a narrow phone is about: of one's number in a bout, and of a knave's name
    on its own sheet, only the first letters were left."""
    ana, ben = company.bout(Ana=7, Ben=13)
    for person, width in ((ana, 390), (ben, 320)):
        person.page.set_viewport_size({"width": width, "height": 640})
        larger(person, 24)
        assert max(person.page.evaluate(HIDDEN, ".me-words :is(b, small)")) <= 0, width
    dora = player_alone(company, **SPANISH, viewport=NARROW)
    has_a_knave(dora)
    posts(dora, "edit_knave", character=key_of(dora), name="Guadalupe Maravillas")
    dora.presses("#tab-sheet")
    dora.reads("Guadalupe Maravillas", where="#sheet-name")
    larger(dora, 24)
    assert max(dora.page.evaluate(HIDDEN, "#sheet-name")) <= 0
    assert dora.page.evaluate(PARTED, "#sheet-name") == []


@pytest.mark.parametrize("language", [{}, SPANISH], ids=["en", "es"])
def test_what_can_be_taken_back_leaves_the_sheet_in_sight_with_letters_twice_as_large(
    company: Company, language: dict[str, Any]
) -> None:
    """WCAG 1.4.4: it took half of a small phone, and of the sheet a name was left."""
    ben = player_alone(company, viewport=SMALL, **language)
    has_a_knave(ben)
    posts(ben, "edit_knave", character=key_of(ben), name="Vicenta")
    posts(ben, "change_hp", character=key_of(ben), by=-1)
    ben.catches_up()
    larger(ben, 32)
    undo = ben.sees("#undo")
    expect(undo).to_be_in_viewport(ratio=1)
    assert undo.evaluate(HEIGHT) >= 44, "a finger hits it"
    assert max(ben.page.evaluate(HIDDEN, ".undo-row > span")) <= 0
    assert ben.sees("#asks").evaluate(HEIGHT) <= SMALL["height"] / 3
    assert ben.sees("#panel-sheet").evaluate(HEIGHT) >= SMALL["height"] / 4


def test_the_name_on_a_sheet_for_paper_is_whole_on_a_small_phone(company: Company) -> None:
    """It had what level and experience left over: Olalla was "Olall" and, below, "a"."""
    ben = player_alone(company, viewport=SMALL)
    number = has_a_knave(ben)
    posts(ben, "edit_knave", character=number, name="Maravillas Olalla", gender="", notes="")
    ben.goes(f"/t/{company.code}/knave/{number}/print/")
    assert ben.page.evaluate(PARTED, ".name h1") == []
