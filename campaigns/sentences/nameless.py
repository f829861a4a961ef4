"""Somebody who has no name yet, in the words of whoever reads: the log has only whose they are."""

from __future__ import annotations

from typing import Any

from campaigns.words import NAMELESS, name_of
from games.grammar import in_one_sentence
from games.sentences import Data, Names, Telling


def with_names(telling: Telling) -> Telling:
    """Return a telling to which everybody has a name."""

    def tell(d: Data, n: Names) -> str:
        named = {field: _named(value) for field, value in d.items()}
        return telling(d, n) if named == d else in_one_sentence(telling(named, n), named)

    return tell


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [_named(one) for one in value]
    if isinstance(value, dict) and value.keys() == {NAMELESS}:
        return name_of(value[NAMELESS])
    return value
