"""The GM's corrections of the owe list (WA-76, WA-81, WA-111)."""

from __future__ import annotations

import pytest

from campaigns.models import Chapter, Owed, Sequence
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, fresh
from tests.security.shown import Shown


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.in_play()


def standing(troupe: Troupe) -> list[str]:
    rows = troupe.campaign.owed.filter(struck="").select_related("character")
    return [row.character.name for row in rows]


def test_wa81_a_name_goes_to_the_end_as_often_as_it_is_owed(troupe: Troupe):
    troupe.owes("Amek")
    for _ in range(2):
        troupe.do(troupe.erin, "owe_name", character=troupe.pc("Amy").pk)
    assert standing(troupe) == ["Amek", "Mekha", "Mekha"]
    assert Owed.objects.latest("pk").chapter == troupe.chapter
    assert troupe.told("name_owed_by_word") == "The GM writes Mekha on the owe list."
    troupe.undoes("name_owed_by_word")
    assert standing(troupe) == ["Amek", "Mekha"]


def test_wa76_npcs_never(troupe: Troupe):
    words = troupe.refusal(troupe.erin, "owe_name", character=troupe.named("Esan").pk)
    assert "never owed" in words


def test_wa81_a_stroke_and_its_taking_back(troupe: Troupe):
    first, _second = troupe.owes("Amek", "Mekha")
    troupe.do(troupe.erin, "strike_name", owed=first.pk)
    assert (standing(troupe), fresh(first).struck) == (["Mekha"], "word")
    troupe.refusal(troupe.erin, "strike_name", 404, owed=first.pk)
    troupe.do(troupe.erin, "strike_name", owed=first.pk, on="false")
    assert standing(troupe) == ["Amek", "Mekha"], "in its old place"
    assert "old place" in troupe.told("name_stands_again")
    assert "That name stands already" in troupe.refusal(
        troupe.erin, "strike_name", owed=first.pk, on="false"
    )
    troupe.refusal(troupe.erin, "strike_name", 404, owed=999_999, on="false")


def test_a_name_that_has_bought_a_die_stands_again_when_the_dice_are_gone(troupe: Troupe):
    row = troupe.owes("Mekha")[0]
    amy, tom = troupe.pc("Amy"), troupe.pc("Tom")
    troupe.do(troupe.amy, "start_sequence", act="climbs", actor=amy.pk, who=tom.pk)
    sequence = Sequence.objects.get()
    Owed.objects.filter(pk=row.pk).update(struck="die", struck_sequence=sequence, struck_round=1)
    asked = {"owed": row.pk, "on": "false"}
    assert "still on the table" in troupe.refusal(troupe.erin, "strike_name", **asked)
    Sequence.objects.update(is_over=True)
    troupe.do(troupe.erin, "strike_name", **asked)
    row = fresh(row)
    assert (row.struck, row.struck_sequence, row.struck_round) == ("", None, None)


def test_a_name_that_has_brought_her_back_stands_again_after_the_chapter(troupe: Troupe):
    row = troupe.owes("Mekha")[0]
    Owed.objects.filter(pk=row.pk).update(struck="chapter", struck_chapter=troupe.chapter)
    asked = {"owed": row.pk, "on": "false"}
    assert "has come back" in troupe.refusal(troupe.erin, "strike_name", **asked)
    Chapter.objects.update(step="over")
    troupe.do(troupe.erin, "strike_name", **asked)
    assert standing(troupe) == ["Mekha"]


# What the stop offers on every page.
STOPS = {"pause", "add_content_line"}


def offered(who: Person) -> list[dict[str, str]]:
    """Return what the buttons of the list's page would tap for somebody."""
    forms = Shown(who.sees("campaign/owed/")).forms
    taps = [{field.name: field.value for field in form.fields} for form in forms]
    return [tap for tap in taps if tap["action"] not in STOPS]


def test_the_list_of_all_names_lets_the_gm_have_one_stand_again(troupe: Troupe):
    """WA-111: nothing but an undo did, which is far down the log after a while."""
    first, _second = troupe.owes("Amek", "Mekha")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert "/campaign/owed/" in troupe.erin.sees("gm/")
    assert offered(troupe.erin) == []
    troupe.do(troupe.erin, "strike_name", owed=first.pk)
    assert offered(troupe.amy) == []
    (tap,) = offered(troupe.erin)
    troupe.do(troupe.erin, tap.pop("action"), **tap)
    assert standing(troupe) == ["Amek", "Mekha"]
    assert offered(troupe.erin) == []


def test_a_name_for_which_a_chapter_is_being_played_is_not_offered(troupe: Troupe):
    row = troupe.owes("Mekha")[0]
    Owed.objects.filter(pk=row.pk).update(struck="chapter", struck_chapter=troupe.chapter)
    assert offered(troupe.erin) == []
    Chapter.objects.update(step="over")
    assert len(offered(troupe.erin)) == 1


def test_corrections_are_the_gms_and_of_this_campaign(troupe: Troupe):
    row = troupe.owes("Mekha")[0]
    troupe.refusal(troupe.amy, "owe_name", 403, character=troupe.pc("Amy").pk)
    troupe.refusal(troupe.amy, "strike_name", 403, owed=row.pk)
    other = Troupe(troupe.dice, troupe.clock).gathers()
    other.refusal(other.erin, "strike_name", 404, owed=row.pk)
    other.refusal(other.erin, "strike_name", 404, owed=row.pk, on="false")
    other.refusal(other.erin, "owe_name", 404, character=troupe.pc("Amy").pk)
    troupe.do(troupe.erin, "mark_character", character=row.character_id, state="dead")
    troupe.do(troupe.erin, "owe_name", character=row.character_id)  # the dead are owed too (WA-95)


def test_a_name_of_no_chapter_is_the_gms_word_and_of_no_chapter_0(troupe: Troupe):
    """It was written between two chapters, by a program, or in one that was put away since."""
    troupe.is_over()
    troupe.do(troupe.erin, "owe_name", character=troupe.pc("Amy").pk)
    assert Owed.objects.latest("pk").chapter is None
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    pages = [troupe.amy.sees(), troupe.erin.sees("gm/")]
    troupe.do(troupe.tom, "open_chapter")
    pages += [troupe.amy.sees(p) for p in ("", "chapter/print/")]
    assert troupe.step == "coming_back"
    for page in pages:
        assert "Mekha" in page
        assert "hapter 0" not in page
    for page in pages[:3]:
        assert "written by the GM" in page
