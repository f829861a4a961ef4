"""Why an action is refused, in words that fit the moment; and what no record may say."""

from __future__ import annotations

import pytest

from games.rules import records
from games.rules import wicked_sequence as ws
from games.rules.engine import Action
from games.rules.wicked_sequence import refusals
from tests.rules.wicked_sequence.scenario import duel, sequence, sheet

TIED = {"amek": [6, 2], "mekha": [6, 2]}
ESAN_IS_OWED = [{"name": "esan", "player": "erin"}]


class Whistle(Action, frozen=True, tag="whistle"):
    """What no sequence knows."""


def test_wa52_who_has_rolled_the_lowest_die_does_not_roll_it_again():
    """It would be the second roll of the same die (WA-111)."""
    played = sequence("amek", "mekha").rolls(**TIED).does("press", "amek").rolls(amek=[3])
    assert refusals.ROLLED.why in played.refuses("roll", "amek", dice=[8])
    assert played.rolls(mekha=[2]).summary["standing"]["by"] == "amek"


def test_wa65_the_gm_buys_no_die_whoever_an_npc_is_said_to_belong_to():
    owed = [{"name": "amek", "player": "erin"}]
    played = sequence("amek", sheet("esan", player="erin"), owe_list=owed)
    assert refusals.GM_BUYS.why in played.refuses("buy", "esan", strike="amek")


def test_wa56_where_no_move_waits_for_an_answer_that_is_the_reason():
    assert refusals.NO_ANSWER.why in duel().refuses("let_pass", "mekha")


def test_wa57_who_is_not_named_is_told_so_and_not_to_wait():
    played = sequence("amek", "mekha", "tajie").rolls(amek=[9, 5], mekha=[4, 3], tajie=[5, 1])
    played.moves("amek", "mekha", "tajie")
    assert refusals.NOT_NEXT.why in played.refuses("let_pass", "mekha")
    played = sequence("amek", "mekha", "tajie").rolls(amek=[9, 5], mekha=[4, 3], tajie=[5, 1])
    assert refusals.NO_ANSWER.why in played.refuses("interfere", "tajie"), "nobody has moved yet"
    assert refusals.NOT_NAMED.why in played.moves("amek", "mekha").refuses("let_pass", "tajie")


@pytest.mark.parametrize("action", ["back_away", "press"])
def test_wa52_without_a_tie_that_is_the_reason(action: str):
    assert refusals.NO_TIE.why in duel().refuses(action, "amek")


def test_wa73_a_stranger_settles_nothing():
    played = duel().moves("amek", "mekha").rolls(mekha=[2, 1])
    for winner, loser in (("nobody", "mekha"), ("amek", "nobody")):
        fields = {"loser": loser, "as": "injured"}
        assert refusals.STRANGER.why in played.refuses("settle", winner=winner, **fields)


@pytest.mark.parametrize("action", ["roll", "move", "let_pass", "interfere", "press", "back_away"])
def test_wa40_a_stranger_does_nothing(action: str):
    fields = {"dice": [5, 4]} if action == "roll" else {}
    assert refusals.STRANGER.why in sequence("amek", "mekha").refuses(action, "nobody", **fields)


@pytest.mark.parametrize("seat", [None, 0])
def test_what_no_record_says_is_refused_as_well(seat: int | None):
    """By whoever asks beside a record: what is out of bounds, or of another game."""
    state = duel().state
    for action, why in (
        (ws.Move(by="amek", to=("mekha",), says="x" * 2001), refusals.BOUNDS),
        (Whistle(), refusals.UNKNOWN),
    ):
        assert ws.fault(state, seat, action) == why


# --- what a record may not say -------------------------------------------------------------------
def test_wa76_no_npc_stands_on_the_owe_list():
    """Whoever she is said to belong to could have struck her name for a die (WA-65)."""
    with pytest.raises(records.RecordError, match="WA-76"):
        sequence("amek", "esan", owe_list=ESAN_IS_OWED)


def test_wa76_no_npc_comes_onto_the_owe_list_later():
    played = sequence("amek", "mekha", "esan")
    assert "WA-76" in played.refuses("correct", owe_list=ESAN_IS_OWED)
    played = duel().moves("amek", "mekha").rolls(mekha=[6, 4])
    played.does("correct", owe_list=ESAN_IS_OWED)  # who is not here, nobody knows for an NPC
    assert "WA-76" in played.refuses("join", participant=sheet("esan"))


def test_wa72_words_without_a_word_are_no_term():
    played = duel().moves("amek", "mekha").rolls(mekha=[2, 1])
    terms = {"winner": "amek", "loser": "mekha", "terms": [{"says": ""}]}
    assert "WA-72" in played.refuses("agree", **terms)


@pytest.mark.parametrize("field", ["dice", "pips"])
def test_wa110_an_action_without_dice_has_no_field_for_them(field: str):
    played = sequence("amek", "mekha", choose=False)
    fields = {"forms": ["directly", "covertly"], "strengths": [], field: None}
    assert "WA-110" in played.refuses("choose", "amek", **fields)
