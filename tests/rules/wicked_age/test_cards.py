"""The deck, dealt and read (WA-2, WA-7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.dice import SeededDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.wicked_age.cards import (
    CARDS,
    LONGEST_TEXT,
    NO_RANK,
    NO_SUIT,
    TOO_FEW,
    TOO_LONG,
    TOO_MANY,
    TWICE,
    UNKNOWN,
    deal,
    read_cards,
)

RANKS = {
    "A": ("ace", "as"),
    "J": ("jack", "jota"),
    "Q": ("queen", "reina"),
    "K": ("king", "rey"),
    "2": ("two", "dos"),
    "10": ("ten", "diez"),
}
SUITS = {
    "H": ("hearts", "corazones", "♥"),
    "D": ("diamonds", "diamantes", "♦"),
    "C": ("clubs", "tréboles", "♣"),
    "S": ("spades", "picas", "♠"),
}


def test_wa2_the_deck_has_52_cards_and_no_joker():
    assert len(set(CARDS)) == 52
    assert (CARDS[0], CARDS[13], CARDS[-1]) == ("AH", "AD", "KS")


@given(st.integers(0), st.integers(0, 52), st.sets(st.sampled_from(CARDS), max_size=10))
def test_wa7_a_deal_is_of_different_cards(seed, count, without):
    count = min(count, 52 - len(without))
    dealt = deal(SeededDice(seed), count, without)
    assert len(set(dealt)) == count
    assert not set(dealt) & without


def test_wa7_every_card_of_the_deck_can_come():
    assert deal(TypedDice([1, 51, 1, 49])) == ("AH", "KS", "2H", "QS")


def test_wa7_a_deck_does_not_give_more_than_it_has():
    with pytest.raises(IllegalAction, match="that many cards"):
        deal(SeededDice(1), 3, CARDS[:50])


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("ace of spades", ("AS",)),
        ("as", ("AS",)),
        ("A♠", ("AS",)),
        ("10h", ("10H",)),
        ("as de picas, rey de corazones", ("AS", "KH")),
        ("J♦ q♥️ K C", ("JD", "QH", "KC")),
        ("as ah 10s", ("AS", "AH", "10S")),
        ("♠A\n♥10", ("AS", "10H")),
        ("Queen of Hearts and the 3 of clubs", ("QH", "3C")),
        ("sota de trébol y dos de diamantes", ("JC", "2D")),
        ("AS-KD; th/1c", ("AS", "KD", "10H", "AC")),
        ("", ()),
    ],
)
def test_cards_from_a_real_deck_are_read_as_people_write_them(text, cards):
    hand = read_cards(text)
    assert hand.cards == cards
    assert hand.errors == ()


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("suit", SUITS)
def test_every_word_for_a_card_is_understood(rank, suit):
    english, spanish = RANKS[rank]
    names = [
        f"{english} of {SUITS[suit][0]}",
        f"{spanish.upper()} DE {SUITS[suit][1].upper()}",
        f"{rank}{SUITS[suit][2]}",
        f"{rank} {suit}".lower(),
    ]
    assert [read_cards(name).cards for name in names] == [(rank + suit,)] * len(names)


def test_a_lone_letter_is_read_in_the_language():
    assert read_cards("10C AT", language="es").cards == ("10H", "AC")
    assert read_cards("10C").cards == ("10C",)


@pytest.mark.parametrize(
    ("text", "whys"),
    [
        ("joker", [(UNKNOWN, "joker")]),
        ("AS, 10", [(NO_SUIT, "10")]),
        ("hearts", [(NO_RANK, "hearts")]),
        ("AS as KD ace of spades", [(TWICE, "AS"), (TWICE, "AS")]),
        ("AS KD", [(TOO_FEW, "4")]),
        ("AS KD QD JD 10D", [(TOO_MANY, "4")]),
        ("11h", [(UNKNOWN, "11"), (NO_RANK, "h")]),
        ("x" * (LONGEST_TEXT + 1), [(TOO_LONG, "")]),
    ],
)
def test_what_does_not_read_is_said_with_its_words(text, whys):
    assert [(error.why, error.what) for error in read_cards(text, 4).errors] == whys


@given(st.lists(st.sampled_from(CARDS), unique=True), st.sampled_from([" ", ", ", "\n"]))
def test_any_cards_read_back_as_they_are_written(cards, between):
    assert read_cards(between.join(cards), len(cards)).cards == tuple(cards)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text):
    hand = read_cards(text, 4)
    assert set(hand.cards) <= set(CARDS)
    assert hand.errors or len(hand.cards) == 4
