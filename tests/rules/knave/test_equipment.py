"""What is worn and held at the same time (KN-5)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.knave.equipment import EQUIPPED, HANDS, HELD, WORN, put_away_for
from games.rules.knave.slots import Thing


def worn(key: int, kind: str, hands: int = 0) -> Thing:
    return Thing(key, kind, hands=hands, is_equipped=True)


SWORD, DAGGER, HALBERD = worn(1, "weapon", 1), worn(2, "weapon", 1), worn(3, "weapon", 2)
SHIELD, MAIL, HELMET = worn(4, "shield", 1), worn(5, "armor"), worn(6, "helmet")
BUCKLER = worn(7, "shield", 1)


@dataclass
class Somebody:
    """Takes up one thing after the other; the newest lies first."""

    has: tuple[Thing, ...] = ()

    def takes(self, thing: Thing) -> None:
        away = put_away_for(thing, self.has)
        self.has = (thing, *(one for one in self.has if one not in away))


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ((SWORD, SHIELD), {SWORD, SHIELD}),
        ((SWORD, SHIELD, HALBERD), {HALBERD}),
        ((HALBERD, SHIELD), {SHIELD}),
        ((SHIELD, SWORD, DAGGER), {SHIELD, DAGGER}),
        ((SWORD, DAGGER), {DAGGER}),
        ((SWORD, DAGGER, SHIELD), {DAGGER, SHIELD}),
        ((SWORD, SHIELD, DAGGER), {SHIELD, DAGGER}),
        ((SWORD, SHIELD, BUCKLER), {SWORD, BUCKLER}),
        ((MAIL, HELMET, SHIELD, SWORD), {MAIL, HELMET, SHIELD, SWORD}),
        ((MAIL, HALBERD, HELMET), {MAIL, HALBERD, HELMET}),
        ((SHIELD, MAIL, HALBERD), {MAIL, HALBERD}),
    ],
)
def test_kn5_what_no_longer_fits_is_put_away(taken: tuple[Thing, ...], left: set[Thing]):
    somebody = Somebody()
    for thing in taken:
        somebody.takes(thing)
    assert set(somebody.has) == left


@pytest.mark.parametrize("kind", sorted(WORN))
def test_kn5_of_each_piece_one_is_worn(kind: str):
    before = worn(7, kind)
    assert put_away_for(worn(8, kind), (before, DAGGER)) == (before,)


def test_kn14_one_weapon_is_in_hand():
    """With two of them a fight went on with whichever stood first on the sheet."""
    assert put_away_for(DAGGER, (SWORD, SHIELD)) == (SWORD,)


gear = st.builds(worn, st.integers(10, 99), st.sampled_from(sorted(EQUIPPED)), st.integers(1, 2))


@given(st.lists(gear, max_size=8, unique_by=lambda one: one.key))
def test_nobody_ever_holds_more_than_two_hands_do(things: list[Thing]):
    somebody = Somebody()
    for thing in things:
        somebody.takes(thing)
        assert thing in somebody.has
        assert sum(one.hands for one in somebody.has if one.kind in HELD) <= HANDS
        kinds = [one.kind for one in somebody.has]
        assert len(kinds) == len(set(kinds))
