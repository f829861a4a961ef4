"""Best interests: what is refused, what is warned of, and when there are enough (WA-30 to 35)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from games.rules.words import Reason, _

Kind = Literal["pc", "npc"]
Warning = Literal["a", "b", "c", "d"]
"""The letters of WA-34; what they say is the screen's."""

CAP: Final = 3
"""Nobody has more interests than this (WA-31, WA-32)."""

NEEDED: Final[Mapping[Kind, int]] = {"pc": 2, "npc": 1}


class Interest(msgspec.Struct, frozen=True):
    """Whose it is, whom it names, and its number among its owner's, from 1 (WA-35)."""

    owner: str
    owner_kind: Kind
    targets: tuple[tuple[str, Kind], ...]
    number: int


class Lack(msgspec.Struct, frozen=True):
    """Who still needs how many interests before the chapter can start (WA-32)."""

    id: str
    kind: Kind
    missing: int


def fault_of(text: str, number: int) -> Reason | None:
    """Return why this cannot be somebody's interest with that number, or None (WA-32, WA-35)."""
    if not text.strip():
        return Reason(_("an interest says what is wanted"), "WA-35")
    if number > CAP:
        return Reason(_("nobody has more than three best interests"), "WA-32")
    return None


def warnings(interest: Interest, *, is_first_npcs: bool = False) -> tuple[Warning, ...]:
    """Return what the book would say against an interest; it is never refused for it (WA-34).

    `is_first_npcs` marks the interests of the NPC with whom the GM starts (WA-30).
    """
    others = [(name, kind) for name, kind in interest.targets if name != interest.owner]
    is_npcs = interest.owner_kind == "npc"
    found: dict[Warning, bool] = {
        "a": is_npcs and any(kind == "npc" for _name, kind in others),
        "b": is_npcs and is_first_npcs and all(kind != "pc" for _name, kind in others),
        "c": not is_npcs and not others,
        "d": not is_npcs and interest.number >= CAP,
    }
    return tuple(letter for letter, is_so in found.items() if is_so)


def gate(pcs: Mapping[str, int], npcs: Mapping[str, int]) -> tuple[Lack, ...]:
    """Return who still lacks interests, given how many each has; nobody: play (WA-31, WA-32)."""
    counts: tuple[tuple[Kind, Mapping[str, int]], ...] = (("pc", pcs), ("npc", npcs))
    return tuple(
        Lack(name, kind, NEEDED[kind] - count)
        for kind, of_kind in counts
        for name, count in of_kind.items()
        if count < NEEDED[kind]
    )
