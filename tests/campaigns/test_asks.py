"""The foot of a phone: what is asked of whoever holds it, and whom the table waits for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaigns.models import Offer
from tests.campaigns.brawl import Brawl, answers, duel, won
from tests.campaigns.owe_list import dies
from tests.campaigns.pages import foot
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import Troupe

pytestmark = pytest.mark.django_db


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    return troupe


def button(page: str, key: str) -> str:
    """Return the opening tag of a button or a link."""
    found = re.search(rf'<(?:a|button)\b[^>]*\bid="{key}"[^>]*>', page)
    assert found, f"no {key}"
    return found[0]


def test_wa70_who_has_made_an_offer_is_not_waited_for(brawl: Brawl):
    """The other has to say something: it is their turn, and everybody else waits for them."""
    won(brawl)
    amek, mekha = brawl.player("Amek"), brawl.player("Mekha")
    assert "You have won: what does it cost Mekha?" in foot(amek)
    assert "Waiting for Amek." in foot(brawl.player("Tajie"))
    offer = brawl.offers("Amek", "Mekha", "Mekha", says="She says whose hand it was")
    assert "Your offer is with Mekha" in foot(amek)
    assert "primary" not in button(foot(amek), "go-up")
    assert "data-turn" not in foot(amek)
    assert "data-turn" in foot(mekha)
    for onlooker in (foot(brawl.player("Tajie")), brawl.troupe.erin.sees("gm/")):
        assert "Waiting for Mekha." in onlooker
    answers(brawl, "Mekha", "refuse_offer", offer)
    assert "You have won: what does it cost Mekha?" in foot(amek)
    brawl.offers("Mekha", "Amek", "Mekha", says="She comes along")
    assert "Your offer is with Amek" in foot(mekha)
    assert Offer.objects.filter(state="open").count() == 1


def test_wa52_who_backs_away_from_a_tie_is_asked_no_more(brawl: Brawl):
    """She may still press on, but it is the other who has yet to say something."""
    duel(brawl).rolls("Amek", 6, 2).rolls("Mekha", 2, 6)
    amek, press = brawl.player("Amek"), f"press-{brawl.row.pk}-{brawl.id('Amek')}"
    assert "Back away without harm, or press on?" in foot(amek)
    assert "primary" in button(foot(amek), press)
    brawl.turn("Amek", "back_away")
    assert "You would back away. Still to say: Mekha." in foot(amek)
    assert "primary" not in button(foot(amek), press)
    assert "data-turn" not in foot(amek)
    assert "data-turn" in foot(brawl.player("Mekha"))
    brawl.turn("Mekha", "press_on")
    assert "You would back away" not in foot(amek)
    assert "Roll the lowest die again." in foot(amek)
    assert "data-turn" in foot(amek)


def test_wa58_what_an_answer_costs_is_said_to_whom_it_costs_a_move(brawl: Brawl):
    """Only passing seemed to cost one, and whoever had moved already was told that it did."""
    brawl.begins("Amek", "Mekha", "Tajie").takes("Amek", "with_violence", "directly")
    brawl.takes("Mekha", "with_love", "for_myself").takes("Tajie", "for_myself", "for_others")
    brawl.rolls("Amek", 11, 9).rolls("Mekha", 9, 8).rolls("Tajie", 7, 6).moves("Amek", "Mekha")
    cost = "An answer before your own turn costs you your move this round."
    assert cost in foot(brawl.player("Mekha"))
    assert cost in foot(brawl.player("Tajie"))  # who could step in
    brawl.rolls("Mekha", 9, 7).rolls("Tajie", 10, 8).moves("Tajie", "Amek", "Mekha")
    for name in ("Amek", "Mekha"):
        assert "Let it pass" in foot(brawl.player(name))
        assert cost not in foot(brawl.player(name))
        brawl.turn(name, "let_pass")


def test_wa11_lots_are_the_first_thing_to_do_only_for_those_who_want_the_same(troupe: Troupe):
    troupe.at_step("choose")
    line = troupe.chapter.cast_lines.filter(state="open").first()
    assert line
    for person in (troupe.amy, troupe.tom):
        troupe.do(person, "take_cast", line=line.pk)
    lots = f"lots-{line.pk}"
    assert all("primary" in button(one.sees(), lots) for one in (troupe.amy, troupe.tom))
    assert "primary" not in button(troupe.martha.sees(), lots)


def test_wa12_a_sheet_without_a_name_is_at_hand(troupe: Troupe):
    """On a small phone nothing of the sheet itself is in sight: the way to its page is."""
    troupe.at_step("sheets")
    assert 'id="write-sheet"' in foot(troupe.amy)
    troupe.do(troupe.amy, "write_sheet", character=troupe.pc("Amy").pk, name="Mekha")
    assert 'id="write-sheet"' not in foot(troupe.amy)
    assert 'id="write-sheet"' in troupe.amy.sees()


def test_wa31_the_gm_is_asked_for_the_npcs_interests(troupe: Troupe):
    """Erin plays no character, and was asked what would be best for hers."""
    troupe.at_step("interests")
    assert "What would be best for your character?" in foot(troupe.amy)
    assert "What would be best for the NPCs?" in foot(troupe.erin)
    assert "What would be best for your character?" not in foot(troupe.erin)


def test_wa31_going_back_to_the_interests_is_offered_where_no_dice_are_on_the_table(brawl: Brawl):
    assert "Back to the interests" in brawl.troupe.erin.sees("gm/")
    brawl.begins("Amek", "Mekha")
    assert "Back to the interests" not in brawl.troupe.erin.sees("gm/")


def test_wa98_a_sheet_is_not_ready_before_the_choice_on_coming_back(troupe: Troupe):
    """The gate waits for that choice: the foot leads to it, and says nothing of being ready."""
    troupe.played_once("Mekha").at_step("sheets")
    returning = troupe.part("Amy")
    assert returning.is_returning
    assert 'id="go-return"' in foot(troupe.amy)
    assert 'id="mark-ready"' not in foot(troupe.amy)
    choice = {"character": returning.character_id, "choice": "grow", "which_form": "with_love"}
    troupe.do(troupe.amy, "come_back", **choice)
    assert 'id="go-return"' not in foot(troupe.amy)
    assert 'id="mark-ready"' in foot(troupe.amy)


def test_wa95_how_one_who_is_dead_comes_back_is_asked_in_the_dock(troupe: Troupe):
    """Its one button was "Not this time": what the rule offers lay folded away further up."""
    troupe.played_once("Mekha").at_step("coming_back")
    assert 'id="go-bring-back"' not in foot(troupe.amy)
    assert 'id="bring-back"' in foot(troupe.amy)
    dies(troupe.named("Mekha"))
    assert 'href="#typed-return"' in button(foot(troupe.amy), "go-bring-back")
    assert "Mekha is dead. Say how it can be" in troupe.amy.sees()
    assert 'id="go-bring-back"' not in foot(troupe.tom)
    assert "Mekha is dead. Say how it can be" not in troupe.tom.sees()


def test_wa87_who_is_down_as_away_is_told_so_and_can_say_otherwise(troupe: Troupe):
    """Whatever she taps would be refused: she reads why, and is back by one tap of her own."""
    troupe.at_step("choose")
    member = troupe.member("Amy").pk
    troupe.do(troupe.erin, "mark_away", member=member)
    assert "You are down as away" in foot(troupe.amy)
    assert "You are down as away" not in foot(troupe.tom)
    troupe.do(troupe.amy, "mark_away", member=member, on="false")
    assert "You are down as away" not in foot(troupe.amy)


def test_the_shared_screen_says_what_comes_before_and_between_chapters(dice: Any, clock: Any):
    """Who sits here, what this is, and what is done where; then who comes back (WA-85)."""
    troupe = Troupe(dice, clock)
    troupe.amy.joins(troupe.erin.opens_table("The Swan"))
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    tess = tess_of(troupe)
    for words in ("The GM begins the campaign.", "Four cards", "<b>Amy</b>"):
        assert words in tess.sees("screen/")


def test_wa85_between_chapters_everybody_reads_who_comes_back(troupe: Troupe):
    troupe.played_once("Mekha")
    for page in (troupe.tom.sees(), tess_of(troupe).sees("screen/")):
        assert "Mekha is at the top of the owe list." in page
