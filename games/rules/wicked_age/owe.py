"""The owe list: who rolled the smaller dice, and who comes back (WA-76 to 81, 85, 87, 105)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec


class Owed(msgspec.Struct, frozen=True):
    """One occurrence of a PC's name, not struck. `player` is None when nobody plays her now."""

    id: int
    name: str
    player: str | None


def smaller(dice: Iterable[int], others: Iterable[int]) -> bool:
    """Tell whether the first base dice are the smaller ones, by their sizes (WA-77).

    The largest are compared, and only if they are equal the next; a missing die is smallest.

    >>> smaller([10, 8], [12, 4]), smaller([10, 6], [6, 10])
    (True, False)
    """
    return _sizes(dice) < _sizes(others)


def top(
    entries: Sequence[Owed], present: Collection[str], declined: Collection[int] = ()
) -> Owed | None:
    """Find the occurrence that counts for the next chapter (WA-85, WA-87, WA-105).

    `entries` are those not struck, in the list's order; `present` the players who are here;
    `declined` the occurrences whose player does not want them now. Who is passed over stays on
    the list. Without an entry the chapter is set up as the first one.
    """
    return next((e for e in entries if e.player in present and e.id not in declined), None)


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
