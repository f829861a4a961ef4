"""The owe list: who rolled the smaller dice, and who comes back (WA-76 to 81, 85, 87, 105)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

WhySkipped = Literal["left", "absent", "declined"]


class Owed(msgspec.Struct, frozen=True):
    """One occurrence of a PC's name, not struck. `player` is None when nobody plays her now."""

    id: int
    name: str
    player: str | None


class Top(msgspec.Struct, frozen=True):
    """Whose chapter it is, if anybody's, and who was passed over and stays on the list."""

    entry: Owed | None
    skipped: tuple[tuple[Owed, WhySkipped], ...]


def smaller(dice: Iterable[int], others: Iterable[int]) -> bool:
    """Tell whether the first base dice are the smaller ones, by their sizes (WA-77).

    The largest are compared, and only if they are equal the next; a missing die is smallest.

    >>> smaller([10, 8], [12, 4]), smaller([10, 6], [6, 10])
    (True, False)
    """
    return _sizes(dice) < _sizes(others)


def top(entries: Sequence[Owed], present: Collection[str], declined: Collection[int] = ()) -> Top:
    """Find the occurrence that counts for the next chapter (WA-85, WA-87, WA-105).

    `entries` are those not struck, in the list's order; `present` the players who are here;
    `declined` the occurrences whose player does not want them now. Without an entry the
    chapter is set up as the first one.
    """
    skipped: list[tuple[Owed, WhySkipped]] = []
    for entry in entries:
        if entry.player is None:
            skipped.append((entry, "left"))
        elif entry.player not in present:
            skipped.append((entry, "absent"))
        elif entry.id in declined:
            skipped.append((entry, "declined"))
        else:
            return Top(entry, tuple(skipped))
    return Top(None, tuple(skipped))


def may_bring_back(entries: Sequence[Owed], player: str) -> tuple[Owed, ...]:
    """Return the occurrences of which a player may strike one to bring her PC in (WA-88).

    `entries` are those not struck. The first of each PC only, because it is the first that is
    struck.
    """
    own: dict[str, Owed] = {}
    for entry in entries:
        if entry.player == player:
            own.setdefault(entry.name, entry)
    return tuple(own.values())


def _sizes(dice: Iterable[int]) -> list[int]:
    return sorted((die for die in dice if die), reverse=True)
