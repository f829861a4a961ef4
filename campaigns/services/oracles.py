"""Oracles as a table has them: those that come with the program, and its own, as one list."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import NAME, OwnOracle
from campaigns.models.campaign import LINE
from campaigns.words import card_name
from games.errors import Malformed, NotFound
from games.models import Table
from games.rules.wicked_age.cards import CARDS
from games.rules.wicked_age.oracles import (
    Entry,
    LineError,
    Oracle,
    parse_text,
    parse_yaml,
    shipped,
    to_yaml,
)
from games.text import in_order, mark_of

OWN = "own-"
"""What the id of a table's own oracle begins with; its row's key follows."""

MOST_ERRORS = 12
MOST_DIGITS = 18


def all_oracles(table: Table, language: str) -> tuple[Oracle, ...]:
    """Return the oracles that can be chosen: the shipped ones, then the table's own (WA-5)."""
    own = sorted((value_of(row) for row in table.oracles.all()), key=lambda o: in_order(o.title))
    return (*shipped(language), *own)


def oracle_of(table: Table, name: str, language: str = "") -> Oracle:
    """Return an oracle by its id. Raises NotFound for one that this table does not have."""
    if name.startswith(OWN):
        key = name.removeprefix(OWN)
        row = table.oracles.filter(pk=int(key)).first() if is_key(key) else None
        found = value_of(row) if row else None
    else:
        known = shipped(language or table.language)
        found = next((oracle for oracle in known if oracle.id == name), None)
    if found is None:
        raise NotFound(_("This table has no such oracle."))
    return found


def is_key(text: str) -> bool:
    """Tell whether a text can be a row's key: a longer number no database would even compare."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def value_of(row: OwnOracle) -> Oracle:
    """Return a table's own oracle as the rules know it."""
    entries = msgspec.convert(row.entries, tuple[Entry, ...])
    return Oracle(f"{OWN}{row.pk}", row.title, row.blurb, entries)


def mark_of_oracle(oracle: Oracle) -> str:
    """Return the mark by which an editor says what it was given, in whichever form it shows it."""
    return mark_of(to_yaml(oracle))


def parse(text: str, written_as: str, language: str) -> Oracle | tuple[LineError, ...]:
    """Read an oracle that somebody wrote in a language; return it, or all errors by line."""
    return parse_yaml(text) if written_as == "yaml" else parse_text(text, language)


def read_oracle(text: str, written_as: str, language: str) -> Oracle:
    """Read an oracle that somebody wrote in a language.

    Raises Malformed with what is wrong, line by line.
    """
    read = parse(text, written_as, language)
    if not isinstance(read, Oracle):
        raise Malformed(" ".join(errors_in_words(read)), field="text")
    if len(read.title) > NAME or len(read.blurb) > LINE:
        longest = _("A title has at most %(title)s letters, and the line below it %(blurb)s.")
        raise Malformed(longest % {"title": NAME, "blurb": LINE}, field="text")
    return read


def _what(what: str) -> str:
    """Return what an error speaks of; a card by its sign, whose letter differs by language."""
    return card_name(what) if what in CARDS else what


def errors_in_words(errors: Iterable[LineError]) -> list[str]:
    """Say what is wrong in which line; past a dozen, how many lines more."""
    found = list(errors)
    said = [
        _("Line %(line)s: %(why)s.")
        % {"line": one.line, "why": _(one.why) % {"what": _what(one.what)}}
        for one in found[:MOST_ERRORS]
    ]
    if len(found) > MOST_ERRORS:
        more = len(found) - MOST_ERRORS
        said.append(ngettext("And %(count)s more.", "And %(count)s more.", more) % {"count": more})
    return said
