"""A pasted text with several old-school stat lines in it, cut into one for each monster.

Where a monster ends is nowhere marked: the next one begins where an armor class or hit dice are
told a second time, with the lines of its name that stand before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from games.rules.knave.convert import Converted, Edition, StatLineError, read_stat_line
from games.rules.knave.statline import cut, head_count

_ONCE: Final = frozenset({"ac", "ascending", "hd"})
_NAME_LETTERS: Final = 60
_AHEAD: Final = re.compile(
    r"(?<![\w.,+-])([0-9]{1,3}(?:[+-][0-9]{1,2})?) ?"
    r"(HD|hit dice|DG|dados? de golpe|hp|hit points?|PG|puntos? de golpe)\b(?! ?[:=]? ?[0-9])",
    re.I,
)
_EACH: Final = re.compile(
    r"[ :=.(]*([0-9]{1,3}(?: ?, ?[0-9]{1,3}(?![0-9d]| ?(?:armou?r|armadura|attack|ataque)))+)", re.I
)
_ONE: Final = re.compile(r"[ :=.(]*([0-9]{1,3})(?![0-9d])")


class Pasted(NamedTuple):
    """One monster of a pasted text.

    `how_many` it says there are, or None, and the hit points of each where it tells them one by
    one.
    """

    read: Converted
    how_many: int | None
    each_hp: tuple[int, ...]


def read_stat_lines(text: str, *, edition: Edition = "bx") -> tuple[Pasted, ...]:
    """Convert every monster that a pasted text tells of, in the order in which they stand.

    Raises StatLineError as `read_stat_line` does, with the name of the monster it is about where
    there are several: of a text that cannot be read whole nothing is taken.
    """
    parts = parted(text)
    if len(parts) < 2:
        return (_pasted(text, edition),)
    found = []
    for part in parts:
        try:
            found.append(_pasted(part, edition))
        except StatLineError as error:
            raise StatLineError(error.why, about=cut(part).name) from error
    return tuple(found)


def parted(text: str) -> tuple[str, ...]:
    """Cut a text where a monster's figures begin anew.

    >>> parted("Rat: AC 7, HD 1\\nOgre: AC 5, HD 4")
    ('Rat: AC 7, HD 1', 'Ogre: AC 5, HD 4')
    """
    parts: list[list[str]] = [[]]
    told: set[str] = set()
    for line in _lines(text):
        fields = _ONCE & cut(line).values.keys()
        if fields & told:
            parts.append(_name_lines(parts[-1]))
            told = set()
        told |= fields
        parts[-1].append(line)
    return _with_figures(part for lines in parts if (part := "\n".join(lines).strip()))


def _with_figures(parts: Iterable[str]) -> tuple[str, ...]:
    """Give back what has no hit dice and no hit points: it was said of the monster before it."""
    found: list[str] = []
    for part in parts:
        if found and not ({"hd", "hp"} & cut(part).values.keys() or _AHEAD.search(part)):
            found[-1] = f"{found[-1]}\n{part}"
        else:
            found.append(part)
    return tuple(found)


def _lines(text: str) -> list[str]:
    """Split a text at its line ends, and at a semicolon behind which another monster is named."""
    found = []
    for line in text.replace("\r", "\n").split("\n"):
        pieces = line.split(";")
        whole = pieces[0]
        for piece in pieces[1:]:
            read = cut(piece)
            if read.name and _ONCE & read.values.keys():
                found.append(whole)
                whole = piece
            else:
                whole = f"{whole};{piece}"
        found.append(whole)
    return found


def _name_lines(before: list[str]) -> list[str]:
    """Take from the end of a monster's lines what names the next one: one short line at most.

    Blank lines between them go along; prose stays with whom it is about.
    """
    place = len(before) - 1
    while place >= 0 and not before[place].strip():
        place -= 1
    line = before[place].strip() if place > 0 else ""
    is_name = line and len(line) <= _NAME_LETTERS and line[-1] not in ".!?" and not cut(line).values
    if not is_name:
        return []
    taken = before[place:]
    del before[place:]
    return taken


def _pasted(text: str, edition: Edition) -> Pasted:
    try:
        read = read_stat_line(text, edition=edition)
    except StatLineError:
        # "1 HD, 5 hp": the figure stands before its label. Tried last, because prose counts so too.
        turned = _AHEAD.sub(r"\2 \1", text)
        if turned == text:
            raise
        text = turned
        read = read_stat_line(text, edition=edition)
    count = head_count(text)
    each = _each_hp(cut(text).of("hp"), count)
    return Pasted(read, count or len(each) or None, each)


def _each_hp(values: tuple[str, ...], count: int | None) -> tuple[int, ...]:
    """Read hit points told one by one: "hp 5, 3, 7", or a label for each of so many."""
    for listed in filter(None, map(_EACH.match, values)):
        return tuple(max(1, int(hp)) for hp in listed[1].split(","))
    single = [found for found in map(_ONE.match, values) if found]
    if len(single) != count or len(single) < 2:
        return ()
    return tuple(max(1, int(found[1])) for found in single)
