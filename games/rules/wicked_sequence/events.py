"""What happens in a sequence, for logs, sentences and drawings. All of it is open to everybody."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.rules.engine import Event
from games.rules.wicked_sequence.actions import As, Term
from games.rules.wicked_sequence.model import Advantage, Die, Result

Purpose = Literal["order", "tie", "move", "answer"]
"""What dice were rolled for."""


class Chosen(Event, frozen=True, kw_only=True):
    """Somebody took forms and strengths, and so these base dice (WA-42)."""

    by: str
    forms: tuple[str, ...]
    strengths: tuple[str, ...]
    dice: tuple[Die, ...]


class RoundBegun(Event, frozen=True, kw_only=True):
    """Everybody still in takes up dice (WA-51)."""

    round: int


class Bought(Event, frozen=True, kw_only=True):
    """A name was struck from the owe list for an advantage die (WA-65)."""

    by: str
    name: str


class Rolled(Event, frozen=True, kw_only=True):
    """Dice fell; in a tie `dice` are all base dice as they lie afterwards."""

    by: str
    purpose: Purpose
    dice: tuple[Die, ...]
    pips: tuple[int, ...]
    total: int


class TiedAtTop(Event, frozen=True, kw_only=True):
    """The highest rolls are identical: fight on or back away (WA-52)."""

    tied: tuple[str, ...]


class Pressed(Event, frozen=True, kw_only=True):
    """One of those tied at the top wants to fight (WA-52)."""

    by: str


class BackingAway(Event, frozen=True, kw_only=True):
    """One of those tied at the top would go her way (WA-52)."""

    by: str


class BackedAway(Event, frozen=True, kw_only=True):
    """All who were tied at the top went their ways (WA-52)."""

    who: tuple[str, ...]


class LotsDrawn(Event, frozen=True, kw_only=True):
    """Lots ordered those who were tied below the top (WA-53)."""

    order: tuple[str, ...]


class OrderSet(Event, frozen=True, kw_only=True):
    """The round's turn order; the first one's roll stands (WA-51)."""

    order: tuple[str, ...]


class Moved(Event, frozen=True, kw_only=True):
    """Somebody made her move (WA-54)."""

    by: str
    named: tuple[str, ...]
    says: str


class Interfered(Event, frozen=True, kw_only=True):
    """Somebody who was not named answers as well (WA-56)."""

    by: str
    says: str


class LetItPass(Event, frozen=True, kw_only=True):
    """A move succeeded against somebody who let it (WA-56)."""

    by: str
    says: str


class MoveLost(Event, frozen=True, kw_only=True):
    """Somebody answered before her turn and so has no move this round (WA-58)."""

    who: str


class Compared(Event, frozen=True, kw_only=True):
    """An answer met the standing roll; `result` is the answerer's (WA-49, WA-50)."""

    mover: str
    answerer: str
    result: Result
    standing: int
    answer: int


class DieLost(Struct, frozen=True):
    """A form's dice before and after a loss (WA-67, WA-68)."""

    form: str
    before: tuple[int, ...]
    after: tuple[int, ...]


class Settled(Event, frozen=True, kw_only=True):
    """The winner took the default, or both agreed on something (WA-67, WA-70, WA-74)."""

    winner: str
    loser: str
    as_: As | None
    terms: tuple[Term, ...]
    lost: tuple[DieLost, ...]
    consequential: tuple[str, ...]


class OutOfChapter(Event, frozen=True, kw_only=True):
    """Two form dice are at 0, or an agreement says dead or absent (WA-69)."""

    who: str


class Departed(Event, frozen=True, kw_only=True):
    """Somebody left the sequence without an absolute loss (WA-74, WA-108)."""

    who: str


class Owing(Event, frozen=True, kw_only=True):
    """A name was written at the end of the owe list (WA-76)."""

    name: str


class RoundEnded(Event, frozen=True, kw_only=True):
    """The last turn is over; these advantage dice are rolled from now on (WA-63)."""

    round: int
    advantage: tuple[Advantage, ...]


class Joined(Event, frozen=True, kw_only=True):
    """Somebody came into the sequence (WA-108)."""

    who: str


class Ended(Event, frozen=True, kw_only=True):
    """The sequence is over; `inside` were in it to the end (WA-60)."""

    inside: tuple[str, ...]


AnyEvent = (
    Chosen
    | RoundBegun
    | Bought
    | Rolled
    | TiedAtTop
    | Pressed
    | BackingAway
    | BackedAway
    | LotsDrawn
    | OrderSet
    | Moved
    | Interfered
    | LetItPass
    | MoveLost
    | Compared
    | Settled
    | OutOfChapter
    | Departed
    | Owing
    | RoundEnded
    | Joined
    | Ended
)
"""Every event, for decoding by tag."""
