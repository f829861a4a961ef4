"""What a language asks of a sentence once names, figures or a quotation stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from django.utils.formats import get_format

from games.rules.wicked_age.cast import OPENERS
from games.said import gettext as _
from games.said import language

ARTICLES: Final = frozenset(
    ["a", "an", "the", "un", "una", "unos", "unas", "el", "la", "los", "las"]
)
"""Whoever has no name of their own is called by words that begin so, in either language."""

# Whoever is called by words that begin so has no name of their own either.
_BEGINNING: Final = ARTICLES.union(
    *OPENERS.values(),
    ["someone", "somebody", "whoever", "what"],
    ["alguien", "quien", "uno", "lo", "otros", "otras", "aquel", "aquella"],
)

# What is quoted within a quotation has marks of its own.
_INNER: Final = {"en": str.maketrans("“”", "‘’")}
_INNER_ELSEWHERE: Final = str.maketrans("«»“”", "“”‘’")
_EL: Final = "el "
_DRAWN: Final = (("a ", "al "), ("de ", "del "))

# What was typed may end in a stop of its own: one more after it is one too many. Three of them are
# an ellipsis.
_TWICE: Final = ("..", "!.", "?.", "….", ".”.", ".».", "\u2069.")
_STOPPED_TWICE: Final = re.compile(
    r"(?:(?<!\.)(?:([.!?…]\u2069?)|\.(\u2069?[”»]))|(?<=\.{3}))\.(?=\s|$)"
)

# Before these Spanish says "e" for "and": Ana e Íñigo, but Ana y Hielo.
_SOUNDS_AS_Y: Final = re.compile(r"h?(í|i(?![aeoáéó]))|y(?![aeiouáéíóú])", re.IGNORECASE)

# A mark that a cry ends with by itself, also one before a picture.
_MARKED: Final = re.compile(r"[!?.…！？。؟❗❓]\W*$")


def cried(cry: str) -> str:
    """Return a house rule's cry with the marks of one, as far as it has none of its own (BK-25)."""
    marked = _("%(cry)s!") % {"cry": cry}
    own = _MARKED.search(cry)
    if own is None:
        return marked
    # What Spanish puts before a cry goes with the mark behind it.
    return marked.removesuffix("!") if "!" in own[0] and not {*"¡¿"} & {*cry} else cry


def number(value: int) -> str:
    """Write a number with the minus sign that print has."""
    return str(value) if value >= 0 else f"−{-value}"


def decimal(value: float) -> str:
    """Write a number to its hundredths, with the language's own point."""
    return f"{value:.2f}".replace(".", get_format("DECIMAL_SEPARATOR", language()))


def and_list(names: Sequence[str]) -> str:
    """Join names as people do: "Moth, Ash and Vane"."""
    if len(names) < 2:
        return "".join(names)
    text = _("%(first)s and %(last)s")
    if language() == "es" and _SOUNDS_AS_Y.match(names[-1]):
        text = text.replace(" y ", " e ")
    return text % {"first": ", ".join(names[:-1]), "last": names[-1]}


def unbroken(figures: str) -> str:
    """Return figures that are read as one, such as "14 + 1 = 15", in a way that no line breaks."""
    return figures.replace(" ", "\u00a0")


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
    """Return a sentence with a capital, also where it begins with "a porter" or "su hermano".

    Without an article several are named, "mourners", "ladrones", and nearly all end in an s. What
    else begins with a small letter is somebody's name, and theirs to write so.
    """
    first = sentence.partition(" ")[0]
    if first in _BEGINNING or (first.endswith("s") and first.islower()):
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
    return text.translate(_INNER.get(language(), _INNER_ELSEWHERE))


def stopped_once(text: str) -> str:
    """Return sentences without the full stop behind what somebody has ended with one already."""
    if not any(ends in text for ends in _TWICE):
        return text
    return _STOPPED_TWICE.sub(lambda found: f"{found[2]}." if found[2] else found[1] or "", text)
