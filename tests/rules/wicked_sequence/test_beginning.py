"""Who takes part and with what dice: WA-26, WA-28, WA-40 to WA-45."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import records
from games.rules import wicked_sequence as ws
from games.rules.wicked_sequence import refusals
from tests.rules.wicked_sequence.scenario import HAWK, SHEETS, sequence, sheet


def test_wa42_a_pc_takes_two_forms_and_an_npc_both_dice_of_one():
    played = sequence("amek", "esan")
    assert ws.dice_owed(played.state, "amek") == (("with_violence", 12), ("directly", 10))
    assert ws.dice_owed(played.state, "esan") == (("maneuvering", 10), ("maneuvering", 6))


@pytest.mark.parametrize(
    ("who", "forms", "rule"),
    [
        ("amek", ["directly"], "WA-42"),
        ("amek", ["directly", "directly"], "WA-42"),
        ("amek", ["directly", "covertly", "with_love"], "WA-42"),
        ("amek", ["directly", "covertly", "covertly"], "WA-42"),
        ("amek", ["directly", "action"], "WA-42"),
        ("amek", [], "WA-42"),
        ("esan", ["action", "maneuvering"], "WA-42"),
        ("esan", ["covertly"], "WA-42"),
    ],
)
def test_wa42_other_forms_are_refused(who, forms, rule):
    played = sequence("amek", "esan", choose=False)
    assert rule in played.refuses("choose", who, forms=forms, strengths=[])


def test_wa43_forms_are_chosen_once():
    played = sequence("amek", "mekha", choose=False)
    played.does("choose", "amek", forms=["directly", "covertly"])
    assert "WA-43" in played.refuses("choose", "amek", forms=["directly", "covertly"])
    played.does("choose", "mekha", forms=["directly", "covertly"])
    assert "WA-43" in played.refuses("choose", "mekha", forms=["with_love", "covertly"])


def test_wa44_a_form_at_0_may_be_named_and_gives_no_die():
    worn = sheet("mekha", forms={**sheet("mekha")["forms"], "directly": 0})
    played = sequence("amek", worn)
    assert ws.dice_owed(played.state, "mekha") == (("for_myself", 10),)
    played.rolls(amek=[5, 4], mekha=[9])
    assert played.summary["standing"] == {"by": "mekha", "total": 9, "dice": [9]}


def test_wa44_at_least_one_form_die_is_in_hand():
    forms = {**SHEETS["amek"]["forms"], "directly": 0, "covertly": 0}
    played = sequence("amek", {"id": "ghost", "kind": "pc", "forms": forms}, choose=False)
    assert "WA-44" in played.refuses("choose", "ghost", forms=["directly", "covertly"])


def test_wa45_a_bought_die_is_no_base_die_that_a_hand_could_do_with():
    forms = {**SHEETS["amek"]["forms"], "directly": 0, "covertly": 0}
    ghost = {"id": "ghost", "kind": "pc", "player": "tom", "forms": forms}
    owe_list = [{"name": "ghost", "player": "tom"}]
    played = sequence("amek", ghost, choose=False, owe_list=owe_list)
    played.does("buy", "ghost", strike="ghost")
    assert "WA-44" in played.refuses("choose", "ghost", forms=["directly", "covertly"])


def test_wa69_nobody_with_two_dice_at_0_takes_up_dice():
    forms = {"action": [12, 0], "maneuvering": [6, 0], "self_protection": [6, 4]}
    played = sequence("amek", {"id": "band", "kind": "npc", "forms": forms}, choose=False)
    assert "WA-69" in played.refuses("choose", "band", forms=["action"])


def test_wa28_a_strength_is_used_in_its_form_and_adds_its_die():
    hunter = sheet("amek", strengths=[HAWK, {**HAWK, "name": "song", "forms": ["with_love"]}])
    played = sequence(hunter, "esan", choose=False)
    forms = ["with_violence", "directly"]
    assert "WA-28" in played.refuses("choose", "amek", forms=forms, strengths=["song"])
    assert "WA-28" in played.refuses("choose", "amek", forms=forms, strengths=["bow"])
    assert "WA-29" in played.refuses("choose", "amek", forms=forms, strengths=["hawk", "hawk"])
    played.does("choose", "amek", forms=forms, strengths=["hawk"])
    assert ws.dice_owed(played.state, "amek")[-1] == ("hawk", 8)


@pytest.mark.parametrize(
    "forms", [["covertly", "directly", "with_love"], ["covertly", "covertly"]], ids=len
)
def test_wa21_and_wa23_a_broad_strength_has_a_second_form_that_differs(forms):
    hunter = sheet("amek", strengths=[{**HAWK, "forms": forms}])
    with pytest.raises(records.RecordError, match="WA-21"):
        sequence(hunter, "esan", choose=False)


def test_wa28_an_npc_uses_a_strength_in_its_npc_form():
    played = sequence("amek", sheet("esan", strengths=[HAWK]), choose=False)
    assert "WA-28" in played.refuses("choose", "esan", forms=["action"], strengths=["hawk"])
    played.does("choose", "esan", forms=["maneuvering"], strengths=["hawk"])
    assert [die for _, die in ws.dice_owed(played.state, "esan")] == [10, 6, 8]


def test_a_preview_lists_the_dice_of_a_choice():
    state = sequence(sheet("amek", strengths=[HAWK]), "esan").state
    assert ws.preview(state.of("esan"), ["action"]) == state.of("esan").forms["action"]
    assert ws.preview(state.of("amek"), ["directly", "covertly"]) == (10, 8)
    assert ws.preview(state.of("amek"), ["with_love", "for_myself"]) == (6, 4)


def test_wa26_needs_far_reach_asks_pcs_for_a_far_reaching_strength():
    reaching = sheet("amek", strengths=[{**HAWK, "far_reaching": True}])
    assert sequence(reaching, "esan", needs_far_reach=True).summary["phase"] == "roll"
    assert "WA-26" in _setup_refusal("amek", "esan", needs_far_reach=True)


def test_wa40_a_player_acts_only_for_her_own():
    state = sequence("amek", "mekha").state
    assert ws.fault(state, 0, ws.Roll(by="amek")) is None
    assert ws.fault(state, None, ws.Roll(by="mekha")) is None
    assert ws.fault(state, 0, ws.Roll(by="mekha")) == refusals.NOT_YOURS
    assert ws.fault(state, 0, ws.End()) == refusals.ONLY_TABLE
    for nobody in (-1, 2):
        assert ws.fault(state, nobody, ws.Roll(by="mekha")) == refusals.NO_SEAT
        assert ws.legal_actions(state, nobody) == []


def test_wa41_two_to_eight_take_part_each_once():
    assert "WA-41" in _setup_refusal("amek")
    assert "WA-41" in _setup_refusal("amek", "amek")
    assert "WA-41" in _setup_refusal(*(sheet("esan", id=f"band-{n}") for n in range(9)))


COSTS = {"pc_form": "with_love", "npc_form": "maneuvering"}
SIX, THREE = SHEETS["amek"]["forms"], SHEETS["esan"]["forms"]


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"forms": {**SIX, "directly": 7}}, "WA-68"),
        ({"forms": {**SIX, "directly": 20}}, "WA-68"),
        ({"forms": {**SIX, "sneakily": 8}}, "WA-13"),
        ({"forms": {**SIX, "directly": [8, 6]}}, "WA-13"),
        ({"forms": {form: die for form, die in SIX.items() if form != "directly"}}, "WA-13"),
        ({"forms": {}}, "WA-13"),
        ({"kind": "npc", "forms": {**THREE, "action": 8}}, "WA-15"),
        ({"kind": "npc", "forms": {"action": [12, 8], "maneuvering": [10, 6]}}, "WA-15"),
        ({"strengths": [{**HAWK, "die": 6}]}, "WA-22"),
        ({"strengths": [{**HAWK, "forms": ["action"]}]}, "WA-20"),
        ({"strengths": [HAWK, HAWK]}, "WA-29"),
        ({"strengths": [{**HAWK, "npc_form": "covertly"}]}, "WA-20"),
        ({"strengths": [{**HAWK, "consequential": COSTS | {"pc_form": "action"}}]}, "WA-20"),
        ({"strengths": [{**HAWK, "consequential": COSTS | {"npc_form": "covertly"}}]}, "WA-20"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(changed, rule):
    assert rule in _setup_refusal(sheet("amek", **changed), "esan")


def _setup_refusal(*who: Any, **setup: Any) -> str:
    with pytest.raises(records.RecordError) as refused:
        sequence(*who, choose=False, **setup)
    return str(refused.value)
