"""Words that the house says itself are read whole, in the longer language as well."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.devices import NARROW, SMALL, SPANISH, USUAL
from tests.phones.knave import (
    begins_fight,
    does,
    has_a_knave,
    key_of,
    player_alone,
    referee,
    unfolds,
)
from tests.phones.layout import HIDDEN, OVERLAPS, PARTED, ROOM
from tests.phones.people import NO_NETWORK, Company
from tests.phones.wicked_ready import at_sheets, has_started, in_play, own_key

pytestmark = pytest.mark.looks

# On how many lines the words of each stand.
LINES = """(where) => [...document.querySelectorAll(where)].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const middles = [...words.getClientRects()].map((line) => (line.top + line.bottom) / 2);
  return new Set(middles.map((middle) => Math.round(middle / 8))).size;
})"""
# How many of them stand in each row.
ROWS = """(where) => {
  const tops = [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect().top);
  return [...new Set(tops.map(Math.round))].map((top) =>
    tops.filter((other) => Math.round(other) === top).length);
}"""
# How far the line of an open thing's slots reaches past the top of its buttons.
RUNG = """(where) => {
  const rung = document.querySelector(where);
  const line = getComputedStyle(rung, '::before');
  const end = rung.getBoundingClientRect().top + parseFloat(line.top) + parseFloat(line.height);
  return end - rung.querySelector('.item-deeds').getBoundingClientRect().top;
}"""


def test_the_step_of_a_chapter_is_read_whole_in_spanish_on_a_narrow_phone(company: Company) -> None:
    """WCAG 1.4.10: what the chapter is at stands in the head of the page; the GM's page says in one
    line whose it is, and of which table."""
    ana, (ben, *_others) = at_sheets(company, **SPANISH)
    company.only(ana, ben)
    for width in (1180, 320):
        ana.page.set_viewport_size({"width": width, "height": 820})
        assert ana.page.evaluate(LINES, ".page-head > .eyebrow") == [1]
    ben.page.set_viewport_size(NARROW)
    for _step in range(3):
        assert max(ben.page.evaluate(HIDDEN, ".me-words small")) <= 1
        posts(ana, "step_back")
        company.catch_up()


@pytest.mark.parametrize("width", [320, 360, 390, 412, 430])
def test_a_finger_has_room_around_its_name_in_spanish(company: Company, width: int) -> None:
    """WCAG 1.4.12: «meñique» and «dedo medio» do not touch the edges of their buttons, as they did
    on a usual phone; and none stands alone in a row. Where four have room in one they leave the
    die theirs."""
    ana, ben = company.ana(), company.joined("Ben", **SPANISH)
    company.begins({ana: 7, ben: 13})
    ben.page.set_viewport_size({"width": width, "height": 844})
    ana.rolls(20)
    expect(ben.sees(".finger-button")).to_have_count(5)
    assert min(ben.page.evaluate(ROOM, ".finger-button")) >= 5
    rows = ben.page.evaluate(ROWS, ".finger-button")
    assert rows == ([5] if width > 424 else [3, 2])
    ben.page.evaluate("document.querySelector('.finger-row').firstElementChild.remove()")
    assert min(ben.page.evaluate(ROOM, ".finger-button")) >= 5
    assert ben.page.evaluate(ROWS, ".finger-button") == ([4] if width > 352 else [2, 2])


def test_what_is_laid_out_for_english_and_spanish_has_room_for_a_third_language(
    company: Company,
) -> None:
    """WCAG 1.4.10, 1.4.12: one language more to choose from, and its words where ours are short:
    five fingers in a row, and the stop beside how good the line is."""
    ana = company.person("Ana", viewport=SMALL)
    ana.goes("/")
    ana.page.evaluate(
        """() => {
          const one = document.querySelector('.languages .chip:last-of-type').cloneNode(true);
          one.querySelector('span').textContent = 'Português';
          one.ariaPressed = 'true';
          document.querySelector('.languages').append(one);
        }"""
    )
    assert ana.page.evaluate(PARTED, ".languages .chip span") == []
    company.code = ana.opens_table()
    ana.page.evaluate(
        """(names) => {
          document.documentElement.lang = 'pt';
          document.querySelector('#stop-open > span').textContent = 'Stopp';
          document.querySelector('#act, main').insertAdjacentHTML('beforeend',
          `<div class="finger-strip"><div class="finger-row">${names.map((n) =>
            `<button class="button finger-button">${n}</button>`).join('')}
          </div></div>`);
        }""",
        ["polegar", "indicador", "médio", "anular", "mindinho"],
    )
    for width in (320, 390):
        ana.page.set_viewport_size({"width": width, "height": 844})
        assert min(ana.page.evaluate(ROOM, ".finger-button")) >= 3
        assert not ana.page.evaluate(OVERLAPS, [".top .line-dot", "#stop-open > span"])


def test_the_name_of_an_ability_is_never_parted_in_spanish(company: Company) -> None:
    """WCAG 1.4.10: Constitución is one word while a knave is made, and at a new level."""
    ana = referee(company, **SPANISH)
    ben = company.joined("Ben", **SPANISH)
    company.only(ben)
    does(ben, "#new-knave")
    for width in (320, 360, 390):
        ben.page.set_viewport_size({"width": width, "height": 844})
        assert ben.page.evaluate(PARTED, ".rolls th") == []
        assert max(ben.page.evaluate(HIDDEN, ".make .card")) <= 1
    does(ben, "#confirm")
    posts(ana, "award_xp", who=str(key_of(ben)), amount=1000)
    ben.catches_up()
    ben.presses("#asks summary:has-text('nivel 2')")
    for width in (320, 360, 390):
        ben.page.set_viewport_size({"width": width, "height": 844})
        assert ben.page.evaluate(PARTED, ".raise b") == []
        assert max(ben.page.evaluate(HIDDEN, ".raise")) <= 1


def test_the_letters_of_an_ability_stay_together_for_a_stunt_in_spanish(company: Company) -> None:
    """WCAG 1.4.10: FUE, DES and CON are whole, and wider still where they are chosen (KN-17)."""
    ana = referee(company)
    ben = company.joined("Ben", **SPANISH, viewport=NARROW)
    company.only(ben)
    has_a_knave(ben)
    begins_fight(ana, company, "orc", 1, first=5)
    ben.catches_up()
    unfolds(ben, ".other-deed[id^=stunt]")
    for chosen in ("str", "dex", "con"):
        for use in ("ability", "against"):
            ben.page.locator(f"[id^=stunt] [name={use}][value={chosen}]").check()
        assert ben.page.evaluate(PARTED, "[id^=stunt] .options-6 span") == []


def test_a_referees_words_stay_whole_and_apart_on_a_narrow_phone(company: Company) -> None:
    """WCAG 1.4.10: no label breaks within a word, and no part's name touches the next one's."""
    ana = referee(company, **SPANISH, viewport=NARROW)
    lines = ana.page.evaluate(
        """() => [...document.querySelectorAll('.count-row label')]
          .filter((e) => e.checkVisibility() && !e.textContent.trim().includes(' '))
          .map((label) => {
            const words = document.createRange();
            words.selectNodeContents(label);
            return words.getClientRects().length;
          })"""
    )
    assert set(lines) == {1}
    assert min(ana.page.evaluate(ROOM, ".gm-bar a")) >= 2
    parts = ana.page.locator(".gm-bar a").all()
    assert min(box["width"] for part in parts if (box := part.bounding_box())) >= 44


def test_every_step_of_the_hit_points_is_wide_enough_for_a_thumb(company: Company) -> None:
    """The target size of docs and WCAG 2.5.8: 44 px and more on the narrowest phone. The line that
    joins the slots of a thing does not run through its buttons (KN-4)."""
    ben = player_alone(company, viewport=NARROW)
    has_a_knave(ben)
    unfolds(ben, ".runs-on:first-child > .item")
    assert ben.page.evaluate(RUNG, ".runs-on:has([open])") <= 0
    unfolds(ben, "#hp-far")
    sizes = ben.page.evaluate(
        """() => [...document.querySelectorAll('#hp-far button')].map((b) =>
          Math.min(b.getBoundingClientRect().width, b.getBoundingClientRect().height))"""
    )
    assert len(sizes) == 6
    assert min(sizes) >= 44


def test_a_cry_on_the_tablet_lies_over_nobodys_hand(company: Company) -> None:
    """Neither at the top nor at the bottom, with all the shouts below it; and a phone says first
    who must roll."""
    ana, ben, cleo, dora = company.bout(Ana=7, Ben=13, Cleo=17, Dora=2)
    tess = company.tess()
    ana.rolls(5)
    ben.shouts("brave")
    cleo.taps("#late-knave")
    dora.taps("#late-brave")
    ben.rolls(5)
    company.catch_up()
    tess.reads("Bounce!", where=".cry")
    assert not tess.page.evaluate(OVERLAPS, [".cry, .table-centre .shouts", ".place-card"])
    for other in (ben, cleo, dora):
        expect(other.sees("#stage .headline")).to_be_in_viewport(ratio=1)
    expect(ana.sees("#roll")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, ["#roll", "#bar"])


def test_a_narrow_phone_reads_its_knave_s_name_and_every_price_whole(company: Company) -> None:
    """320 px, in Spanish: the name beside the hit points, what can be taken back, and in the shop a
    price of two metals beside what buys; what costs nothing is said to be free."""
    ben = player_alone(company, viewport=NARROW, **SPANISH)
    has_a_knave(ben)
    posts(ben, "edit_knave", character=key_of(ben), name="Bartolomé de Triana")
    ben.reads("Bartolomé de Triana", where="#top")
    assert max(ben.page.evaluate(HIDDEN, ".me-words b, .undo-row > span")) <= 0
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/shop/")
    assert not ben.page.evaluate(OVERLAPS, [".shop-price", ".buy .button"])
    expect(ben.sees(".shop-price", has_text="gratis").first).to_be_visible()


def test_whose_phone_it_is_is_read_beside_all_that_the_top_may_hold(company: Company) -> None:
    """A host's own knave beside a second seat and the way to the referee's page, and a phone that
    has lost its line: a name of five letters stood on two lines, or on three."""
    ana = referee(company, viewport=USUAL)
    ben = company.joined("Ben", viewport=NARROW, **SPANISH)
    posts(ana, "add_player", name="Gus")
    for person, name in ((ana, "Dario"), (ben, "Perla")):
        has_a_knave(person)
        posts(person, "edit_knave", character=key_of(person), name=name)
        person.goes(f"/t/{company.code}/")
        person.is_live()
    ben.expects_trouble(NO_NETWORK)
    ben.context.set_offline(True)
    expect(ben.sees(".line-off")).to_be_visible(timeout=15000)
    assert ana.page.evaluate(PARTED, ".me-words b") == []
    assert ben.page.evaluate(PARTED, ".me-words b") == []


def test_everybody_in_a_campaign_is_read_on_a_narrow_phone(company: Company) -> None:
    """The table ends where the page's words end, and no name is broken within a word."""
    _ana, (ben, *_others) = at_sheets(company, 2, viewport=NARROW)
    company.only(ben)
    posts(ben, "write_sheet", character=own_key(ben), name="Guadalupe de las Maravillas")
    ben.goes(f"/t/{company.code}/campaign/people/")
    table, title = ben.sees(".people").bounding_box(), ben.sees("h1").bounding_box()
    assert table is not None
    assert title is not None
    assert table["x"] + table["width"] <= title["x"] + title["width"] + 1
    assert ben.page.evaluate(PARTED, ".people a") == []


def test_who_is_host_and_who_is_away_is_read_in_whole_words_on_a_narrow_phone(
    company: Company,
) -> None:
    """The host's list of seats: beside the arrows that move a seat each syllable had a line."""
    ana = company.ana(viewport=NARROW, **SPANISH)
    company.joined("Ben")
    company.only(ana)
    ana.goes(f"/t/{company.code}/gm/")
    expect(ana.sees(".gm-seat")).to_have_count(2)
    assert ana.page.evaluate(PARTED, ".gm-seat .seat-words small") == []


def test_the_arrows_that_move_a_seat_stand_together(company: Company) -> None:
    """One of the two alone fell under the name: on most phones beside it, else both beneath."""
    ana = company.ana(viewport=USUAL, **SPANISH)
    company.joined("Ben")
    company.only(ana)
    posts(ana, "pick_number", number=13)
    ana.goes(f"/t/{company.code}/gm/")
    expect(ana.sees(".gm-seat")).to_have_count(2)

    def middles(*where: str) -> list[float]:
        boxes = [ana.sees(f".gm-seat:first-child {one}").bounding_box() for one in where]
        return [box["y"] + box["height"] / 2 for box in boxes if box]

    name, up, down = middles(".seat-words", "#up-1", "#down-1")
    assert abs(up - name) < 8
    assert up == down
    ana.page.set_viewport_size(NARROW)
    name, up, down = middles(".seat-words", "#up-1", "#down-1")
    assert up == down > name + 24


def test_a_name_on_the_hosts_list_of_seats_is_not_broken_within_a_word(company: Company) -> None:
    """“Xochiquet/zal” stood beside its arrows: now they stand beneath."""
    ana = company.ana(viewport=USUAL)
    posts(company.joined("Xochiquetzal"), "pick_number", number=19)
    company.only(ana)
    ana.goes(f"/t/{company.code}/gm/")
    expect(ana.sees(".gm-seat")).to_have_count(2)
    assert ana.page.evaluate(PARTED, ".gm-seat .seat-words b") == []


# How far a g reaches below what hides the rest of a long name, in a face whose letters reach as far
# down as those of Android and of most Linux laptops: in pixels.
BELOW = """(where) => {
  document.documentElement.style.setProperty('--serif', '"Noto Serif", "DejaVu Serif", serif');
  const pen = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll(where)].filter((e) => e.checkVisibility()).map((one) => {
    one.textContent = 'gyp';
    const words = document.createRange();
    words.selectNodeContents(one);
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(one);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const letters = pen.measureText('gyp');
    const foot = words.getBoundingClientRect().bottom - letters.fontBoundingBoxDescent;
    return foot + letters.actualBoundingBoxDescent - one.getBoundingClientRect().bottom;
  });
}"""


def test_no_letter_is_cut_at_its_foot_on_a_wicked_table_s_screen(company: Company) -> None:
    """What is read across the table: in the fight's heading each g and y had lost its tail."""
    _ana, (ben, *_others) = in_play(company)
    company.only()
    tess = company.tess()
    people = tess.page.evaluate(BELOW, ".person-head b")
    has_started(ben, "She plays", "Sarel", "Old Kesh")
    tess.catches_up()
    expect(tess.sees(".fighter-name b")).to_have_count(2)
    cut = [*people, *tess.page.evaluate(BELOW, ".fight-head h2, .fighter-name b")]
    assert len(cut) >= 6
    assert max(cut) <= 0


def test_no_letter_of_a_knave_s_name_is_cut_at_its_foot(company: Company) -> None:
    """On the shared screen, the foes' as well, and on one's own sheet."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    has_a_knave(ben)
    begins_fight(ana, company, "orc", 1, first=5)
    tess = company.tess()
    ben.goes(f"/t/{company.code}/")
    ben.presses("#tab-sheet")
    cut = [
        *tess.page.evaluate(BELOW, ".member-name b, .foe-face b"),
        *ben.page.evaluate(BELOW, ".sheet-words h2"),
    ]
    assert len(cut) == 3
    assert max(cut) <= 0
