"""Oracles as text and YAML: read, refused by line, written, dealt (WA-5 to 7)."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules.dice import SeededDice
from games.rules.engine import IllegalAction
from games.rules.wicked_age import oracle_files as files
from games.rules.wicked_age import yaml_lines
from games.rules.wicked_age.cards import CARDS
from games.rules.wicked_age.names import names_of
from games.rules.wicked_age.oracles import (
    LANGUAGES,
    SHIPPED,
    Entry,
    Oracle,
    deal_numbers,
    entry_for,
    goes_by_card,
    parse_text,
    parse_yaml,
    shipped,
    to_text,
    to_yaml,
)

FOUR = ("A widow with three keys", "A well", "Two brothers", "12 soldiers")
OWN = Oracle("", "Our town", "About us", tuple(map(Entry, FOUR)))
DECK = Oracle("", "Deck", "", tuple(Entry(f"Somebody {n}", card) for n, card in enumerate(CARDS)))


def whys(read: Oracle | tuple[files.LineError, ...]) -> list[tuple[int, str, str]]:
    assert isinstance(read, tuple), read
    return [(error.line, error.why, error.what) for error in read]


def test_plain_text_is_a_title_a_note_and_an_entry_a_line():
    text = "Our town\n\n# About us\nA widow with three keys\nA well\n\nTwo brothers\n12 soldiers\n"
    assert parse_text(text) == OWN
    assert parse_text(text.replace("\n", "\r\n")) == OWN
    assert parse_text("\ufeff" + text) == OWN


def test_what_nobody_sees_is_no_entry_and_in_none():
    """A copied page has spaces of no width in lines that look empty: one could be dealt."""
    text = (
        "Our \u2066town\u2069\n\u200b\n# About us\n\u2060\nA wi\u00addow\nA well\nSan\u0303a\nTwo"
    )
    read = parse_text(text)
    assert isinstance(read, Oracle)
    assert read.title == "Our town"
    assert [entry.text for entry in read.entries] == ["A widow", "A well", "Sa\u00f1a", "Two"]
    rows = "\n- ".join(("A widow", "A well", "Two", "\u200b"))
    assert whys(parse_yaml(f"title: T\nentries:\n- {rows}")) == [(6, files.EMPTY_ENTRY, "")]


def test_an_entry_may_begin_with_its_number():
    assert parse_text("Our town\n# About us\n1. " + "\n2) ".join(FOUR)) == OWN
    assert parse_text("Our town\n# About us\n1: " + "\n10 : ".join(FOUR)) == OWN


def test_an_entry_may_begin_with_its_card_however_it_is_written():
    read = parse_text(
        "T\nAS: one\n10H two\nK♦. three\nQueen of clubs: four\ndos de picas: five\n3h: six"
        "\n4♣\ufe0f seven"
    )
    assert isinstance(read, Oracle)
    assert [(entry.card, entry.text) for entry in read.entries] == [
        ("AS", "one"),
        ("10H", "two"),
        ("KD", "three"),
        ("QC", "four"),
        ("2S", "five"),
        ("3H", "six"),
        ("4C", "seven"),
    ]


@pytest.mark.parametrize(
    ("text", "language", "cards"),
    [
        ("AC: a\n2C: b\n3D: c\n4D: d", "en", ["AC", "2C", "3D", "4D"]),
        ("AC: a\n2C: b\n3D: c\n4D: d", "es", ["AH", "2H", "3D", "4D"]),
        ("AC: a\n2T: b\n3D: c\n4P d", "es", ["AH", "2C", "3D", "4S"]),
        ("AC: a\n2T: b\n3D: c\n4P d", "en", ["AH", "2C", "3D", "4S"]),
        ("AC: a\n2H: b\n3D: c\n4S d", "es", ["AC", "2H", "3D", "4S"]),
    ],
)
def test_letters_of_suits_are_the_writers_unless_the_file_has_one_of_another(text, language, cards):
    """In Spanish C is for corazones, and T for clubs: a suit of a whole oracle was no card."""
    read = parse_text(f"T\n{text}", language)
    assert isinstance(read, Oracle)
    assert [entry.card for entry in read.entries] == cards


def test_words_that_look_like_a_card_or_a_number_stay():
    text = "T\nAs the river falls\n3 sisters\nThe end: nobody\nAh, the goat"
    read = parse_text(text)
    assert isinstance(read, Oracle)
    assert [entry.text for entry in read.entries] == text.split("\n")[1:]


def test_all_errors_of_a_text_are_told_at_once_each_by_its_line():
    text = "\n".join(
        ["T", "AS: one", "", "AS: two", "KD: one", "bare", "QD:", "# late", "x" * 401, "2S: \x07"]
    )
    assert whys(parse_text(text)) == [
        (4, files.TWIN_CARD, "AS"),
        (5, files.TWIN_ENTRY, "2"),
        (6, files.CARDLESS, ""),
        (7, files.EMPTY_ENTRY, ""),
        (8, files.LATE_NOTE, ""),
        (9, files.LONG_ENTRY, "400"),
        (9, files.CARDLESS, ""),
        (10, files.UNPRINTABLE, ""),
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", [(1, files.NO_TITLE, ""), (1, files.TOO_FEW, "4")]),
        ("T\na\nb\nc", [(4, files.TOO_FEW, "4")]),
        ("T" * 81 + "\na\nb\nc\nd", [(1, files.LONG_TITLE, "")]),
        ("T\n# " + "b" * 301 + "\na\nb\nc\nd", [(2, files.LONG_BLURB, "")]),
        ("T\n" + "\n".join(f"e{n}" for n in range(402)), [(402, files.TOO_MANY, "400")]),
        ("T" * 500_000, [(1, files.LONG_FILE, "")]),
    ],
)
def test_a_text_beyond_its_bounds_is_refused_at_the_line_that_breaks_them(text, errors):
    assert whys(parse_text(text)) == errors


@pytest.mark.parametrize("field", ["implied", "tags", "caution"])
def test_hints_beyond_their_bounds_are_refused_at_their_line(field):
    def read(*hints: str) -> Oracle | tuple[files.LineError, ...]:
        row = f"- text: a\n  {field}: [{', '.join(hints)}]"
        return parse_yaml(f"title: T\nentries:\n{row}\n- b\n- c\n- d")

    longest, most = "x" * files.LONGEST_HINT, ["x"] * files.MOST_HINTS
    assert isinstance(read(longest), Oracle)
    assert isinstance(read(*most), Oracle)
    for hints in ([f"{longest}x"], [*most, "x"]):
        assert whys(read(*hints)) == [(3, files.LONG_HINTS, "")]


def test_yaml_holds_everything():
    text = """
id: our_town
title: Our town
blurb: About us
entries:
  - card: AS
    text: A widow
    implied: [the widow, "her son"]
    tags: [person]
    caution: [death]
    subject: widow
  - {card: 10H, text: A well, implied: a thief}
  - card: k♦
    text: >-
      Two
      brothers
  - card: 2C
    text: "null"
"""
    assert parse_yaml(text) == Oracle(
        "our_town",
        "Our town",
        "About us",
        (
            Entry("A widow", "AS", ("the widow", "her son"), ("person",), ("death",)),
            Entry("A well", "10H", ("a thief",)),
            Entry("Two brothers", "KD"),
            Entry("null", "2C"),
        ),
    )


def test_a_yaml_entry_may_be_mere_words():
    assert parse_yaml("title: Our town\nblurb: About us\nentries:\n- " + "\n- ".join(FOUR)) == OWN


def test_all_errors_of_a_yaml_file_are_told_at_once_each_by_its_line():
    text = """title: T
author: me
entries:
  - a
  - a
  - {text: b, color: red}
  - text: [c]
  - text: d
    text: e
  - [f]
  - card: 1X
    text: g
  - {card: AS, text: h, implied: {i: j}}
"""
    assert whys(parse_yaml(text)) == [
        (2, yaml_lines.UNKNOWN_KEY, "author"),
        (4, files.CARDLESS, ""),
        (5, files.TWIN_ENTRY, "4"),
        (5, files.CARDLESS, ""),
        (6, yaml_lines.UNKNOWN_KEY, "color"),
        (6, files.CARDLESS, ""),
        (7, yaml_lines.NO_WORDS, "text"),
        (7, files.EMPTY_ENTRY, ""),
        (7, files.CARDLESS, ""),
        (8, files.CARDLESS, ""),
        (9, yaml_lines.TWIN_KEY, "text"),
        (10, yaml_lines.NO_ROW, ""),
        (11, files.NO_CARD, "1X"),
        (13, yaml_lines.NO_LIST, "implied"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, yaml_lines.NO_ORACLE),
        ("just words", 1, yaml_lines.NO_ORACLE),
        ("title: T\nentries: {}", 2, yaml_lines.NO_ORACLE),
        ("title: T\nentries: 'open", 2, yaml_lines.NO_YAML),
        ("title: T\nentries: [a, b, c, \x07]", 2, yaml_lines.NO_YAML),
        ("title: \ud800", 1, yaml_lines.NO_YAML),
        ("title: T\na: &a [x, x]\nentries: [*a, *a]", 2, yaml_lines.NO_ALIASES),
        ("title: T\nentries: " + "[" * 100_000, 2, yaml_lines.TOO_DEEP),
        ("title: T\nentries: [" + "a," * 30_000 + "]", 2, yaml_lines.TOO_MUCH),
        ("T" * 500_000, 1, files.LONG_FILE),
    ],
)
def test_what_is_no_oracle_or_could_do_harm_is_refused(text, line, why):
    assert [(error_line, said) for error_line, said, _what in whys(parse_yaml(text))] == [
        (line, why)
    ]


def test_entries_past_the_most_are_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    """S1: fifteen thousand took three times as long as reading the YAML."""
    seen: list[object] = []
    read = files._entry_from
    monkeypatch.setattr(files, "_entry_from", lambda *row: seen.append(row) or read(*row))
    rows = "".join(f"- t{n}\n" for n in range(2000))
    assert [why for _line, why, _what in whys(parse_yaml(f"title: T\nentries:\n{rows}"))] == [
        files.TOO_MANY
    ]
    assert len(seen) == files.MOST_ENTRIES + 1


def test_lines_past_twice_the_most_entries_are_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    """S1: two hundred thousand took two seconds."""
    seen: list[str] = []
    read = files._plain
    monkeypatch.setattr(files, "_plain", lambda line: seen.append(line) or read(line))
    told = whys(parse_text("T\n\n" + "#\n" * 2000))
    assert told == [(1, files.TOO_FEW, "4"), (802, files.LONG_FILE, "")]
    assert len(seen) <= 2 * files.MOST_LINES + 1


def test_an_oracle_with_all_that_it_may_have_is_read():
    """What is refused as too much is more than that."""
    hints = ", ".join(f"h{n}" for n in range(files.MOST_HINTS))
    lists = f"implied: [{hints}], tags: [{hints}], caution: [{hints}]"
    rows = "".join(f"- {{text: t{n}, subject: s, {lists}}}\n" for n in range(files.MOST_ENTRIES))
    read = parse_yaml(f"id: i\ntitle: T\nblurb: b\nentries:\n{rows}")
    assert isinstance(read, Oracle)
    assert len(read.entries) == files.MOST_ENTRIES


@pytest.mark.parametrize("text", ["title: [T\n  - x\n", "a: b: c", "title: \x07", "title: \ud800"])
def test_what_is_no_yaml_is_said_in_our_own_words_and_of_a_line_that_is_there(text):
    """A reader of Spanish was told "did not find expected ',' or ']'", of a line past the last."""
    [(line, why, what)] = whys(parse_yaml(text))
    assert (why, what) == (yaml_lines.NO_YAML, "")
    assert 1 <= line <= len(text.splitlines())


def test_a_tag_in_yaml_makes_no_object():
    read = parse_yaml("title: !!python/name:os.system x\nentries: [a, b, c, d]")
    assert isinstance(read, Oracle)
    assert read.title == "x"


words = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs")), max_size=60).map(
    lambda text: normalize("NFC", " ".join(text.split()))
)
filled = words.filter(bool)
hints = st.lists(words, max_size=3).map(tuple)


bare = st.builds(Entry, filled)
hinted = st.builds(Entry, filled, implied=hints, tags=hints, cautions=hints)


@st.composite
def oracles(draw, entry: st.SearchStrategy[Entry]) -> Oracle:
    entries = draw(
        st.lists(entry, min_size=4, max_size=12, unique_by=lambda one: one.text.casefold())
    )
    if draw(st.booleans()):
        cards = draw(st.permutations(CARDS))
        entries = [replace(one, card=card) for one, card in zip(entries, cards, strict=False)]
    return Oracle("", draw(filled), draw(words), tuple(entries))


@settings(deadline=None)
@given(oracles(bare))
def test_any_plain_oracle_reads_back_from_its_text(oracle):
    for language in LANGUAGES:
        assert parse_text(to_text(oracle), language) == oracle


@settings(deadline=None)
@given(oracles(hinted), filled)
def test_any_oracle_reads_back_from_its_yaml(oracle, name):
    for one in (oracle, replace(oracle, id=name)):
        assert parse_yaml(to_yaml(one)) == one


@settings(deadline=None)
@given(st.text(max_size=300) | st.text("[]{}:-&*!#'\"\n aA1♠|>", max_size=80))
def test_no_text_breaks_the_reading(text):
    for read in (parse_text(text), parse_yaml(text), parse_yaml(f"title: T\nentries: {text}")):
        assert isinstance(read, Oracle) or all(error.line >= 1 for error in read)


def test_of_a_file_far_too_long_only_the_beginning_is_judged():
    read = whys(parse_text("T\n" + "a\n" * 99_000))
    assert read[-2:] == [(402, files.TOO_MANY, "400"), (801, files.LONG_FILE, "")]
    assert len(read) == 401
    assert len(whys(parse_yaml("title: T\n" + "a: b\n" * 9_000 + "entries: []"))) == 1000


def test_wa7_52_entries_go_by_card():
    assert goes_by_card(DECK)
    assert entry_for(DECK, "AH").text == "Somebody 0"
    turned = replace(DECK, entries=DECK.entries[::-1])
    assert entry_for(turned, "AH").text == "Somebody 0"
    bare = replace(DECK, entries=tuple(Entry(entry.text) for entry in DECK.entries))
    assert entry_for(bare, "KS").text == "Somebody 51"


def test_wa7_other_sizes_do_not():
    assert not goes_by_card(OWN)
    with pytest.raises(IllegalAction, match="no entry for every card"):
        entry_for(OWN, "AH")
    with pytest.raises(IllegalAction, match="no such card"):
        entry_for(DECK, "1X")


@given(st.integers(0), st.integers(4, 400), st.sets(st.integers(1, 4), max_size=3))
def test_wa7_numbers_are_dealt_without_twins(seed, size, without):
    dealt = deal_numbers(SeededDice(seed), size, min(4, size - len(without)), without)
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(range(1, size + 1)) - without


def test_wa7_an_oracle_does_not_give_more_than_it_has():
    with pytest.raises(IllegalAction, match="that many entries"):
        deal_numbers(SeededDice(1), 4, 4, {2})


@pytest.mark.parametrize("language", LANGUAGES)
def test_wa5_four_oracles_come_with_the_program_and_go_by_card(language):
    oracles = shipped(language)
    assert tuple(oracle.id for oracle in oracles) == SHIPPED
    for oracle in oracles:
        assert goes_by_card(oracle)
        assert [entry_for(oracle, card).card for card in CARDS] == list(CARDS)
        assert parse_yaml(to_yaml(oracle)) == oracle


def test_a_language_without_oracles_has_the_english_ones():
    assert shipped("qu") == shipped("en")


def test_a_process_goes_on_with_the_texts_that_it_began_with(monkeypatch, tmp_path):
    """Between `git pull` and its restart it read those of the new release."""
    before = shipped("es"), names_of("salt_and_honey")
    for module in ("oracles", "names"):
        monkeypatch.setattr(f"games.rules.wicked_age.{module}.DATA", tmp_path)
    for kept in (shipped, names_of):
        kept.cache_clear()
    assert (shipped("es"), names_of("salt_and_honey")) == before
