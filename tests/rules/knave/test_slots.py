"""Item slots: what things take, what fits, the ladder, bundles, a first pack (KN-3, KN-4)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules.dice import SeededDice
from games.rules.engine import IllegalAction
from games.rules.knave.abilities import Ability, Bonuses
from games.rules.knave.creation import AbilityRoll, Draft, GearRoll, Packed, Purse, create, pack
from games.rules.knave.slots import (
    SHOWN_RUNGS,
    Load,
    Thing,
    are_carried,
    capacity,
    check_fits,
    coin_slots,
    ladder,
    may_bundle,
    merge,
    room_for_coins,
    slots_of,
    slots_taken,
    split,
    used,
)
from tests.rules.knave.drafts import ARTICLES, TABLES, TRAITS, WEAPONS, draft, every_option
from tests.rules.knave.packs import loads, things

CON_11 = Bonuses(con=1)
TORCH = Thing(90, "light", bundle=5, article="torch")

constitutions = st.builds(Bonuses, con=st.integers(-20, 20) | st.just(10**6))


def gear(key: int, slots: int = 1, **more) -> Thing:
    return Thing(key, "gear", slots=slots, **more)


def full(slots: int = 11) -> Load:
    return Load(tuple(gear(key) for key in range(1, slots + 1)))


def takes(load: Load, *added: Thing, coins: int = 0) -> None:
    """Let somebody of 11 slots take things and coins."""
    after = replace(load, things=(*load.things, *added), copper=load.copper + coins)
    check_fits(load, after, CON_11)


@pytest.mark.parametrize(
    ("count", "slots", "bundle", "taken"),
    [
        (1, 1, 1, 1),
        (1, 3, 1, 3),
        (2, 2, 1, 4),
        (5, 1, 5, 1),
        (6, 1, 5, 2),
        (11, 2, 5, 6),
        (0, 1, 1, 0),
        (-4, 1, 1, 0),
        (3, 1, 0, 3),
        (10**6, 1, 20, 50_000),
    ],
)
def test_kn4_identical_things_share_the_slots_of_a_bundle(count, slots, bundle, taken):
    assert slots_of(gear(1, slots, count=count, bundle=bundle)) == taken


@pytest.mark.parametrize(("count", "taken"), [(1, 0), (99, 0), (100, 1), (199, 1), (200, 2)])
def test_kn4_tiny_things_take_no_slot_until_they_are_many(count, taken):
    assert slots_of(gear(1, slots=0, count=count)) == taken


@pytest.mark.parametrize(
    ("coins", "taken"),
    [((0, 0, 0), 0), ((1, 0, 0), 1), ((40, 30, 30), 1), ((40, 30, 31), 2), ((0, 0, 10_000), 100)],
)
def test_kn4_a_hundred_coins_of_any_metal_fill_a_slot(coins, taken):
    gold, silver, copper = coins
    assert coin_slots(Load((), gold, silver, copper)) == taken


@pytest.mark.parametrize(("con", "slots"), [(1, 11), (0, 10), (10, 20), (-30, 0)])
def test_kn4_slots_equal_the_constitution_defense(con, slots):
    assert capacity(Bonuses(con=con)) == slots


def test_kn4_what_is_at_home_takes_no_slot_nor_what_is_in_it():
    chest = Thing(1, "container", slots=3, is_home=True, holds=10)
    sack = Thing(2, "container", inside=1)
    rope = gear(3, inside=2)
    assert slots_taken(Load((chest, sack, rope))) == (0, 0, 0)
    assert slots_taken(Load((replace(chest, is_home=False), sack, rope))) == (3, 1, 1)


def test_kn4_what_a_mule_carries_takes_none_of_its_owners_slots():
    mule = Thing(1, "animal", slots=0, holds=20)
    chest = Thing(2, "container", slots=4, inside=1)
    assert used(Load((mule, chest, gear(3, inside=2), gear(4)))) == 1


def test_kn4_things_in_a_carried_sack_still_take_slots():
    sack = Thing(1, "container", holds=6)
    assert used(Load((sack, gear(2, inside=1), gear(3, 2, inside=1)))) == 4


def test_kn4_things_inside_one_another_in_a_circle_are_carried():
    ring = (gear(1, inside=2), gear(2, inside=3), gear(3, inside=1), gear(4, inside=4))
    assert are_carried(Load(ring)) == (True,) * 4
    home = (ring[0], replace(ring[1], is_home=True), ring[2])
    assert are_carried(Load(home)) == (False,) * 3


def test_kn4_a_thing_whose_container_is_gone_is_carried():
    assert used(Load((gear(1, inside=77),))) == 1


@pytest.mark.parametrize(("arrows", "taken"), [(20, 0), (21, 1), (40, 1), (41, 2)])
def test_kn4_a_quiver_takes_a_slot_and_the_arrows_in_it_none(arrows, taken):
    quiver = Thing(1, "container", holds=1, holds_only="ammunition")
    lot = Thing(2, "ammunition", count=arrows, bundle=20, inside=1)
    assert slots_taken(Load((quiver, lot))) == (1, taken)


def test_kn4_two_lots_in_one_quiver_do_not_both_go_free():
    quiver = Thing(1, "container", holds=1, holds_only="ammunition")
    lots = [Thing(key, "ammunition", count=20, bundle=20, inside=1) for key in (2, 3)]
    assert slots_taken(Load((quiver, *lots))) == (1, 0, 1)


def test_kn4_two_quivers_in_one_line_hold_twice_as_many():
    quivers = Thing(1, "container", count=2, holds=1, holds_only="ammunition")
    arrows = Thing(2, "ammunition", count=60, bundle=20, inside=1)
    assert slots_taken(Load((quivers, arrows))) == (2, 1)


def test_kn4_only_a_quiver_makes_arrows_light_and_only_arrows():
    sack = Thing(1, "container", holds=6)
    quiver = Thing(2, "container", holds=1, holds_only="ammunition")
    arrows = Thing(3, "ammunition", count=20, bundle=20, inside=1)
    assert slots_taken(Load((sack, quiver, arrows, gear(4, inside=2)))) == (1, 1, 1, 1)


def test_case_15_with_11_slots_full_a_torch_is_refused_with_the_reason_and_nothing_is_lost():
    load = full()
    with pytest.raises(IllegalAction) as refused:
        takes(load, TORCH)
    assert refused.value.rule == "KN-4"
    assert refused.value.why.startswith("every slot is full")
    assert load == full()


def test_kn4_a_torch_fits_into_the_eleventh_slot():
    takes(full(10), TORCH)


@pytest.mark.parametrize(
    ("added", "coins", "why"),
    [([gear(90, 3)], 0, "free slots for this"), ([], 201, "so many coins"), ([TORCH], 101, "this")],
)
def test_kn4_what_needs_more_slots_than_are_free_is_refused(added, coins, why):
    with pytest.raises(IllegalAction, match=why):
        takes(full(9), *added, coins=coins)


@pytest.mark.parametrize(
    ("gear", "coins", "room"), [(9, 0, 200), (9, 1, 199), (9, 150, 50), (10, 100, 0), (12, 30, 70)]
)
def test_kn4_room_for_coins_is_in_a_begun_hundred_and_in_free_slots(gear, coins, room):
    load = Load((Thing(1, "gear", count=gear),), copper=coins)
    assert room_for_coins(load, CON_11) == room
    check_fits(load, replace(load, copper=coins + room), CON_11)
    with pytest.raises(IllegalAction, match="KN-4"):
        check_fits(load, replace(load, copper=coins + room + 1), CON_11)


def test_kn4_things_and_coins_fit_together_up_to_the_last_slot():
    takes(full(9), TORCH, coins=100)
    takes(full(9), TORCH, gear(91))
    takes(full(9), gear(91, 30, is_home=True))


def test_kn4_somebody_over_the_limit_may_take_what_needs_no_slot_and_nothing_else():
    over = replace(full(13), copper=150)
    takes(over, gear(90, slots=0), coins=50)
    with pytest.raises(IllegalAction, match="KN-4"):
        takes(over, coins=51)


@given(loads, constitutions, things)
def test_kn4_a_thing_fits_unless_it_would_take_more_slots_than_there_are(load, bonuses, thing):
    together = replace(load, things=(*load.things, thing))
    try:
        check_fits(load, together, bonuses)
    except IllegalAction:
        assert used(together) > capacity(bonuses)
    else:
        assert used(together) <= max(used(load), capacity(bonuses))


def test_kn4_the_ladder_shows_things_in_order_then_coins_then_empty_slots():
    load = Load((gear(7, 2), gear(8), gear(9, is_home=True)), copper=150)
    rungs = ladder(load, CON_11)
    assert [(r.thing, r.coins, r.part, r.of) for r in rungs[:5]] == [
        (7, False, 1, 2),
        (7, False, 2, 2),
        (8, False, 1, 1),
        (None, True, 1, 2),
        (None, True, 2, 2),
    ]
    assert [(r.thing, r.coins, r.of) for r in rungs[5:]] == [(None, False, 0)] * 6
    assert [r.number for r in rungs] == list(range(1, 12))
    assert not any(r.is_over or r.more for r in rungs)


def test_kn4_what_is_over_the_limit_shows_on_the_ladder():
    rungs = ladder(full(13), CON_11)
    assert [r.is_over for r in rungs] == [False] * 11 + [True] * 2


@given(loads, constitutions)
def test_kn4_the_ladder_has_every_slot_or_says_how_many_it_left_out(load, bonuses):
    rungs = ladder(load, bonuses)
    slots, length = capacity(bonuses), max(capacity(bonuses), used(load))
    assert len(rungs) == min(SHOWN_RUNGS, length)
    assert len(rungs) + sum(rung.more for rung in rungs) == length
    assert [rung.number for rung in rungs] == list(range(1, len(rungs) + 1))
    assert all(rung.is_over == (rung.number > slots) for rung in rungs)
    filled = sum(rung.thing is not None or rung.coins for rung in rungs)
    assert filled == min(SHOWN_RUNGS, used(load))


def test_kn4_a_hoard_does_not_slow_the_ladder():
    pile = tuple(gear(key, 5, count=10**6, inside=key + 1) for key in range(5_000))
    load = Load(pile, gold=10**9, silver=10**9, copper=10**9)
    begun = time.process_time()
    rungs = ladder(load, Bonuses(con=10))
    assert time.process_time() - begun < 1
    assert len(rungs) == SHOWN_RUNGS
    assert rungs[-1].more == 5_000 * 5 * 10**6 + 3 * 10**7 - SHOWN_RUNGS


def test_kn4_identical_things_can_be_put_together_and_keep_the_first_key():
    assert merge(replace(TORCH, count=2), replace(TORCH, key=91, count=3)) == replace(
        TORCH, count=5
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(TORCH, key=91, article="candle"),
        replace(TORCH, key=91, is_home=True),
        replace(TORCH, key=91, inside=4),
        replace(TORCH, key=91, is_equipped=True),
        replace(TORCH, key=91, cost=3),
        Thing(91, "spell_book"),
    ],
    ids=["another thing", "elsewhere", "in a sack", "in use", "of another worth", "a book"],
)
def test_kn4_only_identical_things_in_one_place_are_put_together(other):
    with pytest.raises(IllegalAction, match="KN-4"):
        merge(TORCH, other)


@pytest.mark.parametrize(
    "thing",
    [
        *(Thing(1, kind) for kind in ("weapon", "armor", "shield", "helmet", "container")),
        Thing(1, "spell_book"),
        Thing(1, "gear", quality=2, max_quality=3),
        Thing(1, "animal", holds=40),
    ],
)
def test_kn4_what_has_a_state_of_its_own_is_counted_by_itself(thing):
    assert not may_bundle(thing)
    with pytest.raises(IllegalAction, match="counted by itself"):
        merge(thing, replace(thing, key=2))


@pytest.mark.parametrize("kind", ["ammunition", "light", "fuel", "ration", "gear", "animal"])
def test_kn4_plain_things_may_be_bundled(kind):
    assert may_bundle(Thing(1, kind))


@pytest.mark.parametrize("count", [0, -1, 5, 6, 10**6])
def test_kn4_splitting_takes_at_least_one_and_leaves_at_least_one(count):
    with pytest.raises(IllegalAction, match="KN-4"):
        split(replace(TORCH, count=5), count)


@given(st.integers(2, 10**6), st.data())
def test_kn4_splitting_and_merging_lose_nothing(count, data):
    lot = replace(TORCH, count=count, is_equipped=data.draw(st.booleans()))
    stays, taken = split(lot, data.draw(st.integers(1, count - 1)))
    assert stays.count + taken.count == count
    assert min(stays.count, taken.count) >= 1
    assert not taken.is_equipped
    assert merge(stays, replace(taken, key=91)) == lot


def with_gear(weapon: str, *items: tuple[str, int], con: int = 1, **more) -> Draft:
    """Return a draft with this weapon, gear and Constitution bonus."""
    rolls = [AbilityRoll((1, 1, 1)) for _ability in Ability]
    rolls[2] = AbilityRoll((con, con, con))
    gear = tuple(GearRoll("dungeoneering-gear", 1, (item,)) for item in items)
    return replace(draft(), abilities=tuple(rolls), weapon=weapon, gear=gear, **more)


@pytest.mark.parametrize("option", ["tables", "money"])
def test_kn3_everybody_has_two_days_of_rations_and_a_weapon(option):
    packed = pack(replace(draft(gear=option), weapon="sword"), ARTICLES)
    assert packed[:2] == (
        Packed("travel-rations", 2, is_home=False, is_equipped=False),
        Packed("sword", 1, is_home=False, is_equipped=True),
    )


@pytest.mark.parametrize(
    ("weapon", "ammunition"), [("bow", "arrows"), ("crossbow", "bolts"), ("sling", "bullets")]
)
def test_a_starting_bow_crossbow_or_sling_brings_twenty_to_shoot(weapon, ammunition):
    packed = pack(with_gear(weapon), ARTICLES)
    assert packed[2] == Packed(ammunition, 20, is_home=False, is_equipped=False)


@pytest.mark.parametrize("weapon", ["dagger", "sword", "halberd"])
def test_other_weapons_bring_nothing(weapon):
    assert len(pack(with_gear(weapon), ARTICLES)) == 2


def test_kn3_the_spell_book_is_packed_with_its_spell():
    packed = pack(with_gear("dagger", spell_book=42), ARTICLES)
    assert packed[2] == Packed("spell-book", 1, is_home=False, is_equipped=False, spell=42)


def test_kn4_what_does_not_fit_stays_at_home_and_smaller_things_still_come():
    items = [("chain", 1), ("tent", 1), ("net", 1), ("lens", 1), ("torch", 5), ("helmet", 1)]
    packed = pack(with_gear("halberd", *items), ARTICLES)
    at_home = {thing.article for thing in packed if thing.is_home}
    assert at_home == {"tent", "helmet"}
    assert not any(thing.is_equipped for thing in packed if thing.is_home)


def test_kn4_the_copper_takes_its_slots_first():
    rich = with_gear("crossbow", ("tent", 1), purse=Purse((6, 6, 6), 360))
    assert [thing.is_home for thing in pack(rich, ARTICLES)] == [False, False, False, True]
    poor = replace(rich, purse=Purse((6, 6, 6), 0))
    assert not any(thing.is_home for thing in pack(poor, ARTICLES))


@pytest.mark.parametrize(("weapon", "on_the_arm"), [("sword", True), ("halberd", False)])
def test_a_shield_is_on_the_arm_when_a_hand_is_free(weapon, on_the_arm):
    items = [("gambeson", 1), ("helmet", 1), ("shield", 1), ("net", 1)]
    packed = pack(with_gear(weapon, *items), ARTICLES)
    worn = {thing.article for thing in packed if thing.is_equipped}
    assert worn == {weapon, "gambeson", "helmet"} | ({"shield"} if on_the_arm else set())


@given(st.integers(0), every_option)
def test_kn4_a_new_character_never_carries_more_than_its_slots(seed, options):
    made = create(SeededDice(seed), TABLES, TRAITS, WEAPONS, options)
    packed = pack(made, ARTICLES)
    taken = -(-made.purse.copper // 100) if made.purse else 0
    for thing in packed:
        article = ARTICLES[thing.article]
        lot = Thing(1, article.kind, thing.count, article.slots, article.bundle)
        taken += 0 if thing.is_home else slots_of(lot)
    assert taken <= made.bonuses.defense(Ability.CONSTITUTION)
    given_by_tables = sum(count for roll in made.gear for _key, count in roll.items)
    ammunition = 20 if ARTICLES[made.weapon].ammunition else 0
    book = made.spell_book is not None
    assert sum(t.count for t in packed) == 2 + 1 + ammunition + book + given_by_tables
