"""Texts in the reader's language, looked up once.

Asking Django takes two microseconds each time, which was half of a table's drawing. While
`speaking` is on, a text that was translated once is taken from here; elsewhere these are Django's
own functions. `gettext as _` is collected for translation from here as well.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import translation

# Beyond this a number is rare enough to be asked for again.
MOST_KEPT = 60

Words = dict[str | tuple[str, str, int], str]


class _Here(threading.local):
    """The language that this thread speaks now, with the texts it has looked up in it."""

    language = ""
    words: Words | None = None


_here = _Here()
_said: dict[str, Words] = {}


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language in this thread until the block ends; no other may be activated in it."""
    before = _here.language, _here.words
    with translation.override(language):
        _here.language, _here.words = language, _said.setdefault(language, {})
        try:
            yield
        finally:
            _here.language, _here.words = before


def language() -> str:
    """Return the language that is spoken now."""
    return _here.language or translation.get_language() or "en"


def gettext(message: str) -> str:
    """Return a text in the active language."""
    words = _here.words
    if words is None:
        return translation.gettext(message)
    said = words.get(message)
    if said is None:
        said = words[message] = translation.gettext(message)
    return said


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return a text that counts something in the active language."""
    words = _here.words
    if words is None or not 0 <= number <= MOST_KEPT:
        return translation.ngettext(singular, plural, number)
    key = (singular, plural, number)
    said = words.get(key)
    if said is None:
        said = words[key] = translation.ngettext(singular, plural, number)
    return said
