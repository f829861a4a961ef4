"""Several old-school stat lines in one pasted text."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.knave.convert import StatLineError
from games.rules.knave.damage import parse_damage
from games.rules.knave.stat_parts import parted, read_stat_lines

GOBLIN = "Goblin: AC 6 [13], HD 1-1, ML 7"
OGRE = "Ogre: AC 5 [14], HD 4+1, ML 10"


def told(text: str) -> list[tuple[str, int, int]]:
    return [(p.read.name, p.read.hp, p.read.armor_defense) for p in read_stat_lines(text)]


@pytest.mark.parametrize(
    "text",
    [
        f"{GOBLIN}\n{OGRE}",
        f"{GOBLIN}\r\n\r\n{OGRE}",
        f"{GOBLIN}; {OGRE}",
        "Goblin\nAC 6 [13]\nHD 1-1\nThey hate elves.\n\nOgre\nAC 5 [14]\nHD 4+1",
        "Goblin\nHit Dice: 1-1\nArmor Class: 13\nOgre\nHit Dice: 4+1\nArmor Class: 14",
    ],
)
def test_every_monster_of_a_text_is_read(text: str):
    """Nothing that was pasted is lost: each has its own name and figures."""
    assert told(text) == [("Goblin", 3, 13), ("Ogre", 17, 14)]


def test_what_is_said_of_one_monster_stays_with_it():
    """A second armor class without hit dice is no second monster."""
    assert told("Goblin: AC 13, HD 1\nBehind the wall: AC 17") == [("Goblin", 4, 13)]
    assert len(parted("Orc: AC 6; HD 1; hp 4; Special: none; ML 8")) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Orc (4): AC 6, HD 1", 4),
        ("Orcs (4) AC 6 HD 1", 4),
        ("4 orcs AC 6 HD 1", 4),
        ("3x Orc: HD 1", 3),
        ("Orc ×3: HD 1", 3),
        ("Orc x 3, AC 6, HD 1", 3),
        ("Orc (x3): HD 1", 3),
        ("Orc (400): HD 1", 400),
        ("Orc: HD 1", None),
        ("Orc (2d4): HD 1", None),
        ("Orc: HD 1 (hp 3)", None),
        ("Orc: HD 1, hp 3, 5", 2),
    ],
)
def test_how_many_there_are_is_read_where_it_stands(text: str, count: int | None):
    """The host need not count again what the book has counted."""
    (one,) = read_stat_lines(text)
    assert one.how_many == count
    assert one.read.name.casefold() in ("orc", "orcs")


def test_hit_points_of_each_are_taken_one_by_one():
    """A module tells "hp 5, 3, 7", or a row for each."""
    assert read_stat_lines("Orc (3): HD 1; hp 5, 3, 7; ML 8")[0].each_hp == (5, 3, 7)
    assert read_stat_lines("3 orcs: HD 1\nhp 5\nhp 3\nhp 7")[0].each_hp == (5, 3, 7)
    assert read_stat_lines("Orc: HD 1 (hp 5), ML 8")[0].each_hp == ()


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Bandit: Armor 14, 1 HD, 5hp", ("Bandit", 5, 14)),
        ("Goblin. Level 1, HP 4, Armor 12", ("Goblin", 4, 12)),
        ("Animated armor: AC 15, HD 2", ("Animated armor", 8, 15)),
        ("Troll: AC 15, HD 6+3, regenerates 3 hp per round", ("Troll", 27, 15)),
    ],
)
def test_newer_and_terser_lines_are_read_too(text: str, figures: tuple[str, int, int]):
    """Knave's own words for armor and level, and figures before their labels."""
    assert told(text) == [figures]


def test_english_books_may_shorten_damage_as_spanish_ones_do_hit_dice():
    """DG is hit dice, unless those have been told already."""
    (ghoul,) = read_stat_lines("Ghoul (AC 6, HD 2, #AT 3 (claw/claw/bite), DG 1d3/1d3/1d4)")
    assert [a.damage for a in ghoul.read.attacks] == ["1d3", "1d4"]
    assert told("Orco: CA 13, DG 2") == [("Orco", 8, 13)]


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("Basilisk AC4 HD6+1 MV60'(20') AT1 bite D1-10 ML9", ["1d10"]),
        ("Worm AC6 HD15 AT2 D2-16/1-8 ML10", ["2d8", "1d8"]),
        ("Crab HD3 AC2 D2d6 ML7", ["2d6"]),
        ("Toad HD 2, AC 7, Atk bite d2-8, ML 6", ["2d4"]),
        (
            "Dragón: CA -1 [20], DG 10** (45pg), At 2 × garra (1d8), 1 × mordisco (4d8)",
            ["1d8", "4d8"],
        ),
        ("Imp: AC 5; HD 3; bursts. At 0 hp it is gone for good; #AT 1; D 1-4", ["1d4"]),
    ],
)
def test_damage_stays_as_printed_however_close_it_stands_to_its_label(text: str, damage: list[str]):
    """KN-25, conversion: damage is unchanged; "D1-10" is no die of one side less ten."""
    (one,) = read_stat_lines(text)
    assert [attack.damage for attack in one.read.attacks] == damage
    assert [attack.rolled for attack in one.read.attacks] == [parse_damage(text) for text in damage]


@pytest.mark.parametrize(
    ("text", "defense"),
    [
        ("Ooze: AAC 9, HD 2", 9),
        ("Ooze: ascending AC 8, HD 2", 8),
        ("Orc: DAC 6, AAC 14, HD 1", 14),
        ("Orc: AC 6\nAAC 13\nHD 1", 13),
        ("Orc: DAC 6, HD 1", 13),
    ],
)
def test_what_is_named_ascending_is_the_armor_defense_however_low(text: str, defense: int):
    """KN-14, conversion: an ascending armor class becomes armor defense unchanged."""
    (one,) = read_stat_lines(text)
    assert (one.read.name, one.read.armor_defense) == (text.partition(":")[0], defense)


@pytest.mark.parametrize(
    "attacks",
    [
        "#AT 2 claws 1 bite, D 1-4/1-4/2-16",
        "#AT 2 claws 1 bite, D 1-4 (x2)/2-16",
        "#AT 2 claws + 1 bite, D 1-4/1-4/2-16",
        "#AT 2 claws & 1 bite, D 1-4/1-4/2-16",
        "#AT 3: 2 claws, 1 bite, D 1-4/1-4/2-16",
        "#AT 3 (2 claws 1 bite), D 1-4/1-4/2-16",
        "Att 2 claws (1d4) 1 bite (2d8)",
        "Att 2 claws 1d4 1 bite 2d8",
        "Att: claws x2 (1d4), bite (2d8)",
        "Att: claws (1d4 x2), bite (2d8)",
        "Att: claws 1d4 x2, bite 2d8",
    ],
)
def test_attacks_that_are_counted_one_behind_the_other_are_each_their_own(attacks: str):
    """KN-15, conversion: a bite is no third claw, and its damage is unchanged."""
    (one,) = read_stat_lines(f"Owlbear: AC 5, HD 5, {attacks}, ML 10")
    read = [(attack.count, attack.name, attack.damage) for attack in one.read.attacks]
    assert read == [(2, "claws", "1d4"), (1, "bite", "2d8")]


@pytest.mark.parametrize(
    "attack",
    ["1 bite + poison", "1 gaze 30 feet", "1 ray 2 per round", "1 bite (2d8 plus 1 curse)"],
)
def test_a_number_that_counts_no_attack_begins_none(attack: str):
    """Reach, rounds and what comes with a hit stay with their attack."""
    (one,) = read_stat_lines(f"Eye: AC 5, HD 5, #AT {attack}, ML 10")
    assert [found.count for found in one.read.attacks] == [1]


def test_brackets_hold_what_goes_together_and_breath_borrows_no_damage():
    """Newer books bracket all of a beast's blows, and say what it may do in their place."""
    text = "Wyrm: AC 3 [16], HD 9, Att [2 × claw (1d6), 1 × bite (2d8)] or breath, ML 8"
    (wyrm,) = read_stat_lines(text)
    blows = [(attack.count, attack.name, attack.damage) for attack in wyrm.read.attacks]
    assert blows == [(2, "claw", "1d6"), (1, "bite", "2d8"), (1, "breath", "d6")]


@pytest.mark.parametrize(
    ("attacks", "a_turn"),
    [
        ("2 claws/1 bite or breath", 3),
        ("claw (1d6), bite (2d8) or breath", 2),
        ("[2 × claw (1d6), 1 × bite (2d8)] or breath", 3),
        ("1 bite or gaze", 1),
        ("2 claws or 1 bite", 2),
        ("2 claws, 1 bite", 3),
        ("3", 3),
        ("sword", 1),
    ],
)
def test_whoever_may_breathe_in_their_place_makes_all_blows_that_go_together(attacks, a_turn):
    """ "2 claws/1 bite or breath" were two attacks a round: the most of one kind."""
    (one,) = read_stat_lines(f"Wyrm: AC 3, HD 9, #AT {attacks}, ML 8")
    assert one.read.attacks_a_turn == a_turn


CLAWS = [(2, "claw", "1d8"), (1, "bite", "4d8")]


@pytest.mark.parametrize(
    ("attacks", "blows"),
    [
        ("Att claw claw bite (1d8/1d8/4d8)", CLAWS),
        ("Att claw claw bite (1d8/1d8/4d8) or breath", [*CLAWS, (1, "breath", "d6")]),
        ("#AT 3 (claw claw bite), D 1-8/1-8/4-32", [(2, "claw", "1d8"), (1, "bite", "4d8")]),
        ("#AT 3 (claw/claw/bite) or breath, D 1d8/1d8/4d8", [*CLAWS, (1, "breath", "d6")]),
        ("#AT 2 claw/1 bite or breath; D 1d8/1d8/4d8", [*CLAWS, (1, "breath", "d6")]),
        ("#AT 2 claw/1 bite or breath; D 1d8/1d8/4d8/3d6", [*CLAWS, (1, "breath", "3d6")]),
        ("#AT 2 claw or 1 bite; D 1d8/4d8", CLAWS),
        ("Att claw/claw/bite 1d8/1d8/4d8 + paralysis", CLAWS),
        ("Att claw/claw/bite 1d8/1d8/4d8 plus paralysis", CLAWS),
        ("Att zarpa zarpa mordisco (1d8/1d8/4d8)", [(2, "zarpa", "1d8"), (1, "mordisco", "4d8")]),
    ],
)
def test_claw_claw_bite_or_breath_is_so_many_blows_each_with_its_own_damage(attacks, blows):
    """KN-15: three blows were one of that name, breath took the bite's damage, and what a hit
    brings besides was an attack of its own."""
    (one,) = read_stat_lines(f"Wyrm: AC 3, HD 9, {attacks}, ML 8")
    assert [(a.count, a.name, a.damage) for a in one.read.attacks] == blows


@pytest.mark.parametrize(
    ("number", "count"), [("3/2", 1), ("5/2", 2), ("2/1", 2), ("1 or 2", 1), ("5-12", 5), ("3", 3)]
)
def test_a_bare_number_of_attacks_is_so_many_a_round_at_the_least(number: str, count: int):
    """ "3/2" is three in two rounds, not five in one."""
    (one,) = read_stat_lines(f"Fighter: AC 4, HD 7, #AT {number}, D 1d8")
    assert [(attack.count, attack.damage) for attack in one.read.attacks] == [(count, "1d8")]


@pytest.mark.parametrize(
    ("dice", "level", "hp"),
    [
        ("5/6/7", 5, 20),
        ("6/8", 6, 24),
        ("2 or 3", 2, 8),
        ("3+1 to 5+1", 3, 13),
        ("7** to 9**", 7, 28),
        ("1/2", 0, 2),
        ("3/4", 0, 2),
        ("1-7 hit points", 0, 2),
        ("45-75 hit points", 11, 45),
        ("40 hp", 10, 40),
    ],
)
def test_a_range_of_hit_dice_is_its_lowest_and_only_little_is_less_than_one(
    dice: str, level: int, hp: int
):
    """Conversion: hit dice are the level; less than one is level 0, many hit points are not."""
    (one,) = read_stat_lines(f"Beast: AC 4, HD {dice}, #AT 1, D 1d8")
    assert (one.read.level, one.read.hp, one.read.attack_bonus) == (level, hp, level)


def test_an_attack_bonus_behind_the_hit_dice_is_taken():
    """Conversion: a printed attack bonus is unchanged."""
    (one,) = read_stat_lines("Dragon\nArmor Class: 18\nHit Dice: 9** (+8)\nDamage: 2d8")
    assert (one.read.level, one.read.attack_bonus) == (9, 8)


def test_armor_behind_hit_points_is_no_second_monster():
    """KN-6: "4 HP, 1 Armor" is one of 4 hit points."""
    (one,) = read_stat_lines("Goblin: 4 HP, 1 Armor, 8 STR, dagger (d6)")
    assert (one.read.hp, one.how_many, one.each_hp) == (4, None, ())


@pytest.mark.parametrize("name", ["Hydra (7 heads)", "Hydra, 5 heads"])
def test_a_number_inside_a_name_is_no_head_count_and_stays(name: str):
    """Only a number before the name says how many there are."""
    assert told(f"{name}: AC 5, HD 7")[0][0] == name
    assert told(f"3 {name}: AC 5, HD 7")[0][0] == name


def test_reach_and_target_are_no_attacks():
    """What newer books print beside an attack does not make it three a round."""
    text = "Goblin\nArmor Class 15\nHit Points 7\nAttack: +4 to hit, reach 5 ft., one target. "
    (goblin,) = read_stat_lines(text + "Hit: 5 (1d6 + 2) slashing damage.")
    assert [(a.count, a.damage) for a in goblin.read.attacks] == [(1, "1d6+2")]
    assert goblin.read.attack_bonus == 4


def test_one_that_cannot_be_read_is_named_and_nothing_is_taken():
    """Of several the host hears which one it is."""
    with pytest.raises(StatLineError, match="neither") as caught:
        read_stat_lines(f"Wall: AC 4\n{OGRE}")
    assert caught.value.about == "Wall"


@pytest.mark.parametrize("piece", ["AC 1 HD 1\n", "AC 1;", "x;", "\n", "1 hp ", "4 "])
def test_hostile_text_is_parted_quickly(piece: str):
    """A text of any kind costs the table's other people no time."""
    text = (piece * 4000)[:4000]
    began = time.process_time()
    with suppress(StatLineError):
        read_stat_lines(text)
    assert time.process_time() - began < 2


@given(st.text(st.sampled_from("AaCHDhp 1234-;:,()\n."), max_size=200))
def test_any_text_is_read_or_refused(text: str):
    """No text makes trouble, and every monster in it can be played with."""
    try:
        found = read_stat_lines(text)
    except StatLineError:
        return
    for one in found:
        assert 1 <= one.read.hp <= 999
        assert all(1 <= hp <= 999 for hp in one.each_hp)
        assert one.how_many is None or one.how_many >= 1
