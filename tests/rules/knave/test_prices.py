"""Coins and prices (KN-3, KN-19)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.knave.prices import fewest_coins, in_copper, repair_price


@given(st.integers(0, 10**9))
def test_change_is_worth_what_it_is_given_for_and_has_no_coin_too_many(copper: int):
    coins = fewest_coins(copper)
    assert in_copper(*coins) == copper
    assert coins.silver < 10
    assert coins.copper < 10


@pytest.mark.parametrize(("cost", "price"), [(0, 0), (1, 1), (10, 1), (11, 2), (1000, 100)])
def test_kn19_a_point_of_quality_costs_a_begun_tenth_of_the_price(cost: int, price: int):
    assert repair_price(cost) == price
