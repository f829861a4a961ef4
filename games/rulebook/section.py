"""What a rule book is made of: sections of paragraphs, each with the rulings that belong to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """One heading's worth of rules, worded in the active language.

    `rulings` settle what the game's own page leaves open, or says in two ways.
    """

    id: str
    title: str
    paragraphs: tuple[str, ...]
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figures:
    """A table of the rule book: a head, rows that begin with what they are about, a remark."""

    id: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remark: str = ""


@dataclass(frozen=True)
class RuleBook:
    """A game's whole rules page; `credit` says whose game it is."""

    sections: tuple[Section, ...]
    figures: tuple[Figures, ...] = ()
    credit: str = ""
