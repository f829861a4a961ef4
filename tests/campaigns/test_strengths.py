"""Particular strengths: written, taken, put back, unique (WA-14, WA-18 to WA-25, WA-103)."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Character, Holding, Strength
from campaigns.services.sheets import sheet_value
from games import sentences
from tests.campaigns.sheets import POTENT
from tests.campaigns.troupe import Troupe
from tests.games.party import fresh


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.at_step("sheets")


def writes(troupe: Troupe, one: Character, **more: Any) -> Holding:
    """Let the GM write a strength onto a sheet."""
    troupe.do(troupe.erin, "new_strength", character=one.pk, **{**POTENT, **more})
    return Holding.objects.latest("pk")


def test_wa19_a_strength_is_written_with_one_option(troupe: Troupe):
    one = troupe.pc("Amy")
    troupe.do(
        troupe.amy,
        "new_strength",
        character=one.pk,
        **POTENT,
        description="Taller than a man.",
        effects="Needs room.",
        broad_form="covertly",
    )
    made = Strength.objects.get()
    assert (made.number, made.name, made.description) == (1, "The tall bow", "Taller than a man.")
    assert made.version["options"] == ["potent"]
    assert not made.version["broad_form"], "only what the option asks for is kept"
    assert sheet_value(fresh(one))["strengths"] == [
        {"number": 1, "name": "The tall bow", "options": ["potent"], "die": 10}
    ]
    told = "Amy's character has a particular strength: The tall bow, potent."
    assert troupe.told("strength_written") == told


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"option": "doubly_potent"}, "potent before"),  # WA-22
        ({"option": "broad"}, "second PC form"),  # WA-21
        ({"option": "broad", "broad_form": "with_violence"}, "differs"),  # WA-23
        ({"option": "consequential", "hits_pc": "covertly"}, "names one"),  # WA-21
        ({"option": "consequential", "hits_npc": "action"}, "names one"),
        ({"option": "loud"}, ""),
        ({"name": "\u202e"}, "at least one letter"),
        ({"name": ""}, ""),
        ({"pc_form": "action"}, ""),
    ],
)
def test_wa21_a_strength_that_cannot_be_is_refused(troupe: Troupe, wrong, why):
    fields = {**POTENT, **wrong}
    words = troupe.refusal(troupe.amy, "new_strength", 422, character=troupe.pc("Amy").pk, **fields)
    assert why in words
    assert not Strength.objects.exists()


def test_wa14_a_new_character_has_one_strength_at_most(troupe: Troupe):
    one = troupe.pc("Amy")
    held = writes(troupe, one)
    words = troupe.refusal(troupe.amy, "new_strength", character=one.pk, **POTENT)
    assert "one is all" in words
    troupe.refusal(troupe.tom, "drop_strength", 403, holding=held.pk)
    troupe.do(troupe.amy, "drop_strength", holding=held.pk)
    assert not Strength.objects.exists(), "a strength that was never on a sheet goes with it"
    writes(troupe, one, name="Two bows")
    troupe.undoes("strength_written")
    troupe.undoes("strength_put_back")
    assert one.holdings.get().strength.name == "The tall bow"


def test_wa29_a_strength_is_written_once_and_stands_on_several_sheets(troupe: Troupe):
    held = writes(troupe, troupe.pc("Amy"))
    tom = troupe.pc("Tom")
    troupe.do(troupe.tom, "take_strength", character=tom.pk, strength=held.strength_id)
    assert troupe.told("strength_taken") == ("Tom's character takes up a strength: The tall bow.")
    troupe.do(troupe.amy, "drop_strength", holding=held.pk)
    assert Strength.objects.count() == 1, "Tom has it"
    martha = troupe.pc("Martha")
    troupe.refusal(troupe.martha, "take_strength", 404, character=martha.pk, strength=999_999)
    words = troupe.refusal(troupe.tom, "take_strength", character=tom.pk, strength=held.strength_id)
    assert "Tom's character has a particular strength" in words.replace("&#39;", "'")


def test_wa103_a_copy_that_is_taken_has_significance_1(troupe: Troupe):
    held = writes(troupe, troupe.pc("Amy"))
    held.version = {**held.version, "options": ["potent", "doubly_potent"]}
    held.save()
    esan = troupe.named("Esan")
    troupe.do(troupe.erin, "take_strength", character=esan.pk, strength=held.strength_id)
    assert esan.holdings.get().version["options"] == ["potent"]


def test_wa25_a_unique_strength_has_one_living_holder(troupe: Troupe):
    held = writes(troupe, troupe.pc("Amy"), option="unique")
    troupe.do(troupe.amy, "write_sheet", character=held.character_id, name="Mekha")
    tom, take = troupe.pc("Tom"), {"strength": held.strength_id}
    words = troupe.refusal(troupe.tom, "take_strength", character=tom.pk, **take)
    assert "The tall bow is unique, and Mekha has it." in words
    troupe.do(troupe.erin, "mark_character", character=held.character_id, state="absent")
    assert "The tall bow is unique, and Mekha has it" in troupe.refusal(
        troupe.tom, "take_strength", character=tom.pk, **take
    )
    troupe.do(troupe.erin, "mark_character", character=held.character_id, state="dead")
    troupe.do(troupe.tom, "take_strength", character=tom.pk, **take)
    troupe.do(troupe.erin, "mark_character", character=held.character_id, state="active")
    assert fresh(held).is_lost, "another has taken it up since"
    assert "Meanwhile it has gone to somebody else: The tall bow." in troupe.told(
        "character_marked"
    )


def test_wa25_whoever_lives_again_keeps_what_others_may_have_as_well(troupe: Troupe):
    mekha, esan = troupe.pc("Amy"), troupe.named("Esan")
    held = writes(troupe, mekha)
    troupe.do(troupe.erin, "take_strength", character=esan.pk, strength=held.strength_id)
    for state in ("dead", "active"):
        troupe.do(troupe.erin, "mark_character", character=mekha.pk, state=state)
    assert not fresh(held).is_lost


def test_wa25_several_that_went_to_others_are_told_of_as_several():
    told = {"name": "Mekha", "by": "Amy", "state": "active", "lost": ["The tall bow", "The hawk"]}
    text = sentences.tell("character_marked", told, [])
    assert text.endswith("Meanwhile they have gone to others: The tall bow and The hawk.")


def test_wa25_a_strength_that_a_copy_made_unique_is_not_taken(troupe: Troupe):
    held = writes(troupe, troupe.pc("Amy"))
    held.version = {**held.version, "options": ["potent", "unique"]}
    held.save()
    assert "The tall bow is unique, and Amy" in troupe.refusal(
        troupe.tom, "take_strength", character=troupe.pc("Tom").pk, strength=held.strength_id
    )


def test_two_who_reach_for_a_unique_strength_at_once(troupe: Troupe):
    """The table's lock lets one tap in after the other; the second is refused in words."""
    held = writes(troupe, troupe.pc("Amy"), option="unique")
    troupe.do(troupe.amy, "write_sheet", character=held.character_id, name="Mekha")
    troupe.do(troupe.erin, "mark_character", character=held.character_id, state="dead")
    tom, martha = troupe.pc("Tom"), troupe.pc("Martha")
    troupe.do(troupe.tom, "take_strength", character=tom.pk, strength=held.strength_id)
    assert "The tall bow is unique, and Tom" in troupe.refusal(
        troupe.martha, "take_strength", character=martha.pk, strength=held.strength_id
    )


# --- in play -------------------------------------------------------------------------------------
def test_a_players_strength_is_chosen_before_the_chapter(troupe: Troupe):
    troupe.in_play()
    amy, martha = troupe.pc("Amy"), troupe.pc("Martha")
    assert "Strengths are chosen before the chapter begins" in troupe.refusal(
        troupe.martha, "new_strength", character=martha.pk, **POTENT
    )
    held = amy.holdings.get()
    assert "only the GM" in troupe.refusal(troupe.amy, "drop_strength", 403, holding=held.pk)
    troupe.do(troupe.erin, "drop_strength", holding=held.pk)
    assert fresh(held).is_lost
    troupe.refusal(troupe.erin, "drop_strength", 404, holding=held.pk)
    assert "crosses out" in troupe.told("strength_crossed_out")


def test_wa18_an_npc_may_have_one_made_in_play_and_no_second(troupe: Troupe):
    troupe.in_play()
    esan = troupe.named("Esan")
    held = writes(troupe, esan)
    troupe.refusal(troupe.amy, "new_strength", 403, character=esan.pk, **POTENT)
    troupe.do(troupe.erin, "drop_strength", holding=held.pk)
    assert "Esan has a particular strength" in troupe.refusal(
        troupe.erin, "new_strength", character=esan.pk, **POTENT
    )


def test_wa104_an_npc_gains_nothing_by_coming_back(troupe: Troupe):
    troupe.played_once().at_step("sheets")
    esan = troupe.named("Esan")
    words = troupe.refusal(troupe.erin, "new_strength", character=esan.pk, **POTENT)
    assert "gain nothing" in words


def test_strengths_of_no_chapter_or_another_campaign_are_refused(troupe: Troupe):
    held = writes(troupe, troupe.pc("Amy"))
    other = Troupe(troupe.dice, troupe.clock).gathers().at_step("sheets")
    tom = other.pc("Tom")
    other.refusal(other.tom, "take_strength", 404, character=tom.pk, strength=held.strength_id)
    other.refusal(other.erin, "drop_strength", 404, holding=held.pk)
    other.refusal(other.erin, "new_strength", 404, character=held.character_id, **POTENT)
    troupe.is_over()
    troupe.refusal(troupe.tom, "new_strength", character=troupe.pc("Tom").pk, **POTENT)
