"""What goes wrong keeps what was typed and says how to mend it; each phone speaks its language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import ben_alone, posts
from tests.phones.devices import NARROW, USUAL
from tests.phones.knave import has_a_knave, key_of, referee, unfolds
from tests.phones.people import NO_NETWORK, REFUSED, Company
from tests.phones.slow_lines import they_press
from tests.phones.wire import Wire


def test_a_wrong_code_stays_in_its_field(company: Company) -> None:
    """Nothing that was typed has to be typed again."""
    ben = company.person("Ben")
    ben.expects_trouble(REFUSED)
    ben.goes("/")
    ben.page.fill("#code", "ZZZZZZ")
    ben.presses("#join")
    ben.reads("No table has this code")
    expect(ben.sees("#code")).to_have_value("ZZZZZZ")
    expect(ben.sees("#code")).to_have_attribute("aria-invalid", "true")


def test_a_form_without_a_line_keeps_what_was_typed_and_opens_one_table(
    company: Company, wire: Wire
) -> None:
    """An app on a phone has no way back from the browser's page to what was typed; and of a double
    tap the second opened a second table."""
    ben = company.person("Ben", address=wire.address)
    ben.expects_trouble(re.compile(f"{NO_NETWORK.pattern}|502"))
    ben.goes("/")
    ben.page.fill("#host_name", "Ben")
    for goes, comes in ((wire.cut, wire.mend), (wire.orphan, wire.mend)):
        goes()
        ben.presses("#open")
        ben.reads("No line to the house. What you typed stays here", where="#notice")
        expect(ben.sees("#host_name")).to_have_value("Ben")
        comes()
        ben.presses("#notice [data-dismiss]")  # the next one's words are its own
    before = company.house.one("select count(*) from games_table")
    ben.page.evaluate("for (let i = 0; i < 2; i++) document.getElementById('open').click()")
    ben.is_live()
    assert company.house.one("select count(*) from games_table") == before + 1


def test_a_name_that_is_too_long_is_told_and_none_of_it_is_cut(company: Company) -> None:
    """A field that takes no more letters would lose the end of what was pasted without a word."""
    company.ana()
    company.only()
    ben, name = company.person("Ben"), "Benedict of the Long Pier and the Two Lamps"
    ben.expects_trouble(REFUSED)
    ben.goes("/")
    for field, words in (("#host_name", name), ("#table_name", name * 2)):
        ben.page.fill(field, "")
        ben.page.locator(field).focus()
        ben.page.keyboard.insert_text(words)
    ben.presses("#open")
    ben.reads("at most 30 letters")
    expect(ben.sees("#host_name-error")).to_be_in_viewport()  # below the fold of the front page
    expect(ben.sees("#host_name")).to_have_value(name)
    expect(ben.sees("#table_name")).to_have_value(name * 2)
    ben.page.fill("#code", company.code)
    ben.presses("#join")
    ben.page.fill("#name", "")
    ben.page.locator("#name").focus()
    ben.page.keyboard.insert_text(name)
    ben.presses("#sit")
    ben.reads("at most 30 letters")
    expect(ben.sees("#name")).to_have_value(name)


def test_a_field_beside_one_that_is_refused_stays_where_it_was(company: Company) -> None:
    """It went down beside the words about its neighbor, and its label stood below the other's."""
    ana = company.ana()
    company.only()
    ana.expects_trouble(REFUSED)
    ana.goes(f"/t/{company.code}/gm/house-rule/")
    ana.page.fill("#name", "Toast")
    ana.page.fill("#cry", "Cheers")
    ana.page.select_option("#kind-1", "roll_next")
    ana.presses("#save-rule")
    ana.sees("#call-1-error").wait_for()
    tops = [ana.page.locator(one).bounding_box() for one in ("#amount-1", "#call-1")]
    assert tops[0]["y"] == pytest.approx(tops[1]["y"], abs=1)


def test_a_namesake_is_told_and_keeps_what_was_typed(company: Company) -> None:
    """BK-2: one name, one hand."""
    company.ana()
    company.only()
    other = company.person("ana")
    other.expects_trouble(REFUSED)
    other.goes("/")
    other.page.fill("#code", company.code)
    other.presses("#join")
    other.page.fill("#name", " ana ")
    other.presses("#sit")
    other.reads("whoever runs this Taproom can give you the seat back")
    assert other.sees("#name").input_value().strip() == "ana"


def test_of_two_who_take_one_number_one_wins_and_the_other_is_told(company: Company) -> None:
    """BK-3: at the same instant; the other keeps the name that is half typed."""
    company.ana()
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ben, cleo)
    for person in (ben, cleo):
        person.expects_trouble(REFUSED)
        person.page.fill("#guild-name", f"{person.name} the Quick")
    company.catch_up()
    they_press({ben: ("number-9", 0), cleo: ("number-9", 0)})
    taken = ben.sees(".notice").or_(ben.sees('#number-9[aria-pressed="true"]'))
    taken.first.wait_for()
    picked = company.events("number_picked")
    assert [e["number"] for e in picked] == [9]
    winner, other = (ben, cleo) if picked[0]["name"] == "Ben" else (cleo, ben)
    other.reads(f"9 is taken by {winner.name}. Choose another number.", where="#notice")
    expect(winner.sees("#number-9")).to_have_attribute("aria-pressed", "true")
    expect(other.sees("#guild-name")).to_have_value(f"{other.name} the Quick")
    other.picks(10)
    expect(other.sees("#number-10")).to_have_attribute("aria-pressed", "true")
    expect(other.sees("#guild-name")).to_have_value(f"{other.name} the Quick")


def test_a_refusal_is_told_though_its_button_was_redrawn_meanwhile(company: Company) -> None:
    """BK-3: whoever was slower by a blink is told so, whatever their screen shows by then."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ben)
    ben.expects_trouble(REFUSED)
    ben.holds_back(600)
    ben.presses("#number-9")
    posts(ana, "pick_number", number=9)
    ben.reads("Ana", where="#number-9")
    ben.reads("9 is taken by Ana. Choose another number.", where="#notice")


def test_who_types_a_real_die_sees_what_came_of_it(company: Company) -> None:
    """The faces lie below the stage on a small phone; what they did, and what is next, do not."""
    ana = company.ana(viewport=NARROW)
    ben = company.joined("Ben")
    company.only(ana)
    company.begins({ana: 7, ben: 13})
    ana.presses("#typed-open")
    ana.taps("#face-20")
    expect(ana.sees("#stage .cry")).to_be_in_viewport(ratio=1)
    ana.taps("#face-1")
    ana.reads("Ben wins", where="#stage")
    expect(ana.sees(".winner-hand")).to_be_in_viewport()
    expect(ana.sees("#rematch")).to_be_in_viewport(ratio=1)


def test_two_languages_at_one_table(company: Company) -> None:
    """Each phone reads its own language, whoever did what."""
    ana = company.ana()
    ben = company.person("Ben", locale="es-ES")
    ben.scans(company.code)
    expect(ben.sees("html")).to_have_attribute("lang", "es")
    company.begins({ana: 7, ben: 13})
    ana.rolls(5)
    ben.catches_up()
    ben.reads("Ana abre con un 5.", where="#log-list")
    ana.reads("Ana opens with 5.", where="#log-list")
    expect(ben.sees("#say")).not_to_contain_text("opens")
    ana.presses("#tab-table")
    with ana.page.expect_event("framenavigated"):
        ana.presses("#speak-es")
    ana.is_live()
    expect(ana.sees("html")).to_have_attribute("lang", "es")
    ana.reads("Ana abre con un 5.", where="#log-list")
    expect(ana.sees("#panel-table")).to_be_visible()  # where the language was chosen


# What was done is said above the page; what is refused a moment later, in the sheet over it.
SAID_IN_TWO_PLACES = """async () => {
  const { notice } = await import(document.querySelector('script[src*="/notices."]').src);
  notice('<p>Done.</p>', 300);
  document.getElementById('stop-open').click();
  notice('<p>No.</p>', 300);
  await new Promise((later) => setTimeout(later, 900));
  return document.getElementById('notice').textContent;
}"""


def test_what_was_done_goes_by_itself_whatever_is_said_elsewhere(company: Company) -> None:
    """It has no button to close it, and stood over the host's page for the rest of the evening."""
    ana = company.ana()
    assert ana.page.evaluate(SAID_IN_TWO_PLACES) == ""


def test_a_seats_other_page_speaks_what_the_first_has_chosen(company: Company) -> None:
    """The host's page stayed half English, half Spanish, and read Spanish aloud as English."""
    ana = company.ana()
    other = ana.context.new_page()
    other.goto(f"{ana.address}/t/{company.code}/gm/")
    loads: list[str] = []
    ana.presses("#tab-table")
    ana.page.on("load", lambda page: loads.append(page.url))
    ana.presses("#speak-es")
    expect(other.locator("html")).to_have_attribute("lang", "es")
    expect(ana.sees("html")).to_have_attribute("lang", "es")
    ana.is_live()
    ana.page.wait_for_timeout(1000)
    assert len(loads) == 1, "the page that asked is loaded once"


def test_a_page_that_the_browser_translates_stands(company: Company) -> None:
    """The browser calls it French then, and each push had it loaded and translated anew."""
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ana)
    loads: list[str] = []
    ana.page.on("load", lambda page: loads.append(page.url))
    ana.page.evaluate("document.documentElement.lang = 'fr'")
    posts(ben, "pick_number", number=7)
    ana.reads("Ben", where="#number-7")
    ana.page.wait_for_timeout(300)
    assert loads == []


@pytest.mark.parametrize("field", ["#host_name", "#name"])
def test_a_name_that_is_proposed_gives_way_to_the_first_letter(
    company: Company, field: str
) -> None:
    """It had to be deleted letter by letter: a finger's caret came to stand in the middle of it."""
    code = company.ana().code
    company.only()
    ben = company.person("Ben")
    ben.goes("/" if field == "#host_name" else f"/t/{code}/join/")
    ben.presses(field)
    ben.page.keyboard.type("Bes")
    expect(ben.sees(field)).to_have_value("Bes")
    ben.sees(field).blur()
    ben.presses(field)
    ben.page.keyboard.type("s")
    assert set(ben.sees(field).input_value()) == set("Bes"), "what was typed stays"
    assert len(ben.sees(field).input_value()) == 4


def test_a_name_that_is_proposed_can_be_changed_by_a_second_tap(company: Company) -> None:
    code = company.ana().code
    company.only()
    ben = company.person("Ben")
    ben.goes(f"/t/{code}/join/")
    proposed = ben.sees("#name").input_value()
    ben.presses("#name")
    ben.presses("#name")
    ben.page.keyboard.type("!")
    typed = ben.sees("#name").input_value()
    assert typed.replace("!", "") == proposed
    assert typed.count("!") == 1


def test_another_name_gives_way_as_well(company: Company) -> None:
    code = company.ana().code
    company.only()
    ben = company.person("Ben")
    ben.goes(f"/t/{code}/join/")
    proposed = ben.sees("#name").input_value()
    ben.presses("#suggest")
    expect(ben.sees("#name")).not_to_have_value(proposed)
    ben.page.keyboard.type("Bess")
    expect(ben.sees("#name")).to_have_value("Bess")


def test_a_guild_name_that_was_typed_counts_without_its_button(company: Company) -> None:
    """BK-2: whoever types a name and goes on to a number has said both."""
    ana, ben = company.ana(), company.joined("Ben")
    ben.page.fill("#guild-name", "Moth")
    assert ben.picks(13) == 204
    ana.reads("Moth", where="#numbers")
    ben.page.fill("#guild-name", "Ana")
    ben.expects_trouble(REFUSED)
    assert ben.is_answered(lambda: ben.presses("#number-12")).status in (204, 409)
    ben.reads("Ana sits here already", where="#compose")
    expect(ben.sees("#guild-name")).to_have_value("Ana")
    # With its own button it is said once.
    ben.page.fill("#guild-name", "Vane")
    assert ben.taps("#save-guild") == 204
    ben.picks(11)
    assert [e["name"] for e in company.events("guild_named")] == ["Moth", "Vane"]


def test_who_only_watches_is_asked_for_no_guild_name(company: Company) -> None:
    """BK-2: a name goes with a part; the field stayed, and whatever was typed there was refused."""
    ben = ben_alone(company)
    ben.taps("#take-part")
    expect(ben.sees("#take-part")).to_have_text("I play")
    expect(ben.sees("#guild-name")).to_be_hidden()
    ben.taps("#take-part")
    expect(ben.sees("#guild-name")).to_be_visible()


def test_a_guild_name_half_typed_outlives_its_page_and_counts_afterwards(company: Company) -> None:
    """BK-2, R4: a new release, or a thumb, loads the page anew in the middle of the name."""
    ben = ben_alone(company)
    ben.page.fill("#guild-name", "Moth")
    ben.page.reload()
    ben.is_live()
    expect(ben.sees("#guild-name")).to_have_value("Moth")
    assert ben.picks(13) == 204
    assert [e["name"] for e in company.events("guild_named")] == ["Moth"]
    ben.page.reload()
    expect(ben.sees("#guild-name")).to_have_value("Moth")
    expect(ben.sees("#guild-name")).not_to_be_focused()


def test_what_is_not_filled_in_is_told_beside_it_in_the_seats_language(company: Company) -> None:
    """The browser would tell it in a bubble, in the browser's own language."""
    ana = referee(company, locale="es-ES")
    worth, told = ana.sees("#goal-worth"), ana.sees(".refused-here")
    ana.page.fill("#goal-text", "The bell must not ring")
    ana.page.fill("#goal-worth", "100001")
    ana.presses("#goal-shown")
    expect(told).to_have_text("De 1 a 100000.")
    expect(worth).to_be_focused()
    expect(worth).to_have_accessible_description("De 1 a 100000.")
    ana.page.fill("#goal-worth", "1.5")
    expect(told).to_have_count(0)
    ana.presses("#goal-shown")
    expect(told).to_have_text("Un número entero.")
    unfolds(ana, "#stat-line")
    ana.presses("#add-stat-line")
    expect(told).to_have_text("Rellena esto.")  # and nowhere else
    unfolds(ana, "#table-typed")
    ana.presses("#table-face-7")
    expect(told).to_have_text("Elige una opción.")
    ana.page.locator("[name=table][required]").last.check(force=True)  # it lies under its words
    expect(told).to_have_count(0)


def test_what_says_its_range_beforehand_is_marked_and_says_it_once(company: Company) -> None:
    """WCAG 3.3.1: of what was told before nothing is left, as where words come below the field."""
    ana = referee(company)
    ana.expects_trouble(REFUSED)
    posts(ana, "prepare_encounter")
    begins = ana.sees("[id^=start-fight-]")
    begins.evaluate("button => { button.disabled = false; }")
    begins.click()
    said, count, words = (ana.sees(s) for s in ("#notice", "#foe-count", "#foe-count-range"))
    expect(said).to_contain_text("add foes first")
    count.fill("31")
    ana.presses("#add-foes")
    expect(count).to_be_focused()
    expect(count).to_have_attribute("aria-invalid", "true")
    expect(count).to_have_accessible_description("From 1 to 30 at once.")
    expect(words).to_have_class(re.compile("error"))
    expect(words).to_be_in_viewport(ratio=1)
    expect(said).to_be_empty()
    expect(ana.sees(".refused-here")).to_have_count(0)
    count.fill("30")
    expect(words).not_to_have_class(re.compile("error"))
    expect(count).not_to_have_attribute("aria-invalid", "true")


def test_what_was_told_before_goes_when_something_is_told_beside_a_field(company: Company) -> None:
    """Two complaints at once would both be read as being about this press."""
    referee(company)
    ben = company.joined("Ben")
    company.only(ben)
    ben.expects_trouble(REFUSED)
    has_a_knave(ben)
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    expect(ben.sees("html")).to_have_attribute("data-line", "on")
    told, said = ben.sees(".refused-here"), ben.sees("#notice .notice")
    ben.page.fill("#item-name", "An anchor")
    ben.page.select_option("#item-slots", "10")
    ben.presses("#add-item")
    expect(said).to_contain_text("not enough free slots")
    ben.page.fill("#item-name", "")
    ben.presses("#add-item")
    expect(told).to_have_text("Fill this in.")
    expect(said).to_have_count(0)
    ben.page.fill("#hp-by", "-1000")
    ben.presses("#save-hp")
    expect(told).to_have_text("That number is too small: at least -999.")


@pytest.mark.looks
def test_what_is_missing_is_said_below_a_short_row_and_squeezes_nothing(company: Company) -> None:
    """On a phone the label's letters stood one below the other, beside the words."""
    ana = referee(company, viewport=USUAL)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    unfolds(ana, "#xp-other")
    row = ana.sees("#xp-other .count-row")
    before = row.bounding_box()
    ana.presses("#xp-own")
    words = ana.sees("#xp-amount-refused")
    expect(words).to_have_text("Fill this in.")
    after, below = row.bounding_box(), words.bounding_box()
    assert before
    assert after
    assert below
    assert after["height"] == before["height"]
    assert below["y"] >= after["y"] + after["height"]
