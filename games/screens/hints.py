"""First use teaches by playing: at a trial table each new thing explains itself once, in a line."""

from __future__ import annotations

from collections.abc import Callable

from games.said import gettext as _
from games.snapshot import Snapshot

HINTS: dict[str, Callable[[], str]] = {
    "Grave": lambda: _("A 1 is GRAVE: whoever rolls it is out, however many fingers are left."),
    "Stave": lambda: _("A 20 is STAVE: everybody else loses a finger, and its roller opens again."),
    "Unison": lambda: _("Shouts in one breath: whoever rolled the number says which counts."),
    "Bounced": lambda: _("The same number again bounces: the die goes back, under the same call."),
    "NeedsName": lambda: _("After three knocks the roller sends whom they like, and says how."),
    "TookControl": lambda: _("A personal number fell: its owner says who rolls next, and how."),
    "Succeeded": lambda: _("Safe! The new number stands, and everybody else may shout at it."),
    "Failed": lambda: _("A failure costs a finger and ends the round. The same player opens anew."),
    "Challenged": lambda: _("The first to shout must roll. Until then the roller may overrule."),
    "ShoutingOpened": lambda: _(
        "BRAVE: I roll higher. KNAVE: I roll lower. Press first and the roll is yours."
    ),
    "bout_started": lambda: _("Five fingers each. Whoever has the die rolls; the last hand wins."),
}


def hint_of(now: Snapshot) -> str:
    """Return the line for what the last move showed for the first time, or nothing."""
    if not now.table.is_trial or now.game is None:
        return ""
    kinds = {e.kind for e in now.latest} - now.seen
    return next((text() for kind, text in HINTS.items() if kind in kinds), "")
