"""Forms and the sizes of dice (WA-13, WA-15, WA-68, WA-69, WA-98)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.engine import IllegalAction
from games.rules.wicked_age.forms import (
    PC_DICE,
    PC_FORMS,
    SIZES,
    is_out,
    npc_dice,
    pc_fault,
    step_down,
    step_up,
)

AMEK = {
    "covertly": 8,
    "directly": 10,
    "for_myself": 4,
    "for_others": 6,
    "with_love": 6,
    "with_violence": 12,
}


def test_wa15_an_npcs_forms_share_three_pairs_in_the_order_that_was_said():
    assert npc_dice("action") == {
        "action": (12, 8),
        "maneuvering": (10, 6),
        "self_protection": (6, 4),
    }
    assert npc_dice("self_protection", "maneuvering")["maneuvering"] == (10, 6)
    with pytest.raises(IllegalAction, match="one pair"):
        npc_dice("action", "action")


def test_wa13_the_printed_sheet_is_legal():
    assert pc_fault(AMEK) is None


@given(st.permutations(PC_DICE))
def test_wa13_every_order_of_the_six_dice_is_legal(dice):
    assert pc_fault(dict(zip(PC_FORMS, dice, strict=True))) is None


@pytest.mark.parametrize(
    "forms",
    [
        {**AMEK, "directly": 12},
        {**AMEK, "for_myself": 0},
        {form: AMEK[form] for form in PC_FORMS[1:]},
        {**AMEK, "action": 6},
        {"action" if form == "covertly" else form: die for form, die in AMEK.items()},
        {},
    ],
    ids=["two d12s", "a die at 0", "five forms", "a form too many", "an NPC's form", "nothing"],
)
def test_wa13_other_dice_are_refused(forms):
    fault = pc_fault(forms)
    assert fault
    assert fault.rule == "WA-13"


def test_wa68_a_die_goes_down_to_0_and_no_further():
    assert [step_down(die) for die in SIZES] == [0, 0, 4, 6, 8, 10]


def test_wa98_a_die_goes_up_to_d12_and_no_further():
    assert [step_up(die) for die in SIZES] == [4, 6, 8, 10, 12, 12]


def test_there_is_no_d7():
    with pytest.raises(ValueError):
        step_down(7)


@pytest.mark.parametrize(("dice", "out"), [((12, 0, 6), False), ((0, 4, 0), True), ((0,), False)])
def test_wa69_two_dice_at_0_are_out(dice, out):
    assert is_out(dice) is out
