"""What changed outside is taken over, and the record replays with it (WA-81, WA-111)."""

from __future__ import annotations

from tests.rules.wicked_sequence.scenario import SHEETS, duel, sequence

WORN = {**SHEETS["amek"]["forms"], "directly": 8}


def test_wa111_a_die_set_right_is_rolled_from_now_on_and_dice_that_lie_stay():
    played = duel()
    played.does("correct", forms={"amek": WORN})
    assert played.summary["forms"]["amek"]["directly"] == 8
    assert played.summary["standing"] == {"by": "amek", "total": 9, "dice": [9, 5]}
    played.moves("amek", "mekha").does("roll", "mekha", dice=[1, 1]).settles("amek", "mekha")
    assert played.summary["phase"] == "over"


def test_wa81_the_owe_list_is_one_for_all_sequences():
    played = sequence("amek", "mekha", owe_list=[{"name": "amek", "player": "amy"}])
    assert "owe list" in played.refuses("buy", "mekha", strike="mekha")
    played.does("correct", owe_list=[{"name": "mekha", "player": "martha"}])
    assert "owe list" in played.refuses("buy", "amek", strike="amek")
    played.does("buy", "mekha", strike="mekha")
    assert played.summary["bought"] == {"mekha": 1}


def test_a_settlement_does_not_wait_for_a_correction_nor_forbid_it():
    played = duel().moves("amek", "mekha").does("roll", "mekha", dice=[1, 1])
    played.does("correct", forms={"mekha": {**SHEETS["mekha"]["forms"], "directly": 12}})
    played.settles("amek", "mekha", "exhausted")
    assert played.summary["forms"]["mekha"]["directly"] == 10


def test_a_correction_names_people_forms_and_dice_that_are_there():
    played = duel()
    whole = SHEETS["amek"]["forms"]
    assert "that id" in played.refuses("correct", forms={"nobody": whole})
    assert "six forms" in played.refuses("correct", forms={"amek": {"directly": 8}})
    assert "d12" in played.refuses("correct", forms={"amek": {**whole, "directly": 7}})
    none_left = {**whole, "directly": 0, "with_violence": 0}
    assert "WA-69" in played.refuses("correct", forms={"amek": none_left})


def test_wa105_who_plays_her_now_strikes_their_own_names():
    played = sequence("amek", "mekha", owe_list=[{"name": "tajie", "player": "tom"}])
    assert "their own characters" in played.refuses("buy", "amek", strike="tajie")
    played.does("correct", players={"amek": "tom"})
    played.does("buy", "amek", strike="tajie")
    assert played.summary["bought"] == {"amek": 1}
    assert "that id" in played.refuses("correct", players={"nobody": "tom"})
