"""Texts of the rules: each is a constant, which screens translate."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from games.rules.engine import IllegalAction

# In letters: up to where a text takes no time, whatever they are. Marks on one letter, of which no
# language writes as many (Unicode's annex 15, Stream-Safe Text Format).
SHORT, MOST_MARKS = 200, 30


class Reason(NamedTuple):
    """Why the rules refuse something: a sentence for players, and its rule's number if any."""

    why: str
    rule: str = ""


def _(text: str) -> str:
    """Mark a text for translation without translating it."""
    return text


def refuse(reason: Reason) -> IllegalAction:
    """Turn a reason into the exception that carries it."""
    return IllegalAction(reason.why, reason.rule)


def composed(text: str) -> str:
    """Return a text in which an accent that is a letter of its own is none; names are compared so.

    Python sorts the marks on a letter in a time that grows as the square of their number: sixty
    thousand take seven seconds, in which nobody is served. Those beyond `MOST_MARKS` are composed
    apart, so a long text takes as long as it is.
    """
    if len(text) <= SHORT:
        return unicodedata.normalize("NFC", text)
    parts, begin, marks = list[str](), 0, 0
    for at, letter in enumerate(text):
        marks = marks + 1 if _is_mark(letter) else 0
        if marks > MOST_MARKS:
            parts.append(text[begin:at])
            begin, marks = at, 1
    return "".join(unicodedata.normalize("NFC", part) for part in (*parts, text[begin:]))


def _is_mark(letter: str) -> bool:
    """Tell whether a letter stands on the one before; some do only once they are taken apart."""
    return unicodedata.combining(unicodedata.normalize("NFD", letter)[0]) > 0
