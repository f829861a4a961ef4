"""What every game in RULES keeps, whatever its rules."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from games.rules import RULES, brave_or_knave, engine, records
from games.rules.dice import SeededDice, TypedDice
from games.rules.engine import IllegalAction

from .walking import is_progress, table_of, walk

TABLES: dict[str, list[Any]] = {
    brave_or_knave.NAME: [
        table_of(2),
        table_of(5, variations=False),
        table_of(6, rules=True),
        table_of(18),
    ],
}
GAMES = [(RULES[name], table) for name, tables in TABLES.items() for table in tables]
every_game = pytest.mark.parametrize(("rules", "table"), GAMES)


def test_every_game_is_held_to_the_contract():
    assert set(TABLES) == set(RULES)
    assert all(name == rules.NAME for name, rules in RULES.items())


@every_game
def test_somebody_may_act_until_the_outcome_and_nobody_after(rules, table):
    states, _, _ = walk(rules, table, seed=1)
    seats = [None, *range(len(table.names))]
    for state in states[:-1]:
        acts = [act for seat in seats for act in rules.legal_actions(state, seat)]
        assert any(is_progress(act) for act in acts)
        assert rules.outcome(state) is None
    assert rules.outcome(states[-1]) is not None
    assert not [act for seat in seats for act in rules.legal_actions(states[-1], seat)]
    assert rules.must(states[-1]) == ()


@every_game
def test_whom_the_table_waits_for_may_act(rules, table):
    states, _, _ = walk(rules, table, seed=2)
    for state in states:
        for seat in rules.must(state):
            assert any(is_progress(act) for act in rules.legal_actions(state, seat))


@every_game
def test_playing_leaves_its_inputs_unchanged(rules, table):
    states, plays, _ = walk(rules, table, seed=3)
    for before, after, (seat, action, faces) in zip(states, states[1:], plays, strict=False):
        kept, meant = msgspec.json.encode(before), msgspec.json.encode(action)
        again, _ = engine.play(rules, before, seat, action, TypedDice(faces))
        assert msgspec.json.encode(before) == kept
        assert msgspec.json.encode(action) == meant
        assert again == after


@every_game
def test_the_same_dice_make_the_same_game(rules, table):
    assert walk(rules, table, seed=4) == walk(rules, table, seed=4)


@every_game
def test_states_round_trip_through_json(rules, table):
    for state in walk(rules, table, seed=5)[0]:
        assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state


@every_game
def test_a_refused_action_changes_nothing_and_rolls_nothing(rules, table):
    dice = SeededDice(6)
    state = rules.setup(table, dice)
    for seat in [None, *range(len(table.names))]:
        if not rules.legal_actions(state, seat):
            with pytest.raises(IllegalAction):
                engine.play(rules, state, seat, engine.Action(), dice)


@every_game
def test_a_record_replays_to_the_same_end(rules, table):
    states, plays, _ = walk(rules, table, seed=7)
    assert records.replay(records.write(rules.NAME, table, plays)).state == states[-1]


def test_actions_and_events_round_trip_by_their_tags():
    _, plays, story = walk(brave_or_knave, table_of(6, rules=True), seed=8)
    for _, action, _ in plays:
        encoded = msgspec.json.encode(action)
        assert msgspec.json.decode(encoded, type=brave_or_knave.AnyAction) == action
    for event in story:
        encoded = msgspec.json.encode(event)
        assert msgspec.json.decode(encoded, type=brave_or_knave.AnyEvent) == event


def test_a_bout_is_played_in_milliseconds():
    """A loose bound, for machines with other work; a bout takes about two milliseconds."""
    start = time.process_time()
    for seed in range(20):
        walk(brave_or_knave, table_of(5), seed)
    assert time.process_time() - start < 1
