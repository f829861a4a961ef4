"""Pasted stat lines of old-school monsters, and what becomes of them in Knave."""

from __future__ import annotations

import pytest

from games.rules.knave.convert import read_stat_line
from games.rules.knave.entries import Speed


def told(line):
    """Return what a line says of a monster itself, in one tuple."""
    return (line.level, line.hp, line.armor_defense, line.attack_bonus, line.morale)


def blows(line):
    return [(attack.count, attack.name, attack.damage) for attack in line.attacks]


def assumed(line):
    return {note.field for note in line.notes if note.is_assumed}


BEAR = """BEAR
A hairy lump that comes for the honey and stays for 2 or 3 travelers.
AC 6 [13], HD 5 (20hp), Att 2 × claw (1d4), 1 × bite (1d8), THAC0 15 [+4],
MV 120’ (40’), SV D12 W13 P14 B15 S16 (2), ML 7, AL Neutral, XP 175, NA 1d4, TT U"""

OWLBEAR = """Owl bear
FREQUENCY: Rare
NO. APPEARING: 2-5
ARMOR CLASS: 5
MOVE: 12"
HIT DICE: 5 +2
% IN LAIR: 30%
NO. OF ATTACKS: 3
DAMAGE/ATTACK: 1-6/1-6/2-12
SPECIAL ATTACKS: Hug
INTELLIGENCE: Low"""

SPANISH = """TRASGO
Clase de armadura: 6
Dados de golpe: 1-1
Puntos de golpe: 3
Ataques: 1 mordisco (1d4)
Movimiento: 60' (20')
Moral: 8
Alineamiento: Caótico"""

LINES = [
    (
        "Goblin: AC 6 [13], HD 1-1, hp 3, #AT 1 (weapon, 1d6), THAC0 19 [+0], MV 60' (20'), "
        "ML 7, AL C",
        ("Goblin", (1, 3, 13, 0, 7), [(1, "weapon", "1d6")], 20),
    ),
    ("AC 7 [12], HD 2+1, ML 8", ("", (2, 9, 12, 2, 8), [(1, "", "d6")], 40)),
    (
        "Orc (4): AC 13, HD 1, Att 1 × sword (1d8), MV 120, SV F1, ML 8",
        ("Orc", (1, 4, 13, 1, 8), [(1, "sword", "1d8")], 40),
    ),
    (
        "Armor Class: 3, Hit Dice: 4+4, Damage: 2d6",
        ("", (4, 20, 16, 4, 7), [(1, "", "2d6")], 40),
    ),
    (BEAR, ("Bear", (5, 20, 13, 4, 7), [(2, "claw", "1d4"), (1, "bite", "1d8")], 40)),
    (OWLBEAR, ("Owl bear", (5, 22, 14, 5, 7), [(2, "", "1d6"), (1, "", "2d6")], 40)),
    (SPANISH, ("Trasgo", (1, 3, 13, 1, 8), [(1, "mordisco", "1d4")], 20)),
    (
        "Trasgo: CA 6 [13], DG 1, PG 5, Atq 1 x hacha (1d8), Mov 60' (20'), Moral 9",
        ("Trasgo", (1, 5, 13, 1, 9), [(1, "hacha", "1d8")], 20),
    ),
    (
        "Ogre: AC 5; HD 4+1; hp 19; #AT 1; D 1-10; ML 10; Save F4; MV 90'(30')",
        ("Ogre", (4, 19, 14, 4, 10), [(1, "", "1d10")], 30),
    ),
    (
        "Wight AC5 HD3* hp14 #AT1 D d6 MV30 ML12",
        ("Wight", (3, 14, 14, 3, 12), [(1, "", "1d6")], 30),
    ),
    (
        "Gargoyle: AC 5, HD 4, #AT 4 (claw/claw/bite/horn 1d3/1d3/1d6/1d4), MV 90' (30')",
        (
            "Gargoyle",
            (4, 16, 14, 4, 7),
            [(2, "claw", "1d3"), (1, "bite", "1d6"), (1, "horn", "1d4")],
            30,
        ),
    ),
    (
        "Griffon: AC 5, HD 7, #AT 2 claws/1 bite, Damage: 1d4/1d4/2-16, ML 8",
        ("Griffon", (7, 28, 14, 7, 8), [(2, "claws", "1d4"), (1, "bite", "2d8")], 40),
    ),
    (
        "Griffon: AC 5, HD 7, #AT 2 claws/1 bite, Damage: 1d4/2d8, ML 8",
        ("Griffon", (7, 28, 14, 7, 8), [(2, "claws", "1d4"), (1, "bite", "2d8")], 40),
    ),
    ("Attack dog: AC 7, HD 1", ("Attack dog", (1, 4, 12, 1, 7), [(1, "", "d6")], 40)),
    (
        "Kobold HD ½ AC 7[12] Atk spear +0 (1d6) ML 6",
        ("Kobold", (0, 2, 12, 0, 6), [(1, "spear", "1d6")], 40),
    ),
    (
        "Giant rat: AC 9 [10], HD 1hp, Att 1 × bite (1d3 + disease), MV 60' (20'), ML 8",
        ("Giant rat", (0, 1, 10, 0, 8), [(1, "bite", "1d3")], 20),
    ),
    (
        "**Dragon**, AC 19, HD 10d8+10, hp 60, Attacks: 2 claws +10 (1d8), bite (4d8)",
        ("Dragon", (10, 60, 19, 10, 7), [(2, "claws", "1d8"), (1, "bite", "4d8")], 40),
    ),
    (
        "Skeleton AC: 13 HD: 1 Attack: bony claws 1d6 Morale: 12 Move: 40 ft",
        ("Skeleton", (1, 4, 13, 1, 12), [(1, "bony claws", "1d6")], 40),
    ),
    (
        "3 Bandits (2d4): AC −2 [21], HD 2d6+1, ML 8 (9 with a chief), Attack bonus +3, MV 9",
        ("Bandits", (2, 7, 21, 3, 8), [(1, "", "d6")], 30),
    ),
    ("Wolf: AC 12, HD d8+1", ("Wolf", (1, 5, 12, 1, 7), [(1, "", "d6")], 40)),
    (
        "Imp: AC 17 (2), HD 5-8, hp 3d8+1, #AT 1, DMG by weapon",
        ("Imp", (5, 13, 17, 5, 7), [(1, "", "d6")], 40),
    ),
    (
        "Owlbear. Armor Class 13, Hit Points 59 (7d10+21), Morale 9",
        ("Owlbear", (7, 59, 13, 7, 9), [(1, "", "d6")], 40),
    ),
    ("Imp: AC 6, hp 3d8", ("Imp", (3, 12, 13, 3, 7), [(1, "", "d6")], 40)),
    ("Ghost: hp 22, AC 0", ("Ghost", (5, 22, 19, 5, 7), [(1, "", "d6")], 40)),
    (
        "Fly: AC 9/10, HD less than 1, Att 1 × bite (1), sting (1d2)",
        ("Fly", (0, 2, 10, 0, 7), [(1, "bite", "1"), (1, "sting", "1d2")], 40),
    ),
    ("Rat: HD 1/4, AC 7", ("Rat", (0, 2, 12, 0, 7), [(1, "", "d6")], 40)),
    (
        "HD 3, AC as chain, #AT 3 claws (1d4/1d4/1d6)",
        ("", (3, 12, 11, 3, 7), [(2, "claws", "1d4"), (1, "claws", "1d6")], 40),
    ),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_a_stat_line_becomes_knave_s_figures(text, expected):
    line = read_stat_line(text)
    assert (line.name, told(line), blows(line), line.speed.walk) == expected


# The book's own rules of conversion


@pytest.mark.parametrize(
    ("text", "edition", "defense"),
    [
        ("HD 1, AC 6", "bx", 13),
        ("HD 1, AC 6", "adnd", 14),
        ("HD 1, AC 9", "bx", 10),
        ("HD 1, AC -3", "bx", 22),
        ("HD 1, AC -3", "adnd", 23),
        ("HD 1, AC 10", "bx", 10),
        ("HD 1, AC 16", "adnd", 16),
        ("HD 1, AC 6 [13]", "adnd", 13),
        ("HD 1, AC 13 [6]", "bx", 13),
        ("HD 1, AC 7 (9 without shield)", "bx", 12),
    ],
)
def test_ascending_armor_class_stays_and_descending_is_taken_from_19_or_20(text, edition, defense):
    assert read_stat_line(text, edition=edition).armor_defense == defense


@pytest.mark.parametrize(
    ("hd", "level", "hp"),
    [
        ("4", 4, 16),
        ("1", 1, 4),
        ("1-1", 1, 3),
        ("2+1", 2, 9),
        ("3**", 3, 12),
        ("1/2", 0, 2),
        ("1d4", 0, 2),
        ("1-4 hp", 0, 2),
        ("2d6", 2, 6),
        ("3d10+2", 3, 17),
        ("0", 0, 2),
    ],
)
def test_hit_points_are_about_four_a_hit_die_and_the_level_is_their_number(hd, level, hp):
    line = read_stat_line(f"AC 12, HD {hd}, ML 7")
    assert (line.level, line.hp) == (level, hp)
    assert line.attack_bonus == level


@pytest.mark.parametrize(
    ("text", "edition", "bonus"),
    [
        ("HD 3, THAC0 17", "bx", 2),
        ("HD 3, THAC0 17", "adnd", 3),
        ("HD 3, THAC0 17 [+5]", "adnd", 5),
        ("HD 3, BAB +6", "bx", 6),
        ("HD 3, Atk axe +4 (1d8)", "bx", 4),
        ("HD 3, bonificación de ataque: +1", "bx", 1),
        ("HD 3, Attack +7, damage 2d6", "bx", 7),
        ("DG 3, ataque +0, daño d10", "bx", 0),
        ("HD 3", "bx", 3),
    ],
)
def test_a_printed_attack_bonus_stays_and_else_it_is_the_number_of_hit_dice(text, edition, bonus):
    assert read_stat_line(text, edition=edition).attack_bonus == bonus


@pytest.mark.parametrize(
    ("move", "speed"),
    [
        ("120' (40')", Speed(walk=40)),
        ("120'", Speed(walk=40)),
        ('12"', Speed(walk=40)),
        ("12", Speed(walk=40)),
        ("30 ft", Speed(walk=30)),
        ("9 fly 24", Speed(walk=30, fly=80)),
        ("60' (20') / 180' (60') flying", Speed(walk=20, fly=60)),
        ("90' (30') swim 150' (50')", Speed(walk=30, swim=50)),
        ("60' (20'), vuelo 180' (60')", Speed(walk=20, fly=60)),
        ("Fly 60 (20')", Speed(fly=20)),
        ("36 m (12 m)", Speed(walk=40)),
        ("18 metros, vuelo 54 m (18 m)", Speed(walk=20, fly=60)),
        ("4,5 m", Speed(walk=15)),
        ("none", Speed(walk=40)),
    ],
)
def test_speed_is_feet_a_round(move, speed):
    assert read_stat_line(f"HD 1, MV {move}, ML 7").speed == speed


def test_attacks_with_or_between_them_are_a_choice():
    text = "Zombie: HD 2, AC 8 [11], Att 1 × weapon (1d8 or by weapon) {} 1 × slam (1d6)"
    assert read_stat_line(text.format("or")).attack_mode == "choose_one"
    assert read_stat_line(text.format("o")).attack_mode == "choose_one"
    both = read_stat_line(text.format("and"))
    assert both.attack_mode == "all"
    assert blows(both) == [(1, "weapon", "1d8"), (1, "slam", "1d6")]


@pytest.mark.parametrize(
    ("damage", "rolled"),
    [
        ("2d8", (2, 8, 0)),
        ("2-8", (2, 4, 0)),
        ("d6+2", (1, 6, 2)),
        ("1d6-1", (1, 6, -1)),
        ("3-8", (1, 6, 2)),
        ("1", (1, 1, 0)),
        ("3 + poison/1d6", (1, 1, 2)),
        ("20d100+99", (20, 100, 99)),
    ],
)
def test_several_dice_and_a_plus_are_rolled_as_they_stand_and_not_noted(damage, rolled):
    """Conversion: damage is unchanged."""
    line = read_stat_line(f"HD 5, Damage: {damage}, ML 8")
    assert line.attacks[0].rolled == rolled
    assert "attacks" not in assumed(line)


@pytest.mark.parametrize(
    ("damage", "die"), [("21d6", 20), ("1d6+100", 20), ("1-300", 20), ("3d1", 3)]
)
def test_a_die_that_only_comes_near_is_noted(damage, die):
    line = read_stat_line(f"HD 5, Damage: {damage}, ML 8")
    assert line.attacks[0].rolled == (1, die, 0)
    assert [n.params["die"] for n in line.notes if n.field == "attacks"] == [die]


# What was assumed, and what is silly


def test_what_the_text_does_not_say_is_assumed_and_noted():
    line = read_stat_line("HD 2")
    assert assumed(line) == {"armor_defense", "attack_bonus", "attacks", "morale", "speed"}
    assert (line.armor_defense, line.morale) == (11, 7)


def test_a_full_line_assumes_nothing():
    assert assumed(read_stat_line(LINES[0][0])) == set()


def test_a_second_monster_in_the_text_is_noted():
    line = read_stat_line("Goblin: AC 6, HD 1, hp 3\nOrc: AC 5, HD 2, hp 9")
    assert (line.name, line.level, line.hp, line.armor_defense) == ("Goblin", 1, 3, 13)
    assert "armor_defense" in assumed(line)


def test_every_note_can_be_put_into_words():
    for text, _expected in LINES:
        for note in read_stat_line(text).notes:
            assert "%(" not in note.text % note.params


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("HD 40", "level", 30),
        ("HD 1, AC -20", "armor_defense", 30),
        ("HD 1, AC 35", "armor_defense", 30),
        ("HD 1, hp 999d999", "hp", 999),
        ("HD 1, hp 1d4-9", "hp", 1),
        ("HD 99d999+999999999", "hp", 999),
        ("HD 1, ML 20", "morale", 12),
        ("HD 1, ML 0", "morale", 2),
        ("HD 1, THAC0 90", "attack_bonus", -5),
        ("HD 1, BAB +99", "attack_bonus", 30),
        ("HD 1, MV 900000 ft", "speed", Speed(walk=1000)),
    ],
)
def test_silly_values_are_brought_to_playable_ones_with_a_note(text, field, value):
    line = read_stat_line(text)
    assert getattr(line, field) == value
    assert field in assumed(line)
