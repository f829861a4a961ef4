"""Forms that two people may have open at once: neither overwrites what the other has written since.

A form says what it was filled in with. A field that its sender did not touch keeps the present
value; where both have changed it, whoever comes second is told.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.errors import MovedOn
from games.text import mark_of

# How many letters of the other's text are shown to whoever would overwrite it.
TOLD = 200


def written(field: str, new: str, now: str, *, was: str) -> str:
    """Return what a text becomes by a form; `was` is the mark of the text that the form was given.

    Raises MovedOn where both have written something else. A form without a mark always writes.
    """
    if mark_of(new) == was:
        return now
    if was and mark_of(now) != was and new != now:
        text = _(
            "Somebody else has written here meanwhile: “%(text)s”. Open the page again to write"
            " over it: what you have typed is kept."
        )
        told = now.rstrip(".") if len(now) <= TOLD else f"{now[:TOLD]}…"
        raise MovedOn(text % {"text": told}, field=field)
    return new


def counted(field: str, new: int, now: int, *, was: int | None) -> int:
    """Return what a number becomes by a form that was given `was`; as `written` does for texts.

    Raises MovedOn where it has become another since. A form that does not say always writes.
    """
    if new == was:
        return now
    if was is not None and now not in (was, new):
        text = _("This is %(count)s now. Open the page again to write over it.")
        raise MovedOn(text % {"count": now}, field=field)
    return new
