"""What a table's settings allow of a bout's moves: who shouts how, and whose dice fall.

One answer for three askers: the deed that refuses, the screen that offers, and the API.
"""

from __future__ import annotations

from games.rules import brave_or_knave as bk
from games.settings import TableSettings


def shouts_aloud(how: TableSettings) -> bool:
    """Tell whether people shout by mouth, and somebody taps who was first (BK-8)."""
    return how.shouting == "mouth"


def app_may_roll(how: TableSettings, bout: bk.State | bk.View) -> bool:
    """Tell whether the app may roll the die that is due, for a person."""
    return how.dice != "real" and not is_real_one_under_hand(how, bout)


def face_may_be_typed(how: TableSettings, bout: bk.State | bk.View) -> bool:
    """Tell whether a person may type what the die that is due shows."""
    return how.dice != "server" and not nobody_reads(bout)


def is_real_one_under_hand(how: TableSettings, bout: bk.State | bk.View) -> bool:
    """Tell whether a real die lies cupped, so that whoever lifts the hand reads it (BK-23)."""
    return bout.cupped and how.dice != "server"


def nobody_reads(bout: bk.State | bk.View) -> bool:
    """Tell whether the die falls under a Shroud that nobody has called blind yet (BK-23)."""
    return bout.caller is not None and bout.standing is None and bout.blind_call is None
