"""A reader that lets nothing wrong into the book, and checks that find what it cannot see."""

from __future__ import annotations

import copy
import shutil
from functools import cache
from pathlib import Path

import pytest
import yaml

from games.rules.knave import book
from games.rules.knave.book import DATA, BookError, check, read_folder

_parse = book._parse
FILES = sorted(path.name for path in DATA.glob("*.yaml"))


@pytest.fixture
def folder(tmp_path):
    """Copy the book to where a test may spoil it."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


@pytest.fixture(autouse=True)
def each_text_is_parsed_once(monkeypatch):
    """Of the eight files that are read again and again, a test spoils one."""
    monkeypatch.setattr(book, "_parse", _parsed)


@cache
def _parse_once(text):
    return _parse(text)


def _parsed(text):
    return copy.deepcopy(_parse_once(text))


def spoil(folder, name, old, new):
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


def rewrite(folder, name, change):
    content = yaml.safe_load((folder / name).read_text(encoding="utf-8"))
    change(content)
    (folder / name).write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


# The reader


@pytest.mark.parametrize(
    ("name", "old", "new", "entry", "why"),
    [
        ("weapons.yaml", "en: Dagger, es: Daga", "en: Dagger", "articles dagger", "es"),
        ("weapons.yaml", "die: 6", 'die: "6"', "articles dagger", "int"),
        ("weapons.yaml", "die: 6", "dye: 6", "articles dagger", "dye"),
        ("weapons.yaml", "kind: weapon", "kind: sausage", "articles dagger", "sausage"),
        ("armor.yaml", "es: Escudo", "es: No", "articles shield", "bool"),
        ("armor.yaml", "slots: 1", "slots: 1, slots: 1", "file", "slots stands twice"),
        ("armor.yaml", "articles:", "arcticles:", "file", "sections"),
        ("gear.yaml", "{key: air-bladder", "{{key: air-bladder", "file", "no YAML"),
        ("spells.yaml", "duration: days", "duration: weeks", "spells 3", "weeks"),
        ("spells.yaml", "number: 7,", "number: seven,", "spells seven", "int"),
        ("monsters.yaml", "attack_mode: all", "attack_mode: some", "monsters rat-giant", "some"),
        ("traits.yaml", "from: 1, to: 1", "from: 1", "traits physique", "to"),
        ("starting.yaml", "[[rope-50ft, 1]]", "[[rope-50ft]]", "starting dungeon", "length"),
        ("starting.yaml", "always: [[travel-rations, 2]]", "always: 2", "always", "array"),
        ("spells.yaml", "key: wisdom", "key: charm", "spells 95", "wisdom"),
    ],
)
def test_an_entry_that_does_not_read_is_named_with_the_reason(folder, name, old, new, entry, why):
    spoil(folder, name, old, new)
    with pytest.raises(BookError) as caught:
        read_folder(folder)
    assert caught.value.file == name
    assert caught.value.entry.startswith(entry)
    assert why in caught.value.why


def test_a_section_that_is_no_list_is_refused(folder):
    rewrite(folder, "hirelings.yaml", lambda file: file.update(hirelings={}))
    with pytest.raises(BookError, match=r"hirelings\.yaml, hirelings: it should be a list"):
        read_folder(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_or_garbled_file_is_refused(folder, name):
    (folder / name).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BookError, match=name):
        read_folder(folder)
    (folder / name).unlink()
    with pytest.raises(BookError, match=name):
        read_folder(folder)


def test_an_empty_file_is_refused(folder):
    (folder / "armor.yaml").write_text("", encoding="utf-8")
    with pytest.raises(BookError, match="sections"):
        read_folder(folder)


def test_yaml_cannot_make_the_reader_build_objects(folder):
    spoil(folder, "armor.yaml", "en: Shield", "en: !!python/object/apply:os.getcwd []")
    with pytest.raises(BookError, match="no YAML"):
        read_folder(folder)


# The checks


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("weapons.yaml", "es: Daga", 'es: ""', "the text in es is empty"),
        ("weapons.yaml", "en: Dagger", 'en: " "', "the text in en is empty"),
        ("spells.yaml", 'es: "Cubre el objeto', 'es: " Cubre el objeto', "begins or ends"),
        ("traits.yaml", "es: Atlético", 'es: ""', "traits physique rows name"),
        ("monsters.yaml", "es: mordisco", 'es: ""', "monsters rat-giant attacks name"),
        ("starting.yaml", "es: Sin armadura", 'es: ""', "starting armor rows label"),
        ("weapons.yaml", "key: cudgel", "key: dagger", "dagger stands 2 times"),
        ("armor.yaml", "key: shield", "key: sword", "sword stands 2 times"),
        ("monsters.yaml", "key: wolf", "key: bear", "bear stands 2 times"),
        ("weapons.yaml", "cost: 5", "cost: -5", "a figure is below what it can be"),
        ("weapons.yaml", "quality: 3", "quality: 0", "a figure is below what it can be"),
        ("weapons.yaml", "bundle: 20", "bundle: 0", "a figure is below what it can be"),
        ("weapons.yaml", "slots: 1", "slots: 0", "only what nobody carries has no slots"),
        ("weapons.yaml", "die: 6", "die: 7", "weapons, and only they, have a die"),
        ("weapons.yaml", "hands: 1", "hands: 3", "one hand or two"),
        ("weapons.yaml", "[pierce, cut]", "[]", "have kinds of damage"),
        ("weapons.yaml", "[pierce, cut]", "[pierce, tickle]", "no kind of damage tickle"),
        ("weapons.yaml", "ammunition: arrows", "ammunition: soup", "soup is no ammunition"),
        ("weapons.yaml", ", ammunition: arrows", "", "takes ammunition"),
        ("weapons.yaml", "category: weapons", "category: arms", "no category arms"),
        ("weapons.yaml", ", holds: 1", "", "a container holds something"),
        ("armor.yaml", "bonus: 1, ", "", "add to the defense"),
        ("armor.yaml", "defense: 12, ", "", "sets a defense"),
        ("armor.yaml", "quality: 1, ", "", "has a quality"),
        ("gear.yaml", "feeds: lantern", "feeds: soap", "soap is no light"),
        ("gear.yaml", "burns_turns: 24, feeds", "burns_turns: 6, feeds", "burns another time"),
        ("gear.yaml", ", burns_turns: 6", "", "lights and fuel"),
        ("gear.yaml", ", light_feet: 5", "", "shine"),
        ("spells.yaml", "number: 100", "number: 99", "do not run from 1 to 100"),
        ("hirelings.yaml", "wage: 1", "wage: -1", "the wage is below nothing"),
        ("hirelings.yaml", "damage: d6", "damage: much", "much are no dice"),
        ("hirelings.yaml", "morale: 6", "morale: 13", "a morale of 13"),
        ("monsters.yaml", "damage: 2d4", "damage: 2x4", "2x4 are no dice"),
        ("monsters.yaml", "damage: 2d4", "damage: 21d4", "no hit rolls 21d4"),
        ("monsters.yaml", "count: 2", "count: 0", "it has no attack"),
        ("monsters.yaml", "kind: beast", "kind: pet", "there is no kind pet"),
        ("monsters.yaml", "speed: {walk: 40}", "speed: {}", "it does not move"),
        ("monsters.yaml", "armor_defense: 12", "armor_defense: 9", "below 10"),
        ("monsters.yaml", "hp: 2", "hp: 0", "a figure is below what it can be"),
        ("monsters.yaml", 'appearing: "3d6"', 'appearing: "some"', "some are no dice"),
        ("traits.yaml", "from: 2, to: 2", "from: 3, to: 3", "after 1 comes 3 to 3"),
        ("traits.yaml", "from: 16, to: 20", "from: 16, to: 19", "it ends at 19, not at 20"),
        ("starting.yaml", "from: 4, to: 14", "from: 3, to: 14", "after 3 comes 3 to 14"),
        ("starting.yaml", "[crowbar, 1]", "[crowbra, 1]", "1 of crowbra cannot be given"),
        ("starting.yaml", "[candle, 5]", "[candle, 0]", "0 of candle cannot be given"),
        ("starting.yaml", "[[travel-rations, 2]]", "[[manna, 2]]", "2 of manna cannot be given"),
        ("starting.yaml", "times: 2", "times: 0", "nobody rolls on it"),
    ],
)
def test_a_book_that_reads_but_is_wrong_is_found_out(folder, name, old, new, fault):
    spoil(folder, name, old, new)
    found = check(read_folder(folder))
    assert any(fault in sentence for sentence in found), found


def test_a_spell_that_nobody_can_save_against_is_found_out(folder):
    text = (folder / "spells.yaml").read_text(encoding="utf-8")
    text = text.replace("key: wisdom", "key: luck").replace("save: wisdom", "save: luck")
    (folder / "spells.yaml").write_text(text, encoding="utf-8")
    assert "spell 95: nobody can save with luck" in check(read_folder(folder))
