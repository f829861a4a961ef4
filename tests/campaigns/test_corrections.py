"""Dice that the GM sets right on the page (WA-111)."""

from __future__ import annotations

import re

import pytest

from tests.campaigns.reading import reads
from tests.campaigns.troupe import Troupe
from tests.games.party import fresh


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.in_play()


def test_wa111_the_page_sets_right_what_a_die_was_made_with(troupe: Troupe):
    """It said “set that right too” of a die that had been made smaller, and had nowhere to."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    amy = troupe.pc("Amy")
    offered = re.findall(r'name="base" value="(\w*)"', troupe.erin.sees("gm/"))
    assert offered == ["", "4", "6", "8", "10", "12"] * 2, "for players' characters and for NPCs"
    given = {"character": amy.pk, "which_form": "directly", "current": "12"}
    troupe.do(troupe.erin, "correct_die", **given, base="12")
    troupe.do(troupe.erin, "correct_die", **{**given, "current": "8"}, base="")
    assert fresh(amy).forms["directly"] == {"base": 12, "current": 8}


def test_wa111_the_larger_of_an_npcs_dice_is_the_one_that_is_larger_now(troupe: Troupe):
    """As every sheet shows them: where the larger one had become the smaller, it was set again."""
    esan = troupe.named("Esan")
    asked = {"character": esan.pk, "which_form": "action", "which": 0}
    troupe.do(troupe.erin, "correct_die", **asked, current=4)
    assert fresh(esan).forms["action"] == {"base": [12, 8], "current": [8, 4]}
    troupe.do(troupe.erin, "correct_die", **asked, current=10)
    assert fresh(esan).forms["action"] == {"base": [12, 8], "current": [10, 4]}
    troupe.do(troupe.erin, "correct_die", **{**asked, "which": 1}, current=12, base=12)
    assert fresh(esan).forms["action"] == {"base": [12, 12], "current": [12, 10]}
    assert troupe.told("die_corrected").endswith("is d12, not d4.")


def test_wa83_whoever_was_made_in_mid_play_has_what_changed_in_a_line_as_others_have(
    troupe: Troupe,
):
    """The record said "action d12+d4 (was d12+d8)", and nothing beside it."""
    troupe.do(troupe.erin, "make_npc", name="Ossip")
    one = troupe.named("Ossip")
    made = one.forms["action"]["base"]
    asked = {"character": one.pk, "which_form": "action", "which": 1, "current": 4}
    troupe.do(troupe.erin, "correct_die", **asked)
    told = reads(troupe.amy, f"people/{one.number}/")
    assert f"Changed action d{made[0]}+d{made[1]} → d{made[0]}+d4" in told
    assert "(was" not in told


def test_wa69_the_log_tells_whom_a_correction_puts_out_of_the_chapter_and_back(troupe: Troupe):
    """The sheet and the screens said so, and the log only that a die was d0."""
    amy = troupe.pc("Amy")
    for form in ("covertly", "directly"):
        given = {"character": amy.pk, "which_form": form, "current": 0}
        troupe.do(troupe.erin, "correct_die", **given)
    assert troupe.told("character_marked") == "Mekha is out for the rest of this chapter."
    assert troupe.told("character_marked", "es").startswith("Mekha queda fuera")
    assert len(troupe.events("character_marked")) == 1
    troupe.undoes("die_corrected")
    assert fresh(amy).state == "active"
    assert not troupe.chapter.moments.filter(kind="character_marked").exists()
    troupe.do(troupe.erin, "correct_die", **given)
    troupe.do(troupe.erin, "correct_die", **{**given, "current": 6})
    assert troupe.told("character_marked") == "Mekha is in play again."
