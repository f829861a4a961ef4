"""Nights, light, the clock and the books that are read once a day (KN-21, KN-25)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.dice import RecordedDice, SeededDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.days import (
    TURNS_A_DAY,
    Clock,
    burn,
    check_cast,
    haven,
    may_cast,
    may_cast_level,
    night,
)


@pytest.mark.parametrize(
    ("face", "con", "hp", "max_hp", "after"),
    [
        (5, 2, 1, 20, 8),
        (8, 3, 5, 12, 12),
        (1, 0, 11, 12, 12),
        (4, 1, 0, 6, 5),
        (6, 2, 6, 6, 6),
        (1, -5, 3, 6, 3),
    ],
    ids=["heals", "up to the maximum", "no bonus", "unconscious", "whole", "never lowers"],
)
def test_kn21_a_night_heals_a_d8_and_the_constitution_bonus(face, con, hp, max_hp, after):
    assert night(TypedDice([face]), con, hp, max_hp) == (face, after)


@given(
    seed=st.integers(0),
    con=st.integers(-10, 10**6),
    hp=st.integers(0, 10**6),
    missing=st.integers(0, 10**6),
)
def test_kn21_a_night_never_lowers_and_never_heals_above_the_maximum(seed, con, hp, missing):
    face, after = night(SeededDice(seed), con, hp, hp + missing)
    assert 1 <= face <= 8
    assert hp <= after <= hp + missing


def test_kn21_somebody_above_the_maximum_stays_there():
    assert night(TypedDice([8]), 3, hp=9, max_hp=7) == (8, 9)
    assert haven(hp=9, max_hp=7) == 9


@pytest.mark.parametrize("hp", [0, 1, 12])
def test_kn21_a_safe_haven_restores_all(hp):
    assert haven(hp, max_hp=12) == 12


@pytest.mark.parametrize("hp", [-1, -30])
def test_kn16_the_dead_do_not_heal_and_roll_nothing(hp):
    dice = RecordedDice(SeededDice(1))
    with pytest.raises(IllegalAction, match="KN-16"):
        night(dice, 10, hp, 12)
    with pytest.raises(IllegalAction, match="KN-16"):
        haven(hp, 12)
    assert dice.faces == []


@pytest.mark.parametrize(
    ("left", "turns", "after"), [(6, 1, 5), (6, 6, 0), (6, 10**6, 0), (0, 1, 0), (6, -2, 6)]
)
def test_a_light_burns_down_to_nothing_and_never_grows(left, turns, after):
    assert burn(left, turns) == after


def test_a_day_has_144_turns_of_ten_minutes():
    assert TURNS_A_DAY == 144
    assert Clock(3, 0).advance(143) == Clock(3, 143)
    assert Clock(3, 0).advance(144) == Clock(4, 0)
    assert Clock().advance(10**6) == Clock(6945, 64)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_clock_runs_the_same_in_one_step_or_two(first, second):
    assert Clock().advance(first).advance(second) == Clock().advance(first + second)


@given(st.integers(0, 10**9))
def test_the_clock_loses_no_turn(turns):
    clock = Clock().advance(turns)
    assert 0 <= clock.turn < 144
    assert (clock.day - 1) * 144 + clock.turn == turns


def test_the_clock_does_not_run_backwards():
    with pytest.raises(IllegalAction, match="backwards"):
        Clock(2, 5).advance(-1)


@pytest.mark.parametrize(
    ("turn", "hour", "minute", "word"),
    [
        (0, 0, 0, "night"),
        (29, 4, 50, "night"),
        (30, 5, 0, "morning"),
        (71, 11, 50, "morning"),
        (72, 12, 0, "afternoon"),
        (107, 17, 50, "afternoon"),
        (108, 18, 0, "evening"),
        (131, 21, 50, "evening"),
        (132, 22, 0, "night"),
        (143, 23, 50, "night"),
    ],
)
def test_the_hour_has_a_word(turn, hour, minute, word):
    clock = Clock(1, turn)
    assert (clock.hour, clock.minute, clock.time_of_day) == (hour, minute, word)


def test_kn25_a_book_is_read_once_a_day():
    assert may_cast(None, day=1)
    assert not may_cast(4, day=4)
    assert may_cast(4, day=5)
    assert not may_cast(4, day=3), "the clock was turned back, and nobody has slept"
    with pytest.raises(IllegalAction, match="KN-25"):
        check_cast(4, day=4)
    check_cast(4, day=5)


@pytest.mark.parametrize(("level", "highest"), [(1, 1), (3, 3), (9, 9)])
def test_kn25_a_spells_level_is_at_most_the_casters(level, highest):
    assert all(may_cast_level(spell, level) for spell in range(highest + 1))
    assert not may_cast_level(highest + 1, level)
    with pytest.raises(IllegalAction, match="level"):
        check_cast(None, day=1, spell_level=highest + 1, caster_level=level)


def test_kn25_a_spell_without_a_level_is_anybodys():
    assert may_cast_level(None, 1)
    check_cast(None, day=1)
