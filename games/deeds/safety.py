"""The table's content lines, and the stop. Nothing that is kept tells who has asked for them.

See `docs/decisions/0014-anonymous-stop.md` for what that promise means.
"""

from __future__ import annotations

import secrets

from django.utils.translation import gettext as _

from games import actions
from games.deeds.table import pause
from games.errors import Malformed, MovedOn, Refused
from games.models import ContentLine
from games.models.safety import LONGEST_LINE
from games.services.act import Actor, Tap, act, deed
from games.services.change import Change
from games.services.ledger import drop, keep
from games.text import clean_name, folded

MOST_LINES = 60


def stop(table_id: int) -> None:
    """Pause a table for somebody, as the house. A table that is paused stays as it is."""
    try:
        act(table_id, Actor(None, is_house=True), actions.Stop(), Tap(secrets.token_hex(12)))
    except Refused:
        return


@deed(actions.Stop, may="house")
def stop_play(change: Change, action: actions.Stop, tap: Tap) -> None:
    """Pause exactly as the host's button does: everybody is shown and told the same."""
    pause(change, actions.Pause(), tap)


@deed(actions.AddContentLine, may="seat")
def add_content_line(change: Change, action: actions.AddContentLine, tap: Tap) -> None:
    """Put a topic on the table's list. The same words again are the same line.

    When two people ask for the same in different ways, what asks for more
    stands. The log does not have the words: they belong on the list only.
    """
    unsign(change)
    text = _words(action.text)
    lines = list(change.table.content_lines.all())
    line = next((x for x in lines if folded(x.text) == folded(text)), None)
    if line is None:
        if len(lines) >= MOST_LINES:
            raise MovedOn(_("The list is full. Ask the host to take something off it."))
        keep(change, ContentLine(table=change.table, text=text, kind=action.kind))
    elif action.kind == ContentLine.Kind.LINE.value and line.kind != action.kind:
        line.kind = action.kind
        keep(change, line)
    else:
        return
    change.log("content_line_added")


@deed(actions.DropContentLine)
def drop_content_line(change: Change, action: actions.DropContentLine, tap: Tap) -> None:
    """Take a topic off the list, when the table has agreed to it."""
    line = next((x for x in change.table.content_lines.all() if x.mark == action.line), None)
    if line is None:
        raise MovedOn(_("That is not on the table's list."))
    drop(change, line)
    change.log("content_line_dropped")


def unsign(change: Change) -> None:
    """Keep nothing with this play that leads to a phone: neither its seat nor its tap."""
    change.seat = change.play.seat = None
    change.play.tap = f"unsigned-{secrets.token_hex(12)}"


def _words(text: str) -> str:
    try:
        return clean_name(text, field="text", longest=LONGEST_LINE)
    except Malformed as refusal:
        message = _("Write what it is about, in at most %(count)s letters.")
        raise Malformed(message % {"count": LONGEST_LINE}, field="text") from refusal
