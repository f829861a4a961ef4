"""What a combatant does in a round, who falls and rises, who flees, and what the table sees."""

from __future__ import annotations

import msgspec
import pytest

from games.rules import knave_fight as kf
from games.rules.knave.abilities import Ability
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Cast,
    Edge,
    End,
    Engage,
    Flee,
    Guard,
    Heal,
    Hurt,
    Initiative,
    Join,
    Morale,
    Rest,
    Side,
    Status,
    Stunt,
    Turn,
    Weapon,
    Wear,
    Wield,
    refusals,
)
from games.rules.knave_fight import events as ev
from tests.rules.knave.fights import BOTH, STR, SWORD, Fight, big, duel, goblin, knave, swing, trip

# KN-13, KN-17, KN-18: what a combatant does in a round


def test_kn17_a_stunt_is_opposed_and_does_no_damage():
    table = duel().stunts("ash", "goblin", 10, effect="Into the well.")
    assert table.last == (12, 11, True)
    assert table.who("goblin").hp == 4
    assert table.happened(ev.Stunted)[0].effect == "Into the well."


def test_kn13_an_attack_a_stunt_and_a_spell_each_use_the_combat_action():
    for first in ("attack", "stunt", "cast"):
        table = Fight([knave()], [big()]).begins()
        match first:
            case "attack":
                table.attacks("ash", "goblin", 2)
                reasons = refusals.ATTACKS_MADE, refusals.ONE_ACTION
            case "stunt":
                table.stunts("ash", "goblin", 2)
                reasons = refusals.ONE_ACTION, refusals.STUNT_MADE
            case _:
                table.plays(Cast(by="ash", spell="Fog", on=("goblin",)))
                reasons = refusals.ONE_ACTION, refusals.ONE_ACTION
        table.refuses(reasons[0], swing()).refuses(reasons[1], trip())
        table.refuses(refusals.ONE_ACTION, Cast(by="ash", spell="Fog"))


@pytest.mark.parametrize("order", [("attack", "stunt"), ("stunt", "attack")])
def test_kn18_one_attack_and_one_stunt_go_together_when_both_say_so(order):
    table = Fight([knave()], [big()]).begins()
    for act in order:
        getattr(table, f"{act}s")("ash", "goblin", 2, **BOTH)
    table.refuses(refusals.ATTACKS_MADE, swing(**BOTH))
    table.refuses(refusals.STUNT_MADE, trip(**BOTH))
    table.refuses(refusals.ONE_ACTION, swing())


@pytest.mark.parametrize("gone", [Hurt(on="goblin", amount=99), Flee(of="goblin")])
def test_kn18_who_has_no_foe_left_for_the_other_half_is_done(gone):
    table = Fight([knave()], [big(), goblin("b")]).begins().attacks("ash", "goblin", 2, **BOTH)
    assert not kf.view(table.state, 0).fighters[0].is_done
    assert kf.view(table.plays(gone).state, 0).fighters[0].is_done


def test_kn18_both_has_no_edge():
    table = duel().refuses(refusals.BOTH_EDGE, swing(edge=Edge.ADVANTAGE, **BOTH))
    table.refuses(refusals.BOTH_EDGE, trip(edge=Edge.DISADVANTAGE, **BOTH))


def test_kn18_both_with_an_edge_is_not_even_listed():
    found = kf.legal_actions(duel().state, 0)
    for act in (swing(**BOTH), trip(**BOTH)):
        assert act.blank() in found
        assert msgspec.structs.replace(act, edge=Edge.ADVANTAGE).blank() not in found


def test_kn18_a_plain_act_does_not_follow_one_of_both_nor_the_other_way_round():
    table = Fight([knave()], [big()]).begins().attacks("ash", "goblin", 2, **BOTH)
    table.refuses(refusals.BOTH_BEGUN, trip()).refuses(refusals.BOTH_BEGUN, swing())
    table = Fight([knave()], [big()]).begins().attacks("ash", "goblin", 2)
    table.refuses(refusals.BOTH_LATE, trip(**BOTH)).refuses(refusals.BOTH_LATE, swing(**BOTH))


def test_a_monster_makes_as_many_attacks_as_it_has_with_what_it_has():
    claws = (Weapon(4, name="claw"), Weapon(10, name="bite"))
    table = Fight([knave(hp=30, max_hp=30)], [big(attacks=3, weapons=claws)]).begins("foes")
    table.attacks("goblin", "ash", 12, 6).attacks("goblin", "ash", 12, 4, with_=0)
    table.attacks("goblin", "ash", 12, 10, with_=1)
    assert table.who("ash").hp == 10
    assert [one.weapon for one in table.happened(ev.Attacked)] == ["", "claw", "bite"]
    table.refuses(refusals.ATTACKS_MADE, swing("goblin", "ash"))
    table.refuses(refusals.ONE_ACTION, trip("goblin", "ash"))


def test_a_further_weapon_that_breaks_leaves_the_others_in_their_places():
    claws = (Weapon(4, quality=1), Weapon(10, quality=2))
    table = Fight([knave()], [big(attacks=9, weapons=claws)]).begins("foes")
    table.attacks("goblin", "ash", 1, with_=0).attacks("goblin", "ash", 1, with_=1)
    assert table.who("goblin").weapons == (None, Weapon(10, quality=1))
    table.refuses(refusals.NO_SUCH_WEAPON, swing("goblin", "ash", with_=0))
    table.refuses(refusals.NO_SUCH_WEAPON, swing("goblin", "ash", with_=2))


def test_kn18_with_a_stunt_even_a_monster_of_many_attacks_makes_one():
    table = Fight([knave()], [big(attacks=3)]).begins("foes")
    table.attacks("goblin", "ash", 2, **BOTH)
    table.refuses(refusals.ATTACKS_MADE, swing("goblin", "ash", **BOTH))


# KN-16, KN-21: down and up again


def test_kn16_the_referee_hurts_and_the_events_tell_who_fell():
    table = duel().plays(Hurt(on="ash", amount=8))
    assert table.happened(ev.FellUnconscious) == [ev.FellUnconscious(who="ash", by=None)]
    table.plays(Hurt(on="ash", amount=1))
    assert table.happened(ev.Died) == [ev.Died(who="ash", by=None)]


def test_kn16_who_kills_is_told():
    table = Fight([knave(hp=3)], [goblin()]).begins("foes").attacks("goblin", "ash", 12, 4)
    assert table.happened(ev.Died) == [ev.Died(who="ash", by="goblin")]


def test_kn16_who_has_fled_can_die_and_does_not_come_back_by_healing():
    table = duel().plays(Flee(of="goblin")).plays(Hurt(on="goblin", amount=4))
    assert table.who("goblin").status is Status.FLED
    table.plays(Heal(on="goblin", amount=4))
    assert table.who("goblin").status is Status.FLED
    assert table.plays(Hurt(on="goblin", amount=5)).who("goblin").status is Status.DEAD


def test_kn21_healing_stops_at_the_maximum_and_wakes():
    table = duel().plays(Hurt(on="ash", amount=8)).plays(Heal(on="ash", amount=0))
    assert table.who("ash").status is Status.UNCONSCIOUS
    assert table.happened(ev.Woke) == []
    table.plays(Heal(on="ash", amount=99))
    assert (table.who("ash").hp, table.who("ash").status) == (8, Status.UP)
    assert table.happened(ev.Woke) == [ev.Woke(who="ash")]


def test_kn21_a_night_gives_d8_and_constitution_never_too_much_and_never_less():
    sickly = Abilities(con=-5)
    party = [knave(hp=2), knave("bo", hp=0, bonus=sickly), knave("cy", hp=1, bonus=sickly)]
    table = Fight([*party, knave("di", hp=7)], [goblin()])
    table.plays(Rest(kind="night", who=("ash", "bo", "cy", "di")), 3, 6, 2, 8)
    assert [one.hp for one in table.state.party] == [6, 1, 1, 8]
    assert [one.left for one in table.happened(ev.Rested)] == [6, 1, 1, 8]
    assert table.who("bo").is_up


def test_kn21_a_haven_heals_everybody_but_the_dead():
    party = [knave(hp=2), knave("bo", hp=0), knave("cy", hp=-1)]
    table = Fight(party, [goblin(hp=1)]).plays(Rest(kind="haven"))
    assert [one.hp for one in table.state.fighters] == [8, 8, -1, 4]


def test_kn21_who_is_not_named_does_not_rest():
    table = Fight([knave(hp=2), knave("bo", hp=2)], [goblin()])
    table.plays(Rest(kind="night", who=("bo",)), 1)
    assert [one.hp for one in table.state.party] == [2, 4]


# KN-20: morale


def test_kn20_who_breaks_flees_out_of_every_melee():
    table = duel().plays(Engage(by="ash", on="goblin")).plays(Morale(of="goblin"), 6, 6)
    assert table.who("goblin").status is Status.FLED
    assert table.happened(ev.Fled) == [ev.Fled(who="goblin")]
    assert not table.state.engaged


def test_kn20_morale_is_due_once_when_half_a_group_is_down():
    table = Fight([knave()], [goblin(f"g{n}") for n in range(4)])
    table.plays(Hurt(on="g0", amount=4))
    assert table.state.morale_due == ()
    table.plays(Flee(of="g1"))
    assert table.state.morale_due == ("g2", "g3")
    table.plays(Morale(of="g2"), 1, 1)
    assert table.state.morale_due == ("g3",)
    table.plays(Hurt(on="g2", amount=4))
    assert table.state.morale_due == ("g3",)
    table.plays(Hurt(on="g3", amount=4))
    assert table.state.morale_due == ()
    assert table.happened(ev.MoraleDue) == [ev.MoraleDue(of=("g2", "g3"))]


def test_kn20_morale_is_due_when_a_leader_falls_for_its_own_group_only():
    chief = goblin("chief", leader=True, group="cave")
    crew = [goblin(f"c{n}", group="cave") for n in range(3)]
    table = Fight([knave()], [chief, *crew, goblin("wolf"), goblin("bear")])
    table.plays(Hurt(on="chief", amount=4))
    assert table.state.morale_due == ("c0", "c1", "c2")


def test_kn20_a_leader_who_flees_has_not_fallen():
    chief = goblin("chief", leader=True)
    table = Fight([knave()], [chief, goblin("a"), goblin("b")]).plays(Flee(of="chief"))
    assert table.state.morale_due == ()


def test_kn20_morale_is_due_when_a_lone_foe_has_half_its_hit_points():
    table = Fight([knave()], [big()]).plays(Hurt(on="goblin", amount=19))
    assert table.state.morale_due == ()
    assert table.plays(Hurt(on="goblin", amount=1)).state.morale_due == ("goblin",)


def test_kn20_who_has_no_rating_is_never_asked_for():
    table = Fight([knave()], [big(morale=None)]).plays(Hurt(on="goblin", amount=30))
    assert table.state.morale_due == ()


def test_kn20_who_comes_wounded_is_not_asked_for_at_the_first_roll():
    table = Fight([knave()], [big(hp=5)]).begins()
    assert table.state.morale_due == ()


# Weapons, armor, late arrivals, the end


def test_wielding_and_wearing_change_what_counts_at_once():
    table = duel(weapon=None).refuses(refusals.NO_WEAPON, swing())
    table.plays(Wield(by="ash", weapon=SWORD)).attacks("ash", "goblin", 2)
    table.plays(Wear(by="ash", armor=Armor(15, 4), helmet=Guard(0)))
    assert (table.who("ash").armor_defense, table.who("ash").helmet) == (15, None)
    assert table.happened(ev.Dressed) == [ev.Dressed(who="ash", pieces=("armor",))]
    assert table.plays(Wear(by="ash")).who("ash").armor_defense == 11


def test_late_arrivals_come_last_and_no_seat_moves():
    table = duel().plays(Join(side=Side.FOES, combatant=goblin("ogre")))
    table.plays(Join(side=Side.PARTY, combatant=knave("bo", name="Bo the Late")))
    assert [one.id for one in table.state.party] == ["ash", "bo"]
    assert table.state.ids == ("ash", "goblin", "ogre", "bo")
    assert table.who("ogre").name == "ogre"
    table.plays(swing("bo", "ogre"), 2, seat=1)


def test_nothing_is_won_before_the_referee_ends_the_fight():
    table = Fight([knave(), knave("bo", hp=0)], [goblin()]).plays(Hurt(on="goblin", amount=9))
    assert kf.outcome(table.state) is None
    table.plays(End())
    assert kf.outcome(table.state).winners == (0,)
    assert table.happened(ev.Ended) == [ev.Ended(standing=("ash",), is_won=True)]


def test_a_fight_that_ends_with_a_foe_up_has_no_winners():
    table = Fight([knave()], [goblin(), goblin("b", hp=-1)]).plays(End())
    assert kf.outcome(table.state).winners == ()
    assert table.happened(ev.Ended)[0].is_won is False


def test_the_table_waits_for_the_party_only_while_it_may_act():
    table = Fight([knave(), knave("bo")], [big()])
    assert kf.must(table.state) == ()
    assert kf.must(table.begins().state) == (0, 1)
    assert kf.must(table.attacks("ash", "goblin", 2).state) == (1,)
    assert kf.must(table.attacks("goblin", "ash", 2).state) == ()
    assert kf.must(table.begins("foes").state) == ()
    assert kf.must(table.attacks("goblin", "ash", 2).state) == (0, 1)


def test_the_table_waits_until_a_monster_has_made_every_attack():
    """KN-12, KN-13: its further attacks belong to the same turn."""
    table = Fight([knave(hp=30, max_hp=30)], [big(attacks=2)]).begins("foes")
    assert kf.must(table.attacks("goblin", "ash", 2).state) == ()
    assert kf.must(table.attacks("goblin", "ash", 2).state) == (0,)


def test_the_table_does_not_wait_for_foes_who_cannot_act_or_whose_turn_is_over():
    """KN-12: who fell or fled has no action left; and whoever of the party acts ends their turn."""
    party = [knave(hp=30, max_hp=30), knave("bo")]
    fallen = Fight(party, [big(), goblin("b", hp=0), goblin("c")]).plays(Flee(of="c"))
    fallen.begins("foes")
    assert kf.must(fallen.attacks("goblin", "ash", 2).state) == (0, 1)
    early = Fight(party, [big(), goblin("b")]).begins("foes")
    assert kf.must(early.attacks("goblin", "ash", 2).state) == ()
    assert kf.must(early.attacks("ash", "goblin", 2).state) == (1,)


def test_a_party_seat_is_offered_only_its_own_character():
    table = Fight([knave(), knave("bo")], [goblin()]).begins()
    found = kf.legal_actions(table.state, 1)
    assert found
    assert all(getattr(one, "by", None) == "bo" or one == Flee(of="bo") for one in found)
    assert swing("bo", "goblin") in found
    assert Initiative() not in found
    assert Initiative() in kf.legal_actions(table.state, None)


def test_a_player_may_fill_in_all_that_is_left_open():
    table = duel().plays(
        Stunt(
            by="ash",
            on="goblin",
            ability=Ability.CHARISMA,
            against=Ability.WISDOM,
            edge=Edge.ADVANTAGE,
            modifier=-20,
            effect="Blinded by lamp oil.",
        ),
        3,
        4,
        seat=0,
    )
    assert table.last == (-15, 11, False)


def test_who_goes_over_comes_last_leaves_every_melee_and_acts_no_second_time():
    """KN-13: not even on the other side, whose turn comes later."""
    table = Fight([knave(), knave("bo")], [big(), goblin("b")]).begins()
    table.plays(Engage(by="bo", on="b")).attacks("bo", "b", 2).plays(Turn(of="bo"))
    assert [one.id for one in table.state.fighters] == ["ash", "goblin", "b", "bo"]
    assert (table.state.of("bo").side, table.state.engaged) == (Side.FOES, ())
    assert table.happened(ev.Turned) == [ev.Turned(who="bo", side=Side.FOES)]
    assert table.state.seat_of("bo") is None
    table.attacks("goblin", "ash", 2).refuses(refusals.ATTACKS_MADE, swing("bo", "ash"))
    table.plays(Turn(of="b")).begins().attacks("b", "goblin", 15, 3)
    assert [one.id for one in table.state.party] == ["ash", "b"]


def test_a_fight_is_won_by_whoever_stands_on_the_partys_side_at_its_end():
    """KN-20: a lone foe bought off leaves nobody to fight."""
    table = duel().plays(Turn(of="goblin"))
    assert kf.must(table.state) == (0, 1)
    assert kf.outcome(table.plays(End()).state).winners == (0, 1)


def test_kn18_nobody_waits_for_the_other_half_at_a_foe_who_went_over():
    table = Fight([knave()], [big(), goblin("b")]).begins().attacks("ash", "goblin", 2, **BOTH)
    table.plays(Turn(of="goblin"))
    assert kf.view(table.state, 0).fighters[0].is_done


# What the table sees


def test_foes_show_their_state_and_wounds_and_no_figure():
    table = Fight([knave(hp=5)], [goblin(), goblin("b"), goblin("c"), goblin("d")])
    table.plays(Hurt(on="b", amount=1)).plays(Hurt(on="c", amount=2)).plays(Hurt(on="d", amount=4))
    seen = kf.view(table.state, 0).fighters
    assert [one.wound for one in seen] == ["hurt", "unhurt", "hurt", "half", "half"]
    assert seen[4].status is Status.UNCONSCIOUS
    assert (seen[0].hp, seen[0].max_hp, seen[0].armor_defense) == (5, 8, 11)
    assert {(one.hp, one.max_hp, one.armor_defense, one.weapon) for one in seen[1:]} == {
        (None, None, None, None)
    }
    assert [one.left for one in table.happened(ev.Damaged)] == [None] * 3
    assert table.state.fighters[2].hp == 3


def test_a_target_that_is_a_foes_own_number_is_not_in_the_view():
    table = duel().attacks("ash", "goblin", 2)
    assert kf.view(table.state, 0).last == kf.LastSeen(4, None, False)
    table.attacks("goblin", "ash", 2)
    assert kf.view(table.state, 0).last == kf.LastSeen(3, 11, False)
    table.plays(Morale(of="goblin"), 1, 1)
    assert kf.view(table.state, None).last == kf.LastSeen(2, None, True)
    assert table.state.last.target == 7


@pytest.mark.parametrize(
    "action",
    [
        trip(),
        kf.Save(by="ash", ability=STR, against=kf.Opponent(who="goblin", ability=STR)),
        kf.Attack(by="goblin", on="ash", rolled_by="defender"),
    ],
)
def test_a_players_roll_against_a_foe_does_not_tell_the_foes_number_either(action):
    """KN-9, KN-14, KN-17: it is 10 and a bonus of the foe's that nobody at the table knows."""
    table = duel().plays(action, 15)
    assert table.state.last.target == 11
    assert kf.view(table.state, 0).last.target is None


def test_who_is_in_melee_is_seen_from_both_sides():
    table = Fight([knave()], [goblin(), goblin("b")])
    table.plays(Engage(by="ash", on="goblin")).plays(Engage(by="b", on="ash"))
    seen = {one.id: one.engaged_with for one in kf.view(table.state, 0).fighters}
    assert seen == {"ash": ("goblin", "b"), "goblin": ("ash",), "b": ("ash",)}
