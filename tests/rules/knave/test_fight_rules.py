"""Sides, attacks, damage and gear in a fight: every rule and ruling, by its number."""

from __future__ import annotations

import pytest

from games.rules import engine, records
from games.rules import knave_fight as kf
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Attack,
    Cast,
    Disengage,
    Edge,
    Engage,
    Guard,
    Heal,
    Hurt,
    Join,
    Morale,
    Save,
    Side,
    Status,
    Turn,
    Weapon,
    Wield,
    refusals,
)
from games.rules.knave_fight import events as ev
from tests.rules.knave.fights import BOW, STR, Fight, big, duel, goblin, knave, swing, trip

# KN-12: initiative and the order of sides


def test_kn12_the_second_sides_first_act_ends_the_first_sides_turn():
    table = Fight([knave(), knave("bo")], [big()]).begins().attacks("ash", "goblin", 2)
    table.attacks("goblin", "bo", 2).refuses(refusals.SECOND_BEGAN, swing("bo"))


@pytest.mark.parametrize("act", ["stunt", "cast"])
def test_kn12_a_stunt_or_a_spell_of_the_second_side_ends_it_too(act):
    table = duel()
    if act == "stunt":
        table.stunts("goblin", "ash", 3)
    else:
        table.plays(Cast(by="goblin", spell="Fog"))
    table.refuses(refusals.SECOND_BEGAN, swing())
    table.refuses(refusals.SECOND_BEGAN, trip())
    table.refuses(refusals.SECOND_BEGAN, Cast(by="ash", spell="Fog"))


def test_kn12_the_second_side_need_not_wait_and_the_order_within_a_side_is_free():
    table = Fight([knave(), knave("bo")], [big(), big(id="ogre")]).begins("foes")
    table.attacks("ogre", "ash", 2).attacks("goblin", "ash", 2)
    table.attacks("bo", "ogre", 2).attacks("ash", "ogre", 2)
    assert all(one.has_acted for one in table.state.fighters)


def test_kn12_a_new_round_clears_what_was_done():
    table = duel().attacks("ash", "goblin", 2).attacks("goblin", "ash", 2).begins()
    assert table.state.round == 2
    assert [one.round for one in table.happened(ev.RoundBegun)] == [1, 2]
    assert not any(one.has_acted for one in table.state.fighters)
    assert table.attacks("ash", "goblin", 2).who("ash").attacked == 1


def test_kn12_saves_hurt_heal_and_weapons_are_free_at_any_time():
    table = Fight([knave()], [goblin()])
    table.plays(kf.Save(by="ash", ability=STR), 3).plays(Hurt(on="ash", amount=2))
    table.plays(Heal(on="ash", amount=1)).plays(Wield(by="ash", weapon=BOW))
    assert (table.who("ash").hp, table.who("ash").weapon) == (7, BOW)


# KN-10, KN-14: attacks from either side


def test_kn14_a_ranged_attack_adds_wisdom_a_melee_attack_strength():
    bonus = Abilities(str=4, wis=7)
    assert duel(bonus=bonus).attacks("ash", "goblin", 2).last == (6, 12, False)
    assert duel(bonus=bonus, weapon=BOW).attacks("ash", "goblin", 2).last == (9, 12, False)


def test_kn14_the_defender_rolls_armor_bonus_against_ten_and_the_attackers_bonus():
    table = Fight([knave(armor=Armor(13, 2), shield=Guard(1))], [goblin()]).begins("foes")
    table.attacks("goblin", "ash", 8, rolled_by="defender")
    assert table.last == (12, 11, True)
    assert table.who("ash").hp == 8
    table.begins("foes").attacks("goblin", "ash", 7, 5, rolled_by="defender")
    assert table.last == (11, 11, False)
    assert table.who("ash").hp == 3


class Shows:
    """Dice whose d20 shows one face and whose other dice show 1."""

    def __init__(self, face: int) -> None:
        self.face = face

    def roll(self, sides: int) -> int:
        return self.face if sides == 20 else 1


@pytest.mark.parametrize(("bonus", "defense"), [(0, 11), (2, 13), (7, 17), (1, 20), (9, 30)])
def test_kn14_either_side_may_roll_with_the_same_odds(bonus, defense):
    """Counts every face: as many of the attacker's hit as of the defender's fail."""
    foe = big(armor=Armor(defense))
    table = Fight([knave(bonus=Abilities(str=bonus))], [foe]).begins()
    hits = {"attacker": 0, "defender": 0}
    for roller in hits:
        for face in range(1, 21):
            attack = Attack(by="ash", on="goblin", rolled_by=roller)
            _, events = engine.play(kf, table.state, None, attack, Shows(face))
            hits[roller] += events[0].hit
    assert set(hits.values()) == {max(0, 20 + bonus - defense)}


def test_kn14_a_monsters_own_attack_bonus_replaces_its_abilities():
    table = Fight([knave()], [goblin(attack=6)]).begins("foes").attacks("goblin", "ash", 2)
    assert table.last == (8, 11, False)


@pytest.mark.parametrize(
    ("edge", "counted"), [(Edge.ADVANTAGE, 15), (Edge.DISADVANTAGE, 4), (None, 15)]
)
def test_kn10_two_d20_are_rolled_and_the_better_or_the_worse_counts(edge, counted):
    faces = (15,) if edge is None else (15, 4)
    table = duel().stunts("ash", "goblin", *faces, edge=edge)
    assert table.last[0] == counted + 2


def test_kn10_edge_and_modifier_belong_to_whoever_rolls():
    table = Fight([knave()], [goblin()]).begins("foes")
    table.attacks("goblin", "ash", 3, 9, rolled_by="defender", edge=Edge.ADVANTAGE, modifier=2)
    assert table.last == (12, 11, True)
    table.stunts("ash", "goblin", 9, 3, edge=Edge.DISADVANTAGE, modifier=-2)
    assert table.last == (3, 11, False)
    table.plays(Save(by="ash", ability=STR, edge=Edge.ADVANTAGE, modifier=3), 4, 11)
    assert table.last == (16, 15, True)


def test_kn14_nobody_shoots_while_in_melee_until_they_step_out_or_the_foe_falls():
    table = duel(weapon=BOW).plays(Engage(by="goblin", on="ash"))
    table.refuses(refusals.RANGED_ENGAGED, swing())
    table.plays(Disengage(by="ash")).attacks("ash", "goblin", 2)
    table.begins().plays(Engage(by="ash", on="goblin")).plays(Hurt(on="goblin", amount=4))
    assert not table.state.is_engaged("ash")
    table.attacks("ash", "goblin", 2)


def test_kn14_a_melee_attack_alone_engages_nobody():
    assert duel().attacks("ash", "goblin", 2).state.engaged == ()


def test_kn14_attacks_on_the_unconscious_and_on_ones_own_side_are_allowed():
    table = Fight([knave(), knave("bo", hp=0)], [goblin()]).begins().attacks("ash", "bo", 12, 1)
    assert table.who("bo").status is Status.DEAD


# KN-15, KN-19: damage, criticals, fumbles


def test_kn15_an_ideal_weapon_rolls_one_more_die():
    assert duel().attacks("ash", "goblin", 12, 1, 2, ideal=True).who("goblin").hp == 1


def test_kn19_a_natural_1_by_the_rolling_defender_is_a_critical():
    table = Fight([knave(armor=Armor(13, 2))], [goblin()]).begins("foes")
    table.attacks("goblin", "ash", 1, 2, 3, rolled_by="defender")
    assert (table.who("ash").hp, table.who("ash").armor) == (3, Armor(13, 1))


def test_kn19_a_natural_20_by_the_rolling_defender_wears_the_attackers_weapon():
    table = Fight([knave()], [goblin(weapon=Weapon(6, quality=2))]).begins("foes")
    table.attacks("goblin", "ash", 20, rolled_by="defender")
    assert table.who("goblin").weapon == Weapon(6, quality=1)


def test_kn19_a_natural_1_by_the_attacker_wears_the_weapon_until_it_breaks():
    table = duel(weapon=Weapon(8, quality=2))
    assert table.attacks("ash", "goblin", 1).who("ash").weapon == Weapon(8, quality=1)
    assert table.begins().attacks("ash", "goblin", 1).who("ash").weapon is None
    assert [type(one) for one in table.log if isinstance(one, ev.WeaponWorn | ev.WeaponBroken)] == [
        ev.WeaponWorn,
        ev.WeaponBroken,
    ]
    table.begins().refuses(refusals.NO_WEAPON, swing())


def test_kn19_a_natural_20_that_misses_wears_the_armor_and_deals_nothing():
    table = Fight([knave()], [goblin(armor=Armor(23, 2))]).begins().attacks("ash", "goblin", 20)
    assert table.last == (22, 23, False)
    assert (table.who("goblin").hp, table.who("goblin").armor) == (4, Armor(23, 1))


def test_kn19_a_natural_1_that_hits_deals_its_damage_though_the_weapon_breaks():
    table = duel(weapon=Weapon(8, quality=1))
    table.attacks("ash", "goblin", 1, 3, modifier=12)
    assert (table.who("goblin").hp, table.who("ash").weapon) == (1, None)


def test_kn19_the_hit_is_judged_by_the_defense_before_the_armor_breaks():
    table = Fight([knave()], [goblin(armor=Armor(22, 1))]).begins().attacks("ash", "goblin", 20)
    assert table.last == (22, 22, False)
    assert table.who("goblin").armor_defense == 11


def test_kn19_quality_goes_from_armor_then_shield_then_helmet():
    worn = {"armor": Armor(13, 1), "shield": Guard(1), "helmet": Guard(1)}
    table = Fight([knave()], [big(**worn)])
    defenses = []
    for _ in range(4):
        table.begins().attacks("ash", "goblin", 20, 1, 1)
        defenses.append(table.who("goblin").armor_defense)
    assert defenses == [13, 12, 11, 11]
    assert [one.piece for one in table.happened(ev.ArmorBroken)] == ["armor", "shield", "helmet"]


def test_kn19_a_hide_without_quality_wears_not_but_a_shield_before_it_does():
    table = Fight([knave()], [big(shield=Guard(2))]).begins().attacks("ash", "goblin", 20, 1, 1)
    assert (table.who("goblin").armor, table.who("goblin").shield) == (Armor(12), Guard(1))


def test_kn19_monsters_without_gear_lose_nothing():
    table = Fight([knave()], [big()]).begins().attacks("ash", "goblin", 20, 1, 1)
    table.attacks("goblin", "ash", 1)
    assert (table.who("goblin").armor, table.who("goblin").weapon) == (Armor(12), Weapon(6))


def test_kn19_the_face_that_counts_makes_the_critical():
    table = duel().attacks("ash", "goblin", 20, 2, edge=Edge.DISADVANTAGE)
    assert not table.happened(ev.Attacked)[0].critical
    table.begins().attacks("ash", "goblin", 1, 20, 1, 1, edge=Edge.ADVANTAGE)
    assert table.happened(ev.Attacked)[1].critical


def test_kn5_shield_and_helmet_add_one_each_with_and_without_armor():
    plate = {"armor": Armor(16, 6)}
    guards = {"shield": Guard(1), "helmet": Guard(1)}
    defenses = [knave(**worn).armor_defense for worn in ({}, guards, plate, plate | guards)]
    assert defenses == [11, 13, 16, 18]


def test_what_is_broken_before_the_fight_is_not_there():
    broken = {"armor": Armor(14, 0), "shield": Guard(0), "weapon": Weapon(8, quality=0)}
    ash = Fight([knave(**broken)], [goblin()]).who("ash")
    assert (ash.armor_defense, ash.armor, ash.shield, ash.weapon) == (11, None, None, None)


def test_kn19_only_20_and_1_are_critical_and_fumble():
    table = duel(weapon=Weapon(8, quality=3), armor=Armor(12, 3))
    table.attacks("ash", "goblin", 19, 1).attacks("goblin", "ash", 2, 6, rolled_by="defender")
    table.begins().attacks("ash", "goblin", 2).attacks("goblin", "ash", 19, rolled_by="defender")
    assert not any(one.critical or one.fumble for one in table.happened(ev.Attacked))
    assert table.who("ash").armor == Armor(12, 3)
    assert table.who("ash").weapon == Weapon(8, quality=3)


def test_a_foes_stunt_is_its_whole_turn_however_many_attacks_it_has():
    """KN-13, KN-18: a stunt alone is the round's combat action, and the party is waited for."""
    table = Fight([knave()], [big(attacks=2)]).begins("foes")
    assert kf.must(table.stunts("goblin", "ash", 2).state) == (0,)


def test_kn18_who_began_with_the_stunt_has_the_attack_before_them():
    table = Fight([knave()], [big()]).begins().stunts("ash", "goblin", 2, both=True)
    assert not kf.view(table.state, 0).fighters[0].is_done
    table.attacks("ash", "goblin", 2, both=True)
    assert kf.view(table.state, 0).fighters[0].is_done


def test_kn16_kn20_nobody_waits_for_who_of_the_party_has_fallen_or_fled():
    table = Fight([knave(hp=0), knave("bo"), knave("cy")], [big()])
    assert kf.must(table.plays(kf.Flee(of="bo")).begins().state) == (2,)


def test_kn13_who_has_read_a_spell_aloud_is_done_for_the_round():
    """KN-13, KN-25: casting is the round's combat action, and nobody waits for more."""
    table = duel()
    assert not kf.view(table.state, 0).fighters[0].is_done
    table.plays(Cast(by="ash", spell="Fog"))
    assert kf.view(table.state, 0).fighters[0].is_done
    assert kf.must(table.state) == ()


# KN-20: those who come late


def test_kn20_half_a_group_down_asks_again_when_others_have_come_in_between():
    """KN-20: two goblins, one falls; four more come, and then half of the six are down."""
    table = Fight([knave()], [goblin("g0"), goblin("g1")]).plays(Hurt(on="g0", amount=4))
    table.plays(Morale(of="g1"), 1, 1)
    for late in ("g2", "g3", "g4", "g5"):
        table.plays(Join(side=Side.FOES, combatant=goblin(late)))
    table.plays(Hurt(on="g2", amount=4))
    assert table.state.morale_due == ()
    table.plays(Hurt(on="g3", amount=4))
    assert table.state.morale_due == ("g1", "g4", "g5")


def test_kn20_a_moment_that_lasts_asks_once():
    """KN-20: of four goblins the second falls, and then the third: it is half of them or more."""
    table = Fight([knave()], [goblin(f"g{n}") for n in range(4)])
    for fallen in ("g0", "g1"):
        table.plays(Hurt(on=fallen, amount=4))
    for held in ("g2", "g3"):
        table.plays(Morale(of=held), 1, 1)
    assert table.plays(Hurt(on="g2", amount=4)).state.morale_due == ()


def test_kn20_who_comes_wounded_into_the_fight_is_not_asked_for_at_once():
    """KN-20: an ogre with 5 of 40 hit points joins; what shook it was before this fight."""
    table = Fight([knave()], [goblin()])
    ogre = big(id="ogre", hp=5, group="ogre")
    table.plays(Join(side=Side.FOES, combatant=ogre)).begins()
    assert table.state.morale_due == ()


def test_kn20_who_was_shaken_and_goes_over_is_asked_for_no_more():
    """KN-20: two of four goblins are down, the others waver; one of those is bought instead."""
    table = Fight([knave()], [goblin(f"g{n}") for n in range(4)])
    table.plays(Hurt(on="g0", amount=4)).plays(Hurt(on="g1", amount=4))
    assert table.state.morale_due == ("g2", "g3")
    assert table.plays(Turn(of="g2")).state.morale_due == ("g3",)


def test_kn20_who_comes_over_to_a_group_half_of_which_is_down_is_not_asked_for_it():
    """KN-20: one of the foes lies dead before the traitor joins them: half of two, and no shock."""
    table = Fight([knave(), knave("bo", morale=7)], [goblin()]).plays(Hurt(on="goblin", amount=5))
    assert table.plays(Turn(of="bo")).state.morale_due == ()


def test_kn20_who_goes_over_wounded_is_not_asked_for_by_it_and_who_is_left_alone_is():
    """KN-20: of two wounded ogres one is bought; the other is now a lone foe at half its points."""
    ogres = [big(id=id, hp=15, group="ogre") for id in ("one", "two")]
    table = Fight([knave()], ogres).plays(Turn(of="one"))
    assert table.state.morale_due == ("two",)


def test_kn20_a_rating_that_was_raised_in_the_fight_counts_from_then_on():
    """KN-20: morale 7, raised to 9: 2d6 of 9 holds, also at the next roll; 10 breaks."""
    table = Fight([knave()], [goblin()]).plays(Morale(of="goblin", rating=9), 4, 5)
    assert table.last == (9, 9, True)
    assert table.plays(Morale(of="goblin"), 4, 5).who("goblin").status is Status.UP
    assert table.plays(Morale(of="goblin"), 4, 6).who("goblin").status is Status.FLED
    written = records.write(kf.NAME, table.setup, table.moves)
    assert records.replay(written).state == table.state


# What the table is told


def test_kn16_a_blow_that_leaves_somebody_up_tells_of_no_fall_and_the_partys_points_alone():
    """KN-16: 5 of 8 hit points are left of the party's; how many of a foe's, nobody is told."""
    table = Fight([knave()], [big()]).begins().attacks("ash", "goblin", 15, 3)
    table.attacks("goblin", "ash", 15, 3)
    told = [(event.on, event.amount, event.left) for event in table.happened(ev.Damaged)]
    assert told == [("goblin", 3, None), ("ash", 3, 5)]
    assert not table.happened(ev.FellUnconscious)
    assert not table.happened(ev.Died)


def test_kn14_a_miss_tells_of_no_wound_and_a_wound_ends_no_melee():
    """KN-14: 2 and +2 miss; struck for 3, the goblin still stands in melee, and nobody shoots."""
    table = Fight([knave(), knave("bo", weapon=BOW)], [big()]).begins()
    table.plays(Engage(by="bo", on="goblin")).attacks("ash", "goblin", 2)
    assert not table.happened(ev.Damaged)
    table.begins().attacks("ash", "goblin", 15, 3)
    table.refuses(refusals.RANGED_ENGAGED, swing("bo"))


def test_kn19_a_further_weapon_of_no_quality_is_not_brought_into_the_fight():
    """KN-19: at quality 0 a thing is destroyed, and the weapon after it keeps its number."""
    spear = Weapon(6, quality=1, name="spear")
    table = Fight([knave()], [goblin(weapons=(Weapon(8, quality=0), spear))]).begins("foes")
    table.refuses(refusals.NO_SUCH_WEAPON, swing("goblin", "ash", with_=0))
    table.attacks("goblin", "ash", 2, with_=1)
    assert [event.weapon for event in table.happened(ev.Attacked)] == ["spear"]


def test_what_is_taken_in_hand_is_told_by_its_name():
    table = duel(weapon=None).plays(Wield(by="ash", weapon=BOW))
    table.plays(Wield(by="ash", weapon=None))
    assert [event.weapon for event in table.happened(ev.Wielded)] == ["bow", None]


def test_kn18_who_has_begun_both_with_the_stunt_is_told_so_of_a_plain_attack():
    """KN-18: a stunt of the two is made, and the attack still belongs to it."""
    table = duel().stunts("ash", "goblin", 3, both=True)
    table.refuses(refusals.BOTH_BEGUN, swing())
