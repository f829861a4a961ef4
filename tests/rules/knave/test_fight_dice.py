"""Damage of several dice and a plus: a foe's 2d4, 4d8 or d6+2 (KN-15, KN-19)."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import knave_fight as kf
from games.rules import records
from games.rules.dice import RecordedDice, SeededDice
from games.rules.engine import IllegalAction
from games.rules.knave.damage import MOST_DICE, MOST_PLUS, MOST_SIDES
from games.rules.knave_fight import Join, Side, Weapon, Wield, refusals
from games.rules.knave_fight.events import Attacked, Damaged
from games.rules.knave_fight.model import MOST_HP
from games.rules.knave_fight.rolling import Harm, roll_harm
from games.rules.records import RecordError
from tests.rules.knave.fights import Fight, goblin, knave, swing
from tests.rules.knave.first_lines import BEGINS, FIRST, GOBLIN
from tests.rules.recorded import end, error, lines

CLUB, TAIL, MAUL = Weapon(4, dice=2), Weapon(8, dice=4), Weapon(6, plus=2)
FOES_FIRST = {"action": "initiative", "dice": [1]}


def bout(weapon: Weapon) -> Fight:
    """Begin a round in which a goblin with this weapon acts first against Ash."""
    return Fight([knave(hp=40, max_hp=40)], [goblin(weapon=weapon)]).begins("foes")


# The goblin has +1 and strikes at 11: an 11 hits, and so does a 20.
@pytest.mark.parametrize(
    ("weapon", "told", "faces", "lost"),
    [
        (CLUB, {}, (11, 3, 4), 7),
        (CLUB, {"ideal": True}, (11, 3, 4, 1), 8),
        (CLUB, {}, (20, 3, 4, 2), 9),
        (CLUB, {"ideal": True}, (20, 3, 4, 2, 1), 10),
        (Weapon(8, dice=2), {}, (20, 8, 8, 8), 24),
        (TAIL, {}, (11, 1, 2, 3, 4), 10),
        (TAIL, {"edge": kf.Edge.ADVANTAGE}, (2, 11, 1, 2, 3, 4), 10),
        (MAUL, {}, (11, 3), 5),
        (MAUL, {}, (20, 3, 4), 9),
        (MAUL, {"ideal": True}, (20, 3, 4, 1), 10),
        (Weapon(6, dice=2, plus=3), {"ideal": True}, (20, 1, 1, 1, 1), 7),
        (Weapon(4, plus=-1), {}, (11, 3), 2),
    ],
)
def test_kn15_kn19_a_hit_rolls_the_dice_one_more_for_each_reason_and_the_plus_once(
    weapon, told, faces, lost
):
    fight = bout(weapon).attacks("goblin", "ash", *faces, **told)
    d20s = 2 if "edge" in told else 1
    (event,) = fight.happened(Attacked)
    assert (event.die, event.damage_faces) == (weapon.die, faces[d20s:])
    assert (event.plus, event.damage) == (weapon.plus, lost)
    assert fight.happened(Damaged)[0].amount == lost
    assert fight.who("ash").hp == 40 - lost


def test_kn15_a_minus_leaves_nothing_at_the_least_and_never_heals():
    """Ruling: a hit that comes to less than nothing costs nothing."""
    fight = bout(Weapon(4, plus=-3)).attacks("goblin", "ash", 11, 1)
    assert fight.happened(Attacked)[0].damage == 0
    assert fight.who("ash").hp == 40


def test_a_miss_rolls_none_of_them_and_tells_of_no_plus():
    fight = bout(Weapon(6, dice=3, plus=2)).attacks("goblin", "ash", 10)
    (event,) = fight.happened(Attacked)
    assert (event.hit, event.damage_faces, event.plus, event.damage) == (False, (), 0, 0)
    assert fight.who("ash").hp == 40


def test_kn14_a_defenders_natural_1_adds_a_die_to_all_of_the_attackers():
    fight = bout(CLUB).attacks("goblin", "ash", 1, 2, 3, 4, rolled_by="defender")
    assert fight.who("ash").hp == 31


def test_kn15_a_further_weapon_rolls_its_own_dice():
    foe = goblin(weapon=Weapon(6), weapons=(TAIL,), attacks=2)
    fight = Fight([knave(hp=40, max_hp=40)], [foe]).begins("foes")
    fight.attacks("goblin", "ash", 11, 5).attacks("goblin", "ash", 11, 1, 2, 3, 4, with_=0)
    assert fight.who("ash").hp == 25


def test_a_foe_that_joins_brings_its_dice_and_one_that_wields_takes_them():
    ogre = goblin("ogre", weapon=CLUB)
    fight = Fight([knave(hp=40, max_hp=40)], [goblin()]).plays(Join(side=Side.FOES, combatant=ogre))
    fight.plays(Wield(by="goblin", weapon=MAUL)).begins("foes")
    fight.attacks("ogre", "ash", 11, 4, 4).attacks("goblin", "ash", 11, 6)
    assert fight.who("ash").hp == 24


@given(
    die=st.integers(1, MOST_SIDES),
    dice=st.integers(1, MOST_DICE),
    plus=st.integers(-MOST_PLUS, MOST_PLUS),
    more=st.integers(0, 2),
    seed=st.integers(0, 99),
)
def test_kn15_any_damage_falls_between_the_least_and_the_most_there_is(die, dice, plus, more, seed):
    fell = RecordedDice(SeededDice(seed))
    harm = roll_harm(Weapon(die, dice=dice, plus=plus), more, fell)
    count = dice + more
    assert harm == Harm(tuple(fell.faces), plus)
    assert len(harm.faces) == count
    assert max(0, count + plus) <= harm.amount <= max(0, count * die + plus)
    assert harm.amount <= MOST_HP


# Records


def club(**told: object) -> dict:
    return GOBLIN | {"weapon": {"die": 4} | told}


def test_a_record_says_how_many_dice_and_what_is_added_and_is_written_back_the_same():
    strike = {"action": "attack", "by": "goblin-1", "on": "ash", "rolled_by": "attacker"}
    told = [
        FIRST | {"foes": [club(dice=2, plus=1)]},
        FOES_FIRST,
        strike | {"dice": [20, 1, 2, 3]},
    ]
    last = end(*told)
    assert last.state.of("ash").hp == 5 - 7
    moments = list(records.read(lines(*told)))
    written = records.write(kf.NAME, moments[0].table, [m.play for m in moments if m.play])
    first, *_ = written.splitlines()
    assert json.loads(first)["foes"][0]["weapon"] == {"die": 4, "dice": 2, "plus": 1}
    assert records.replay(written).state == last.state


def test_a_weapon_of_one_die_is_written_as_it_always_was():
    for weapon, written in (
        (Weapon(8, 3, name="sword"), b'{"die":8,"quality":3,"name":"sword"}'),
        (Weapon(6, ranged=True), b'{"die":6,"ranged":true}'),
        (Weapon(6, dice=1, plus=0), b'{"die":6}'),
    ):
        assert msgspec.json.encode(weapon) == written
        assert msgspec.json.decode(written, type=Weapon) == weapon


def test_an_event_of_a_log_from_before_is_read():
    event = msgspec.to_builtins(
        bout(Weapon(6)).attacks("goblin", "ash", 11, 2).happened(Attacked)[0]
    )
    del event["plus"]
    assert msgspec.convert(event, kf.AnyEvent).plus == 0


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ([20, 1, 2], "a die is missing"),
        ([20, 1, 2, 3, 4], "more dice than this action rolls"),
        ([13, 1], "a die is missing"),
        ([13, 1, 5], "the die has no such face"),
    ],
)
def test_a_record_tells_as_many_damage_dice_as_are_rolled(dice, why):
    strike = {"action": "attack", "by": "goblin-1", "on": "ash", "rolled_by": "attacker"}
    refused = error(FIRST | {"foes": [club(dice=2)]}, FOES_FIRST, strike | {"dice": dice})
    assert (refused.line, refused.why) == (3, why)


@pytest.mark.parametrize(
    "told",
    [
        {"dice": 0},
        {"dice": -1},
        {"dice": MOST_DICE + 1},
        {"dice": "2"},
        {"dice": 1.5},
        {"dice": None},
        {"dice": True},
        {"dice": [2]},
        {"plus": MOST_PLUS + 1},
        {"plus": -MOST_PLUS - 1},
        {"plus": "+2"},
        {"plus": 10**30},
        {"plus": None},
    ],
    ids=str,
)
def test_dice_and_a_plus_out_of_bounds_are_refused_where_they_stand(told):
    with pytest.raises(RecordError) as refused:
        end(FIRST | {"foes": [club(**told)]}, BEGINS)
    assert refused.value.line == 1
    assert f"weapon.{next(iter(told))}" in refused.value.why


@pytest.mark.parametrize("broken", [Weapon(6, dice=0), Weapon(6, dice=21), Weapon(6, plus=100)])
def test_a_broken_weapon_sets_up_no_fight_and_nobody_joins_or_wields_it(broken):
    with pytest.raises(IllegalAction) as refused:
        Fight([knave()], [goblin(weapon=broken)])
    assert (refused.value.why, refused.value.rule) == refusals.SETUP_BOUNDS
    fight = Fight([knave()], [goblin()])
    joins = Join(side=Side.FOES, combatant=goblin("ogre", weapon=broken))
    fight.refuses(refusals.BOUNDS, joins)
    fight.refuses(refusals.BOUNDS, Wield(by="goblin", weapon=broken))


# What the table may know


def test_no_seat_sees_how_many_dice_a_foe_rolls():
    for weapon in (CLUB, TAIL, MAUL, Weapon(6)):
        fight = bout(weapon)
        seen = msgspec.json.encode(kf.view(fight.state, 0))
        assert seen == msgspec.json.encode(kf.view(bout(Weapon(6)).state, 0))


def test_what_may_be_done_does_not_hang_on_the_dice():
    for seat in (None, 0):
        acts = kf.legal_actions(bout(CLUB).state, seat)
        assert acts == kf.legal_actions(bout(Weapon(6)).state, seat)
    assert swing("goblin", "ash") in kf.legal_actions(bout(CLUB).state, None)
