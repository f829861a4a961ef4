"""A sequence's record: the lines as they are printed, what is refused, and the way back."""

from __future__ import annotations

import json

import pytest

from games.rules import records
from games.rules import wicked_sequence as ws
from games.rules.dice import TypedDice
from tests.rules.wicked_sequence.scenario import HAWK, SHEETS, Sequence, duel, sequence, sheet

KEYS = [
    *("phase", "round", "must", "order", "in", "standing", "last"),
    *("advantage", "bought", "owe_list", "forms", "out"),
]


def test_a_hawk_at_work():
    """Esan's dice are both of her form, then the hawk's; a list with no more to say is left out."""
    played = sequence("amek", sheet("esan", strengths=[HAWK]), owe_list=[{"name": "amek"}])
    played.rolls(amek=[5, 6], esan=[10, 4, 7]).does("move", "esan", to=["amek"], says="steps out")
    played.rolls(amek=[9, 2])
    assert list(played.summary) == KEYS
    assert played.summary == {
        "phase": "between",
        "round": 1,
        "must": ["amek", "esan"],
        "order": ["esan", "amek"],
        "in": ["amek", "esan"],
        "standing": None,
        "last": {"mover": "esan", "answerer": "amek", "result": "loses_advantage"},
        "advantage": [{"holder": "esan", "over": "amek"}],
        "bought": {},
        "owe_list": ["amek"],
        "forms": {who: SHEETS[who]["forms"] for who in ("amek", "esan")},
        "out": [],
    }


def test_a_record_sorts_pips_from_dice_and_says_by_whom_lots_were():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([9, 5], [3]))
    moments = list(records.read(played.text.encode().splitlines()))
    plays = [moment.play for moment in moments if moment.play is not None]
    lines = records.write(ws.NAME, moments[0].table, plays).splitlines()
    assert json.loads(lines[-1]) == {"action": "roll", "by": "amek", "dice": [9, 5], "pips": [3]}
    assert ws.play_line(moments[0].table, (None, ws.Lots(order=("a", "b")), ())) == {
        "action": "lots",
        "by": None,
        "order": ("a", "b"),
    }


def test_wa56_a_move_that_names_nobody_is_written_with_an_empty_list():
    assert ws.play_line(None, (None, ws.Move(by="a"), ())) == {
        "action": "move",
        "by": "a",
        "to": (),
    }
    assert ws.play_line(None, (None, ws.Choose(by="a", forms=("action",)), ())) == {
        "action": "choose",
        "by": "a",
        "forms": ("action",),
        "strengths": (),
    }


def test_a_written_first_line_says_what_the_rules_page_prints_there():
    """Whoever read it elsewhere was not told the die of a d8 strength, nor of an empty list."""
    bow = HAWK | {"name": "bow", "die": 10}
    played = sequence("amek", sheet("esan", strengths=[HAWK, bow]), choose=False)
    (moment,) = records.read([played.lines[0].encode()])
    told = json.loads(records.write(ws.NAME, moment.table, []))
    assert told["owe_list"] == []
    assert told["participants"][1]["strengths"] == [HAWK, bow]
    late = {"action": "join", "participant": sheet("mekha", strengths=[HAWK])}
    play = ws.read_play(json.dumps(late).encode(), moment.state)
    assert ws.play_line(moment.table, play)["participant"]["strengths"][0]["die"] == 8
    empty = ws.Agree(winner="amek", loser="esan")
    assert ws.play_line(None, (None, empty, ()))["terms"] == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('["roll"]', "an action is a JSON object"),
        ('{"action": "shout", "by": "amek"}', "shout"),
        ('{"action": "roll"}', "by"),
        ('{"action": "roll", "by": "amek", "dice": [1, 1], "edge": 1}', "edge"),
        ('{"action": "move", "by": "amek", "to": ["mekha"], "dice": [1]}', "WA-110"),
        ('{"action": "choose", "by": "nobody", "forms": []}', "WA-40"),
        ('{"action": "settle", "winner": "amek", "loser": "mekha", "as": "injured"}', "WA-67"),
        ('{"action": "end"}', "WA-74"),
        ('{"action": "lots", "by": null, "order": []}', "WA-53"),
        ('{"action": "press", "by": "amek"}', "WA-52"),
        ("{", "truncated"),
    ],
)
def test_a_line_that_cannot_be_is_refused_where_it_stands(line, why):
    played = sequence("amek", "mekha")
    with pytest.raises(records.RecordError) as refused:
        records.replay(played.text + line)
    assert refused.value.line == 4
    assert why in refused.value.why


@pytest.mark.parametrize(
    "spoilt",
    [
        {"participants": {}},
        {"participants": [{"id": "amek"}]},
        {"participants": [sheet("amek", kind="god"), sheet("esan")]},
        {"participants": [sheet("amek", id=""), sheet("esan")]},
        {"participants": [sheet("amek"), sheet("esan")], "owe_list": ["amek"]},
        {"participants": [sheet("amek"), sheet("esan")], "weather": "rain"},
    ],
)
def test_a_first_line_of_another_shape_is_refused(spoilt):
    with pytest.raises(records.RecordError) as refused:
        Sequence(spoilt)
    assert refused.value.line == 1


def test_rolls_come_from_any_source_of_dice():
    """As at the table: the app rolls, or somebody types what fell."""
    state = sequence("amek", "mekha").state
    state, (rolled,) = ws.apply(state, 0, ws.Roll(by="amek"), TypedDice([11, 10]))
    assert (rolled.total, rolled.purpose) == (11, "order")
    assert ws.view(state, 1).participants[0].roll.ranked == (11, 10)
