"""Forms that two may have open at once: what one has written since is not lost to the other.

A form says what it was filled in with. What nobody has touched in it stays as it is by now, and
where both have written something else whoever comes second is told.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.errors import MovedOn
from games.text import mark_of

# So much of what another has written is told to whoever would write over it.
TOLD = 200


def written(field: str, new: str, now: str, *, was: str) -> str:
    """Return what a text holds after a form; `was` is the mark of the one it was given.

    Raises MovedOn where both have written other words. A form that has no mark writes.
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
    """Return what a number is after a form that was given another one, as with `written`."""
    if new == was:
        return now
    if was is not None and now not in (was, new):
        text = _("This is %(count)s by now. Open the page again to write over it.")
        raise MovedOn(text % {"count": now}, field=field)
    return new
