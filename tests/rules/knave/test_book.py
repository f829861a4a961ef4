"""The book as it is packaged: figures, tables and words."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from games.rules.knave.book import (
    DATA,
    Speed,
    Text,
    check,
    parse_damage,
    read_book,
)

BOOK = read_book()
ARTICLES = {article.key: article for article in BOOK.articles}
FILES = sorted(path.name for path in DATA.glob("*.yaml"))


def row_at(tables, key, face):
    [table] = [one for one in tables if one.key == key]
    [row] = [one for one in table.rows if one.first <= face <= one.last]
    return row


# What is in it


def test_the_packaged_book_has_nothing_wrong_with_it():
    assert check(BOOK) == []


def test_what_is_said_of_a_monster_needs_no_key():
    """A level is written out: "L 1" is the spells' own shorthand, which no host has seen yet."""
    notes = [text for m in BOOK.monsters for text in (m.note.en, m.note.es)]
    assert len(notes) > 80
    assert [note for note in notes if "(L " in note] == []


@pytest.mark.parametrize("name", FILES)
def test_every_file_begins_with_the_attribution_and_that_changes_were_made(name):
    head = (DATA / name).read_text(encoding="utf-8")[:400]
    assert "Ben Milton" in head
    assert "https://creativecommons.org/licenses/by/4.0/" in head
    assert "Changes were made" in head


def test_the_book_is_whole():
    assert len(BOOK.spells) == 100
    assert len(BOOK.monsters) == 46
    assert len(BOOK.hirelings) == 10
    assert len(BOOK.weapons()) == 16
    assert [table.key for table in BOOK.traits][-1] == "alignment"
    assert len(BOOK.traits) == 11
    assert sum(len(table.rows) for table in BOOK.traits) == 10 * 20 + 3
    assert Counter(article.category for article in BOOK.articles if not article.is_ours) == {
        "weapons": 18,
        "armor": 7,
        "tools": 64,
        "light": 5,
        "food": 19,
        "clothing": 5,
        "magic": 2,
        "money": 1,
        "animals": 12,
        "lodging": 5,
        "transport": 3,
        "ships": 9,
        "buildings": 11,
    }


def test_what_we_added_to_the_price_list_is_marked_ours():
    ours = {article.key for article in BOOK.articles if article.is_ours}
    assert ours == {"bolts", "bullets", "backpack", "chest"}


def test_prices_add_up_to_those_of_the_price_list():
    prices = Counter()
    for article in BOOK.articles:
        if not article.is_ours and article.is_sold:
            prices[article.category] += article.cost
    assert prices == {
        "weapons": 245,
        "armor": 13840,
        "tools": 3483,
        "light": 47,
        "food": 175,
        "clothing": 8160,
        "animals": 12826,
        "lodging": 9,
        "transport": 490,
        "ships": 157110,
        "buildings": 3288120,
    }


@pytest.mark.parametrize(
    ("key", "die", "slots", "hands", "cost"),
    [
        ("dagger", 6, 1, 1, 5),
        ("staff", 6, 1, 1, 5),
        ("sword", 8, 2, 1, 10),
        ("flail", 8, 2, 1, 10),
        ("halberd", 10, 3, 2, 20),
        ("battle-axe", 10, 3, 2, 20),
        ("sling", 4, 1, 1, 5),
        ("bow", 6, 2, 2, 15),
        ("crossbow", 8, 3, 2, 60),
    ],
)
def test_a_weapon_has_its_class_s_figures(key, die, slots, hands, cost):
    weapon = ARTICLES[key]
    assert (weapon.die, weapon.slots, weapon.hands, weapon.cost) == (die, slots, hands, cost)
    assert weapon.quality == 3


@pytest.mark.parametrize(
    ("key", "defense", "bonus", "slots", "quality", "cost"),
    [
        ("shield", None, 1, 1, 1, 40),
        ("helmet", None, 1, 1, 1, 40),
        ("gambeson", 12, 0, 1, 3, 60),
        ("brigandine", 13, 0, 2, 4, 500),
        ("chain", 14, 0, 3, 5, 1200),
        ("half-plate", 15, 0, 4, 6, 4000),
        ("full-plate", 16, 0, 5, 7, 8000),
    ],
)
def test_kn5_armor_sets_a_defense_and_shield_and_helmet_add_one(
    key, defense, bonus, slots, quality, cost
):
    armor = ARTICLES[key]
    assert (armor.defense, armor.bonus, armor.slots) == (defense, bonus, slots)
    assert (armor.quality, armor.cost) == (quality, cost)


@pytest.mark.parametrize(
    ("weapon", "ammunition"), [("bow", "arrows"), ("crossbow", "bolts"), ("sling", "bullets")]
)
def test_what_shoots_takes_ammunition_that_comes_in_twenties(weapon, ammunition):
    assert ARTICLES[weapon].is_ranged
    assert ARTICLES[weapon].ammunition == ammunition
    shots = ARTICLES[ammunition]
    assert (shots.lot, shots.bundle, shots.slots) == (20, 20, 1)


@pytest.mark.parametrize(
    ("key", "bundle"), [("candle", 5), ("torch", 5), ("spike-iron", 5), ("coins", 100)]
)
def test_kn4_small_things_share_a_slot(key, bundle):
    assert ARTICLES[key].bundle == bundle


@pytest.mark.parametrize(
    ("key", "turns"), [("torch", 6), ("candle", 24), ("lamp-oil", 24), ("lantern", 24)]
)
def test_lights_burn_as_long_as_the_price_list_says_in_turns_of_ten_minutes(key, turns):
    assert ARTICLES[key].burns_turns == turns


def test_kn3_the_starting_tables_are_rolled_six_times_in_all():
    assert {table.key: table.times for table in BOOK.starting} == {
        "armor": 1,
        "helmets-and-shields": 1,
        "dungeoneering-gear": 2,
        "general-gear-1": 1,
        "general-gear-2": 1,
    }
    assert BOOK.always == (("travel-rations", 2),)


@pytest.mark.parametrize(
    ("table", "face", "items"),
    [
        ("armor", 3, ()),
        ("armor", 4, (("gambeson", 1),)),
        ("armor", 20, (("chain", 1),)),
        ("helmets-and-shields", 13, ()),
        ("helmets-and-shields", 20, (("helmet", 1), ("shield", 1))),
        ("dungeoneering-gear", 3, (("candle", 5),)),
        ("dungeoneering-gear", 20, (("torch", 5),)),
        ("general-gear-1", 15, (("hourglass", 1),)),
        ("general-gear-2", 8, (("spyglass", 1),)),
    ],
)
def test_kn3_a_face_of_a_starting_table_gives_its_things(table, face, items):
    assert row_at(BOOK.starting, table, face).items == items


@pytest.mark.parametrize(
    ("table", "face", "en", "es"),
    [
        ("physique", 1, "Athletic", "Atlético"),
        ("misfortune", 20, "Suspected", "Sospechas ajenas"),
        ("alignment", 5, "Law", "Ley"),
        ("alignment", 15, "Neutrality", "Neutralidad"),
        ("alignment", 16, "Chaos", "Caos"),
    ],
)
def test_kn7_a_face_of_a_trait_table_is_a_word_in_both_languages(table, face, en, es):
    assert row_at(BOOK.traits, table, face).name == Text(en, es)


@pytest.mark.parametrize(
    ("number", "name"),
    [(1, "Adhere"), (14, "Catherine"), (90, "Summon Idol"), (100, "X-Ray Vision")],
)
def test_kn25_a_number_from_1_to_100_is_a_spell(number, name):
    spell = BOOK.spells[number - 1]
    assert (spell.number, spell.name.en) == (number, name)


def test_kn25_what_spells_save_with_range_and_last():
    assert Counter(spell.save.key for spell in BOOK.spells) == {
        "none": 58,
        "if-creature": 14,
        "intelligence": 14,
        "if-unwilling": 6,
        "dexterity": 3,
        "constitution": 2,
        "wisdom": 2,
        "opposed-intelligence": 1,
    }
    assert Counter(spell.range.key for spell in BOOK.spells) == {
        "near": 68,
        "self": 24,
        "touch": 7,
        "unlimited": 1,
    }
    assert BOOK.spells[0].duration.name == Text("L × 10 minutes", "L × 10 minutos")
    assert BOOK.spells[47].duration.name == Text("L × 12 hours", "L × 12 horas")


def test_monsters_keep_their_figures():
    dragon = next(monster for monster in BOOK.monsters if monster.key == "dragon")
    assert (dragon.level, dragon.hp, dragon.armor_defense) == (10, 40, 19)
    assert [(a.count, a.damage, a.die) for a in dragon.attacks] == [(2, "d8", 8), (1, "4d8", 20)]
    assert dragon.speed == Speed(walk=40, fly=80)
    assert sum(monster.level for monster in BOOK.monsters) == 145
    assert sum(monster.hp for monster in BOOK.monsters) == 586
    assert sum(monster.armor_defense for monster in BOOK.monsters) == 621
    assert sum(monster.morale for monster in BOOK.monsters) == 402


def test_kn24_hirelings_keep_their_wages_and_suggested_figures():
    assert [hireling.wage for hireling in BOOK.hirelings] == [1, 2, 3, 4, 6, 8, 12, 15, 25, 25]
    knight = BOOK.hirelings[-1]
    assert (knight.level, knight.hp, knight.armor_defense) == (3, 12, 17)
    assert (knight.attack_bonus, knight.die, knight.morale) == (3, 8, 9)


def test_a_text_is_read_in_the_language_asked_for():
    sword = ARTICLES["sword"].name
    assert sword.of("es") == sword.of("es-ar") == "Espada"
    assert sword.of("en") == sword.of("de") == "Sword"


# Damage


@pytest.mark.parametrize(
    ("text", "parts", "die", "rolled"),
    [
        ("d6", (1, 6, 0), 6, (1, 6, 0)),
        ("1d8", (1, 8, 0), 8, (1, 8, 0)),
        ("d3", (1, 3, 0), 3, (1, 3, 0)),
        ("2d4+1", (2, 4, 1), 10, (2, 4, 1)),
        ("2d4", (2, 4, 0), 8, (2, 4, 0)),
        ("2d6", (2, 6, 0), 12, (2, 6, 0)),
        ("2d8", (2, 8, 0), 20, (2, 8, 0)),
        ("4d8", (4, 8, 0), 20, (4, 8, 0)),
        ("1d6-1", (1, 6, -1), 6, (1, 6, -1)),
        ("20d100+99", (20, 100, 99), 20, (20, 100, 99)),
        ("21d2", (21, 2, 0), 20, (1, 20, 0)),
        ("d101", (1, 101, 0), 20, (1, 20, 0)),
        ("d4+100", (1, 4, 100), 20, (1, 20, 0)),
        ("1d4-4", (1, 4, -4), None, None),
        ("1", (0, 0, 1), 2, (1, 1, 0)),
        ("7", (0, 0, 7), 8, (1, 1, 6)),
        ("99", (0, 0, 99), 20, (1, 1, 98)),
        ("none", (0, 0, 0), None, None),
    ],
)
def test_kn15_damage_is_rolled_as_written_or_else_as_the_nearest_die(text, parts, die, rolled):
    assert tuple(parse_damage(text)) == parts
    assert (parse_damage(text).die, parse_damage(text).rolled) == (die, rolled)


def test_kn15_only_dice_that_do_harm_can_be_beyond_a_weapon():
    told = {text: parse_damage(text).is_beyond_dice for text in ("1d4-4", "21d2", "20d2", "7")}
    assert told == {"1d4-4": False, "21d2": True, "20d2": False, "7": False}


@pytest.mark.parametrize(
    "text", ["", "d", "d0", "0d6", "2d6+", "99999", "+1", "d6 ", "1d6+1d4", "٣d٦"]
)
def test_what_is_no_damage_is_refused(text):
    with pytest.raises(ValueError):
        parse_damage(text)


def test_the_book_cannot_be_changed_and_is_read_once():
    assert read_book() is BOOK
    with pytest.raises(AttributeError):
        BOOK.articles[0].cost = 0
    assert msgspec.convert(msgspec.to_builtins(BOOK), type(BOOK)) == BOOK
