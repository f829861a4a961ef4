"""How a table plays: one typed value, kept as JSON in the table's row."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.rules.brave_or_knave.model import UNISON_MS
from games.rules.engine import learn


class TableSettings(msgspec.Struct, frozen=True, cache_hash=True):
    """What a host may set. Times are milliseconds.

    `dice`: whose dice are rolled: the server's, real ones typed in, or either.
    `shouting`: on the phones, or by mouth with somebody tapping who was first (BK-8).
    `knock_pace_ms`: 0 when the roller knocks by hand, else the program's pace (BK-11).
    `unison_ms`: shouts this close to the first are one breath (BK-9).
    """

    dice: Literal["either", "server", "real"] = "either"
    shouting: Literal["phones", "mouth"] = "phones"
    knock_pace_ms: Literal[0, 1000, 1500, 2500] = 0
    unison_ms: Annotated[int, msgspec.Meta(ge=0, le=500)] = UNISON_MS
    shows_odds: bool = False
    has_shroud: bool = False
    has_nine_sisters: bool = False


learn(TableSettings)
