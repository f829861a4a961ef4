"""What templates are given: small frozen values, already worded in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FingerCard:
    """One finger of a drawn hand. `which` is thumb, index, middle, ring or little."""

    which: str
    name: str
    is_kept: bool


@dataclass(frozen=True)
class SeatCard:
    """A seat as everybody sees it. `colour` is 1 to 18 and comes with a mark and a shape."""

    number: int
    name: str
    person: str
    mark: str
    colour: int
    role: str = "player"
    index: int | None = None
    personal_number: int | None = None
    fingers: int = 5
    hand: tuple[FingerCard, ...] = ()
    has_letters: bool = False
    is_alive: bool = True
    is_connected: bool = True
    is_slow: bool = False
    is_regular: bool = False
    is_roller: bool = False
    is_challenger: bool = False
    is_awaited: bool = False
    is_winner: bool = False
    call: str = ""  # brave, knave, heal, or nothing: what this seat has shouted
    plays: bool = True


@dataclass(frozen=True)
class ShoutMark:
    """One shout on the ruler: how long after the first, and where on the line from 0 to 100."""

    seat: SeatCard
    call: str
    call_word: str
    plus: str
    percent: int
    is_unison: bool
    is_late: bool
    counts: bool


@dataclass(frozen=True)
class Moment:
    """What just happened, big: kind is grave, stave, success, failure, bounce, control, healed,
    wager, house or nothing special (roll)."""

    kind: str
    cry: str
    text: str
    face: int | None


@dataclass(frozen=True)
class Odds:
    """The chance to come through each call, as percentages in words ("45 %")."""

    brave: str
    knave: str
    heal: str = ""


@dataclass(frozen=True)
class Scene:
    """The table as everybody may see it, in one language.

    `mode` is gathering, playing, over; `phase` the rules' phase. `headline`
    says what happens or whom the table waits for.
    """

    table_name: str
    code: str
    language: str
    mode: str
    is_paused: bool
    is_trial: bool
    headline: str
    seats: tuple[SeatCard, ...] = ()
    ring: tuple[SeatCard, ...] = ()  # who plays, clockwise
    knocking: tuple[SeatCard, ...] = ()  # at the door
    phase: str = ""
    standing: int | None = None
    is_shrouded: bool = False
    roller: SeatCard | None = None
    challenger: SeatCard | None = None
    call: str = ""
    call_word: str = ""
    knocks: int = 0
    ruler: tuple[ShoutMark, ...] = ()
    moment: Moment | None = None
    hint: str = ""
    odds: Odds | None = None
    winners: tuple[SeatCard, ...] = ()
    story: tuple[str, ...] = ()
    is_reversed: bool = False
    by_mouth: bool = False
    dice: str = "either"  # either, server, real
    knock_pace_ms: int = 0
    heal_open: bool = False
    settings: Any = None
    seq: int = 0


@dataclass(frozen=True)
class NumberChoice:
    """A personal number to choose: who has it, and what it does to a challenger (BK-19)."""

    number: int
    taken_by: str
    is_mine: bool
    brave: str
    knave: str
    menace: str
    label: str


@dataclass(frozen=True)
class Split:
    """One seat in a deal of fingers: how many it can lose at most."""

    seat: SeatCard
    most: int


@dataclass(frozen=True)
class Mine:
    """What one seat may do now; nothing else is offered. Fields are empty when they don't apply.

    `may` holds the words of the actions that are legal now. `saw` is the scene
    that every button answers. `companions` are further seats on this device.
    """

    seat: SeatCard
    act_url: str
    saw: int
    may: frozenset[str] = frozenset()
    is_gm: bool = False
    prompt: str = ""
    calls: tuple[str, ...] = ()  # shouts open to me now
    waits_for_number: bool = False  # a press now would be a false start
    may_shout_late: bool = False
    may_type_dice: bool = False
    may_tap_die: bool = False
    may_cup: bool = False
    award_to: tuple[ShoutMark, ...] = ()
    name_to: tuple[SeatCard, ...] = ()
    name_needs_call: bool = True
    deal_to: tuple[Split, ...] = ()
    deal_total: int = 0
    fingers_owed: int = 0
    finger_choices: tuple[FingerCard, ...] = ()
    numbers: tuple[NumberChoice, ...] = ()
    may_undo: int | None = None  # seq of my own last choice
    heard_from: tuple[SeatCard, ...] = ()  # by mouth: who could have shouted
    companions: tuple[SeatCard, ...] = field(default=())


@dataclass(frozen=True)
class LogLine:
    """One event as a sentence; `undo` is its number when the host may take it back."""

    seq: int
    text: str
    at: str
    kind: str
    undo: int | None = None
    is_undone: bool = False
