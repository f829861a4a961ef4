"""Oracles: a title and entries, of which a chapter's cards pick four (WA-5 to 7).

Four come with the program, in each language with 52 entries, one for every card; a table
may write its own, with any number of entries (`games.rules.wicked_age.oracle_files` reads
and writes those).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

from games.rules.engine import Dice, IllegalAction
from games.rules.wicked_age.cards import CARDS
from games.rules.wicked_age.entries import Entry, Oracle
from games.rules.wicked_age.oracle_files import (
    LineError,
    holds_more_than_text,
    parse_text,
    parse_yaml,
    to_text,
    to_yaml,
)
from games.rules.words import _

__all__ = [
    "CAUTIONS",
    "LANGUAGES",
    "SHIPPED",
    "Entry",
    "LineError",
    "Oracle",
    "deal_numbers",
    "entry_for",
    "goes_by_card",
    "holds_more_than_text",
    "parse_text",
    "parse_yaml",
    "shipped",
    "to_text",
    "to_yaml",
]


SHIPPED: Final = (
    "salt_and_honey",
    "bronze_and_dust",
    "what_the_river_uncovers",
    "the_weighing_house",
)
LANGUAGES: Final = ("en", "es")
CAUTIONS: Final = ("slavery", "desire", "death", "torture")
"""What the entries that come with the program may be marked with for the content line (WA-4)."""

DATA: Final = Path(__file__).parent / "data" / "oracles"
# Read when a process begins, which goes on with them when a new release is put in their place.
_TEXTS: Final = {
    (language, name): (DATA / language / f"{name}.yaml").read_text(encoding="utf-8")
    for language in LANGUAGES
    for name in SHIPPED
}


@cache
def shipped(language: str) -> tuple[Oracle, ...]:
    """Return the oracles that come with the program; in English where there is no translation.

    Raises ValueError for a file that does not read.
    """
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    oracles = []
    for name in SHIPPED:
        read = parse_yaml(_TEXTS[spoken, name])
        if not isinstance(read, Oracle):
            raise ValueError(f"{spoken}/{name}.yaml: {read}")
        oracles.append(read)
    return tuple(oracles)


def goes_by_card(oracle: Oracle) -> bool:
    """Tell whether the oracle has an entry for every card; others are dealt by number (WA-7)."""
    return len(oracle.entries) == len(CARDS)


def entry_for(oracle: Oracle, card: str) -> Entry:
    """Return a card's entry (WA-7); without cards of their own, entries go in the deck's order.

    Raises IllegalAction for an oracle that does not go by cards, and for what is no card.
    """
    if not goes_by_card(oracle):
        raise IllegalAction(_("this oracle has no entry for every card"), "WA-7")
    if card not in CARDS:
        raise IllegalAction(_("there is no such card"), "WA-7")
    for entry in oracle.entries:
        if entry.card == card:
            return entry
    return oracle.entries[CARDS.index(card)]


def deal_numbers(dice: Dice, size: int, count: int, without: Collection[int]) -> tuple[int, ...]:
    """Deal so many different numbers from 1 to `size`, none of those in `without` (WA-7).

    Raises IllegalAction when there are not enough.
    """
    numbers = [number for number in range(1, size + 1) if number not in without]
    if not 0 <= count <= len(numbers):
        raise IllegalAction(_("the oracle does not have that many entries"), "WA-7")
    return tuple(numbers.pop(dice.roll(len(numbers)) - 1) for each in range(count))
