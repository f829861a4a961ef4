"""What templates are given: small frozen values, already worded in the reader's language.

Plain values only, in every field: what was drawn is kept by them (`games.screens.kept`).
"""

from __future__ import annotations

import msgspec

from games.models.table import COLOURS
from games.settings import TableSettings


class Card(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A value that a template is given. Equal cards are drawn alike."""


class Choice(Card, frozen=True, gc=False):
    """Somebody or something that can be picked: a row's key or a word, and its name."""

    id: int | str
    name: str
    hint: str = ""
    is_off: bool = False
    is_on: bool = False


class FingerCard(Card, frozen=True, gc=False):
    """One finger of a drawn hand. `which` is thumb, index, middle, ring or little."""

    which: str
    name: str
    is_kept: bool


def colour_by(number: int) -> int:
    """Return which of the `COLOURS`, counted from 1, belongs to a seat, a person or a foe.

    `number` is theirs: 1 has the first, -1 the last but one. Each comes with a shape
    (`static/taproom.css`).
    """
    return (number - 1) % COLOURS + 1


class SeatCard(Card, frozen=True, gc=False):
    """A seat as everybody sees it. `colour` is one of the `COLOURS` and comes with a mark."""

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
    is_awaited: bool = False
    call: str = ""  # brave, knave, heal, or nothing: what this seat has shouted
    plays: bool = True


class ShoutMark(Card, frozen=True, gc=False):
    """One shout on the ruler: how long after the first, and where on the line from 0 to 100."""

    seat: SeatCard
    call: str
    call_word: str
    plus: str
    percent: int
    is_unison: bool
    is_late: bool
    counts: bool


class Moment(Card, frozen=True, gc=False):
    """What just happened, big.

    `kind` is grave, stave, success, failure, bounce, control, healed, wager, house or nothing
    special (roll); `cry` is what is cried out at it, `face` the number that fell, if one did.
    """

    kind: str
    cry: str
    text: str
    face: int | None


class Odds(Card, frozen=True, gc=False):
    """The chance to come through each call, as percentages in words ("45 %")."""

    brave: str
    knave: str
    heal: str = ""


class Scene(Card, frozen=True, gc=False):
    """The table as everybody may see it, in one language.

    `mode` is gathering, playing or over, the name of another game that is in front, or knocking;
    `phase` the rules' phase. `headline` says what happens or whom the table waits for.
    `pause` is `Table.pause`.
    """

    table_name: str
    code: str
    mode: str
    is_trial: bool
    headline: str
    pause: int = 0
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
    places: tuple[SeatCard, ...] = ()  # who is drawn round the shared screen
    story: tuple[str, ...] = ()
    is_reversed: bool = False
    by_mouth: bool = False
    dice: str = "either"  # either, server, real
    heal_open: bool = False
    has_wager: bool = False  # what the challenger rolls settles a Shroud's wager
    settings: TableSettings | None = None
    seq: int = 0


class NumberChoice(Card, frozen=True, gc=False):
    """A personal number to choose: who has it, and what it does to a challenger (BK-19)."""

    number: int
    taken_by: str
    is_mine: bool
    brave: str
    knave: str
    menace: str
    label: str


class Split(Card, frozen=True, gc=False):
    """One seat in a deal of fingers: how many it can lose at most."""

    seat: SeatCard
    most: int


class Mine(Card, frozen=True, gc=False):
    """What one seat may do now; nothing else is offered. Fields are empty when they don't apply.

    `may` holds the words of the actions that are legal now. `saw` is the scene
    that every button answers, `sender` the number of the seat it acts for, and
    `own_last` what this seat chose last (its number in the log), where it `may`
    undo that. `bout` is the key of the bout, 0 where there is none.
    `companions` are further seats on this device.
    """

    seat: SeatCard
    act_url: str
    saw: int
    sender: int = 0
    own_last: int = 0
    bout: int = 0
    may: frozenset[str] = frozenset()
    is_gm: bool = False
    is_turn: bool = False  # the table waits for this seat: said in the title of its page
    start_hint: str = ""  # who would be left out
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
    grip: tuple[str, ...] = ()  # the fingers that may hold a real die, where some are lost
    numbers: tuple[NumberChoice, ...] = ()
    heard_from: tuple[SeatCard, ...] = ()  # by mouth: who could have shouted
    companions: tuple[SeatCard, ...] = ()


class LogLine(Card, frozen=True, gc=False):
    """One event as a sentence; `undo` is its number when the host may take it back.

    `day` is empty for today's.
    """

    seq: int
    text: str
    at: str
    undo: int | None = None
    is_undone: bool = False
    day: str = ""


class Sender(Card, frozen=True, gc=False):
    """Who a form acts for, where there is no more to know: where it goes, the seat, the scene."""

    act_url: str
    sender: int
    saw: int


class HouseRuleCard(Card, frozen=True, gc=False):
    """A table's house rule as its host sees it, with the address that shares it.

    `waits` says what is in its way, so that no bout can begin with it.
    """

    id: int
    is_on: bool
    name: str
    cry: str
    number: int
    text: str
    share_url: str
    waits: str


class GameCard(Card, frozen=True, gc=False):
    """A game that the table could turn to."""

    rules: str
    title: str
    is_front: bool


class LineCard(Card, frozen=True, gc=False):
    """A content line: a topic that stays out of play."""

    mark: int
    kind: str
    text: str


class Told(Card, frozen=True, gc=False, omit_defaults=True):
    """One event as a screen tells it: its number, its sentence, its kind for sound and motion.

    `undoes` are the numbers of the lines that are struck out once it is told, `seat` is the seat
    that a pass was used for: its code is of no use any more.
    """

    seq: int
    text: str
    kind: str
    at: str
    undoes: tuple[int, ...] = ()
    seat: int = 0
