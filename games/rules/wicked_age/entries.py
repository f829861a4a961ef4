"""What an oracle is: a title and entries, some with cards and hints (WA-5, WA-7)."""

from __future__ import annotations

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """An element to be: its text, its card if it has one, and hints of who is in it."""

    text: str
    card: str = ""
    implied: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


class Oracle(msgspec.Struct, frozen=True):
    """A table of entries. `id` is empty for one that has not been kept yet."""

    id: str
    title: str
    blurb: str
    entries: tuple[Entry, ...]
