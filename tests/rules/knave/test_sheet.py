"""The sheet's numbers explain themselves (KN-1, 4, 5, 6, 22, 24)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules.knave.abilities import Ability, Bonuses
from games.rules.knave.growth import is_due, next_level_xp
from games.rules.knave.numbers import derive
from games.rules.knave.people import hireling_limit
from games.rules.knave.slots import Load, Thing, capacity, used
from tests.rules.knave.packs import loads

PLAIN = Bonuses()
SUIT = Thing(1, "armor", defense=12, quality=3, max_quality=3, is_equipped=True)
SHIELD = Thing(2, "shield", bonus=1, quality=1, max_quality=1, is_equipped=True)
HELMET = Thing(3, "helmet", bonus=1, quality=1, max_quality=1, is_equipped=True)

amounts = st.integers(-20, 20) | st.just(10**6)
any_bonuses = st.builds(Bonuses, **{ability.value: amounts for ability in Ability})
armor_pieces = st.builds(
    Thing,
    key=st.integers(1, 99),
    kind=st.sampled_from(["armor", "shield", "helmet", "weapon"]),
    defense=st.none() | st.integers(0, 20),
    quality=st.none() | st.integers(0, 7),
    is_equipped=st.booleans(),
    is_home=st.booleans(),
)


def sheet(*worn: Thing, bonuses=PLAIN, level=1, xp=0, hp=5, max_hp=5, **coins):
    return derive(bonuses, Load(worn, **coins), level, xp, hp, max_hp)


def armor(*worn: Thing) -> int:
    return sheet(*worn)["armor_defense"].value


def test_kn1_a_defense_is_the_bonus_and_ten():
    numbers = sheet(bonuses=Bonuses(2, 1, 3, 4, 5, 6))
    for ability, bonus in zip(Ability, (2, 1, 3, 4, 5, 6), strict=True):
        assert numbers[ability.value].value == bonus
        assert numbers[f"{ability.value}_defense"].value == bonus + 10


def test_kn5_without_armor_the_defense_is_11_and_the_bonus_1():
    numbers = sheet()
    assert (numbers["armor_defense"].value, numbers["armor_bonus"].value) == (11, 1)


@pytest.mark.parametrize("defense", [12, 13, 14, 15, 16])
def test_kn5_body_armor_sets_the_defense_and_shield_and_helmet_add_one_each(defense):
    suit = replace(SUIT, defense=defense)
    assert armor(suit) == defense
    assert armor(suit, SHIELD) == armor(suit, HELMET) == defense + 1
    assert armor(suit, SHIELD, HELMET) == defense + 2


def test_kn5_shield_and_helmet_add_to_11_where_there_is_no_body_armor():
    assert (armor(SHIELD), armor(SHIELD, HELMET)) == (12, 13)


def test_kn5_one_body_armor_counts_the_best_and_one_shield_and_one_helmet():
    chain = replace(SUIT, key=4, defense=14)
    shields, helmets = [replace(SHIELD, key=5), SHIELD], [HELMET, replace(HELMET, key=6)]
    assert armor(SUIT, chain, replace(SUIT, key=7), *shields, *helmets) == 16


@pytest.mark.parametrize(
    "change",
    [{"is_equipped": False}, {"quality": 0}, {"is_home": True}],
    ids=["not worn", "destroyed", "at home"],
)
@pytest.mark.parametrize("piece", [SUIT, SHIELD, HELMET], ids=lambda thing: thing.kind)
def test_kn5_only_what_is_worn_and_whole_protects(piece, change):
    assert armor(piece) == 12
    assert armor(replace(piece, **change)) == 11


def test_kn5_body_armor_alone_sets_the_defense_and_only_where_it_has_one():
    assert armor(replace(SHIELD, defense=15)) == 12
    assert armor(replace(SUIT, defense=None)) == 11


def test_kn5_armor_that_has_no_quality_never_breaks():
    assert armor(replace(SUIT, quality=None, defense=13)) == 13


def test_case_8_destroyed_armor_lowers_the_armor_defense_at_once():
    chain = replace(SUIT, defense=14, quality=1)
    assert armor(chain, HELMET) == 15
    assert armor(replace(chain, quality=0), HELMET) == 12


def test_kn5_the_parts_say_which_pieces_protect():
    parts = sheet(SUIT, HELMET)["armor_bonus"].parts
    assert [(part.amount, part.rule, part.params) for part in parts] == [
        (12, "KN-5", {"thing": 1}),
        (1, "KN-5", {"thing": 3}),
        (-10, "KN-5", {}),
    ]


def test_kn4_the_slots_used_name_each_thing_and_the_coins():
    rope = Thing(8, "gear", count=2)
    number = sheet(rope, Thing(9, "gear", is_home=True), copper=101)["slots_used"]
    assert number.value == 4
    assert [(part.amount, part.params) for part in number.parts] == [
        (2, {"thing": 8, "count": 2}),
        (2, {"count": 101}),
    ]


def test_kn6_healing_and_speeds():
    numbers = sheet(bonuses=Bonuses(con=4))
    values = [numbers[key].value for key in ("healing", "speed_exploration", "speed_combat")]
    assert values == [4, 120, 40]


@pytest.mark.parametrize(("level", "xp", "missing"), [(1, 950, 50), (1, 1050, 0), (2, 1050, 950)])
def test_kn22_the_next_level_comes_at_1000_for_each_level(level, xp, missing):
    numbers = sheet(level=level, xp=xp)
    assert numbers["next_level_xp"].value == 1000 * level
    assert numbers["missing_xp"].value == missing
    assert is_due(level, xp) == (missing == 0)


def test_kn22_who_has_no_level_comes_to_the_second_at_1000_too():
    assert next_level_xp(0) == next_level_xp(1) == 1000


@pytest.mark.parametrize(("level", "counts"), [(0, 1), (1, 1), (3, 3)])
def test_kn22_the_next_level_says_which_level_counts(level, counts):
    [part] = sheet(level=level)["next_level_xp"].parts
    assert part.params == {"level": counts}


def test_kn24_hirelings_follow_the_charisma_bonus():
    assert sheet(bonuses=Bonuses(cha=3))["hirelings"].value == 3


@pytest.mark.parametrize(("hp", "missing"), [(5, 0), (0, 5), (-3, 8), (9, 0)])
def test_kn6_the_missing_hit_points_are_those_below_the_maximum(hp, missing):
    assert sheet(hp=hp)["missing_hp"].value == missing
    below = ["never below none"] if hp > 5 else []
    parts = [part.label for part in sheet(hp=hp)["missing_hp"].parts]
    assert parts == ["maximum", "hit points now", *below]


@given(
    any_bonuses,
    loads,
    st.lists(armor_pieces, max_size=6),
    st.tuples(amounts, amounts, amounts, amounts),
)
def test_every_number_is_the_sum_of_its_parts(bonuses, load, pieces, counts):
    load = replace(load, things=(*load.things, *pieces))
    numbers = derive(bonuses, load, *counts)
    for key, number in numbers.items():
        assert number.key == key
        assert number.value == sum(part.amount for part in number.parts)
        assert all(part.label and part.rule.startswith("KN-") for part in number.parts)
    assert numbers["slots"].value == capacity(bonuses)
    assert numbers["slots_used"].value == used(load)
    assert numbers["hirelings"].value == hireling_limit(bonuses.of(Ability.CHARISMA))
    assert numbers["armor_bonus"].value == numbers["armor_defense"].value - 10


def test_a_sheet_has_these_numbers():
    abilities = [ability.value for ability in Ability]
    assert set(sheet()) == {
        *abilities,
        *(f"{letters}_defense" for letters in abilities),
        *("armor_defense", "armor_bonus", "slots", "slots_used", "hirelings", "healing"),
        *("speed_exploration", "speed_combat", "next_level_xp", "missing_xp", "missing_hp"),
    }
