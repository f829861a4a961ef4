"""The oracles and name lists that come with the program keep their promises (WA-5).

What a reader must judge (does a deal of four make a table?) no test can. These hold the rest:
a whole deck, short plain sentences, no names, no words of the game, enough people of every kind,
and nothing said twice in any of the four.
"""

import random
import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
import yaml

from games.rules.wicked_age.oracles import CAUTIONS, DATA, LANGUAGES, SHIPPED

ORACLES = [(language, name) for language in LANGUAGES for name in SHIPPED]
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
DECK = [rank + suit for suit in "HDCS" for rank in RANKS]
KINDS = {"person", "group", "thing", "place", "event", "power"}
AT_LEAST = {"woman": 20, "man": 20, "low": 8, "group": 10, "light": 6}
AT_MOST = {"sorcerer": 6, "priest": 6, "king": 4, "spirit": 5}
FIELDS = {"card", "text", "subject", "implied", "tags", "caution"}

GAME_TERMS = {
    "en": (
        "die dice form forms strength strengths npc npcs pc pcs gm player players "
        "roll rolls rolled rolling"
    ),
    "es": "dado dados tirada tiradas pnj pnjs pj pjs dj jugador jugadora jugadores jugadoras",
}
TAKEN = {
    *("amek", "mekha", "tajie", "esan", "ba il shar", "fa il shar"),
    *("lamuel", "neruna", "hamel", "kadag", "tirok", "adaket"),
    *("shuzeen", "uzaamu", "ishuul", "pesi tor", "dovan li"),
}
"""Names of the rules' worked cases, and those the writers were shown as samples."""


@cache
def oracle(language, name):
    """Read one oracle as it stands in its file; a missing file is a failure."""
    return yaml.safe_load((DATA / language / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def name_list(name):
    """Read one name list as it stands in its file; a missing file is a failure."""
    return yaml.safe_load((DATA.parent / "names" / f"{name}.yaml").read_text(encoding="utf-8"))


def words(text):
    return re.findall(r"[\w'’-]+", text.lower())


def personal_names(name):
    return [each for kind in ("men", "women", "either") for each in name_list(name)[kind]]


def all_names(name):
    return personal_names(name) + name_list(name)["places"] + name_list(name)["gods"]


@pytest.mark.parametrize(("language", "name"), ORACLES)
class TestOracle:
    def test_it_says_what_it_is(self, language, name):
        read = oracle(language, name)
        assert read.keys() == {"id", "title", "blurb", "entries"}
        assert read["id"] == name
        assert read["title"].strip()
        assert read["blurb"].strip()
        assert "\n" not in read["blurb"].strip()

    def test_every_card_has_an_entry_in_the_order_of_the_deck(self, language, name):
        assert [entry["card"] for entry in oracle(language, name)["entries"]] == DECK

    def test_fields_are_the_known_ones(self, language, name):
        for entry in oracle(language, name)["entries"]:
            assert entry.keys() | {"caution"} == FIELDS, entry["card"]
            assert set(entry.get("caution", ())) <= set(CAUTIONS), entry["card"]

    def test_an_entry_is_one_sentence_of_8_to_28_words(self, language, name):
        for entry in oracle(language, name)["entries"]:
            text = entry["text"]
            assert 8 <= len(text.split()) <= 28, text
            assert text == " ".join(text.split()), text
            assert text[0].isupper(), text
            assert text.endswith("."), text
            assert not re.search(r"[.!?…]", text[:-1]), text

    def test_nothing_is_named(self, language, name):
        for entry in oracle(language, name)["entries"]:
            for text in (entry["text"][1:], *entry["implied"]):
                assert text == text.lower(), (entry["card"], text)

    def test_no_words_of_the_game(self, language, name):
        terms = set(GAME_TERMS[language].split())
        for entry in oracle(language, name)["entries"]:
            for text in (entry["text"], *entry["implied"]):
                assert not terms & set(words(text)), (entry["card"], text)

    def test_two_or_more_characters_are_implied(self, language, name):
        for entry in oracle(language, name)["entries"]:
            implied = entry["implied"]
            assert all(isinstance(hint, str) and hint.strip() for hint in implied), entry["card"]
            assert len(set(implied)) == len(implied) >= 2, entry["card"]

    def test_tags_are_the_known_ones(self, language, name):
        known = KINDS | AT_LEAST.keys() | AT_MOST.keys()
        for entry in oracle(language, name)["entries"]:
            tags = entry["tags"]
            assert set(tags) <= known, entry["card"]
            assert len(set(tags)) == len(tags), entry["card"]
            assert KINDS & set(tags), entry["card"]

    def test_there_are_people_of_every_kind(self, language, name):
        counted = Counter(
            tag for entry in oracle(language, name)["entries"] for tag in entry["tags"]
        )
        too_few = {tag: counted[tag] for tag, least in AT_LEAST.items() if counted[tag] < least}
        too_many = {tag: counted[tag] for tag, most in AT_MOST.items() if counted[tag] > most}
        assert (too_few, too_many) == ({}, {})

    def test_no_main_subject_twice(self, language, name):
        subjects = [entry["subject"] for entry in oracle(language, name)["entries"]]
        assert all(len(subject.split()) == 1 for subject in subjects)
        assert [each for each, count in Counter(subjects).items() if count > 1] == []

    def test_four_cards_give_eight_characters(self, language, name):
        """WA-8: whichever four are dealt, there is a list to choose from."""
        entries, cut = oracle(language, name)["entries"], random.Random(52)
        for _ in range(200):
            dealt = cut.sample(entries, 4)
            characters = {hint for entry in dealt for hint in entry["implied"]}
            assert len(characters) >= 8, [entry["card"] for entry in dealt]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_language_tells_the_same_situations(name):
    first, *others = [
        [(entry["card"], entry["tags"], entry.get("caution")) for entry in read["entries"]]
        for read in (oracle(language, name) for language in LANGUAGES)
    ]
    for other in others:
        assert other == first


@pytest.mark.parametrize("name", SHIPPED)
def test_no_entry_is_left_untranslated(name):
    by_language = [
        {entry["text"] for entry in oracle(language, name)["entries"]} for language in LANGUAGES
    ]
    for one, other in pairwise(by_language):
        assert not one & other


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_five_words_in_a_row_are_shared(language):
    """Not within a table and not between two: a stock phrase is heard the second time."""
    first_seen, shared = {}, []
    for name in SHIPPED:
        for entry in oracle(language, name)["entries"]:
            place, said = f"{name} {entry['card']}", words(entry["text"])
            for run in {tuple(said[at : at + 5]) for at in range(len(said) - 4)}:
                if first_seen.setdefault(run, place) != place:
                    shared.append((" ".join(run), first_seen[run], place))
    assert shared == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_and_blurbs_differ(language):
    told = [(oracle(language, name)["title"], oracle(language, name)["blurb"]) for name in SHIPPED]
    for column in zip(*told, strict=True):
        assert len(set(column)) == len(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
class TestNames:
    def test_there_are_as_many_as_promised(self, name):
        read = name_list(name)
        bynames = read["bynames"]
        sizes = {kind: len(names) for kind, names in read.items() if kind != "bynames"}
        assert sizes == {"men": 20, "women": 20, "either": 20, "places": 12, "gods": 8}
        assert {language: len(bynames[language]) for language in bynames} == {"en": 12, "es": 12}

    def test_each_can_be_said_at_sight(self, name):
        """Plain letters, at most 12 a word, two words at most, no pile of consonants."""
        for each in all_names(name):
            assert re.fullmatch(r"[A-Z][a-z]{0,11}( [A-Z][a-z]{0,11})?", each), each
            assert not re.search(r"[^aeiouy ]{4}", each.lower()), each
            assert not re.search(r"(.)\1\1", each.lower()), each

    def test_beginnings_tell_them_apart(self, name):
        """On a crowded sheet one reads the first letters."""
        beginnings = Counter(each[:2] for each in personal_names(name))
        assert {start: count for start, count in beginnings.items() if count > 3} == {}

    def test_none_is_of_the_rules_or_the_samples(self, name):
        assert not TAKEN & {each.lower() for each in all_names(name)}

    def test_bynames_are_words_and_not_names(self, name):
        for language, bynames in name_list(name)["bynames"].items():
            assert len(set(bynames)) == len(bynames), language
            for byname in bynames:
                assert byname == byname.lower(), byname


def test_no_name_stands_twice_in_any_list():
    counted = Counter(each.lower() for name in SHIPPED for each in all_names(name))
    assert [each for each, count in counted.items() if count > 1] == []
