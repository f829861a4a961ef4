"""The one choice of who comes back, and what was on the sheet before it (WA-98)."""

from __future__ import annotations

from typing import Any

from campaigns.models import Part
from games.services.change import Change
from games.services.ledger import keep

CHOICE = "choice"


def choose(change: Change, part: Part, what: str, **was: Any) -> None:
    """Note the choice in the part, with what is needed to take it back.

    It stands in `before` until she is played, which writes that anew.
    """
    part.come_back = what
    part.before = {**part.before, CHOICE: was}
    keep(change, part)


def was_before(part: Part) -> dict[str, Any]:
    """Return what `choose` noted."""
    noted: dict[str, Any] = part.before.get(CHOICE, {})
    return noted


def forget(change: Change, part: Part) -> None:
    """Let her choose again."""
    part.come_back = Part.ComeBack.NONE
    part.before = {**part.before, CHOICE: {}}
    keep(change, part)
