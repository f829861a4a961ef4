"""The deck: 52 cards, dealt by the dice or read from what somebody typed (WA-2, WA-7).

A card is its rank and the first letter of its suit: "AS" is the ace of spades, "10H" the
ten of hearts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import Final

import msgspec

from games.rules.engine import Dice, IllegalAction
from games.rules.words import _

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("H", "D", "C", "S")
CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Hearts, diamonds, clubs, spades, each from ace to king."""

SIGNS: Final = {"H": "♥", "D": "♦", "C": "♣", "S": "♠"}
"""Suits as a deck has them: letters are other suits in another language."""

ELEMENTS: Final = 4
"""So many cards are dealt for a chapter (WA-7)."""

LONGEST_TEXT: Final = 2000

UNKNOWN: Final = _("“%(what)s” names no card")
NO_SUIT: Final = _("“%(what)s” has no suit")
NO_RANK: Final = _("“%(what)s” has no rank")
TWICE: Final = _("%(what)s is there twice")
TOO_FEW: Final = _("these are fewer cards than the %(what)s that are needed")
TOO_MANY: Final = _("these are more cards than the %(what)s that are needed")
TOO_LONG: Final = _("this is longer than any list of cards")

_RANK_WORDS: Final = {
    **{rank.casefold(): rank for rank in RANKS},
    **{"1": "A", "t": "10", "ace": "A", "as": "A"},
    **{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7"},
    **{"eight": "8", "nine": "9", "ten": "10"},
    **{"dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7"},
    **{"ocho": "8", "nueve": "9", "diez": "10"},
    **{"jack": "J", "knave": "J", "jota": "J", "sota": "J"},
    **{"queen": "Q", "reina": "Q", "dama": "Q", "king": "K", "rey": "K"},
}
_SUIT_WORDS: Final = {
    **{suit.casefold(): suit for suit in SUITS},
    **{"heart": "H", "hearts": "H", "corazon": "H", "corazones": "H", "♥": "H", "♡": "H"},
    **{"diamond": "D", "diamonds": "D", "diamante": "D", "diamantes": "D", "♦": "D", "♢": "D"},
    **{"club": "C", "clubs": "C", "trebol": "C", "treboles": "C", "♣": "C", "♧": "C"},
    **{"spade": "S", "spades": "S", "pica": "S", "picas": "S", "p": "S", "♠": "S", "♤": "S"},
}
# A Spanish hand that writes 10C means corazones.
_SPANISH_SUIT_WORDS: Final = {**_SUIT_WORDS, "c": "H", "t": "C"}
_FILLERS: Final = frozenset({"of", "the", "and", "de", "del", "el", "la", "las", "los", "y"})
_ACE_OR_ACE_OF_SPADES: Final = "as"

_TOKEN: Final = re.compile(r"[a-z]+|[0-9]+|[♥♡♦♢♣♧♠♤]|[^\s\w,;.:/|+&()*\-–—]+")
_SHORT: Final = re.compile(r"(10|[1-9akqjt])([hdcspt]|[♥♡♦♢♣♧♠♤])")
_SHORT_TURNED: Final = re.compile(r"([♥♡♦♢♣♧♠♤])(10|[1-9akqj])(?![a-z0-9])")


class CardError(msgspec.Struct, frozen=True):
    """Why some cards do not read: a sentence with a place for `what`, the words it speaks of."""

    why: str
    what: str


class Hand(msgspec.Struct, frozen=True):
    """The cards that were read, in order, and everything that is wrong with them."""

    cards: tuple[str, ...]
    errors: tuple[CardError, ...] = ()


def drawn(card: str) -> str:
    """Return a card as it is drawn.

    >>> drawn("10H")
    '10♥'
    """
    return f"{card[:-1]}{SIGNS[card[-1]]}"


def deal(dice: Dice, count: int = ELEMENTS, without: Collection[str] = ()) -> tuple[str, ...]:
    """Deal so many different cards, none of those in `without` (WA-7).

    Raises IllegalAction when the deck has not enough.
    """
    deck = [card for card in CARDS if card not in without]
    if not 0 <= count <= len(deck):
        raise IllegalAction(_("the deck does not have that many cards"), "WA-7")
    return tuple(deck.pop(dice.roll(len(deck)) - 1) for each in range(count))


def read_cards(text: str, count: int | None = None, language: str = "en") -> Hand:
    """Read the cards that somebody typed from a deck on the table (WA-2, WA-7).

    Signs, letters and words of both languages do, in any order of lines and commas:
    "A♠", "10h", "queen of hearts", "rey de corazones". A lone letter for a suit is read
    in the language: "10C" is clubs in English, corazones in Spanish. Given a `count`,
    fewer or more cards are an error.

    >>> read_cards("ace of spades, 10h").cards
    ('AS', '10H')
    """
    if len(text) > LONGEST_TEXT:
        return Hand((), (CardError(TOO_LONG, ""),))
    cards: list[str] = []
    errors: list[CardError] = []
    for read in _read(_tokens(text), language):
        if isinstance(read, CardError):
            errors.append(read)
        elif read in cards:
            errors.append(CardError(TWICE, read))
        else:
            cards.append(read)
    if count is not None and not errors and len(cards) != count:
        errors.append(CardError(TOO_FEW if len(cards) < count else TOO_MANY, str(count)))
    return Hand(tuple(cards), tuple(errors))


def _tokens(text: str) -> list[str]:
    """Split into words, numbers and signs, without accents and capitals; "10h" falls in two."""
    marks = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in marks if unicodedata.category(c) != "Mn")
    return [token for token in _words(bare) if token not in _FILLERS]


def _words(bare: str) -> Iterator[str]:
    for word in re.split(r"[\s,;.:/|+&()*\-–—]+", bare):
        if turned := _SHORT_TURNED.fullmatch(word):
            yield from (turned[2], turned[1])
        elif (short := _SHORT.fullmatch(word)) and word != _ACE_OR_ACE_OF_SPADES:
            yield from short.groups()
        else:
            yield from _TOKEN.findall(word)


def _read(tokens: list[str], language: str) -> Iterator[str | CardError]:
    """Pair ranks with the suits that follow them."""
    suits = _SPANISH_SUIT_WORDS if language == "es" else _SUIT_WORDS
    rank = ""
    for token in tokens:
        if rank and token in suits:
            yield _RANK_WORDS[rank] + suits[token]
            rank = ""
            continue
        if rank:
            yield _alone(rank)
            rank = ""
        if token in _RANK_WORDS:
            rank = token
        else:
            yield CardError(NO_RANK if token in suits else UNKNOWN, token)
    if rank:
        yield _alone(rank)


def _alone(rank: str) -> str | CardError:
    """Read a rank without a suit: "as" is then the English short form for the ace of spades."""
    return "AS" if rank == _ACE_OR_ACE_OF_SPADES else CardError(NO_SUIT, rank)
