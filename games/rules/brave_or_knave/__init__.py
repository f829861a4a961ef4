"""Brave or Knave: a bar game for one twenty-sided die and a handful of fingers.

After the rules its publisher printed in 2025, with their local variations.
Comments cite them by number (BK-1 to BK-25), as the rules page does. Where they
are silent, our rulings are written where they act; those of our own making:

- Leaving puts a player out at once. If the round needed them (the roller, the
  challenger, whoever names or deals, the caller of a Shroud that lies), the
  next living player opens; otherwise play goes on without them.
- A tie by the very player who had rolled the standing number (an owner may
  name them, BK-18) comes back to that player.
- One pick serves a whole house rule. A house rule may say once who has the die
  next; if that player fell meanwhile, the next living one takes the die.
"""

from __future__ import annotations

from typing import Final

from games.rules.brave_or_knave.actions import (
    ACTIONS,
    AnyAction,
    Award,
    Blind,
    Close,
    Deal,
    Finger,
    Knock,
    Leave,
    Name,
    Roll,
    Shout,
    Shroud,
)
from games.rules.brave_or_knave.events import AnyEvent
from games.rules.brave_or_knave.legal import legal_actions, must
from games.rules.brave_or_knave.model import (
    DIE,
    FORMAT,
    HAND,
    MAX_NUMBER,
    MAX_SEATS,
    MIN_NUMBER,
    MIN_SEATS,
    Call,
    Digit,
    Effect,
    Heard,
    HouseRule,
    Phase,
    Setup,
    State,
)
from games.rules.brave_or_knave.record import (
    play_line,
    read_play,
    read_setup,
    setup_line,
    summary,
    visible_plays,
)
from games.rules.brave_or_knave.start import check_house_rule, setup
from games.rules.brave_or_knave.turn import apply, outcome
from games.rules.brave_or_knave.view import ShoutSeen, View, scramble, view
from games.rules.brave_or_knave.why_not import refusal

NAME: Final = "brave_or_knave"

__all__ = [
    "ACTIONS",
    "DIE",
    "FORMAT",
    "HAND",
    "MAX_NUMBER",
    "MAX_SEATS",
    "MIN_NUMBER",
    "MIN_SEATS",
    "NAME",
    "AnyAction",
    "AnyEvent",
    "Award",
    "Blind",
    "Call",
    "Close",
    "Deal",
    "Digit",
    "Effect",
    "Finger",
    "Heard",
    "HouseRule",
    "Knock",
    "Leave",
    "Name",
    "Phase",
    "Roll",
    "Setup",
    "Shout",
    "ShoutSeen",
    "Shroud",
    "State",
    "View",
    "apply",
    "check_house_rule",
    "legal_actions",
    "must",
    "outcome",
    "play_line",
    "read_play",
    "read_setup",
    "refusal",
    "scramble",
    "setup",
    "setup_line",
    "summary",
    "view",
    "visible_plays",
]
