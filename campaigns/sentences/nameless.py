"""Somebody who has no name yet, in the words of whoever reads: the log has only whose they are."""

from __future__ import annotations

import re
from typing import Any

from campaigns.words import NAMELESS, name_of
from games.said import language
from games.sentences import Data, Names, Telling

# Spanish draws these together: del personaje, al personaje.
CONTRACTED = re.compile(r"\b(de|a) el (?=personaje\b)", re.IGNORECASE)


def with_names(telling: Telling) -> Telling:
    """Return a telling to which everybody has a name."""

    def tell(d: Data, n: Names) -> str:
        named = {field: _named(value) for field, value in d.items()}
        return telling(d, n) if named == d else in_one_sentence(telling(named, n))

    return tell


def in_one_sentence(text: str) -> str:
    """Return a sentence that speaks of somebody without a name as its language has it."""
    if language() != "es":
        return text
    drawn = CONTRACTED.sub(r"\1l ", text)
    return drawn[:1].upper() + drawn[1:]


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [_named(one) for one in value]
    if isinstance(value, dict) and value.keys() == {NAMELESS}:
        return name_of(value[NAMELESS])
    return value
