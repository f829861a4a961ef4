"""What a screen reader says by itself: all that happens, once, and what is asked of its seat."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.arriving import PASS, posts, seats_of, takes_over
from tests.phones.keyboard import hears
from tests.phones.knave import Build, does, has_a_knave, in_a_fight, player_alone, referee, strikes
from tests.phones.people import Company
from tests.phones.wicked import ORACLE, TOP_CARDS, opens_sheet
from tests.phones.wicked import referee as wicked_table
from tests.phones.wicked_ready import at_sheets, has_rolled, has_started, has_taken, in_play

# Pushes come in one and the same moment, as when a shout closes the shouting.
SAYS_THREE = """async () => {
  const { say } = await import(document.querySelector('script[src*="/page."]').src);
  window.heard = [];
  const heard = new MutationObserver((all) => all.forEach(({ addedNodes }) =>
    addedNodes.forEach((one) => window.heard.push(one.textContent))));
  heard.observe(document.getElementById('say'), { childList: true });
  for (const words of ['Ben shouts.', 'Ben must roll.', 'Ben rolls 5.']) say(words);
}"""

# When the words of a refusal come to a field, and when the focus does.
TIMES_REFUSAL = """() => {
  const field = document.getElementById('cast-text');
  new MutationObserver(() => (window.described = performance.now()))
    .observe(field, { attributeFilter: ['aria-describedby'] });
  field.addEventListener('focus', () => (window.focused = performance.now()));
}"""

# In which live regions some words stand, be these switched off.
IN_LIVE_REGIONS = """(words) => [...document.querySelectorAll('*')]
  .filter((one) => !one.children.length && one.textContent === words)
  .map((one) => one.closest('[aria-live], [role=status], [role=alert]')?.id)
  .filter((id) => id !== undefined)"""

# A refusal, as it comes after a receipt: what its place is by then.
REFUSES = """async () => {
  const { notice } = await import(document.querySelector('script[src*="/notices."]').src);
  notice('<div class="notice"><p>No.</p></div>');
  const place = document.getElementById('notice');
  return `${place.getAttribute('role')} ${place.getAttribute('aria-live')}`;
}"""

# A question that the focus comes to, and a receipt that is to be heard, as other templates may
# write them.
ASKS_AND_TELLS = """async () => {
  const { notice } = await import(document.querySelector('script[src*="/notices."]').src);
  const { sayReceipt } = await import(document.querySelector('script[src*="/outbox."]').src);
  const place = document.getElementById('notice');
  const lives = [];
  notice('<div class="notice"><p>Sure?</p><button data-sure class="chip">Yes</button></div>');
  lives.push(place.getAttribute('aria-live'));
  sayReceipt('<div data-unheard class="notice receipt"><p>Done in secret.</p></div>');
  return [...lives, place.getAttribute('aria-live')];
}"""


def test_of_sentences_that_come_at_once_each_is_heard_and_in_their_order(company: Company) -> None:
    """A screen reader that came to read the first found the second, and said that one twice; and
    of new nodes in one moment it read the last one first."""
    ben = player_alone(company)
    ben.catches_up()
    ben.page.evaluate(SAYS_THREE)
    assert ben.page.evaluate("window.heard") == ["Ben shouts."]
    expect(ben.sees("#say > p")).to_have_text(["Ben shouts.", "Ben must roll. Ben rolls 5."])


def test_who_loses_a_finger_hears_that_it_is_theirs_to_choose(company: Company) -> None:
    """BK-20: there are twelve seconds to choose in, and the log tells of the loss alone."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ana.rolls(20)
    hears(ben, "Ben loses a finger. 4 are left. .*You lose a finger. Which?")
    asked = ben.page.get_by_role("group", name="You lose a finger. Which?")
    expect(asked.get_by_role("button", name="thumb")).to_be_visible()


def test_a_shout_that_counts_only_if_the_roller_says_so_is_heard_as_such(company: Company) -> None:
    """BK-10: its buttons were "BRAVE" and "KNAVE", as those of a shout that counts."""
    ana, ben, cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    ana.rolls(12)
    cleo.shouts("brave")
    ana.is_in("challenge")
    ben.catches_up()
    late = ben.page.get_by_role("group", name="I shouted too")
    expect(late.get_by_role("button", name="BRAVE")).to_be_visible()
    hears(cleo, "Roll higher than 12!")


def test_a_side_hears_that_it_acts_when_the_foes_have_done(company: Company) -> None:
    """KN-12: the page said so in its heading, its title and its tab, and the log not at all."""
    ana, ben = in_a_fight(company, foes=1, first=2)
    ben.catches_up()
    strikes(ana, "orc-1", ben, 2, 2)
    hears(ben, "Your side acts: what do you do?")


def test_a_save_that_is_asked_of_two_knaves_says_whose_it_is(company: Company) -> None:
    """KN-8: "Roll Dexterity +1" was heard twice, of whoever plays two."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ben)
    has_a_knave(ben)
    posts(ana, "hand_knave", character=has_a_knave(cleo), seat_to=seats_of(company)[1])
    posts(ana, "ask_saves", ability="dex")
    ben.catches_up()
    asks = ben.sees("#asks .ask-button")
    expect(asks).to_have_count(2)
    names = [one.text_content() or "" for one in asks.all()]
    assert len({name.split(":")[0].strip() for name in names}) == 2
    assert all(": " in name for name in names)


def test_the_steps_of_a_chapter_say_which_are_done(company: Company) -> None:
    """On the GM's page the colour alone told them apart."""
    ana, _players = at_sheets(company, 2)
    company.only(ana)
    steps = ana.sees(".step-list li")
    expect(steps.first).to_contain_text("(done)")
    expect(steps.last).not_to_contain_text("(done)")


def test_a_refusal_at_a_field_is_said_with_it_and_not_beside_it_as_well(company: Company) -> None:
    """It was heard three times: of the field, of its new description and of an alert. Whoever has
    not left the field hears the alert."""
    ana, _players = at_sheets(company, 2)
    company.only(ana)
    words = ana.sees(".refused-here")
    ana.presses("#cast-explicit")
    expect(ana.sees("#cast-text")).to_be_focused()
    expect(ana.sees("#cast-text")).to_have_accessible_description("Fill this in.")
    expect(words).not_to_have_role("alert")
    ana.page.keyboard.press("Enter")
    expect(words).to_have_role("alert")


def test_who_has_dice_on_the_table_hears_what_they_have_to_do(company: Company) -> None:
    """WA-54: the log tells the order, and the phone alone who must say what happens."""
    _ana, (ben, cleo) = in_play(company, 2)
    company.only(ben)
    company.look()
    has_started(cleo, "She steals the water", "Imra", "Sarel")
    hears(ben, "Choose your forms")
    has_taken(cleo, "Imra", "covertly", "directly")
    has_taken(ben, "Sarel", "covertly", "directly")
    hears(ben, "Sarel: Round 1: roll.")
    has_rolled(cleo, "Imra", 2, 1)
    has_rolled(ben, "Sarel", 9, 8)
    hears(ben, "It is your turn. What happens, and who must answer?")


def test_each_interest_is_named_by_what_has_come_of_it(company: Company) -> None:
    """WA-35: two folds in a row were "What has come of it?"."""
    _ana, (ben, *_others) = in_play(company, 2)
    company.only(ben)
    company.look()
    names = [one.text_content() for one in ben.sees(".interest summary.more").all()]
    assert len(names) == 2
    assert len(set(names)) == 2


def test_a_tap_that_was_kept_before_the_line_was_lost_is_told_as_well(company: Company) -> None:
    """The words came on the screen as the line went, and were said only of one kept later."""
    ben = player_alone(company)
    ben.is_live()
    kept = "document.documentElement.toggleAttribute('data-unsent', true)"
    ben.page.evaluate(f"{kept}; dispatchEvent(new Event('offline'))")
    hears(ben, "No network. Your tap is kept and sent later.")


def test_what_is_rolled_again_for_a_new_knave_is_heard(company: Company) -> None:
    """KN-6: the log tells everybody that it was rolled, and nobody what."""
    ben = player_alone(company)
    company.house.dice_fall(*Build(hp=3).faces)
    posts(ben, "new_knave")
    ben.catches_up()
    made = company.house.one("select max(id) from characters_character")
    company.house.dice_fall(7)
    posts(ben, "reroll", character=made, part="hp")
    hears(ben, "is rolled again: the hit points. Hit points: 7.")


def test_another_says_another_what(company: Company) -> None:
    """It stands beside a name's field; of buttons alone "Another" was heard."""
    ana = company.ana()
    company.only(ana)
    expect(ana.sees("#suggest-guild")).to_have_accessible_name("another name")


def test_hit_points_are_read_as_one(company: Company) -> None:
    """KN-16: "4", "of" and "8" were three things to go through, between two buttons."""
    ben = player_alone(company)
    has_a_knave(ben, Build(hp=8))
    ben.presses("#tab-sheet")
    hit_points = ben.sees("#sheet-hp .hp-pair")
    expect(hit_points).to_match_aria_snapshot(
        """
        - group "Hit points":
          - button "One hit point less"
          - text: 8 of 8 HP
          - button "One hit point more"
        """
    )


def test_a_receipt_that_the_log_says_aloud_stands_in_no_live_region(company: Company) -> None:
    """In one that is off, Orca took its words for said, and left out the same ones of the log."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    has_a_knave(ben)
    ana.catches_up()
    does(ana, "#hurt-many-1")
    notice = ana.sees("#notice")
    expect(notice).to_contain_text("1 hit point lost.")
    expect(notice).not_to_have_attribute("role", "alert")
    expect(notice).not_to_have_attribute("aria-live", re.compile(""))
    hears(ana, "1 hit point lost.")
    assert ana.page.evaluate(REFUSES) == "alert assertive"


def test_the_stop_says_what_has_opened_and_where_one_is_afterwards(company: Company) -> None:
    """Chromium had nothing read that took the focus while the dialog was opening, and what had
    been said before once more as it closed."""
    ben = player_alone(company)
    ben.is_live()
    ben.page.evaluate(SAYS_THREE)
    ben.sees("#stop-open").press("Enter")
    expect(ben.sees("#say")).not_to_contain_text("Ben shouts.")
    expect(ben.sees("#stop-title")).to_be_focused()
    ben.page.keyboard.press("Tab")
    expect(ben.sees("#stop-close")).to_be_focused()
    ben.page.keyboard.press("Escape")
    expect(ben.sees("#stop-open")).to_be_focused()


def test_at_the_top_of_a_page_nothing_empty_is_named(company: Company) -> None:
    """Each page began with "notification" and "status bar", before its heading."""
    ben = player_alone(company)
    ben.is_live()
    expect(ben.page.get_by_role("alert")).to_have_count(0)
    expect(ben.page.get_by_role("status")).to_have_count(0)


def test_a_seat_s_pass_is_told_of_and_so_is_who_took_it(company: Company) -> None:
    """The address was spelled out, now and then before what it is for; who had the seat was said by
    a part that is switched off, and so left out where the log says it."""
    ana = company.ana()
    company.joined("Ben")
    company.only(ana)
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.presses("#seat-more-2 > summary")
    ana.taps("#pass-2")
    hears(ana, "Scan this with the other phone. It works once, for fifteen minutes.")
    expect(ana.sees("#say")).not_to_contain_text("/seat/")
    address = PASS.search(ana.sees(".pass-offer .address").inner_text())
    assert address
    takes_over(company.person("Ben"), address[0])
    hears(ana, "Ben goes on from another phone.")
    expect(ana.sees("#pass-offer")).to_have_text("Ben goes on from another phone.")
    assert ana.page.evaluate(IN_LIVE_REGIONS, "Ben goes on from another phone.") == ["say"]


def test_the_words_of_a_refusal_are_there_before_the_focus_comes_to_its_field(
    company: Company,
) -> None:
    """Both at once were heard as two: the field with its words, and then its new words."""
    ana, _players = at_sheets(company, 2)
    company.only(ana)
    ana.page.evaluate(TIMES_REFUSAL)
    ana.presses("#cast-explicit")
    expect(ana.sees("#cast-text")).to_be_focused()
    assert ana.page.evaluate("window.focused - window.described") >= 150


def test_folds_of_an_element_say_of_which(company: Company) -> None:
    """WA-8: of folds alone one heard four times in a row "Leave this out"."""
    ana = wicked_table(company)
    ben = company.joined("Ben")
    posts(ana, "begin_campaign")
    posts(ben, "open_chapter")
    posts(ben, "choose_oracle", oracle=ORACLE)
    company.house.dice_fall(*TOP_CARDS)
    posts(ben, "deal_cards")
    company.only(ben)
    names = [one.text_content() for one in ben.sees(".element summary").all()]
    assert len(names) == 8
    assert len(set(names)) == 8


def test_a_die_that_may_be_chosen_is_said_once(company: Company) -> None:
    """WA-13: each was heard as a button and as a picture, thirty of them on a sheet."""
    _ana, (ben, *_others) = at_sheets(company, 2)
    company.only(ben)
    opens_sheet(ben)
    expect(ben.sees("#die-covertly-12")).to_have_accessible_name("d12")
    expect(ben.page.get_by_role("radio", name="d12")).to_have_count(6)
    expect(ben.page.get_by_role("img", name="d12")).to_have_count(0)


def test_a_question_that_the_focus_comes_to_is_heard_once(company: Company) -> None:
    """What hangs on an undone move was read of the question and once more of the alert."""
    ana = referee(company)
    ben = company.joined("Ben")
    company.only(ana)
    knave = has_a_knave(ben)
    for _wound in range(2):
        posts(ana, "change_hp", character=knave, by=-1)
    ana.catches_up()
    ana.sees("#gm-log [id^=undo-]").nth(1).press("Enter")
    question = ana.sees("#notice")
    expect(question).to_contain_text("1 later move hangs on it")
    expect(question.locator(".notice")).to_be_focused()
    expect(question).not_to_have_role("alert")
    expect(question).not_to_have_attribute("aria-live", re.compile(""))


def test_a_shared_screen_that_is_not_paused_names_no_pause(company: Company) -> None:
    """Its last words were "Pause", with nothing behind them."""
    company.ana()
    tess = company.tess()
    company.only(tess)
    tess.is_live()
    expect(tess.page.get_by_label("Pause")).to_have_count(1)
    expect(tess.page.get_by_label("Pause")).to_be_hidden()


def test_what_was_done_is_heard_once_where_the_page_is_loaded_anew(company: Company) -> None:
    """It is said, and was read once more beside the button that has the focus again."""
    ben = player_alone(company)
    posts(ben, "new_knave")
    ben.catches_up()
    ben.presses("text=I rolled real dice")
    ben.page.fill("#faces", "346 152 226 565 666 343")
    ben.presses("#save-faces")
    hears(ben, "Done.")
    expect(ben.sees(".done-here")).to_be_visible()
    assert ben.page.locator("body").aria_snapshot().count("Done.") == 1


def test_a_question_and_a_receipt_are_known_however_they_are_written(company: Company) -> None:
    """They were looked for as " data-sure>": with another attribute behind it each was taken for
    what it is not, and the question was heard twice."""
    ben = player_alone(company)
    ben.is_live()
    ben.page.keyboard.press("Tab")
    assert ben.page.evaluate(ASKS_AND_TELLS) == [None, "polite"]
