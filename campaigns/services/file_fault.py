"""What is wrong with a campaign's file, and where: one sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from django.utils.translation import gettext as _

from games.complaints import complaint_of
from games.errors import Malformed
from games.rules.engine import IllegalAction
from games.rules.records import RecordError
from games.rules.words import Reason
from games.text import set_apart

FIELD = "file"
LONGEST = 60
UNREADABLE = (msgspec.ValidationError, ValueError, KeyError, RecordError, IllegalAction)
"""What code raises that reads what nobody has written."""


class Wrong(Exception):
    """Something in a file that cannot be.

    `why` is a rule's reason, untranslated as rules have it, with a place for
    `what`; without one the file is damaged. `way` leads to it, the outermost first.
    """

    def __init__(self, why: str = "", what: str = "") -> None:
        super().__init__(why, what)
        self.why = why
        self.what = what
        self.way: list[tuple[str, str]] = []

    def refusal(self) -> Malformed:
        """Return the refusal of the whole file, in words."""
        where = ", ".join(_(text) % {"what": short(what)} for text, what in self.way)
        if not self.why:
            return damaged(where)
        text = _("That file says what the rules do not allow (%(where)s): %(why)s.")
        why = _(self.why) % {"what": short(self.what)} if self.what else _(self.why)
        return Malformed(text % {"where": where or _("the campaign"), "why": why}, field=FIELD)


def damaged(where: str = "") -> Malformed:
    """Return the refusal of a file that cannot be what was written once."""
    if not where:
        text = _("That file is damaged: something in it is missing or was changed by hand.")
        return Malformed(text, field=FIELD)
    text = _("That file is damaged (%(where)s): something is missing or was changed by hand.")
    return Malformed(text % {"where": where}, field=FIELD)


def misshapen(error: msgspec.ValidationError) -> Malformed:
    """Return the refusal of a file in which a field is missing, too many or of another type."""
    _what, way, field = complaint_of(error)
    where = f"{way}.{short(field)}" if field else way
    return damaged(f"`${where}`" if where else "")


def insist(is_so: bool, why: str = "", what: str = "") -> None:
    """Raise Wrong unless something is so."""
    if not is_so:
        raise Wrong(why, what)


def hold(fault: Reason | None) -> None:
    """Raise Wrong with the rules' own reason, where they have one."""
    if fault is not None:
        raise Wrong(fault.why)


@contextmanager
def at(text: str, what: object = "") -> Iterator[None]:
    """Say of whatever is wrong in this block where it is; `text` has a place for `what`."""
    try:
        yield
    except Wrong as wrong:
        wrong.way.insert(0, (text, str(what)))
        raise
    except UNREADABLE as error:
        unread = Wrong()
        unread.way.append((text, str(what)))
        raise unread from error


def short(what: str) -> str:
    """Return as much of what stands in a file as goes into a sentence."""
    return set_apart(what if len(what) <= LONGEST else f"{what[:LONGEST]}…")
