"""How a table plays: one typed value, kept as JSON in the table's row."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from django.utils.translation import gettext as _

from games.errors import Malformed
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

Settings = TypeVar("Settings", bound=msgspec.Struct)


def with_setting(kept: Settings, setting: str, value: str) -> Settings:
    """Return settings with one of them changed to what a form's text means ("1" is yes as well).

    Raises Malformed, at the field `value`, for a text that is none of the choices.
    """
    asked = {**msgspec.to_builtins(kept), setting: value}
    try:
        return msgspec.convert(asked, type(kept), strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(_("That is not one of the choices."), field="value") from error
