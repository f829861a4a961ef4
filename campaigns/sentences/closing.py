"""A chapter's end in words, and what is written about it."""

from __future__ import annotations

from campaigns.sentences.campaign import plain
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def _ended(d: Data, n: Names) -> str:
    if d["title"]:
        return _("Chapter %(number)s ends: “%(title)s”.") % d
    return _("Chapter %(number)s ends.") % d


TELLINGS: dict[str, Telling] = {
    "end_proposed": plain(
        lambda: _("The GM proposes that chapter %(number)s ends. What has come of everybody?")
    ),
    "chapter_ended": _ended,
    "epilogue_written": plain(lambda: _("An epilogue is written for %(name)s.")),
    "epilogue_removed": plain(lambda: _("The epilogue for %(name)s is struck out.")),
    "end_note_written": plain(lambda: _("How chapter %(number)s ended is written down.")),
    "chronicle_written": plain(lambda: _("The chronicle of chapter %(number)s is rewritten.")),
    "chronicle_set_back": plain(
        lambda: _("The chronicle of chapter %(number)s tells again what happened.")
    ),
}
