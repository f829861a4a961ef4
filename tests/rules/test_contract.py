"""What every game in RULES keeps, whatever its rules."""

from __future__ import annotations

import random
import time
from itertools import product
from typing import Any

import msgspec
import pytest

from games.rules import RULES, brave_or_knave, engine, knave_fight, records, wicked_sequence
from games.rules.dice import RecordedDice, SeededDice, TypedDice
from games.rules.engine import IllegalAction
from tests.rules.walking import fight_of, is_progress, seats_of, sequence_of, table_of, walk

TABLES: dict[str, list[Any]] = {
    brave_or_knave.NAME: [
        table_of(2),
        table_of(5, variations=False),
        table_of(6, rules=True),
        table_of(18),
    ],
    knave_fight.NAME: [fight_of(1, 1), fight_of(3, 4), fight_of(6, 1)],
    wicked_sequence.NAME: [sequence_of(2, 0), sequence_of(2, 2), sequence_of(5, 3)],
}
GAMES = [(RULES[name], table) for name, tables in TABLES.items() for table in tables]
every_game = pytest.mark.parametrize(("rules", "table"), GAMES)


def test_every_game_is_held_to_the_contract():
    assert set(TABLES) == set(RULES)
    assert all(name == rules.NAME for name, rules in RULES.items())


@every_game
def test_somebody_may_act_until_the_outcome_and_nobody_after(rules, table):
    states, _, _ = walk(rules, table, seed=1)
    seats = seats_of(table)
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
    dice = RecordedDice(SeededDice(6))
    state = rules.setup(table, dice)
    kept, dice.faces = msgspec.json.encode(state), []
    for seat in (*seats_of(table), -1, 99):
        with pytest.raises(IllegalAction) as refused:
            engine.play(rules, state, seat, engine.Action(), dice)
        assert refused.value.why
    assert (msgspec.json.encode(state), dice.faces) == (kept, [])


@every_game
def test_a_seat_sees_the_same_when_what_it_may_not_know_is_changed(rules, table):
    states, _, _ = walk(rules, table, seed=9)
    players = [seat for seat in seats_of(table) if seat is not None]
    for number, state in enumerate(states):
        for seat in (None, *players):
            changed = rules.scramble(state, seat, random.Random(number))
            assert rules.view(changed, seat) == rules.view(state, seat)
            assert rules.must(changed) == rules.must(state)
            if seat is not None:  # the table's own moves may know everything
                assert rules.legal_actions(changed, seat) == rules.legal_actions(state, seat)


@every_game
def test_a_record_replays_to_the_same_end(rules, table):
    states, plays, _ = walk(rules, table, seed=7)
    assert records.replay(records.write(rules.NAME, table, plays)).state == states[-1]


@every_game
def test_actions_and_events_round_trip_by_their_tags(rules, table):
    _, plays, story = walk(rules, table, seed=8)
    for _, action, _ in plays:
        encoded = msgspec.json.encode(action)
        assert msgspec.json.decode(encoded, type=rules.AnyAction) == action
    for event in story:
        encoded = msgspec.json.encode(event)
        assert msgspec.json.decode(encoded, type=rules.AnyEvent) == event


# By the game: tables, and how many games at each, in which all that there is comes once.
WALKS: dict[str, tuple[list[Any], int]] = {
    brave_or_knave.NAME: ([table_of(6, rules=True), table_of(5)], 60),
    knave_fight.NAME: ([fight_of(3, 4)], 30),
    wicked_sequence.NAME: ([sequence_of(3, 0, (0, 4, 4, 4, 4, 4))], 120),
}
# What nobody does in a game that is walked: it would be over too soon.
NEVER_WALKED = {brave_or_knave.Leave}


@pytest.mark.parametrize("name", RULES)
def test_walked_games_meet_every_action_and_event(name):
    """Or the tests above would hold less than they say."""
    assert name in WALKS, "how many games of it, and at which tables?"
    rules, (tables, walks) = RULES[name], WALKS[name]
    acted, happened = set(), set()
    for table, seed in product(tables, range(walks)):
        _, plays, story = walk(rules, table, seed)
        acted |= {type(action) for _, action, _ in plays}
        happened |= {type(event) for event in story}
    assert acted == set(rules.ACTIONS.values()) - NEVER_WALKED
    assert happened == set(rules.AnyEvent.__args__)


def test_a_bout_is_played_in_milliseconds():
    """A loose bound, for machines with other work; a bout takes about two milliseconds."""
    start = time.process_time()
    for seed in range(20):
        walk(brave_or_knave, table_of(5), seed)
    assert time.process_time() - start < 1


def test_a_fight_of_sixty_lists_its_actions_in_no_time():
    """A loose bound, for machines with other work; it takes about 30 milliseconds."""
    state = knave_fight.setup(fight_of(20, 40), TypedDice(()))
    state, _ = engine.play(knave_fight, state, None, knave_fight.Initiative(), TypedDice([6]))
    start = time.process_time()
    assert len(knave_fight.legal_actions(state, None)) > 60 * 59
    assert time.process_time() - start < 0.5
