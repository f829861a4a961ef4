"""The worked cases of the rules page that a fight holds."""

from __future__ import annotations

from typing import Any

from games.rules import knave_fight as kf
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Initiative,
    Opponent,
    Save,
    Side,
    Status,
)
from games.rules.knave_fight import events as ev
from tests.rules.knave.fights import DEX, INT, Fight, goblin, knave


def saves(*faces: int, by: int = 1, **told: Any) -> Fight:
    table = Fight([knave(bonus=Abilities(int=by))], [goblin(bonus=Abilities(dex=1, int=3))])
    return table.plays(Save(by="ash", ability=INT, **told), *faces)


def test_case_2_a_save_of_15_fails():
    assert saves(14).last == (15, 15, False)


def test_case_3_a_save_of_16_succeeds():
    assert saves(15).last == (16, 15, True)


def test_case_4_a_goblin_that_rolls_13_against_13_fails():
    table = Fight([knave(bonus=Abilities(int=3))], [goblin(bonus=Abilities(dex=1))])
    against = Opponent(who="ash", ability=INT)
    table.plays(Save(by="goblin", ability=DEX, against=against), 12)
    assert table.last == (13, 13, False)


def test_case_5_the_wizard_rolls_instead_and_the_spell_takes_hold():
    table = saves(9, by=3, against=Opponent(who="goblin", ability=DEX))
    assert table.last == (12, 11, True)
    (told,) = table.happened(ev.Saved)
    assert (told.who, told.against) == ("goblin", DEX)


def test_case_6_a_total_of_11_misses_the_unarmored():
    table = Fight([knave()], [goblin(armor=None)]).begins().attacks("ash", "goblin", 9)
    assert table.last == (11, 11, False)
    assert table.who("goblin").hp == 4


def test_case_7_a_natural_20_with_an_ideal_weapon_rolls_three_dice_and_wears_the_armor():
    table = Fight([knave()], [goblin(hp=30, max_hp=30, armor=Armor(14, 3))]).begins()
    table.attacks("ash", "goblin", 20, 8, 7, 6, ideal=True)
    assert table.who("goblin").hp == 9
    assert table.who("goblin").armor == Armor(14, 2)


def test_case_8_armor_of_quality_1_is_destroyed_and_its_defense_falls_at_once():
    table = Fight([knave()], [goblin(armor=Armor(14, 1), hp=20, max_hp=20)]).begins()
    table.attacks("ash", "goblin", 20, 1, 1)
    assert (table.who("goblin").armor, table.who("goblin").armor_defense) == (None, 11)


def test_case_9_at_0_hit_points_somebody_is_unconscious():
    table = Fight([knave()], [goblin(hp=3)]).begins().attacks("ash", "goblin", 12, 3)
    assert (table.who("goblin").hp, table.who("goblin").status) == (0, Status.UNCONSCIOUS)


def test_case_10_below_0_hit_points_somebody_is_dead():
    table = Fight([knave()], [goblin(hp=3)]).begins().attacks("ash", "goblin", 12, 4)
    assert (table.who("goblin").hp, table.who("goblin").status) == (-1, Status.DEAD)


def test_case_16_morale_7_holds_on_7_and_breaks_on_8():
    for faces, holds in (((3, 4), True), ((4, 4), False)):
        table = Fight([knave()], [goblin()]).plays(kf.Morale(of="goblin"), *faces)
        assert table.last == (sum(faces), 7, holds)
        assert table.who("goblin").is_up is holds


def test_kn20_who_has_fallen_is_rolled_for_late_and_lies_where_they_are():
    table = Fight([knave()], [goblin()]).plays(kf.Hurt(on="goblin", amount=4))
    table.plays(kf.Morale(of="goblin"), 6, 6)
    assert table.last == (12, 7, False)
    assert table.who("goblin").status is Status.UNCONSCIOUS


def test_a_round_begins_with_the_side_the_die_says():
    for face, side in ((1, Side.FOES), (3, Side.FOES), (4, Side.PARTY), (6, Side.PARTY)):
        table = Fight([knave()], [goblin()]).plays(Initiative(), face)
        assert (table.state.round, table.state.first) == (1, side)
