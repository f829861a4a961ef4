"""Texts in the reader's language, looked up once.

Asking Django takes two microseconds each time, which was half of a table's drawing. While
`speaking` is on, a text that was translated once is taken from here; elsewhere these are Django's
own functions. `gettext as _` is collected for translation from here as well.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.utils import translation

# Beyond this a number is rare enough to be asked for again.
MOST_KEPT = 60
ARTICLES: Final = frozenset(
    ["a", "an", "the", "un", "una", "unos", "unas", "el", "la", "los", "las"]
)
"""Whoever has no name of their own is called by words that begin so, in either language."""

# What is quoted within a quotation has marks of its own.
_INNER: Final = {"en": str.maketrans("“”", "‘’"), "es": str.maketrans("«»“”", "“”‘’")}
_EL: Final = "el "
_DRAWN: Final = (("a ", "al "), ("de ", "del "))

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


def drawn_together(text: str, said: Any) -> str:
    """Return a text as its language has it around what is said in it, such as a name.

    Spanish makes one word of "a" or "de" and the article that a name begins with: "al capitán",
    "del capitán". Where the article has a capital it belongs to the name, and stays apart. What is
    safe as HTML stays so.
    """
    if _EL not in text or language() != "es":
        return text
    for name in _texts_in(said):
        if name.startswith(_EL):
            text = _with_article(text, name)
    return text


def _with_article(text: str, name: str) -> str:
    for apart, drawn in _DRAWN:
        text = text.replace(f" {apart}{name}", f" {drawn}{name.removeprefix(_EL)}")
        if text.startswith(f"{apart.capitalize()}{name}"):
            text = drawn.capitalize() + text[len(apart) + len(_EL) :]
    return text


def begun(sentence: str) -> str:
    """Return a sentence with a capital, also where it begins with "a porter" or "el capitán"."""
    if sentence.partition(" ")[0] in ARTICLES:
        return sentence[:1].upper() + sentence[1:]
    return sentence


def in_one_sentence(text: str, said: Any) -> str:
    """Return a sentence as its language has it around the names in it, and begun with a capital."""
    return begun(drawn_together(text, said))


def _texts_in(said: Any) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Iterable):
        for one in said.values() if isinstance(said, dict) else said:
            yield from _texts_in(one)


def quoted_again(text: str) -> str:
    """Return a text to be quoted, with the marks that a quotation has inside another."""
    return text.translate(_INNER.get(language(), {}))
