"""Everybody reads whom the table waits for: on phones, on the GM's page, on the shared screen."""

from __future__ import annotations

import re
from html import unescape

import pytest

from campaigns.models import Chapter
from tests.campaigns.brawl import Brawl, duel, four
from tests.campaigns.pages import foot
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import Troupe, joins
from tests.games.party import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    return troupe


def board_waits(tess: Person) -> str:
    found = re.search(r'id="board-waits">([^<]*)<', tess.sees("screen/"))
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("oracle", "One of the players has yet to choose the oracle."),
        ("deal", "The cards have yet to be dealt by one of the players."),
        ("cast", "Nobody is on the list of characters yet"),
        ("choose", "Still choosing: Amy, Martha, Tom."),
        ("sheets", "Still writing: Amy, Martha, Tom."),
        ("interests", "what is missing is shown below."),
        ("play", ""),
    ],
)
def test_the_shared_screen_names_whom_each_step_waits_for(troupe: Troupe, step: str, words: str):
    troupe.at_step(step)
    waits = board_waits(tess_of(troupe))
    assert words in waits
    assert bool(waits) == bool(words)
    if step == "interests":
        assert "2 more interests" in tess_of(troupe).sees("screen/")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("choose", "Anybody can go on from their phone: Make the sheets."),
        ("interests", "Every interest is named: the GM begins to play."),
    ],
)
def test_it_says_who_can_go_on_where_nothing_is_missing(troupe: Troupe, step: str, words: str):
    troupe.at_step(step)
    if step == "choose":
        for person in troupe.players:
            line = troupe.chapter.cast_lines.filter(state="open").first()
            troupe.do(person, "take_cast", line=line.pk)
    else:
        troupe.interests()
        troupe.do(troupe.erin, "step_back")
        troupe.do(troupe.erin, "step_on")
    assert board_waits(tess_of(troupe)) == words


def test_wa86_who_has_come_back_is_named_as_the_one_who_deals(troupe: Troupe):
    troupe.played_once("Mekha").at_step("deal")
    words = "The cards have yet to be dealt by Amy."
    assert words in foot(troupe.tom)
    assert words in troupe.erin.sees("gm/")
    assert board_waits(tess_of(troupe)) == words


def test_wa87_a_name_whose_player_is_the_gm_now_is_passed_over_on_every_page(troupe: Troupe):
    """As it is by the chapter that begins: whoever leads plays no character (WA-1)."""
    troupe.played_once("Mekha", "Amek")
    troupe.do(troupe.erin, "hand_host", who=troupe.amy.seat)
    tess = tess_of(troupe)
    assert "Amek is at the top of the owe list." in tess.sees("screen/")
    troupe.do(troupe.martha, "open_chapter")
    assert "Tom has yet to say whether Amek comes back." in foot(troupe.martha)
    assert "Amek is at the top of the owe list." in tess.sees("screen/")
    assert 'id="bring-back"' in troupe.tom.sees()


def test_between_rounds_those_who_talk_are_named(brawl: Brawl):
    duel(brawl).rolls("Amek", 8, 2).rolls("Mekha", 7, 6).moves("Amek", "Mekha")
    brawl.rolls("Mekha", 7, 5)
    assert brawl.phase == "between"
    for page in (brawl.player("Tajie").sees(), tess_of(brawl.troupe).sees("screen/")):
        assert "Talk it over, or roll on: Amek and Mekha." in page


@pytest.mark.parametrize("step", ["sheets", "play", "closing"])
def test_who_comes_too_late_to_choose_is_told_what_can_still_be_done(troupe: Troupe, step: str):
    """Until a chapter closes somebody can still be taken up (WA-11); then it is for the next."""
    troupe.at_step("sheets" if step == "sheets" else "play")
    if step == "closing":
        Chapter.objects.filter(pk=troupe.chapter.pk).update(step="closing")
    told = foot(joins(troupe, "Cleo"))
    assert ("Whom do you play?" in told) == (step != "closing")
    assert ("choose somebody in the next" in told) == (step == "closing")


def test_wa83_everybody_reads_that_the_gm_ends_the_chapter(troupe: Troupe):
    troupe.in_play()
    troupe.do(troupe.erin, "propose_end")
    for page in (troupe.tom.sees(), tess_of(troupe).sees("screen/")):
        assert "When everybody has, the GM ends the chapter." in page


def test_wa3_the_gms_page_types_cards_and_elements_only_for_who_has_no_phone(troupe: Troupe):
    """Her card stood there at that step whoever had a phone, and what it sent was refused."""
    troupe.played_once("Mekha").at_step("pick")

    def may() -> str:
        found = re.search(r'id="gm-story"[^>]*data-may="([^"]*)"', troupe.erin.sees("gm/"))
        assert found
        return found[1]

    assert may() == ""
    troupe.do(troupe.amy, "leave_table")
    assert may() == "pick_element"
    troupe.do(troupe.erin, "pick_element", text="A road of salt.")
    assert may() == "type_cards"
    assert 'id="deal"' in troupe.erin.sees("gm/")
    troupe.do(troupe.erin, "type_cards", cards="QH 10S 3C")


def test_a_fight_that_everybody_is_in_has_the_shared_screen_to_itself(brawl: Brawl):
    """Who sits at the table stood below it then, and under a long move the fighters were cut off
    just above "must answer"."""
    four(brawl)
    assert "board-members" not in tess_of(brawl.troupe).sees("screen/")


def test_wa1_too_few_or_too_many_are_told_before_anybody_has_chosen(troupe: Troupe):
    """Else a group of one learns at the fourth step that nothing of it can be played."""
    missing = "Two to six people play besides the GM, and so far 1 takes part."
    pages = [(troupe.amy, ""), (troupe.erin, "gm/"), (tess_of(troupe), "screen/")]
    assert not any(missing in who.sees(page) for who, page in pages)
    for who in (troupe.tom, troupe.martha):
        troupe.do(who, "mark_away", member=troupe.member(who).pk, on="true")
    assert all(missing in who.sees(page) for who, page in pages)
    for step in ("oracle", "deal", "cast"):
        troupe.at_step(step)
        assert all(missing in who.sees(page) for who, page in pages), step
    troupe.do(troupe.tom, "mark_away", member=troupe.member(troupe.tom).pk, on="false")
    assert not any("takes part" in who.sees(page) for who, page in pages)
    troupe.do(troupe.tom, "mark_away", member=troupe.member(troupe.tom).pk, on="true")
    troupe.at_step("choose")
    for who, page in pages[1:]:
        assert who.sees(page).count(missing) == 1, "the step says it, and nothing beside it"


@pytest.mark.parametrize("step", ["", "oracle"])
def test_wa1_whoever_has_just_sat_down_is_counted_where_too_few_play(troupe: Troupe, step: str):
    for who in (troupe.tom, troupe.martha):
        troupe.do(who, "mark_away", member=troupe.member(who).pk, on="true")
    if step:
        troupe.at_step(step)
    assert "so far 1 takes part" in troupe.erin.sees("gm/")
    joins(troupe, "Nadia")
    assert "takes part" not in troupe.erin.sees("gm/")


def test_wa1_newcomers_to_a_small_table_make_it_three_or_four(troupe: Troupe):
    """“With two, too few interests cross” stood on the phones of the four who sat there."""
    troupe.do(troupe.tom, "mark_away", member=troupe.member(troupe.tom).pk, on="true")
    troupe.at_step("oracle")
    few, many = "with two, too few", "with more, some will wait"
    assert few in troupe.amy.sees("")
    for name in ("Nadia", "Nils", "Nora", "Ned", "Nell", "Nat"):  # who may yet play, or only watch
        joins(troupe, name)
        page = troupe.amy.sees("")
        assert few not in page
        assert many not in page
        assert "takes part" not in page


def test_nobody_is_told_of_interests_before_they_can_be_named(troupe: Troupe):
    """“2 more interests” stood on sheets at a step that has no place for one."""
    troupe.at_step("sheets")
    assert "more interest" not in troupe.amy.sees()
    troupe.at_step("interests")
    assert "Still to come: 2 more interests" in troupe.amy.sees()


def test_the_gms_phone_says_where_the_gm_acts(troupe: Troupe):
    """It was empty while a chapter is played: all that a GM does stands on another page."""
    words = "on your own page: “GM”, above."
    troupe.at_step("interests")
    assert words not in foot(troupe.erin)
    troupe.at_step("play")
    assert words in foot(troupe.erin)
    assert words not in foot(troupe.amy)


def test_before_the_first_scene_everybody_reads_who_opens_one(troupe: Troupe):
    troupe.at_step("play")
    for page in (troupe.amy.sees(), tess_of(troupe).sees("screen/")):
        assert "The GM opens a scene." in page


def test_between_chapters_the_shared_screen_says_which_one_anybody_begins(troupe: Troupe):
    troupe.played_once("Mekha")
    board = tess_of(troupe).sees("screen/")
    assert "Anybody begins chapter 2 on a phone, when all are here." in board
