"""Why something was not done, in words for the person who tried.

Raised inside services with a text already in the active language; views turn
them into a notice with the status, never into a 500.
"""

from __future__ import annotations


class Refused(Exception):
    """Not done, and nothing changed. `status` is the HTTP answer; `field` the input to mend."""

    status = 409

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
    """More would go back than one move: `event` is the undo to confirm."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


class NotFound(Refused):
    """No such table or seat, or not for this device: one answer for both, so nothing is learnt."""

    status = 404


class Forbidden(Refused):
    """The seat is the sender's, but its role may not do this."""

    status = 403


class TooMany(Refused):
    """Tried too often; `retry_after` is in seconds."""

    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
