"""What goes wrong at a Knave table: a slip of the thumb, a lost line, a sheet filled in badly."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.phones.arriving import posts
from tests.phones.devices import USUAL
from tests.phones.knave import (
    Build,
    begins_fight,
    does,
    figure,
    forms_of,
    has,
    has_a_knave,
    in_pile,
    is_struck,
    key_of,
    name_of,
    next_round,
    player_alone,
    referee,
    strikes,
    thing,
    unfolds,
)
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import REFUSED, Company, Person
from tests.phones.wire import Wire

TORCHES = Build(hp=8, gear=(1, 1, 20, 7, 3, 1))
ARABIC = "سيف الدين بن عبد الرحمن الكبير صاحب الخان القديم عند النهر"


def shows_hp(person: Person, where: str, hp: int) -> None:
    expect(person.sees(where)).to_have_text(str(hp), timeout=8000)


# --- taken back ----------------------------------------------------------------------------------
def test_what_was_dropped_is_taken_back(company: Company) -> None:
    """Undo: a player's own choice goes back as long as nothing has come of it."""
    ben = player_alone(company)
    has_a_knave(ben, TORCHES)
    torches = thing(ben, "torch")
    unfolds(ben, f"#item-{torches}")
    does(ben, f"#drop-{torches}")
    assert in_pile(company, "torch") == torches
    expect(ben.sees(f"#item-{torches}")).to_have_count(0)
    assert has(ben, "torch") == 0
    does(ben, "#undo")
    expect(ben.sees(f"#item-{torches}")).to_contain_text("×5")
    assert has(ben, "torch") == 5


def test_an_attack_that_the_referee_takes_back_gives_the_hit_points_back(company: Company) -> None:
    """Undo: sheet, tablet and referee show what was before, and the foe has not acted."""
    ana = referee(company)
    ben = company.joined("Ben")
    has_a_knave(ben, TORCHES)
    tess = company.tess()
    begins_fight(ana, company, "orc", 1, first=1)
    strikes(ana, "orc-1", ben, 20, 3, 2)
    fighter = f"#fighter-k{key_of(ben)} .hp-pair b"
    for hp in (3, 8):
        shows_hp(ben, "#sheet .hp-number b", hp)
        shows_hp(tess, "#party-board .member-hp b", hp)
        shows_hp(ana, fighter, hp)
        if hp == 3:
            does(ana, '#gm-log li:has-text("hits") button')
    assert figure(ben, "hp") == 8
    expect(ana.sees("#foe-orc-1")).not_to_contain_text("has acted")
    ben.presses("#tab-log")
    expect(ben.sees("#log-list")).to_contain_text("Ana takes the last move back: “Orc 1 rolls 21")
    strikes(ana, "orc-1", ben, 19, 4)
    shows_hp(ben, "#sheet .hp-number b", 4)
    ana.presses("#notice [data-undo]")  # the receipt of what was just done
    shows_hp(ben, "#sheet .hp-number b", 8)
    strikes(ana, "orc-1", ben, 2)
    ben.reads("misses", where="#log-list")


@pytest.mark.looks
def test_a_receipt_hides_no_heading_of_the_fight_on_a_phone(company: Company) -> None:
    """Whose turn it is now stands there, for the eight seconds in which it counts most."""
    ana = referee(company, viewport=USUAL, locale="es-ES")
    ben = company.joined("Ben")
    company.only(ana)
    has_a_knave(ben, TORCHES)
    begins_fight(ana, company, "goblin", 2, first=1)
    ana.sees("#part-fight").evaluate("part => part.scrollIntoView()")
    strikes(ana, "goblin-1", ben, 19, 2)
    told, title = (ana.sees(one).bounding_box() for one in ("#notice .receipt", "#gm-fight-title"))
    assert told
    assert title
    assert told["y"] + told["height"] <= title["y"]


def test_a_receipt_is_read_though_its_button_was_redrawn_before_it_came(company: Company) -> None:
    """The push may be quicker than the answer: the word and its Undo come all the same."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    has_a_knave(ben, TORCHES)
    begins_fight(ana, company, "orc", 1, first=1)

    def after_the_push(route: Route) -> None:
        answer = route.fetch()
        ana.catches_up()
        route.fulfill(response=answer)

    ana.page.route("**/act/", after_the_push)
    ana.posts_taps()
    strikes(ana, "orc-1", ben, 19, 4)
    ana.reads("hits", where="#notice")
    assert figure(ben, "hp") == 4
    ana.page.unroute("**/act/")
    assert ana.is_answered(lambda: ana.presses("#notice [data-undo]")).status == 204
    assert figure(ben, "hp") == 8


# --- the referee's page ---------------------------------------------------------------------------
def test_the_referees_page_stays_where_it_is_under_the_finger(company: Company) -> None:
    """A redraw does not push away what is looked at: no tap scrolls the page."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    has_a_knave(ben, TORCHES)
    begins_fight(ana, company, "orc", 4, first=2)
    for foe in ("orc-1", "orc-2"):
        ana.page.evaluate("scrollTo(0, 250)")
        strikes(ana, foe, ben, 2)
        assert ana.page.evaluate("scrollY") == 250


def test_things_go_on_into_the_pile_that_was_chosen(company: Company) -> None:
    """What the referee has chosen stays chosen when one thing after the other is laid down."""
    ana = referee(company)
    for name in ("Well", "Attic"):
        posts(ana, "new_pile", name=name)
    piles = ana.sees('input[name="pile"]:not(:checked)')
    chosen = piles.first.get_attribute("value")
    ana.presses(f'label[for="into-{chosen}"]')
    for name in ("crown", "sceptre"):
        ana.page.fill("#thing-name", name)
        does(ana, "#add-thing")
        ana.reads(name, where=f"#pile-{chosen}")


# --- the line ------------------------------------------------------------------------------------
def test_a_phone_that_was_away_in_a_fight_comes_back_to_it_and_strikes_once(
    company: Company, wire: Wire
) -> None:
    """R4: loaded anew or long away, it shows the present; R1: a tap made offline counts once."""
    ana = referee(company)
    ben = company.joined("Ben", address=wire.address)
    company.only(ben)
    has_a_knave(ben, TORCHES)
    begins_fight(ana, company, "ogre", 1, first=5)
    ben.page.reload()
    ben.is_live()
    ben.reads("Your side acts", where="#fight")

    goes_off(ben, wire)
    next_round(ana, 2)
    is_struck(ben, ana, "ogre-1", 18, 3)
    comes_back(ben, wire)
    ben.reads("Round 2", where="#fight")
    ben.reads("Your side acts", where="#fight")
    ben.reads("5 of 8 HP", where="#fight")

    goes_off(ben, wire)
    company.house.dice_fall(15, 4)
    ben.presses(f"#attack-k{key_of(ben)}-ogre-1")  # into the void
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    assert [e["by_name"] for e in company.events("Attacked")] == ["Ogre 1"]
    comes_back(ben, wire)
    expect(ben.sees("html")).not_to_have_attribute("data-unsent", "")
    ben.reads("16", where="#asks .roll-total")
    assert [e["total"] for e in company.events("Attacked")] == [22, 16]


def test_a_tap_for_a_round_that_is_over_is_refused_in_words(company: Company, wire: Wire) -> None:
    """R2: what was tapped offline for the last round strikes nobody in this one."""
    ana = referee(company)
    ben = company.joined("Ben", address=wire.address)
    company.only(ben)
    has_a_knave(ben, TORCHES)
    begins_fight(ana, company, "ogre", 1, first=5)
    ben.presses("#tab-game")
    goes_off(ben, wire)
    ben.presses(f"#attack-k{key_of(ben)}-ogre-1")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    assert "front=knave" in ben.page.evaluate("sessionStorage.getItem('taproom-outbox')")
    next_round(ana, 2)
    ben.expects_trouble(REFUSED)
    comes_back(ben, wire)
    ben.reads("Too late: the table has moved on", where="#notice")
    ben.reads(re.compile(r"\w – Too late"), where="#notice")  # of which tap, minutes later
    ben.reads("The foes act", where="#fight")
    assert company.events("Attacked") == []


def test_the_next_foe_is_chosen_when_the_first_one_falls(company: Company) -> None:
    """A redraw leaves somebody chosen: a real die that is tapped then finds its target."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ben)
    for person in (ben, cleo):
        has_a_knave(person, TORCHES)
    begins_fight(ana, company, "orc", 2, first=5)
    ben.presses("#tab-game")
    typed = f"attack-typed-{forms_of(ben)}"
    unfolds(ben, f"#{typed}")
    expect(ben.sees(f"#{typed}-orc-1")).to_be_checked()
    posts(ana, "fight-hurt", on="orc-1", amount=10)
    ben.catches_up()
    expect(ben.sees(f"#{typed}-orc-2")).to_be_checked()
    does(ben, f"#{typed}-face-3")
    assert company.events("Attacked")[-1]["is_real"]


# --- what people type ----------------------------------------------------------------------------
# What was refused before is taken off the page, so that the next words are new ones.
UNSAID = """() => {
  const told = document.querySelectorAll('[role=alert], .refused-here');
  for (const words of told) words.textContent = '';
}"""


def types(person: Person, fields: dict[str, str], button: str) -> None:
    """Fill in a form as a hasty person does, and send it though the browser objects."""
    for field, text in fields.items():
        person.page.fill(field, text)
    form = person.sees(f"form:has({button})")
    form.evaluate("form => { form.noValidate = true; }")
    person.presses(button)


def test_a_sheet_filled_in_badly_says_why_and_keeps_what_was_typed(company: Company) -> None:
    """Nothing that was typed has to be typed again, and nothing of it is done."""
    ben = player_alone(company)
    ben.expects_trouble(REFUSED)
    has_a_knave(ben, TORCHES)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    name = name_of(ben)
    for fields, button, reason in (
        ({"#coins-gold": "10000"}, "#save-coins", "slot"),
        ({"#coins-silver": "many"}, "#save-coins", ""),
        ({"#hp-by": "-5x"}, "#save-hp", ""),
        ({"#item-name": "anvil", "#item-count": "9999"}, "#add-item", "slot"),
        ({"#name": " \t ", "#notes": "the old mill"}, "#save-knave", ""),
    ):
        ben.page.evaluate(UNSAID)
        types(ben, fields, button)
        notice = ben.sees('[role="alert"], .refused-here', has_text=re.compile(r"\w"))
        expect(notice).to_contain_text(reason or re.compile(r"\w{3}"))
        for field, text in fields.items():
            expect(ben.sees(field)).to_have_value(text)
    assert (figure(ben, "gold"), figure(ben, "hp"), name_of(ben)) == (0, 8, name)


@pytest.mark.looks
def test_a_long_arabic_name_is_a_name(company: Company) -> None:
    """Sixty letters in whatever script stand on sheet, tablet and in the log."""
    ana = referee(company)
    ben = company.joined("Ben")
    tess = company.tess()
    has_a_knave(ben, TORCHES)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    name = ARABIC.ljust(60, "ر")
    assert len(name) == 60
    ben.page.fill("#name", name)
    ben.presses("#save-knave")
    expect(ben.sees("h1")).to_have_text(name)
    for person, where in ((tess, "#party-board"), (ana, "#gm-party")):
        person.reads(name, where=where)


def test_five_hit_points_less_than_none_is_dead(company: Company) -> None:
    """KN-16: a typed −5 takes five, and below 0 is death, wherever it was typed."""
    ben = player_alone(company)
    has_a_knave(ben, Build(hp=4))
    fallen = name_of(ben)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.page.fill("#hp-by", "-5")
    ben.presses("#save-hp")
    ben.reads("dead", where="header.page-title")
    ben.goes(f"/t/{company.code}/")
    ben.is_live()
    ben.reads(f"{fallen} is dead.", where="#asks")


def test_a_stat_line_of_nonsense_stays_in_its_field(company: Company) -> None:
    """KN-25's converter says what it misses; the referee mends the line where it stands."""
    ana = referee(company)
    ana.expects_trouble(REFUSED)
    posts(ana, "prepare_encounter")
    unfolds(ana, "#stat-line")
    ana.page.fill("#stat-text", "a quiet afternoon")
    ana.taps("#add-stat-line")
    ana.reads("hit dice", where=".refused-here")
    expect(ana.sees("#stat-text")).to_have_value("a quiet afternoon")
    pasted = "Grue: AC 5, HD 3." + " It is dark." * 400
    ana.page.fill("#stat-text", pasted)
    ana.taps("#add-stat-line")
    ana.reads("at most 4000 letters", where=".refused-here")
    expect(ana.sees("#stat-text")).to_have_value(pasted)
    ana.page.fill("#stat-text", "Grue: AC 5, HD 3, D 2d4, ML 9")
    does(ana, "#add-stat-line")
    ana.reads("Grue 1", where="#gm-fight")
    unfolds(ana, "#new-npc")
    ana.page.fill("#npc-name", "Oda")
    ana.page.fill("#npc-hp", "-5")
    ana.sees("form:has(#npc-shown)").evaluate("form => { form.noValidate = true; }")
    ana.taps("#npc-shown")
    expect(ana.sees("#npc-hp ~ .refused-here, .field:has(#npc-hp) .refused-here")).to_be_visible()
    expect(ana.sees("#npc-hp")).to_have_value("-5")
    assert company.events("npc_added") == []


def test_what_has_to_be_mended_is_marked_at_its_field(company: Company) -> None:
    """WCAG 3.3.1: "there are only 3" says nothing to who has filled in three fields."""
    referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ben)
    ben.expects_trouble(REFUSED)
    for person in (ben, cleo):
        has_a_knave(person)
    posts(ben, "set_coins", character=key_of(ben), gold=1, silver=3, copper=1)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.page.fill("#gift-silver", "5")
    assert ben.is_answered(lambda: ben.presses("#give-coins")).status == 409
    expect(ben.sees("#gift-silver")).to_have_attribute("aria-invalid", "true")
    expect(ben.sees("#gift-silver")).to_have_value("5")
    expect(ben.sees("[aria-invalid]")).to_have_count(1)
    ben.page.fill("#gift-silver", "3")
    expect(ben.sees("[aria-invalid]")).to_have_count(0)


def test_dice_that_were_typed_are_seen_on_the_page_where_they_were_typed(company: Company) -> None:
    """KN-1: the field is empty again, so what it did has to stand beside it."""
    ben = player_alone(company)
    does(ben, "#new-knave")
    ben.presses("text=I rolled real dice")
    ben.page.fill("#faces", "346 152 226 565 666 343")
    ben.presses("#save-faces")
    ben.reads(re.compile(r"Strength \+3 · Dexterity \+1 · .* · Charisma \+3"), where="#dice")


def test_half_a_sentence_is_still_there_after_a_look_at_the_table(company: Company) -> None:
    """Nothing that was typed has to be typed again, and what was saved is not typed twice."""
    ben = player_alone(company)
    has_a_knave(ben)
    sheet = f"/t/{company.code}/knave/{key_of(ben)}/"
    ben.goes(sheet)
    ben.page.fill("#notes", "The innkeeper said that")
    ben.presses("#back")
    ben.is_live()
    ben.presses("#to-sheet")
    expect(ben.sees("#notes")).to_have_value("The innkeeper said that")
    ben.is_answered(lambda: ben.presses("#save-knave"))
    expect(ben.sees(".done-here")).to_be_visible()  # the page has loaded itself anew
    posts(ben, "edit_knave", character=key_of(ben), name="Ash", gender="", notes="He lied.")
    ben.goes(sheet)
    expect(ben.sees("#notes")).to_have_value("He lied.")


def test_what_is_half_typed_at_the_table_is_there_when_its_page_is_loaded_anew(
    company: Company,
) -> None:
    """A phone drops a page that lies behind others; a thumb pulls it down. Nothing is typed twice,
    and nobody who has the browser at another page finds it (S9)."""
    ana = referee(company)
    ana.is_live()
    line = ana.sees("#stat-text")
    line.evaluate("(at) => { for (; at; at = at.parentElement) if ('open' in at) at.open = true; }")
    line.fill("Goblin: AC 13, LVL 1, HP")
    ana.page.reload()
    ana.is_live()
    expect(line).to_have_value("Goblin: AC 13, LVL 1, HP")
    expect(line).to_be_visible()

    kept = "JSON.stringify({...sessionStorage})"
    assert "Goblin" not in ana.page.evaluate(kept), "while the page is looked at nothing is kept"
    line.fill("Ogre: AC 14, LVL 4")
    ana.goes("/")
    assert "Ogre" not in ana.page.evaluate(kept)
