"""What happens in Brave or Knave, for logs, sentences and sounds.

Every event is for the whole table. None tells of the number under a Shroud
before `Revealed` does (BK-23).
"""

from __future__ import annotations

from typing import Literal

from games.rules.brave_or_knave.model import Call, Cause, Digit, Why
from games.rules.engine import Event, Seat


class Rolled(Event, frozen=True):
    """A die fell for all to see; a bounce is a roll that settles a tie (BK-15)."""

    seat: Seat
    face: int
    kind: Literal["opening", "challenge", "bounce"]


class ShroudCalled(Event, frozen=True):
    """A player called for a Shroud (BK-23)."""

    seat: Seat


class CupRolled(Event, frozen=True):
    """The die fell under the cupped hand; nobody knows the number (BK-23)."""

    seat: Seat


class CalledBlind(Event, frozen=True):
    """The caller of the Shroud chose without knowing the number (BK-23)."""

    seat: Seat
    call: Call


class Revealed(Event, frozen=True):
    """The hand was lifted; `seat` had rolled (BK-23)."""

    seat: Seat
    face: int


class ShoutingOpened(Event, frozen=True):
    """A number stands, and everybody but its roller may shout (BK-7)."""

    seat: Seat
    number: int


class Shouted(Event, frozen=True):
    """A player shouted; a late shout counts only if the roller honours it (BK-8, BK-10)."""

    seat: Seat
    call: Call
    at_ms: int
    late: bool = False


class Knocked(Event, frozen=True):
    """The table was knocked on for the first, second or third time (BK-11)."""

    count: int


class NeedsName(Event, frozen=True):
    """Nobody dared: the roller names the challenger (BK-11)."""

    seat: Seat


class Unison(Event, frozen=True):
    """Several shouted in one breath (BK-9)."""

    seats: tuple[Seat, ...]


class Challenged(Event, frozen=True):
    """`seat` must roll against the number, and `why` tells who or what says so."""

    seat: Seat
    call: Call
    number: int
    why: Why


class Bounced(Event, frozen=True):
    """A tie: the die goes to `to_seat`, or again to a healer (BK-15, BK-24)."""

    seat: Seat
    to_seat: Seat
    number: int
    call: Call


class Succeeded(Event, frozen=True):
    """The challenger is safe (BK-13)."""

    seat: Seat
    face: int
    number: int
    call: Call


class Failed(Event, frozen=True):
    """The challenger failed (BK-14)."""

    seat: Seat
    face: int
    number: int
    call: Call


class FingersLost(Event, frozen=True):
    """A player lost fingers and has `left` of them."""

    seat: Seat
    count: int
    left: int


class FingersRegained(Event, frozen=True):
    """A player has fingers back (BK-24, BK-25)."""

    seat: Seat
    count: int
    left: int


class FingerGiven(Event, frozen=True):
    """A player picked which finger a lost one was (BK-20)."""

    seat: Seat
    which: Digit


class Grave(Event, frozen=True):
    """A 1 fell (BK-16)."""

    seat: Seat


class Stave(Event, frozen=True):
    """A 20 fell (BK-17)."""

    seat: Seat


class TookControl(Event, frozen=True):
    """A personal number fell, and its owner has the die; `roller` had rolled it (BK-18)."""

    seat: Seat
    number: int
    roller: Seat


class Healed(Event, frozen=True):
    """A healer's hand is whole (BK-24)."""

    seat: Seat


class HealFailed(Event, frozen=True):
    """A healer lost everything (BK-24)."""

    seat: Seat


class WagerOff(Event, frozen=True):
    """The Shroud's wager is off because of this number (BK-23)."""

    seat: Seat
    number: int


class WagerWon(Event, frozen=True):
    """The Shroud's caller has this many fingers to deal out (BK-23)."""

    seat: Seat
    amount: int


class Dealt(Event, frozen=True):
    """The Shroud's caller dealt out fingers, this many to each seat (BK-23)."""

    seat: Seat
    fingers: tuple[int, ...]


class HouseRuleActed(Event, frozen=True):
    """A house rule's number fell (BK-25)."""

    name: str
    cry: str
    number: int
    seat: Seat


class Reversed(Event, frozen=True):
    """The direction of play turned round (BK-25)."""


class PickAsked(Event, frozen=True):
    """A house rule waits for `seat` to pick somebody (BK-25)."""

    seat: Seat


class Out(Event, frozen=True):
    """A player is out of the bout (BK-21)."""

    seat: Seat
    cause: Cause


class DieTaken(Event, frozen=True):
    """`seat` makes the next opening roll."""

    seat: Seat


class Won(Event, frozen=True):
    """Honour is restored; several seats when the last fell together (BK-22, BK-24)."""

    seats: tuple[Seat, ...]


AnyEvent = (
    Rolled
    | ShroudCalled
    | CupRolled
    | CalledBlind
    | Revealed
    | ShoutingOpened
    | Shouted
    | Knocked
    | NeedsName
    | Unison
    | Challenged
    | Bounced
    | Succeeded
    | Failed
    | FingersLost
    | FingersRegained
    | FingerGiven
    | Grave
    | Stave
    | TookControl
    | Healed
    | HealFailed
    | WagerOff
    | WagerWon
    | Dealt
    | HouseRuleActed
    | Reversed
    | PickAsked
    | Out
    | DieTaken
    | Won
)
"""Every event, for decoding by tag."""
