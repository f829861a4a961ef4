"""Looking for words in everything that a campaign keeps, without regard to case or accents."""

from __future__ import annotations

import operator
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

from django.db.models import Model, Q, QuerySet

from campaigns.models import Campaign, Chapter, Character, Holding, Moment
from campaigns.screens.lives import title_of
from campaigns.screens.people import label_of
from games.said import gettext as _

A_PAGE = 30
LONGEST = 100
MOST_WORDS = 8
AROUND = 60

# Where accented letters stand: Latin with its supplements, as far as names come.
LATIN = range(0xC0, 0x250)
# Letters that bear none in the languages people play in, and figures.
PLAIN = re.compile(r"[bfhjklmpqvwx0-9]+", re.IGNORECASE)

# What stands between quotation marks is looked for as it stands, whichever marks a keyboard has.
ASKED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]|([^\s\"“”„«»]+)")
# One keyboard's apostrophe is not another's.
APOSTROPHES = "'’‘"

PLACES = (
    ("elements", "text"),
    ("cast_lines", "text"),
    ("interests", "text"),
    ("scenes", "where"),
    ("scenes", "what"),
    ("sequences", "act"),
    ("parts", "epilogue"),
    ("parts", "came_back_as"),
)


@dataclass(frozen=True)
class Found:
    """Something with the words in it: what it is, and where it leads; 0 is nowhere."""

    place: str
    name: str
    text: str
    character: int = 0
    chapter: int = 0


def search(campaign: Campaign, words: str, page: int) -> tuple[list[Found], bool]:
    """Find every word in one and the same text, chapter by chapter.

    Returns a page of what was found, and whether there is more.
    """
    asked = asked_for(words)
    if not asked:
        return [], False
    first, last = (page - 1) * A_PAGE, page * A_PAGE + 1
    found: list[tuple[str, str, Model]] = []
    for kind, field, rows in _places(campaign, asked):
        if len(found) >= last:
            break
        found += [(kind, field, row) for row in rows[: last - len(found)]]
    shown = [_found(kind, row, field, asked) for kind, field, row in found[first : last - 1]]
    return shown, len(found) == last


def asked_for(words: str) -> list[Word]:
    """Return what is looked for: each word by itself, and together what is quoted."""
    found = (" ".join((quoted or word).split()) for quoted, word in ASKED.findall(words))
    return [Word(one) for one in list(filter(None, found))[:MOST_WORDS]]


class Word:
    """A word, or several that belong together, as a database is asked for it.

    `pattern` finds it with or without accents, in capitals or not; `part` is
    the longest piece of it that is never written otherwise: most texts do not
    have it, and asking for it costs far less.
    """

    def __init__(self, word: str) -> None:
        letters = unicodedata.normalize("NFC", word)
        self.pattern = "".join(map(_letter, letters))
        self.part = max(PLAIN.findall(letters), key=len, default="")

    def stands_in(self, field: str) -> Q:
        """Return what asks a field for it."""
        found = Q(**{f"{field}__iregex": self.pattern})
        return Q(**{f"{field}__icontains": self.part}) & found if self.part else found


def _letter(letter: str) -> str:
    if letter == " ":
        return r"\s+"
    if letter in APOSTROPHES:
        return f"[{APOSTROPHES}]"
    alike = _alike().get(_bare(letter))
    return f"[{alike}]" if alike else re.escape(letter)


def _bare(letter: str) -> str:
    """Return a letter without its accents, small."""
    return unicodedata.normalize("NFD", letter)[0].lower()


@cache
def _alike() -> dict[str, str]:
    """Map each plain letter to itself and all that are written with it, small and capital."""
    found: dict[str, str] = defaultdict(str)
    for letter in map(chr, LATIN):
        bare = _bare(letter)
        if bare.isascii() and bare.isalpha() and not PLAIN.match(bare):
            found[bare] = (found[bare] or bare + bare.upper()) + letter
    return dict(found)


def _places(campaign: Campaign, asked: list[Word]) -> Iterable[tuple[str, str, QuerySet[Any]]]:
    """Yield where to look: what it is called, the field with the words, the rows."""

    def has(field: str) -> Q:
        return reduce(operator.and_, (word.stands_in(field) for word in asked))

    of_chapter = {"chapter__campaign": campaign}
    for field in ("name", "description"):
        yield "character", field, campaign.characters.filter(has(field)).order_by("number")
    for field in ("title", "oracle_title", "when_and_where", "end_note", "told"):
        yield "chapter", field, campaign.chapters.filter(has(field)).order_by("number")
    for field in ("name", "description", "effects"):
        yield "strength", field, campaign.strengths.filter(has(field)).order_by("number")
    grown = Holding.objects.filter(has("note"), character__campaign=campaign)
    yield "grown", "note", grown.select_related("strength", "character").order_by("pk")
    for name, field in PLACES:
        model: Any = Chapter._meta.get_field(name).related_model
        rows = model._default_manager.filter(has(field), **of_chapter)
        yield name, field, _with_chapter(rows, field).order_by("chapter__number", "pk")
    # `says__gt` besides: it lets SQLite see that the index of what was said is the shorter way.
    said = Moment.objects.filter(has("says"), **of_chapter, says__gt="").exclude(says="")
    yield "said", "says", _with_chapter(said, "says").order_by("chapter__number", "number")


def _with_chapter(rows: QuerySet[Any], field: str) -> QuerySet[Any]:
    """Read only what is shown: a sequence's dice and a chapter's chronicle are long."""
    return rows.select_related("chapter").only(field, "chapter", "chapter__number")


def _found(kind: str, row: Any, field: str, asked: list[Word]) -> Found:
    chapter = row if isinstance(row, Chapter) else getattr(row, "chapter", None)
    person = row.character if isinstance(row, Holding) else row
    named = NAMED.get(kind)
    return Found(
        place=_place(field if field == "came_back_as" else kind, chapter),
        name=named(row) if named else "",
        text="" if field in ("name", "title") else _around(getattr(row, field), asked[0].pattern),
        character=person.number if isinstance(person, Character) else 0,
        chapter=chapter.number if chapter else 0,
    )


def _grown(held: Holding) -> str:
    return held.strength.name


NAMED: dict[str, Callable[[Any], str]] = {
    "character": label_of,
    "chapter": title_of,
    "strength": str,
    "grown": _grown,
}


def _around(text: str, pattern: str) -> str:
    """Return what stands around the first place where a word was found."""
    place = re.search(pattern, text, re.IGNORECASE)
    at = place.start() if place else 0
    first, last = max(0, at - AROUND), at + 2 * AROUND
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"


def _place(kind: str, chapter: Chapter | None) -> str:
    """Say what was found, and in which chapter."""
    where = _("chapter %(number)s") % {"number": chapter.number} if chapter else ""
    return where if kind == "chapter" else " · ".join(filter(None, (_kind(kind), where)))


def _kind(kind: str) -> str:
    return {
        "character": _("character"),
        "strength": _("strength"),
        "grown": _("strength"),
        "elements": _("element"),
        "cast_lines": _("character list"),
        "interests": _("best interest"),
        "scenes": _("scene"),
        "sequences": _("fight"),
        "parts": _("epilogue"),
        "came_back_as": _("coming back"),
        "said": _("said"),
    }[kind]
