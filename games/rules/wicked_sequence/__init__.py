"""An action sequence of In a Wicked Age, as one game: WA-39 to WA-80 and WA-107 to WA-111.

*In a Wicked Age* is by D. Vincent Baker (lumpley games, 2007); rules are cited
by number. A seat is a participant, by her place among all of them; seat None is
the table, or the GM, who may do everything for anybody. Where the rules are
silent, our rulings are written where they act; those that belong nowhere else:

- Round 1 counts from the choice of forms on.
- Who wins an agreement after an absolute result has her consequential strengths
  as by the default, unless she waives them (WA-24).
- Of several occurrences of a name the highest is struck (WA-65).
- Dead or absent by agreement is out of the chapter; a captive is not (WA-72).
- Players choose, buy, roll, move and answer for their own, settle what they have
  won, and roll on. Agreements, lots, joining and ending are the table's.
- A standing roll's base dice are told as they are read, the highest first (WA-46);
  it lies until its move and what that move settles are done.
- A settlement waits for the winner, who chooses the default; lots wait for nobody.
"""

from __future__ import annotations

from typing import Final

from games.rules.wicked_sequence.actions import (
    ACTIONS,
    Agree,
    AnyAction,
    BackAway,
    Buy,
    Choose,
    Correct,
    End,
    Interfere,
    Join,
    Leave,
    LetPass,
    Lots,
    Move,
    NextRound,
    Press,
    Roll,
    SequenceAction,
    Settle,
    Term,
)
from games.rules.wicked_sequence.events import AnyEvent
from games.rules.wicked_sequence.legal import awaited, legal_actions, must
from games.rules.wicked_sequence.model import (
    Advantage,
    Die,
    Fighter,
    Hit,
    Last,
    Phase,
    Settlement,
    State,
    Status,
    Throw,
    Turn,
)
from games.rules.wicked_sequence.reading import dice_owed, pips_owed, preview
from games.rules.wicked_sequence.record import (
    play_line,
    read_play,
    read_setup,
    setup_line,
    summary,
    visible_plays,
)
from games.rules.wicked_sequence.rounds import lots_due
from games.rules.wicked_sequence.sheets import (
    FORMAT,
    LAST_ROUND,
    MOST,
    Consequence,
    Owed,
    Participant,
    Setup,
    StrengthDie,
)
from games.rules.wicked_sequence.start import setup
from games.rules.wicked_sequence.turn import apply, draw_lots, outcome
from games.rules.wicked_sequence.view import Seen, Standing, View, scramble, view
from games.rules.wicked_sequence.why_not import fault, is_about_to_roll, refusal

NAME: Final = "wicked_sequence"

__all__ = [
    "ACTIONS",
    "FORMAT",
    "LAST_ROUND",
    "MOST",
    "NAME",
    "Advantage",
    "Agree",
    "AnyAction",
    "AnyEvent",
    "BackAway",
    "Buy",
    "Choose",
    "Consequence",
    "Correct",
    "Die",
    "End",
    "Fighter",
    "Hit",
    "Interfere",
    "Join",
    "Last",
    "Leave",
    "LetPass",
    "Lots",
    "Move",
    "NextRound",
    "Owed",
    "Participant",
    "Phase",
    "Press",
    "Roll",
    "Seen",
    "SequenceAction",
    "Settle",
    "Settlement",
    "Setup",
    "Standing",
    "State",
    "Status",
    "StrengthDie",
    "Term",
    "Throw",
    "Turn",
    "View",
    "apply",
    "awaited",
    "dice_owed",
    "draw_lots",
    "fault",
    "is_about_to_roll",
    "legal_actions",
    "lots_due",
    "must",
    "outcome",
    "pips_owed",
    "play_line",
    "preview",
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
