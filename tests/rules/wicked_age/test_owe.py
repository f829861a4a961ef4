"""The owe list: smaller dice, and the top of the list (WA-77, WA-85 to 88, WA-105)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.wicked_age.owe import Owed, may_bring_back, smaller, top

SIZES = st.lists(st.sampled_from((0, 4, 6, 8, 10, 12)), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("lesser", "bigger"),
    [
        ((8, 6), (10, 6)),
        ((10, 4), (10, 6)),
        ((6, 6), (10, 6)),
        ((10, 8), (12, 4)),
        ((10, 8), (12, 10)),
        ((12, 6), (12, 8)),
    ],
)
def test_wa77_the_examples_of_the_book(lesser, bigger):
    assert smaller(lesser, bigger)
    assert not smaller(bigger, lesser)


def test_wa77_equal_dice_are_not_smaller_whatever_their_order():
    assert not smaller((8, 10), (10, 8))


def test_wa77_a_missing_die_is_smallest():
    assert smaller((10, 8), (10, 8, 4))
    assert smaller((10, 0), (10, 4))
    assert not smaller((10, 0), (10,))
    assert not smaller((10,), (10, 0)), "a form at 0 gives no die (WA-44)"


@given(SIZES, SIZES)
def test_wa77_of_two_hands_one_at_most_is_smaller(one, other):
    assert not (smaller(one, other) and smaller(other, one))


LIST = (
    Owed(1, "amek", "tom"),
    Owed(2, "tajie", "eva"),
    Owed(3, "amek", "tom"),
    Owed(4, "mekha", None),
    Owed(5, "soru", "eva"),
)


def test_wa85_the_first_name_comes_back():
    assert top(LIST, {"tom", "eva"}) == LIST[0]


def test_wa87_an_absent_player_and_one_who_declines_are_passed_over():
    assert top(LIST, {"eva"}) == LIST[1]
    assert top(LIST, {"eva"}, declined={2}) == LIST[4]


def test_wa105_a_name_without_a_player_stays_and_is_passed_over():
    assert top(LIST[3:], {"eva"}) == LIST[4]


def test_wa87_without_anybody_the_chapter_begins_as_the_first():
    assert top((), {"tom"}) is None
    assert top(LIST, ()) is None


def test_wa88_a_player_may_strike_one_occurrence_of_each_of_her_own():
    assert [entry.id for entry in may_bring_back(LIST, "tom")] == [1]
    assert [entry.id for entry in may_bring_back(LIST[1:], "tom")] == [3]
    assert [entry.id for entry in may_bring_back(LIST, "eva")] == [2, 5]
