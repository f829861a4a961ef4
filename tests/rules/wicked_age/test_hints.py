"""What is said and not enforced (WA-1, WA-82, WA-84)."""

from __future__ import annotations

import pytest

from games.rules.wicked_age.hints import (
    campaign_hints,
    chapter_hints,
    fault_of_players,
    players_hint,
)


@pytest.mark.parametrize(
    ("players", "may_play", "hint"),
    [
        (1, False, "few"),
        (2, True, "few"),
        (3, True, None),
        (4, True, None),
        (5, True, "many"),
        (6, True, "many"),
        (7, False, "many"),
    ],
)
def test_wa1_two_to_six_play_and_three_or_four_is_best(players, may_play, hint):
    assert (fault_of_players(players) is None) is may_play
    assert players_hint(players) == hint


def test_wa82_the_chapter_may_end_when_all_interests_are_settled():
    states = {"amek": ("achieved", "lost"), "tajie": ("moot", "lost")}
    assert chapter_hints(states, ()) == ("interests_settled", "evening_over")
    states["tajie"] = ("open", "lost")
    assert chapter_hints(states, ()) == ("evening_over",)


def test_wa82_the_chapter_may_end_when_one_pc_is_left():
    states = {"amek": ("open",), "tajie": ("open",), "soru": ("open",)}
    assert "one_pc_left" not in chapter_hints(states, {"amek"})
    assert "one_pc_left" in chapter_hints(states, {"amek", "soru"})
    assert "one_pc_left" not in chapter_hints({"amek": ("open",)}, ()), "nobody has left her"
    two = {"amek": ("open",), "tajie": ("open",)}
    assert "one_pc_left" in chapter_hints(two, {"tajie"}), "two play as well (WA-1)"


def test_wa82_a_chapter_with_nobody_in_it_is_not_over():
    assert chapter_hints({}, ()) == ("evening_over",)


def test_wa84_nothing_is_said_before_the_third_chapter():
    assert campaign_hints(2, ()) == ()


def test_wa84_the_first_names_gone_from_the_list_are_a_hint():
    questions = ("stories_done", "situation_played_out")
    assert campaign_hints(3, (1, 3)) == questions
    assert campaign_hints(3, (3, 4)) == ("first_names_gone", *questions)
    assert campaign_hints(6, (2,)) == ("usual_length", *questions)
