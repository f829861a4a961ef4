"""Texts of the rules: each is a constant, which screens translate."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from games.rules.engine import IllegalAction


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


def composed(name: str) -> str:
    """Return what names are compared by: an accent that is a letter of its own is none."""
    return unicodedata.normalize("NFC", name)
