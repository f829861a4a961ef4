"""The host's log in shelves of so many numbers: a new line is pushed with its own shelf alone.

Old lines leave the log by whole shelves too; otherwise the oldest shelf would change with each
event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from games.models import Event
from games.screens.cards import Card, LogLine

WIDTH = 12


class Shelf(Card, frozen=True):
    """The lines from one number of the log on, the newest first."""

    first: int
    lines: tuple[LogLine, ...]


def shelves_of(
    lines: Sequence[LogLine], events: Sequence[Event], before: Iterable[Shelf]
) -> tuple[Shelf, ...]:
    """Return a log by its shelves, the newest first; `events` are those that its lines tell.

    Shelves of `before` that have not changed stay the same objects, so that their HTML is found
    again quickly.
    """
    known = {shelf.first: shelf for shelf in before}
    found = []
    for number, those in groupby(reversed(lines), key=lambda line: line.seq // WIDTH):
        made = Shelf(number * WIDTH, tuple(those))
        was = known.get(made.first)
        found.append(was if was == made else made)
    is_cut = len(found) > 1 and events[0].seq > max(1, found[-1].first)
    return tuple(found[:-1] if is_cut else found)
