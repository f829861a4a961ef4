"""What Knave's actions have in common: the bounds of their fields, and their own kind."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.actions import HIGHEST_KEY, RowKey, TableAction, tidied
from games.rules.engine import CHOSEN

Letters = Literal["str", "dex", "con", "int", "wis", "cha"]
Edge = Literal["", "advantage", "disadvantage"]
Count = Annotated[int, Meta(ge=1, le=9999)]
Coins = Annotated[int, Meta(ge=0, le=999_999)]
Modifier = Annotated[int, Meta(ge=-20, le=20)]
Amount = Annotated[int, Meta(ge=1, le=999)]
MOST_XP = 1_000_000
"""The most experience that a sheet may show."""
Xp = Annotated[int, Meta(ge=0, le=MOST_XP)]
NewestOr = Annotated[int, Meta(ge=0, le=HIGHEST_KEY)]
"""An encounter's key; 0 is the newest one."""
Words = Annotated[str, Meta(max_length=400)]
ChosenText = Annotated[str, Meta(min_length=1, max_length=40), CHOSEN]
Name = Annotated[str, tidied(60)]
KeyWord = Annotated[str, Meta(max_length=60), CHOSEN]
"""Of an article in the book, of a combatant or a trait."""
Some = Annotated[tuple[RowKey, ...], Meta(max_length=60)]
"""Characters; none named means every living knave of the party."""


class KnaveAction(TableAction, frozen=True, tag=True):
    """An action on a sheet, or on what the party shares."""
