"""Coins (KN-4): what a purse holds, what fits, and handing some over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.models import Article, Character
from characters.services.purse import COINS, take_price, worth_of
from games.errors import MovedOn
from tests.characters.crew import knave, last, owns, plays_by, told, used
from tests.games.party import Party, done, refused


def test_kn4_ten_thousand_coins_need_a_hundred_slots(party: Party, ash):
    assert "There are not enough free slots for so many" in refused(
        party.ben.does("set_coins", character=ash.pk, copper=10_000), 409
    )
    done(party.ben.does("set_coins", character=ash.pk, gold=1000, copper=100))
    assert "Every slot is full" in refused(
        party.ben.does("set_coins", character=ash.pk, gold=1000, copper=101), 409
    )
    done(party.ana.does("allow_overload", character=ash.pk, on="true"))
    done(party.ben.does("set_coins", character=ash.pk, copper=10_000))
    ash.refresh_from_db()
    assert (ash.gold, ash.copper) == (0, 10_000)


def test_kn3_money_is_spent_to_the_last_copper_and_no_further():
    payer = Character(copper=240)
    for price in (60, 40, 40, 0):
        take_price(payer, price)
    assert (payer.gold, payer.silver, payer.copper) == (0, 0, 100)
    with pytest.raises(MovedOn, match="costs 1 gold 1 copper"):
        take_price(payer, 101)
    take_price(payer, 100)
    assert worth_of(payer) == 0


@given(*(st.integers(0, 10**6) for _metal in COINS), st.integers(0, 10**8))
def test_kn3_a_purse_never_falls_below_nothing(gold, silver, copper, price):
    payer = Character(gold=gold, silver=silver, copper=copper)
    before = worth_of(payer)
    try:
        take_price(payer, price)
    except MovedOn:
        assert price > before == worth_of(payer)
    else:
        assert worth_of(payer) + price == before
        assert min(payer.gold, payer.silver, payer.copper) >= 0


@pytest.mark.parametrize("coins", [{"gold": -1}, {"gold": 1_000_000}, {"copper": "many"}])
def test_coins_that_cannot_be_are_refused(party: Party, ash, coins):
    refused(party.ben.does("set_coins", character=ash.pk, **coins), 422)


def test_where_players_add_nothing_they_make_no_money(party: Party, ash):
    plays_by(party.table, may_add=False)
    done(party.ana.does("set_coins", character=ash.pk, gold=5))
    assert "At this table only the referee adds things" in refused(
        party.ben.does("set_coins", character=ash.pk, gold=6), 403
    )
    done(party.ben.does("set_coins", character=ash.pk, silver=50))
    done(party.ben.does("set_coins", character=ash.pk))


def test_coins_are_handed_over_whole_or_not_at_all(party: Party, ash):
    moth = knave(party.table, party.ana, "Moth", gold=1095)
    Character.objects.filter(pk=ash.pk).update(silver=10)
    assert "Moth has no free slots for that" in refused(
        party.ben.does("give_coins", character=ash.pk, to=moth.pk, silver=6), 409
    )
    assert "There are only 10" in refused(
        party.ben.does("give_coins", character=ash.pk, to=moth.pk, silver=11), 409
    )
    assert "Say how many coins, and to whom" in refused(
        party.ben.does("give_coins", character=ash.pk, to=moth.pk), 422
    )
    refused(party.ben.does("give_coins", character=ash.pk, to=ash.pk, silver=1), 422)
    refused(party.ben.does("give_coins", character=moth.pk, to=ash.pk, gold=1), 403)
    done(party.ben.does("give_coins", character=ash.pk, to=moth.pk, silver=5))
    ash.refresh_from_db()
    moth.refresh_from_db()
    assert (ash.silver, moth.silver) == (5, 5)
    assert told(last(party, "coins_given")) == "Ash gives Moth 5 silver pieces."


def test_kn4_the_change_of_a_wage_needs_its_room_as_a_shops_does(party: Party, ash):
    """A gold coin broken for a wage comes back as a handful, and a hundred coins fill a slot."""
    Character.objects.filter(pk=ash.pk).update(gold=99)
    carl = knave(party.table, None, "Carl", kind="hireling", employer=ash, wage=2, days_owed=1)
    for _each in range(10):
        owns(ash, "dagger")
    assert used(ash) == 11
    answer = party.ben.does("pay_hireling", character=carl.pk, days=1)
    assert "no free slot for the change" in refused(answer, 409)
    carl.refresh_from_db()
    ash.refresh_from_db()
    assert (carl.days_owed, ash.gold) == (1, 99)
    done(party.ana.does("allow_overload", character=ash.pk, on="true"))
    done(party.ben.does("pay_hireling", character=carl.pk, days=1))
    carl.refresh_from_db()
    assert (carl.days_owed, used(ash)) == (0, 12)


@pytest.mark.parametrize("typed", ["1.000", "1,5", "1e3", "2.0", "٣"])
def test_a_number_that_may_be_meant_as_another_is_asked_for_again(party: Party, ash, typed):
    """In Spanish "1.000" are a thousand, and were taken for one."""
    for answer in (
        party.ben.does("set_coins", character=ash.pk, gold=typed),
        party.ana.does("award_xp", amount=typed),
    ):
        assert "no point, no comma" in refused(answer, 422)
    ash.refresh_from_db()
    assert (ash.gold, ash.xp) == (0, 0)


@pytest.mark.parametrize("typed", ["05", " 5 ", "+5", "005"])
def test_a_number_may_begin_with_noughts_and_stand_between_spaces(party: Party, ash, typed):
    done(party.ben.does("set_coins", character=ash.pk, gold=typed))
    done(party.ben.does("change_hp", character=ash.pk, by="−01"))  # the minus of our buttons
    before = ash.hp
    ash.refresh_from_db()
    assert (ash.gold, ash.hp) == (5, before - 1)


def test_an_empty_purse_is_called_empty(party: Party, ash):
    done(party.ben.does("set_coins", character=ash.pk))
    assert told(last(party, "coins_set")) == "Ash's purse is empty now."
    sword = Article.objects.get(key="sword")
    answer = party.ben.does("buy_item", character=ash.pk, article=sword.pk)
    assert "and the purse is empty." in refused(answer, 409)
    done(party.ben.does("set_coins", character=ash.pk, copper=1))
    answer = party.ben.does("buy_item", character=ash.pk, article=sword.pk)
    assert "and the purse holds 1 copper." in refused(answer, 409)
