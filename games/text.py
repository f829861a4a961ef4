"""Names and words that people type: cleaned before they are kept, never cut in silence."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from games.errors import Malformed
from games.models.table import KEY_LENGTH, NAME_LENGTH
from games.rules.words import composed

# Hebrew, Arabic and their neighbours.
RIGHT_TO_LEFT = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)
# Control characters other than the line end, invisible ones, and those that turn the direction of
# everything after them; joiners are allowed. Some count as letters: the fillers of Hangul, the
# empty Braille cell. `clean_name` and `clean_prose` clean typed text of more.
UNSEEN = re.compile(
    r"[\x00-\t\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\U00016fe4\U0001d159"
    r"\U000e0000-\U000e007f]"
)
# What some scripts and pictures need beside a letter: joiners, and selectors of its form. By
# themselves they show nothing, so that no two names differ by them alone.
BESIDE_LETTERS = re.compile(r"[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Where Unicode puts new pictures and ideographs every autumn: phones write them years before the
# Python of a house has heard of them. What nobody ever sees has its place elsewhere.
TO_COME = re.compile(
    r"[\U0001f000-\U0001faff\U0001fc00-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd]"
)
# England's, Scotland's and Wales's: a black flag and letters that nobody sees. By others of those
# letters two names could look alike: they are not kept.
FLAGS = [
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in nation) + "\U000e007f"
    for nation in ("gbeng", "gbsct", "gbwls")
]
A_FLAG = re.compile(f"({'|'.join(FLAGS)})")
# How much of a text's digest is enough to tell it from another version of the text.
MARK = 12
# Invisible marks: the text between them has its own direction, apart from what surrounds it.
APART, TOGETHER = "\u2068", "\u2069"


def clean_name(text: str, *, field: str = "name", longest: int = NAME_LENGTH) -> str:
    """Return a name without control, invisible and direction-changing characters.

    Raises Malformed when nothing is left, or when it is longer than `longest` characters.
    """
    name = clean_line(text, field=field, longest=longest)
    if not name:
        raise Malformed(nothing_written(field), field=field)
    return name


def nothing_written(field: str) -> str:
    """Say that a field has no words in it, in the active language."""
    if _is_of_name(field):
        return _("Write a name: at least one letter.")
    return _("Write something: at least one letter.")


def clean_line(text: str, *, field: str, longest: int = 120) -> str:
    """Return a text of one line cleaned as names are; nothing where nothing that shows was written.

    Raises Malformed when it is longer than `longest` characters.
    """
    if len(text) > 20 * longest:  # checked first: normalising takes longer the longer the text is
        raise _too_long(longest, field)
    kept = "".join(c if unicodedata.category(c)[0] != "Z" else " " for c in _kept(composed(text)))
    words = " ".join(kept.split()).strip("\u200c\u200d ")
    if len(words) > longest:
        raise _too_long(longest, field)
    return words if folded(words) else ""


def clean_prose(text: str, *, longest: int, field: str) -> str:
    """Return a text with its lines, but without control and direction-changing characters.

    Raises Malformed when it is longer than `longest` characters.
    """
    lines = composed(text.replace("\r\n", "\n").replace("\r", "\n"))
    # A tab is a space.
    kept = _kept(lines.replace("\t", " "), besides="\n").strip()
    if len(kept) > longest:
        raise _too_long(longest, field)
    return kept


def _kept(text: str, besides: str = "") -> str:
    """Return what is kept of what people type, and of `besides`."""
    return _beside_flags(
        text,
        lambda part: "".join(c for c in UNSEEN.sub("", part) if c in besides or _is_seen(c)),
    )


def _beside_flags(text: str, clean: Callable[[str], str]) -> str:
    return "".join(part if part in FLAGS else clean(part) for part in A_FLAG.split(text))


def _is_seen(c: str) -> bool:
    """Tell whether a letter is kept of what people type."""
    # Cc, Cf, Cs, Co, Cn: control, format (bidi marks among them), surrogates, private, unassigned.
    # The joiners stay: Persian and Hindi names need them.
    return unicodedata.category(c)[0] != "C" or c in "\u200c\u200d" or bool(TO_COME.match(c))


def set_apart(text: str) -> str:
    """Return a text marked so that it keeps its own direction within a sentence.

    Otherwise a number beside a Hebrew or Arabic name is shown on the wrong side of it.
    """
    if text.isascii() or text.startswith(APART) or not RIGHT_TO_LEFT.search(text):
        return text
    return f"{APART}{text}{TOGETHER}"


def all_set_apart(value: Any) -> Any:
    """Return a value in which every text that needs it is set apart."""
    if isinstance(value, str):
        return set_apart(value)
    if isinstance(value, (list, tuple)):
        return [all_set_apart(one) for one in value]
    if isinstance(value, dict):
        return {name: all_set_apart(one) for name, one in value.items()}
    return value


def as_sentence(text: str) -> str:
    """Return a rule's short reason as a sentence: a capital first, a full stop last."""
    stopped = text if text.rstrip(TOGETHER)[-1:] in ".!?" else f"{text}."
    return stopped[:1].upper() + stopped[1:]


def folded(name: str) -> str:
    """Return the form in which names are compared: no capitals, surrounding space or joiners."""
    return unicodedata.normalize("NFKC", BESIDE_LETTERS.sub("", name)).casefold().strip()


def guild_key(name: str) -> str:
    """Return what a guild name is compared by (BK-2), in the length of its column.

    `folded` makes eighteen letters of some. A name of many such is known by its digest.
    """
    key = folded(name)
    return key if len(key) <= KEY_LENGTH else hashlib.sha256(key.encode()).hexdigest()


def is_among(name: str, others: Iterable[str]) -> bool:
    """Tell whether one of these names cannot be told from this one, however it is written."""
    return folded(name) in map(folded, others)


def in_order(name: str) -> str:
    """Return the form by which names are sorted: without capitals or accents, ñ after n."""
    letters = unicodedata.normalize("NFKD", name.casefold()).replace("n\u0303", "n\uffff")
    return "".join(c for c in letters if not unicodedata.combining(c))


def mark_of(text: str) -> str:
    """Return a short mark by which a form says which text it was filled in with."""
    return hashlib.sha256(text.encode()).hexdigest()[:MARK]


def _too_long(longest: int, field: str) -> Malformed:
    text = (
        _("That name is too long: at most %(count)s letters.")
        if _is_of_name(field)
        else _("That is too long: at most %(count)s letters.")
    )
    return Malformed(text % {"count": longest}, field=field)


def _is_of_name(field: str) -> bool:
    """Tell whether what is typed there is a name, and not a title, a cry or a line of prose."""
    return field.endswith("name")


def without_nul(value: Any) -> Any:
    """Return a value whose texts have no NUL in them: PostgreSQL stores none."""
    return _each_text(value, lambda text: text.replace("\x00", ""))


def without_unseen(value: Any) -> Any:
    """Return a value whose texts have no invisible characters in them, NUL included."""
    return _each_text(value, lambda text: _beside_flags(text, lambda part: UNSEEN.sub("", part)))


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(one, change) for one in value]
    if isinstance(value, dict):
        return {change(key): _each_text(one, change) for key, one in value.items()}
    return value
