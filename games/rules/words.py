"""Texts of the rules: each is a constant, which screens translate."""

from __future__ import annotations

import unicodedata

from games.rules.engine import IllegalAction

Reason = tuple[str, str]
"""Why the rules refuse something: a sentence for players, and the number of the rule."""


def _(text: str) -> str:
    """Mark a text for translation without translating it."""
    return text


def refuse(reason: Reason) -> IllegalAction:
    """Turn a reason into the exception that carries it."""
    return IllegalAction(*reason)


def composed(name: str) -> str:
    """Return what names are compared by: an accent that is a letter of its own is none."""
    return unicodedata.normalize("NFC", name)
