"""The chances the screens show, proved by counting rolls in other ways (BK-19)."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest

from games.rules.brave_or_knave import Phase, odds
from tests.rules.scenario import BRAVE, HEAL, KNAVE, bout

NUMBERS = range(2, 20)
CALLS = (BRAVE, KNAVE)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", NUMBERS)
def test_survival_has_a_closed_form(number, call):
    chance = odds.survival(number, call)
    outright = Fraction(20 - number if call is BRAVE else number - 1, 20)
    assert chance == outright + Fraction(1, 20) * (Fraction(18, 20) + Fraction(1, 20) * chance)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", NUMBERS)
def test_survival_agrees_with_dice_that_are_thrown_again_after_two_ties(number, call):
    def outcome(own: int, other: int) -> object:
        if own == number:
            return icepool.Reroll if other == number else other != 20
        if own in (1, 20):
            return own == 20
        return own > number if call is BRAVE else own < number

    die = icepool.map(outcome, icepool.d20, icepool.d20)
    assert die.probability(True) == odds.survival(number, call)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", NUMBERS)
def test_survival_agrees_with_every_roll_of_a_real_bout(number, call):
    """Play all 20 x 20 pairs of rolls through the engine, and solve for the ties."""
    spare = [n for n in NUMBERS if n != number]
    harmless = comes_back = 0
    for first in range(1, 21):
        for second in range(1, 21):
            table = bout(Moth=spare[0], Ash=spare[1]).stands("Moth", number, "Ash", call)
            table.rolls("Ash", first)
            if table.phase is Phase.CHALLENGE and table.must == ["Moth"]:
                table.rolls("Moth", second)
            if table.phase is Phase.CHALLENGE:
                comes_back += 1
            else:
                harmless += table.fingers("Ash") == [5]
    assert Fraction(harmless, 400 - comes_back) == odds.survival(number, call)


def test_severns_noose_and_its_mirror_are_the_worst_numbers():
    worst = max(odds.menace(number) for number in NUMBERS)
    assert [n for n in NUMBERS if odds.menace(n) == worst] == [2, 19]
    assert odds.survival(2, KNAVE) == odds.survival(19, BRAVE) == Fraction(38, 399)


def test_numbers_mirror_each_other():
    for number in NUMBERS:
        assert odds.survival(number, BRAVE) == odds.survival(21 - number, KNAVE)


def test_healing_agrees_with_every_roll_of_a_real_bout():
    ends = []
    for face in range(1, 21):
        table = bout(Moth=17, Ash=18, Vane=19, nine_sisters=True).with_fingers(Ash=1)
        table.stands("Moth", 9, "Ash", HEAL).rolls("Ash", face)
        left = table.fingers("Ash")[0]
        again = table.must == ["Ash"] and left == 1
        ends.append("again" if again else "whole" if left == 5 else "grave" if face == 1 else "out")
    settled = [end for end in ends if end != "again"]
    shares = [Fraction(settled.count(end), len(settled)) for end in ("whole", "out", "grave")]
    assert tuple(shares) == odds.heal()
    assert sum(odds.heal()) == 1


def test_the_table_lists_every_personal_number():
    assert list(odds.table()) == list(NUMBERS)
    assert odds.table()[2].menace == 1 - odds.survival(2, KNAVE)


@pytest.mark.parametrize(("number", "call"), [(1, BRAVE), (20, KNAVE), (9, HEAL)])
def test_there_are_no_odds_for_what_cannot_be_challenged(number, call):
    with pytest.raises(ValueError, match=r"."):
        odds.survival(number, call)
