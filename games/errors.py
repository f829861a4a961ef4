"""Why something was not done, in words for the person who tried.

Raised inside services with a text already in the active language; views turn
them into a notice with the status, never into a 500.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _


class Refused(Exception):
    """Not done, and nothing changed. `status` is the HTTP answer; `field` the input to mend.

    Where waiting helps, it may be tried again after `retry_after` seconds; else that is 0.
    """

    status = 409
    retry_after = 0

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class MovedOn(Refused):
    """The table is no longer what the sender saw."""


class Malformed(Refused):
    """The input itself is wrong: too long, out of range, not a choice."""

    status = 422


class AskFirst(Refused):
    """More would go back than one move: `event` is the undo to confirm.

    `also` are events of the others, the newest first; `is_all` when no other is left out.
    """

    def __init__(
        self, message: str, event: int, also: tuple[Any, ...] = (), *, is_all: bool = True
    ) -> None:
        super().__init__(message)
        self.event, self.also, self.is_all = event, also, is_all


class NotFound(Refused):
    """No such table or seat, or not for this device: one answer for both, so nothing is learnt."""

    status = 404


class Stranger(NotFound):
    """The device has no seat at this table, or not this one; it may sit down there."""


class Forbidden(Refused):
    """The seat is the sender's, but its role may not do this."""

    status = 403


class TooMany(Refused):
    """Tried too often."""

    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class HouseInTrouble(Refused):
    """The house cannot read or write just now (disk full, database gone).

    Nothing was changed; the same tap may be sent again after `retry_after` seconds.
    """

    status = 503
    retry_after = 2


def stranger() -> Stranger:
    """Return the refusal of a seat that is not this device's, in one text for whatever is asked."""
    return Stranger(_("That seat is not on this phone."))


def host_only() -> Forbidden:
    """Return the refusal of what no other seat than the host's may do."""
    return Forbidden(_("Only the host may do that."))


def too_late() -> MovedOn:
    """Return the refusal of what the table has left behind meanwhile."""
    return MovedOn(_("Too late: the table has moved on. Look again."))


def paused() -> MovedOn:
    """Return the refusal of what a pause stops, and of a second pause in it."""
    return MovedOn(_("The table is paused. The host can go on."))


def trouble(*, writes: bool, is_kept: bool) -> HouseInTrouble:
    """Return the refusal for a house in trouble; with `is_kept` the phone tries again itself."""
    if not writes:
        text = _("The house cannot look anything up just now. Nothing is lost: wait a moment.")
    elif is_kept:
        text = _(
            "The house cannot write anything down just now. Nothing of yours is lost: this phone "
            "sends it again by itself."
        )
    else:
        text = _(
            "The house cannot write anything down just now. Nothing of yours is lost: try again in "
            "a moment."
        )
    return HouseInTrouble(text)
