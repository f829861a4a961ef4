"""A chapter's setup from its opening to play, and its place in time (WA-31, WA-32, WA-93)."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns import snapshot
from campaigns.models import CastLine, Chapter, Character, Interest, Part
from campaigns.screens.mine import what_now
from campaigns.screens.people import mark_of
from campaigns.screens.steps import title_now
from games.services.act import ACTIONS
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, fresh, notice
from tests.set_back import kept_rows

STEPS = ("oracle", "deal", "cast", "choose", "sheets", "interests", "play")


# --- opening and putting away --------------------------------------------------------------------
def test_a_chapter_is_opened_by_anybody_and_one_at_a_time(troupe: Troupe):
    troupe.do(troupe.tom, "open_chapter")
    chapter = troupe.chapter
    assert (chapter.number, chapter.step, chapter.gm_name) == (1, "oracle", "Erin")
    assert (chapter.placement, chapter.beside) == ("unknown", None)
    assert "under way" in troupe.refusal(troupe.amy, "open_chapter")


def test_wa93_the_next_chapter_lies_after_the_last_until_somebody_says_otherwise(troupe: Troupe):
    troupe.played_once()
    first = troupe.chapter
    troupe.do(troupe.tom, "open_chapter")
    second = troupe.chapter
    assert (second.number, second.placement, second.beside) == (2, "after", first)
    assert second.story_order > first.story_order


@pytest.mark.parametrize("step", STEPS[:-1])
def test_a_chapter_that_has_not_begun_is_put_away_without_a_trace(troupe: Troupe, step: str):
    troupe.played_once("Mekha", "Amek")
    before = kept_rows()
    troupe.at_step(step)
    if step == "interests":
        troupe.interests()
    Chapter.parts.rel.related_model.objects.filter(chapter=troupe.chapter).update(come_back="")
    troupe.refusal(troupe.amy, "drop_chapter", 403)
    troupe.do(troupe.erin, "drop_chapter")
    assert differences(before, kept_rows()) == {}
    troupe.undoes("chapter_put_away")
    assert troupe.step == step


def differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: rows for name, rows in after.items() if rows != before[name]}


def test_a_chapter_in_play_is_not_put_away(troupe: Troupe):
    troupe.in_play()
    assert "has been played" in troupe.refusal(troupe.erin, "drop_chapter")
    troupe.do(troupe.erin, "step_back")
    assert "This chapter has been played" in troupe.refusal(troupe.erin, "drop_chapter")


# --- steps ---------------------------------------------------------------------------------------
def test_a_whole_first_chapter_is_set_up(troupe: Troupe):
    seen = []
    for step in STEPS:
        troupe.at_step(step)
        seen.append(troupe.step)
    assert tuple(seen) == STEPS
    assert [moment.kind for moment in troupe.chapter.moments.all()] == [
        "premise_told",
        "cast_told",
        "play_begun",
    ]
    assert troupe.told("cast_told") == (
        "In this chapter: Mekha (Amy), Tajie (Martha) and Amek (Tom). "
        "Against and beside them: Esan and Fa Il Shar."
    )
    assert troupe.told("play_begun") == "Chapter 1 begins."


def test_a_whole_second_chapter_is_set_up_with_somebody_come_back(troupe: Troupe):
    troupe.played_once("Tajie")
    for step in ("coming_back", "oracle", "pick", *STEPS[1:]):
        troupe.at_step(step)
        assert troupe.step == step
    assert troupe.chapter.returning == troupe.named("Tajie")
    assert len(troupe.elements) == 4
    assert "Tajie, once more (Martha)" in troupe.told("cast_told")


def test_each_step_says_whom_it_waits_for(troupe: Troupe):
    waits = {
        "oracle": "One of the players has yet to choose",
        "deal": "have yet to be dealt",
        "cast": "Nobody is on the list",
        "choose": "Still choosing: Amy, Martha, Tom.",
        "sheets": "Still writing: Amy, Martha, Tom.",
        "interests": "The GM begins the chapter.",
    }
    for step, words in waits.items():
        troupe.at_step(step)
        assert words in troupe.refusal(troupe.erin, "step_on"), step


def test_going_back_and_on_again_loses_nothing(troupe: Troupe):
    troupe.at_step("interests")
    troupe.interests()
    before = kept_rows()
    for _each in STEPS[:-2]:
        troupe.do(troupe.amy, "step_back")
    assert troupe.step == "oracle"
    for _each in STEPS[:-2]:
        troupe.do(troupe.amy, "step_on")
    assert differences(before, kept_rows()) == {}


def test_wa1_two_to_six_play_beside_the_gm(troupe: Troupe):
    troupe.at_step("choose")
    for who in (troupe.amy, troupe.martha):
        troupe.do(who, "mark_away", member=troupe.member(who).pk, on="true")
    # Whoever has sat down since and chosen nothing sits here too, and takes no part yet.
    assert "so far 1 takes part" in troupe.refusal(troupe.tom, "step_on")


def test_what_a_seat_may_do_is_named_as_its_actions_are(troupe: Troupe):
    """Screens had words of their own (deal, cast, take), and programs sent them as actions."""
    troupe.played_once("Mekha")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    for step in ("coming_back", "pick", *STEPS[1:]):
        troupe.at_step(step)
        address = f"/api/tables/{troupe.erin.code}/"
        named = {
            word
            for who in (troupe.erin, troupe.amy)
            for word in who.client.get(address).json()["my"]["may"]
        }
        assert named, step
        assert named <= set(ACTIONS), step


# --- the gate (WA-31, WA-32) ---------------------------------------------------------------------
def test_wa32_play_does_not_begin_before_everybody_wants_something(troupe: Troupe):
    troupe.at_step("interests")
    troupe.interests()
    Interest.objects.filter(character=troupe.pc("Amy")).first().delete()
    Interest.objects.filter(character=troupe.named("Esan")).delete()
    words = troupe.refusal(troupe.erin, "begin_play")
    assert "Still missing: Mekha 1 more, Esan 1 more." in words
    assert "Tajie" not in words


def test_what_is_missing_stands_on_its_side_of_a_name_from_right_to_left(troupe: Troupe):
    troupe.at_step("interests")
    troupe.interests()
    mekha = troupe.pc("Amy")
    mekha.name = "نور"
    mekha.save()
    Interest.objects.filter(character=mekha).first().delete()
    assert "Still missing: \u2068نور\u2069 1 more." in troupe.refusal(troupe.erin, "begin_play")


def test_the_gm_begins_and_the_sheets_of_the_beginning_are_kept(troupe: Troupe):
    troupe.at_step("interests")
    troupe.interests()
    troupe.refusal(troupe.amy, "begin_play", 403)
    troupe.do(troupe.erin, "begin_play")
    before = troupe.part("Amy").before
    assert before["forms"]["covertly"] == {"base": 12, "current": 12}
    [held] = before["strengths"]
    assert (held["name"], held["options"], held["die"]) == ("Hawk's eyes", ["potent"], 10)
    troupe.refusal(troupe.erin, "begin_play")


def test_the_gm_goes_back_from_play_and_the_story_is_told_once(troupe: Troupe):
    troupe.in_play()
    assert "Only the GM goes back from here" in troupe.refusal(troupe.amy, "step_back", 403)
    troupe.do(troupe.erin, "step_back")
    assert troupe.step == "interests"
    troupe.do(troupe.amy, "step_back")
    assert "who is in it stands" in troupe.refusal(troupe.amy, "step_back")
    troupe.do(troupe.amy, "step_on")
    troupe.do(troupe.erin, "begin_play")
    assert troupe.chapter.moments.count() == 3
    assert troupe.told("play_went_on") == "Chapter 1 goes on."


def test_from_the_closing_the_gm_goes_back_to_play(troupe: Troupe):
    troupe.in_play()
    Chapter.objects.update(step="closing")
    troupe.refusal(troupe.amy, "step_back", 403)
    assert "The setup is over" in troupe.refusal(troupe.erin, "step_on")
    troupe.do(troupe.erin, "step_back")
    assert troupe.step == "play"


def test_a_sheet_is_ready_and_not_yet_after_all(troupe: Troupe):
    troupe.at_step("sheets")
    one = troupe.pc("Amy")
    assert "name first" in troupe.refusal(troupe.amy, "mark_ready", character=one.pk)
    troupe.sheets()
    troupe.do(troupe.amy, "mark_ready", character=one.pk)
    assert troupe.part("Amy").is_ready
    troupe.refusal(troupe.amy, "mark_ready", character=one.pk)
    troupe.refusal(troupe.tom, "mark_ready", 403, character=one.pk, on="false")
    troupe.do(troupe.amy, "mark_ready", character=one.pk, on="false")


def test_the_same_tap_twice_steps_once(troupe: Troupe):
    troupe.at_step("choose")
    troupe.do(troupe.amy, "step_back", tap="same")
    troupe.do(troupe.amy, "step_back", tap="same")
    assert troupe.step == "cast"


# --- time and title (WA-93) ----------------------------------------------------------------------
def three(troupe: Troupe) -> list[Chapter]:
    for _each in range(3):
        troupe.do(troupe.amy, "open_chapter")
        troupe.is_over()
    return list(troupe.campaign.chapters.order_by("number"))


def in_story_order(troupe: Troupe) -> list[int]:
    return list(troupe.campaign.chapters.order_by("story_order").values_list("number", flat=True))


def test_wa93_a_chapter_lies_where_it_is_said_to(troupe: Troupe):
    first, second, third = three(troupe)
    troupe.do(
        troupe.erin,
        "place_chapter",
        chapter=third.pk,
        placement="before",
        beside=second.pk,
        when_and_where="twenty years earlier, at the ford",
    )
    assert in_story_order(troupe) == [1, 3, 2]
    assert fresh(third).when_and_where == "twenty years earlier, at the ford"
    told = "Chapter 3 takes place before chapter 2. Twenty years earlier, at the ford."
    assert troupe.told("chapter_placed") == told
    asked = {"chapter": first.pk, "placement": "after", "beside": third.pk}
    troupe.do(troupe.erin, "place_chapter", **asked)
    assert in_story_order(troupe) == [3, 1, 2]
    asked = {"chapter": second.pk, "placement": "same_time", "beside": third.pk}
    troupe.do(troupe.erin, "place_chapter", **asked)
    assert fresh(second).story_order == fresh(third).story_order
    troupe.do(troupe.erin, "place_chapter", chapter=second.pk, placement="unknown")
    assert fresh(second).beside is None


def test_wa93_what_is_at_the_same_time_moves_along(troupe: Troupe):
    """The book in the story's order had it where it was said to be no more."""
    first, second, third = three(troupe)
    asked = {"chapter": third.pk, "placement": "same_time", "beside": second.pk}
    troupe.do(troupe.erin, "place_chapter", **asked)
    asked = {"chapter": second.pk, "placement": "before", "beside": first.pk}
    troupe.do(troupe.erin, "place_chapter", **asked)
    assert fresh(third).story_order == fresh(second).story_order < fresh(first).story_order
    troupe.undoes("chapter_placed")
    assert fresh(third).story_order == fresh(second).story_order > fresh(first).story_order
    asked = {"chapter": second.pk, "placement": "after", "beside": third.pk}
    troupe.do(troupe.erin, "place_chapter", **asked)
    assert fresh(second).story_order > fresh(third).story_order


def test_wa93_a_place_is_beside_another_chapter_of_this_campaign(troupe: Troupe):
    first, second, _third = three(troupe)
    for beside in (0, second.pk):
        asked = {"chapter": second.pk, "placement": "after", "beside": beside}
        troupe.refusal(troupe.erin, "place_chapter", 422, **asked)
    asked = {"chapter": second.pk, "placement": "after", "beside": 10**9}
    troupe.refusal(troupe.erin, "place_chapter", 404, **asked)
    asked = {"chapter": first.pk, "placement": "sideways"}
    troupe.refusal(troupe.erin, "place_chapter", 422, **asked)


def test_wa93_the_player_at_the_top_places_the_chapter_while_it_is_set_up(troupe: Troupe):
    troupe.played_once("Mekha")
    first = troupe.chapter
    troupe.at_step("choose")
    asked = {"placement": "before", "beside": first.pk}
    troupe.refusal(troupe.tom, "place_chapter", 403, **asked)
    troupe.do(troupe.amy, "place_chapter", **asked)
    assert in_story_order(troupe) == [2, 1]
    troupe.refusal(troupe.amy, "place_chapter", 403, chapter=first.pk, placement="unknown")


def test_the_gm_gives_a_chapter_its_title(troupe: Troupe):
    troupe.at_step("oracle")
    troupe.refusal(troupe.amy, "name_chapter", 403, title="Mine")
    troupe.do(troupe.erin, "name_chapter", title="The ford")
    assert troupe.chapter.title == "The ford"
    troupe.do(troupe.erin, "name_chapter", title=" ", chapter=troupe.chapter.pk)
    assert troupe.told("chapter_named") == "Chapter 1 has no title any more."
    troupe.refusal(troupe.erin, "name_chapter", 404, title="x", chapter=999)


def test_the_heading_of_the_choosing_is_true_of_how_far_it_has_come(troupe: Troupe):
    """Who has chosen is not told to choose, and nobody is told to tap where nobody is free."""
    troupe.at_step("choose")
    assert _told(troupe, troupe.amy) == ("Choose whom you play", "Tap the one you want to play.")
    for who, line in zip(troupe.players, troupe.chapter.cast_lines.all(), strict=False):
        troupe.do(who, "take_cast", line=line.pk)
    assert _told(troupe, troupe.amy) == (
        "Everybody has chosen",
        "Everybody has chosen: the sheets come next.",
    )


def test_where_the_list_is_used_up_whoever_still_chooses_is_told_to_add_somebody(troupe: Troupe):
    """A heading does not ask for a choice among nobody."""
    troupe.at_step("choose")
    first, *others = troupe.chapter.cast_lines.all()
    troupe.do(troupe.amy, "take_cast", line=first.pk)
    CastLine.objects.filter(pk__in=[one.pk for one in others]).update(state="dropped")
    assert _told(troupe, troupe.martha) == (
        "Nobody is left to choose",
        "Nobody is left to choose: add somebody to the list.",
    )


def _told(troupe: Troupe, person: Person) -> tuple[str, str]:
    tale = snapshot.load(troupe.campaign.table)
    return title_now(tale), what_now(tale, person.row, frozenset({"take"}))


def test_the_receipt_of_beginning_play_is_short(troupe: Troupe):
    """UX: beside the button stands what was done; what the chapter is made of fills a screen."""
    troupe.at_step("interests")
    troupe.interests()
    answer = troupe.do(troupe.erin, "begin_play", receipt="1")
    assert notice(answer) == "Chapter 1 begins. Undo"
    assert "Bronze and Dust" in troupe.told("premise_told")


# --- what a phone says of it ---------------------------------------------------------------------
def test_a_phone_says_what_is_next_up_to_play_and_in_it(troupe: Troupe):
    """WA-30, WA-34: first an interest, then that the sheet is ready, then who goes on."""
    troupe.at_step("interests")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    Part.objects.filter(chapter=troupe.chapter).update(is_ready=False)
    assert 'id="mark-ready"' not in troupe.amy.sees()
    assert 'id="go-interest"' in troupe.amy.sees()
    troupe.interests()
    assert 'id="mark-ready"' in troupe.amy.sees()
    troupe.do(troupe.amy, "mark_ready", character=troupe.pc("Amy").pk)
    assert "the GM begins to play" in troupe.amy.sees()
    assert "the GM begins to play" not in troupe.erin.sees()
    troupe.do(troupe.erin, "begin_play")
    page = troupe.amy.sees()
    assert "Say what your character does." in page
    assert "is ready." not in page.partition('id="asks"')[2].partition("</section>")[0]


@pytest.mark.parametrize(
    ("label", "mark"),
    [("a tanner", "T"), ("A forger", "F"), ("la Roja", "R"), ("Sarel", "S"), ("the", "T")],
)
def test_no_mark_is_an_article(label: str, mark: str):
    """Until they have names, three of them would wear the same letter."""
    assert mark_of(label) == mark


def test_wa87_it_is_nobodys_turn_who_is_away(troupe: Troupe):
    """All were told of Tom's turn to the end of the setup, while play could have begun."""
    troupe.at_step("interests")
    troupe.interests()
    Interest.objects.filter(character=troupe.pc("Tom")).delete()
    turn = "Tom’s turn"
    assert turn in troupe_board(troupe)
    troupe.do(troupe.erin, "mark_away", member=troupe.member("Tom").pk, on="true")
    assert turn not in troupe_board(troupe)


def troupe_board(troupe: Troupe) -> str:
    """Return the shared screen's words, with the apostrophes of a book."""
    if troupe.table.rules != "wicked_age":
        troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    return troupe.erin.sees("screen/").replace("&#39;", "’").replace("'", "’")


def test_wa87_whoever_has_no_name_yet_is_told_of_by_the_player(troupe: Troupe):
    """Tom went away before Amek was called so; the chronicle had nobody there, and then "#5"."""
    troupe.at_step("sheets")
    troupe.do(troupe.erin, "mark_away", member=troupe.member("Tom").pk, on="true")
    troupe.sheets()
    Character.objects.filter(pk=troupe.pc("Tom").pk).update(name="")
    troupe.do(troupe.erin, "step_on")
    troupe.interests()
    troupe.do(troupe.erin, "begin_play")
    cast = "In this chapter: Mekha (Amy), Tajie (Martha) and Tom's character."
    assert troupe.told("cast_told").startswith(cast)
    begun = {"act": "Strikes", "actor": troupe.pc("Amy").pk, "who": [troupe.pc("Tom").pk]}
    troupe.do(troupe.erin, "start_sequence", **begun)
    told = "Mekha: Strikes. In the way: Tom's character."
    assert troupe.told("sequence_begun") == told
