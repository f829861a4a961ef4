"""How a chapter ends, and what is written about it afterwards (WA-82 to WA-84)."""

from __future__ import annotations

import pytest

from campaigns.models import Chapter, Character, Part, Sequence
from campaigns.screens.hints import campaign_hints
from campaigns.services.sheets import sheet_value
from campaigns.snapshot import load
from tests.campaigns.pages import button_sends
from tests.campaigns.sheets import POTENT, forms_are
from tests.campaigns.troupe import Troupe
from tests.games.party import fresh


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.in_play()


def ends(troupe: Troupe) -> None:
    troupe.do(troupe.erin, "propose_end")
    troupe.do(troupe.erin, "end_chapter")


def test_wa82_the_gm_proposes_and_can_go_on_after_all(troupe: Troupe):
    troupe.refusal(troupe.amy, "propose_end", 403)
    troupe.refusal(troupe.erin, "end_chapter")
    troupe.do(troupe.erin, "propose_end")
    assert troupe.step == "closing"
    troupe.refusal(troupe.erin, "propose_end")
    troupe.do(troupe.erin, "step_back")
    assert troupe.step == "play"


def test_wa82_not_with_dice_on_the_table(troupe: Troupe):
    amy = troupe.pc("Amy")
    troupe.do(troupe.amy, "start_sequence", act="runs", actor=amy.pk, who=troupe.pc("Tom").pk)
    assert "Dice are still on the table" in troupe.refusal(troupe.erin, "propose_end")


def test_wa83_the_sheets_go_to_the_archive_as_they_are(troupe: Troupe):
    amy, esan = troupe.pc("Amy"), troupe.named("Esan")
    forms_are(amy, covertly=10)
    Character.objects.filter(pk=esan.pk).update(state="out")
    Character.objects.filter(pk=troupe.pc("Tom").pk).update(state="dead")
    was = sheet_value(fresh(amy))
    ends(troupe)
    assert (troupe.step, troupe.chapter.ended_at is not None) == ("over", True)
    part = troupe.part("Amy")
    assert part.after == was
    assert part.before["forms"]["covertly"]["current"] == 12
    assert fresh(amy).forms["covertly"] == {"base": 12, "current": 10}, "nobody heals (WA-75)"
    esans = troupe.chapter.parts.get(character=esan)
    assert (esans.after["state"], fresh(esan).state) == ("out", "active")
    assert troupe.pc("Tom").state == "dead"
    assert troupe.told("chapter_ended") == "Chapter 1 ends."
    assert troupe.chapter.moments.filter(kind="chapter_ended").exists()
    troupe.refusal(troupe.erin, "end_chapter")


def test_wa82_a_cliffhanger_is_an_end(troupe: Troupe):
    ends(troupe)
    states = troupe.chapter.interests.values_list("state", flat=True)
    assert set(states) == {"open"}


def test_wa88_a_loan_is_for_one_chapter(troupe: Troupe):
    amy = troupe.pc("Amy")
    Character.objects.filter(pk=amy.pk).update(lent_to=troupe.member("Tom"))
    ends(troupe)
    assert fresh(amy).lent_to is None


def test_the_end_can_be_undone(troupe: Troupe):
    Character.objects.filter(pk=troupe.pc("Amy").pk).update(state="out")
    ends(troupe)
    troupe.undoes("chapter_ended")
    assert (troupe.step, troupe.pc("Amy").state, troupe.part("Amy").after) == ("closing", "out", {})
    assert not troupe.chapter.moments.filter(kind="chapter_ended").exists()


def test_wa85_an_end_that_is_undone_takes_the_next_chapter_with_it(troupe: Troupe):
    """There is one chapter at a time: two open ones would leave the first without a way on."""
    ends(troupe)
    end = troupe.last("chapter_ended").seq
    troupe.do(troupe.amy, "open_chapter")
    assert "1 later move hangs on it" in troupe.refusal(troupe.erin, "undo", event=end)
    troupe.do(troupe.erin, "undo", event=end, sure="true")
    assert [(one.number, one.step) for one in troupe.campaign.chapters.all()] == [(1, "closing")]


def test_wa84_an_end_that_is_undone_goes_on_in_a_campaign_that_does(troupe: Troupe):
    ends(troupe)
    end = troupe.last("chapter_ended").seq
    troupe.do(troupe.erin, "close_campaign")
    troupe.do(troupe.erin, "undo", event=end, sure="true")
    assert (troupe.step, troupe.campaign.closed_at) == ("closing", None)


def test_wa84_a_campaign_that_is_closed_again_by_an_undo_has_no_chapter_under_way(troupe: Troupe):
    ends(troupe)
    troupe.do(troupe.erin, "close_campaign")
    troupe.do(troupe.erin, "close_campaign", on="false")
    troupe.do(troupe.amy, "open_chapter")
    troupe.do(troupe.erin, "undo", event=troupe.last("campaign_reopened").seq, sure="true")
    assert troupe.campaign.closed_at
    assert [one.number for one in troupe.campaign.chapters.all()] == [1]


def test_wa82_dice_that_an_undo_puts_back_on_the_table_are_played_in_a_chapter_that_plays(
    troupe: Troupe,
):
    amy = troupe.pc("Amy")
    troupe.do(troupe.amy, "start_sequence", act="runs", actor=amy.pk, who=troupe.pc("Tom").pk)
    troupe.do(troupe.erin, "call_off_sequence", sequence=Sequence.objects.get().pk)
    called_off = troupe.table.events.last()
    ends(troupe)
    troupe.do(troupe.erin, "undo", event=called_off.seq, sure="true")
    assert (Sequence.objects.get().is_over, troupe.step) == (False, "play")


# --- what is written -----------------------------------------------------------------------------
def test_wa83_each_owner_may_add_a_line(troupe: Troupe):
    amy, esan = troupe.pc("Amy"), troupe.named("Esan")
    troupe.do(troupe.erin, "propose_end")
    words = troupe.refusal(troupe.amy, "write_epilogue", 422, character=amy.pk, text="  ")
    assert "at least a word" in words
    text = "She went home.\r\nNobody knew her."
    troupe.do(troupe.amy, "write_epilogue", character=amy.pk, text=text)
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert "Nobody knew her." in troupe.amy.sees()  # to be read where it can be written anew
    assert troupe.part("Amy").epilogue == "She went home.\nNobody knew her."
    troupe.refusal(troupe.tom, "write_epilogue", 403, character=amy.pk, text="No.")
    troupe.refusal(troupe.amy, "write_epilogue", 403, character=esan.pk, text="No.")
    troupe.do(troupe.erin, "write_epilogue", character=esan.pk, text="Still there.")
    troupe.do(troupe.erin, "end_chapter")
    chapter = troupe.chapter.pk
    troupe.refusal(troupe.amy, "write_epilogue", character=amy.pk, text="Late.")
    asked = {"character": amy.pk, "chapter": chapter}
    troupe.do(troupe.amy, "write_epilogue", **asked, text="Late, but.")
    troupe.do(troupe.amy, "write_epilogue", **asked, text=" ")
    assert troupe.told("epilogue_removed") == "The epilogue for Mekha is struck out."
    assert troupe.part("Amy").epilogue == ""
    troupe.refusal(troupe.amy, "write_epilogue", 422, **asked, text="x" * 4001)
    troupe.refusal(troupe.amy, "write_epilogue", 404, character=999_999, chapter=chapter, text="x")
    troupe.refusal(troupe.amy, "write_epilogue", 404, character=amy.pk, chapter=999_999, text="x")


def test_wa88_who_played_her_in_that_chapter_may_write_too(troupe: Troupe):
    amy = troupe.pc("Amy")
    part = troupe.part("Amy")
    ends(troupe)
    Character.objects.filter(pk=amy.pk).update(owner=troupe.member("Tom"))
    asked = {"character": amy.pk, "chapter": part.chapter_id, "text": "She was mine."}
    troupe.do(troupe.amy, "write_epilogue", **asked)
    troupe.do(troupe.tom, "write_epilogue", **asked)
    troupe.refusal(troupe.martha, "write_epilogue", 403, **asked)


def test_the_chronicle_is_rewritten_and_set_back(troupe: Troupe):
    chapter = troupe.chapter.pk
    troupe.do(troupe.amy, "write_chronicle", chapter=chapter, text="It was night.\n\nThen not.")
    assert troupe.chapter.told == "It was night.\n\nThen not."
    assert "night" not in str(troupe.last("chronicle_written").data)
    troupe.do(troupe.erin, "write_chronicle", chapter=chapter)
    assert troupe.chapter.told == ""
    assert "what happened" in troupe.told("chronicle_set_back")
    troupe.undoes("chronicle_set_back")
    assert troupe.chapter.told == "It was night.\n\nThen not."
    troupe.do(troupe.martha, "write_end_note", chapter=chapter, text="Too early.")
    assert troupe.chapter.end_note == "Too early."
    troupe.refusal(troupe.amy, "write_end_note", 422, chapter=chapter, text="x" * 4001)
    troupe.refusal(troupe.amy, "write_chronicle", 422, chapter=chapter, text="x" * 60_001)


def test_how_a_chapter_ended_is_written_on_its_page(troupe: Troupe):
    """Every record told it, and no page asked for it."""
    given = button_sends(troupe.martha, "write_end_note", f"campaign/{troupe.chapter.number}/")
    troupe.do(troupe.martha, "write_end_note", **{**given, "text": "By the river."})
    assert "By the river." in troupe.martha.sees(f"campaign/{troupe.chapter.number}/")
    ends(troupe)
    troupe.do(troupe.amy, "open_chapter")
    assert "write_end_note" not in troupe.amy.sees(f"campaign/{troupe.chapter.number}/")


def test_how_a_chapter_ended_is_written_over_nobodys_words(troupe: Troupe):
    """Anybody may write it: who had the page open longest had the only word."""
    page, chapter = f"campaign/{troupe.chapter.number}/", troupe.chapter.pk
    given = button_sends(troupe.martha, "write_end_note", page)
    troupe.do(troupe.amy, "write_end_note", chapter=chapter, text="By the river.")
    told = troupe.refusal(troupe.martha, "write_end_note", **{**given, "text": "At the ford."})
    assert "By the river" in told
    assert troupe.chapter.end_note == "By the river."
    troupe.do(troupe.martha, "write_end_note", **given)
    assert troupe.chapter.end_note == "By the river.", "she has changed nothing"


def test_a_chapter_long_over_is_given_another_title_on_its_page(troupe: Troupe):
    number, before = troupe.chapter.number, troupe.table.seq
    troupe.do(troupe.erin, "name_chapter", title="")
    assert troupe.table.seq == before, "it was told to have no title any more, and had none"
    troupe.do(troupe.erin, "name_chapter", title="The ferd")
    ends(troupe)
    given = button_sends(troupe.erin, "name_chapter", f"campaign/{number}/")
    assert given["title"] == "The ferd"
    troupe.do(troupe.erin, "name_chapter", **{**given, "title": "The ford"})
    assert "The ford" in troupe.martha.sees(f"campaign/{number}/")
    assert "name_chapter" not in troupe.martha.sees(f"campaign/{number}/")


def test_nothing_is_written_about_a_chapter_that_was_not_played(troupe: Troupe):
    ends(troupe)
    troupe.do(troupe.amy, "open_chapter")
    chapter = troupe.chapter.pk
    for action in ("write_chronicle", "write_end_note"):
        assert "This chapter has not been played yet" in troupe.refusal(
            troupe.amy, action, chapter=chapter, text="Once"
        )
        troupe.refusal(troupe.amy, action, 404, chapter=999_999, text="Once")
    asked = {"character": troupe.named("Mekha").pk, "chapter": chapter, "text": "Once"}
    troupe.refusal(troupe.amy, "write_epilogue", **asked)


def test_wa84_a_campaign_that_is_over_is_not_asked_whether_it_could_be(troupe: Troupe):
    troupe.played_once()
    for number in (2, 3):
        Chapter.objects.create(campaign=troupe.campaign, number=number, step="over")
    assert campaign_hints(load(troupe.table))
    troupe.do(troupe.erin, "close_campaign")
    assert campaign_hints(load(troupe.table)) == ()


def test_wa84_somebody_of_the_first_chapters_is_known_by_them_however_late_she_is_owed(
    troupe: Troupe,
):
    gone = "Nobody from the first two chapters is on the owe list any more."
    troupe.played_once()
    for number in (2, 3, 4, 5):
        Chapter.objects.create(campaign=troupe.campaign, number=number, step="over")
    troupe.owes("Mekha")
    assert gone not in campaign_hints(load(troupe.table))
    Part.objects.filter(character=troupe.named("Mekha")).update(chapter=troupe.chapter)
    assert gone in campaign_hints(load(troupe.table))


def test_wa18_no_npc_is_given_a_strength_when_the_chapter_ends(troupe: Troupe):
    troupe.do(troupe.erin, "propose_end")
    words = troupe.refusal(troupe.erin, "new_strength", character=troupe.named("Esan").pk, **POTENT)
    assert "before the chapter begins" in words
