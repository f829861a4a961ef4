"""Oracles of a table's own, as plain text and as YAML: read, with errors by line, and written.

Plain text is a title, perhaps a line beginning with #, and an entry a line; a line may begin
with its card ("A♠: ", "10H ", "dos de picas: ") or a number ("3. "). It
holds no hints, tags and cautions; YAML holds everything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
import yaml

from games.rules.wicked_age.cards import CARDS, drawn, read_cards
from games.rules.wicked_age.entries import Entry, Oracle
from games.rules.wicked_age.yaml_lines import Unreadable, read_lines
from games.rules.words import _, composed

FEWEST_ENTRIES: Final = 4
MOST_ENTRIES: Final = 400
LONGEST_ENTRY: Final = 400
LONGEST_TITLE: Final = 80
LONGEST_BLURB: Final = 300
LONGEST_HINT: Final = 120
MOST_HINTS: Final = 12
LONGEST_FILE: Final = 400_000
MOST_LINES: Final = 2 * MOST_ENTRIES
"""With words, in plain text: more are not even looked at."""
MOST_ERRORS: Final = 1000
"""Nobody reads more; the first ones are told."""

NO_TITLE: Final = _("the oracle has no title")
LONG_TITLE: Final = _("the title is too long")
LONG_BLURB: Final = _("the line about the oracle is too long")
LONG_ENTRY: Final = _("the entry is longer than %(what)s characters")
EMPTY_ENTRY: Final = _("the entry has no text")
UNPRINTABLE: Final = _("there is a character here that cannot be shown")
TWIN_ENTRY: Final = _("this entry stands in line %(what)s already")
TWIN_CARD: Final = _("the card %(what)s has an entry already")
NO_CARD: Final = _("“%(what)s” is not a card")
CARDLESS: Final = _("other entries have a card, and this one has none")
TOO_FEW: Final = _("an oracle has at least %(what)s entries")
TOO_MANY: Final = _("an oracle has at most %(what)s entries")
LATE_NOTE: Final = _("a line that begins with # stands above the entries")
LONG_FILE: Final = _("this is longer than any oracle")
LONG_HINTS: Final = _("these hints are too many or too long")

# A phone sets a mark of its own behind a suit, which makes a picture of it.
_CARD_SIGN: Final = re.compile(
    r"((?:10|[2-9AKQJT])(?:([HDCSPT])|[♥♦♣♠]\ufe0f?))(?=[\s:.)]|$)[:.)]?\s*"
)
_LETTERS: Final = {"en": frozenset("HDCS"), "es": frozenset("CDTP")}
"""By which letters suits go; in Spanish 10C is a heart, of corazones."""
_NUMBER: Final = re.compile(r"[0-9]{1,3}\s*[.:)](?=\s|$)\s*")
_LONGEST_CARD_NAME: Final = 30
_JOINERS: Final = "\u200c\u200d"


class LineError(msgspec.Struct, frozen=True):
    """What is wrong in a line, counted from 1: a sentence with a place for `what`."""

    line: int
    why: str
    what: str = ""


Errors = tuple[LineError, ...]


class _Line(msgspec.Struct, frozen=True):
    """An entry and the line it stands in."""

    line: int
    entry: Entry


def parse_text(text: str, language: str = "en") -> Oracle | Errors:
    """Read an oracle written as plain text (WA-5); return it, or all errors by line.

    Letters of suits are those of the `language`, unless the file has one that only another's are.
    """
    if len(text) > LONGEST_FILE:
        return (LineError(1, LONG_FILE),)
    title, blurb = "", ""
    lines: list[_Line] = []
    errors: list[LineError] = []
    written = list(islice(_lines_with_words(text), MOST_LINES + 1))
    if len(written) > MOST_LINES:
        errors.append(LineError(written.pop()[0], LONG_FILE))
    spoken = _spoken([line for _number, line in written], language)
    for number, line in written:
        if not title:
            title = line
            errors += _head_errors(number, line, "")
        elif line.startswith("#") and not lines:
            more = _plain(line.removeprefix("#"))
            if more and len(blurb) <= LONGEST_BLURB:  # or each line is as much work as all before
                blurb = _plain(f"{blurb} {more}")
                errors += _head_errors(number, "", blurb)
        elif line.startswith("#"):
            errors.append(LineError(number, LATE_NOTE))
        else:
            lines.append(_Line(number, _entry_of(line, spoken)))
    if not title:
        errors.append(LineError(1, NO_TITLE))
    errors += _entry_errors(lines)
    return _result(Oracle("", title, blurb, tuple(line.entry for line in lines)), errors)


def to_text(oracle: Oracle) -> str:
    """Write an oracle as plain text, every entry led by its number, or its card by its sign.

    Letters would be other suits where they are read in another language.
    """
    head = [oracle.title, *([f"# {oracle.blurb}"] if oracle.blurb else []), ""]
    rows = [
        f"{drawn(entry.card)}: {entry.text}" if entry.card else f"{number}. {entry.text}"
        for number, entry in enumerate(oracle.entries, 1)
    ]
    return "\n".join([*head, *rows, ""])


def holds_more_than_text(oracle: Oracle) -> bool:
    """Tell whether an oracle has hints, tags or cautions, which it would lose as plain text."""
    return any(entry.implied or entry.tags or entry.cautions for entry in oracle.entries)


def parse_yaml(text: str) -> Oracle | Errors:
    """Read an oracle written as YAML (WA-5); return it, or all errors by line."""
    if len(text) > LONGEST_FILE:
        return (LineError(1, LONG_FILE),)
    try:
        file = read_lines(text)
    except Unreadable as error:
        return (LineError(error.line, error.why, error.what),)
    errors = [LineError(fault.line, fault.why, fault.what) for fault in file.faults]
    title, blurb = _plain(file.head.get("title", "")), _plain(file.head.get("blurb", ""))
    errors += _head_errors(file.line_of("title"), title, blurb)
    if not title:
        errors.append(LineError(file.line_of("title"), NO_TITLE))
    # One too many says that there are too many.
    some = file.rows[: MOST_ENTRIES + 1]
    lines = [_Line(row.line, _entry_from(row.words, row.lists)) for row in some]
    errors += _entry_errors(lines)
    name = _plain(file.head.get("id", ""))
    return _result(Oracle(name, title, blurb, tuple(line.entry for line in lines)), errors)


def to_yaml(oracle: Oracle) -> str:
    """Write an oracle with all it holds as YAML."""
    head = {"id": oracle.id, "title": oracle.title, "blurb": oracle.blurb}
    content = {key: value for key, value in head.items() if value}
    rows = [_row_of(entry) for entry in oracle.entries]
    written = yaml.safe_dump(
        {**content, "entries": rows}, allow_unicode=True, sort_keys=False, width=1000
    )
    return str(written)


def _row_of(entry: Entry) -> dict[str, Any]:
    row = {
        "card": entry.card,
        "text": entry.text,
        "implied": list(entry.implied),
        "tags": list(entry.tags),
        "caution": list(entry.cautions),
    }
    return {key: value for key, value in row.items() if value}


def _result(oracle: Oracle, errors: list[LineError]) -> Oracle | Errors:
    by_line = sorted(errors, key=lambda error: error.line)
    return tuple(by_line[:MOST_ERRORS]) if errors else oracle


def _lines_with_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, each with its number, counted from 1."""
    for number, raw in enumerate(text.split("\n"), 1):
        if raw and (line := _plain(raw)):
            yield number, line


def _plain(text: str) -> str:
    """Put one space wherever there is any white space, and none at the ends.

    What nobody sees goes, as out of all that is typed: a copied page has spaces of no width in
    lines that look empty. Joiners stay, which Persian and Hindi need.
    """
    seen = "".join(c for c in composed(text) if unicodedata.category(c) != "Cf" or c in _JOINERS)
    return " ".join(seen.split()).strip(f"{_JOINERS} ")


def _spoken(lines: list[str], language: str) -> str:
    """Return in which language the letters of suits are meant."""
    found = (_CARD_SIGN.match(line) for line in lines)
    suits = {sign[2] for sign in found if sign and sign[2]}
    fitting = [spoken for spoken, letters in _LETTERS.items() if suits <= letters]
    return fitting[0] if len(fitting) == 1 else language


def _entry_of(line: str, language: str) -> Entry:
    """Take the card or the number off the beginning of a line.

    A card of two letters without a colon counts only in capitals: "As the river falls"
    is no ace of spades.
    """
    sign = _CARD_SIGN.match(line)
    if sign and (sign[2] is None or sign[2] in _LETTERS.get(language, _LETTERS["en"])):
        return Entry(line[sign.end() :], _card_named(sign[1], language))
    if number := _NUMBER.match(line):
        return Entry(line[number.end() :])
    name, colon, rest = line.partition(":")
    if colon and len(name) <= _LONGEST_CARD_NAME:
        read = read_cards(name, 1, language)
        if not read.errors:
            return Entry(rest.strip(), read.cards[0])
    return Entry(line)


def _card_named(written: str, language: str = "en") -> str:
    read = read_cards(written, 1, language)
    return written if read.errors else read.cards[0]


def _entry_from(words: dict[str, str], lists: dict[str, tuple[str, ...]]) -> Entry:
    return Entry(
        text=_plain(words.get("text", "")),
        card=_card_named(_plain(words.get("card", ""))),
        implied=tuple(map(_plain, lists.get("implied", ()))),
        tags=tuple(map(_plain, lists.get("tags", ()))),
        cautions=tuple(map(_plain, lists.get("caution", ()))),
    )


def _head_errors(line: int, title: str, blurb: str) -> list[LineError]:
    errors = []
    if len(title) > LONGEST_TITLE:
        errors.append(LineError(line, LONG_TITLE))
    if len(blurb) > LONGEST_BLURB:
        errors.append(LineError(line, LONG_BLURB))
    if not _is_shown(title + blurb):
        errors.append(LineError(line, UNPRINTABLE))
    return errors


def _entry_errors(lines: list[_Line]) -> list[LineError]:
    errors: list[LineError] = []
    texts: dict[str, int] = {}
    cards: set[str] = set()
    has_cards = any(line.entry.card for line in lines)
    for line in lines[:MOST_ENTRIES]:
        text, card = line.entry.text, line.entry.card
        found = [*_faults_of(line.entry)]
        if first := texts.get(text.casefold()):
            found.append((TWIN_ENTRY, str(first)))
        if card in cards:
            found.append((TWIN_CARD, card))
        if has_cards and not card:
            found.append((CARDLESS, ""))
        if text:
            texts.setdefault(text.casefold(), line.line)
        if card in CARDS:
            cards.add(card)
        errors += [LineError(line.line, why, what) for why, what in found]
    if len(lines) > MOST_ENTRIES:
        errors.append(LineError(lines[MOST_ENTRIES].line, TOO_MANY, str(MOST_ENTRIES)))
    if len(lines) < FEWEST_ENTRIES:
        last = lines[-1].line if lines else 1
        errors.append(LineError(last, TOO_FEW, str(FEWEST_ENTRIES)))
    return errors


def _faults_of(entry: Entry) -> list[tuple[str, str]]:
    found = []
    if not entry.text:
        found.append((EMPTY_ENTRY, ""))
    if len(entry.text) > LONGEST_ENTRY:
        found.append((LONG_ENTRY, str(LONGEST_ENTRY)))
    if entry.card and entry.card not in CARDS:
        found.append((NO_CARD, entry.card))
    lists = (entry.implied, entry.tags, entry.cautions)
    hints = [hint for each in lists for hint in each]
    if max(map(len, lists)) > MOST_HINTS or any(len(hint) > LONGEST_HINT for hint in hints):
        found.append((LONG_HINTS, ""))
    if not _is_shown(entry.text + "".join(hints)):
        found.append((UNPRINTABLE, ""))
    return found


def _is_shown(text: str) -> bool:
    """Tell whether a text has no control characters and no halves of characters."""
    return not any(unicodedata.category(c) in ("Cc", "Cs") for c in text)
