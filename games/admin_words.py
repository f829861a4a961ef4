"""What the admin calls the fields of rows that tables keep: their names in the code are no words.

Nothing else shows them, so the models are not told. Where a field means something else in one kind
of row, that kind stands before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

Words = Mapping[str, Any]
"""A word for each field; it is put into the reader's language where it is shown."""

WORDS: Final[Words] = {
    # what many kinds of rows have
    "began_at": _("begun on"),
    "created_at": _("made on"),
    "ended_at": _("ended on"),
    "game": _("game"),
    "id": _("number of the row"),
    "is_over": _("has ended"),
    "kind": _("kind"),
    "language": _("language"),
    "name": _("name"),
    "number": _("number"),
    "preferences": _("settings"),
    "seat": _("seat"),
    "state": _("state"),
    "table": _("table"),
    # tables and their seats
    "code": _("code"),
    "door": _("door"),
    "door_closes_at": _("the code is good until"),
    "has_letters": _("letters instead of a hand"),
    "is_trial": _("to try alone"),
    "joined_at": _("came on"),
    "paused_at": _("paused since"),
    "place": _("place, clockwise"),
    "regular": _("temper of a regular"),
    "role": _("role"),
    "rules": _("rules that are played"),
    "standing": _("where they are"),
    # games
    "closes_ms": _("the shouting ends (ms since 1970)"),
    "first": _("who rolls first"),
    "locks": _("held back after a false start (ms since 1970)"),
    "moved_ms": _("last move (ms since 1970)"),
    "owed_ms": _("owe a finger since (ms since 1970)"),
    "scene": _("scene"),
    "Game.scene": _("scene began with line"),
    "scene_ms": _("scene began (ms since 1970)"),
    "setup": _("how it began"),
    "started_at": _("started on"),
    "status": _("how far it is"),
    "winners": _("who has won"),
    # who takes part, and by which rules of their own
    "Entrant.number": _("personal number"),
    "guild_key": _("guild name, to compare"),
    "guild_name": _("guild name"),
    "is_on": _("is in force"),
    "order": _("place in the row"),
    "rule": _("what it says"),
    # the log
    "Table.seq": _("lines in the log"),
    "action": _("what was asked for"),
    "at": _("when"),
    "can_undo": _("can be taken back"),
    "data": _("what it tells"),
    "is_real": _("with real dice"),
    "ledger": _("rows before and after"),
    "play": _("act in the log"),
    "seq": _("line in the log"),
    "tap": _("tap"),
    "timing": _("when a shout was pressed and came (ms)"),
    "to": _("only for"),
}
