"""Cards of an action sequence: dice as they lie, and what one may do now."""

from __future__ import annotations

from campaigns.screens.cards.people import OwedCard
from games.screens.cards import Card, Choice


class DieCard(Card, frozen=True):
    """One die: `sides`, what it shows (0 while it is in the hand), and what it is.

    `kind` is form, strength, advantage or bought; the last two are d6 with pips.
    """

    sides: int
    value: int
    kind: str
    name: str = ""
    is_high: bool = False


class RollCard(Card, frozen=True):
    """A roll as it lies. `text` reads it: "14, then 7"."""

    dice: tuple[DieCard, ...]
    total: int
    text: str
    stands: bool = False


class FighterCard(Card, frozen=True):
    """Somebody in a sequence, as the whole table sees her.

    `status` is choosing, rolling, in, out, left; `status_word` says it with what
    counts now ("has the turn", "must answer", "lost her move").
    """

    ref: str
    id: int
    name: str
    is_pc: bool
    colour: int
    mark: str
    status: str
    status_word: str
    forms: str  # "with violence, directly"
    roll: RollCard | None
    advantage_over: tuple[str, ...]
    bought: int
    is_mover: bool = False
    must: bool = False
    place: int = 0  # in the turn order, from 1


class PairCard(Card, frozen=True):
    """A pair of forms, or an NPC's form, that could be chosen: what it would roll, and its odds."""

    forms: tuple[str, ...]
    name: str
    dice: tuple[int, ...]
    strengths: tuple[Choice, ...] = ()  # those that this choice may use; with their dice
    odds: str = ""


class TermCard(Card, frozen=True):
    """An offer, in words, and who has to say something to it.

    `hits` are the dice among which the GM says which a consequential strength takes (WA-24).
    """

    id: int
    by: str
    to: str
    text: str
    may_take: bool
    is_mine: bool
    hits: tuple[Choice, ...] = ()


class GiverCard(Card, frozen=True):
    """Somebody whose sheet an offer may be about: forms that could lose a size, and strengths.

    `lesser` are the smaller dice of an NPC's pairs, for the GM, who says which of the two it is.
    """

    id: int
    name: str
    forms: tuple[Choice, ...]
    lesser: tuple[Choice, ...]
    strengths: tuple[Choice, ...]


class TalkCard(Card, frozen=True):
    """A settlement under way between a winner and a loser (WA-67 to WA-75).

    `stick` says what happens without agreement. `is_between`: between rounds,
    where the stick is that the dice roll on.
    """

    sequence: int
    winner: str
    loser: str
    winner_id: int
    loser_id: int
    me: int  # the character this seat speaks for here
    other: int
    stick: str
    is_between: bool
    is_broken_off: bool
    offers: tuple[TermCard, ...]
    may_settle: bool  # the winner says which of the two it is; the GM taps it with an NPC's die
    exhausted: str  # what it would cost: "directly d10 → d8, with violence d4 → 0"
    injured: str
    consequential: str  # what a consequential strength takes besides (WA-24)
    npc_choice: tuple[Choice, ...]  # dice among which the GM says which loses
    takes_larger: bool  # unless the GM says so, for whom this is not
    may_offer: bool
    givers: tuple[GiverCard, ...]  # the loser; between rounds either, who is behind first
    leavers: tuple[Choice, ...]  # who could leave, between rounds

    @property
    def other_name(self) -> str:
        """What the other is called with whom this seat's character talks."""
        return self.loser if self.me == self.winner_id else self.winner


class MyFighterCard(Card, frozen=True):
    """What a seat may do now for one of its characters in a sequence.

    `may` holds words, most of them actions: back_away, let_pass, step_in, agree_to_end,
    next_round; but choose is `take_dice`, press `press_on`, roll `roll_forms`, also with
    answer, move `make_move`, act_alone the same with `nobody`. `saw` goes into every form as
    the field `saw`.
    """

    sequence: int
    id: int
    name: str
    saw: int
    now: str  # one sentence: what is to do, or who is waited for
    may: frozenset[str]
    pairs: tuple[PairCard, ...] = ()
    dice: tuple[DieCard, ...] = ()  # what she would roll now
    may_buy: tuple[OwedCard, ...] = ()
    targets: tuple[Choice, ...] = ()
    answers: str = ""  # the standing roll she answers to, in words
    loses_move: bool = False  # by answering, or by stepping in to answer (WA-58)
    odds: str = ""  # of this answer, where the table shows odds
    reminder: str = ""  # strengths in use must be shown (WA-27)
    talks: tuple[TalkCard, ...] = ()
    may_tap: bool = True
    may_type: bool = True
    has_agreed: bool = False


class FightCard(Card, frozen=True):
    """An action sequence as the whole table sees it."""

    id: int
    number: int
    act: str
    actor: str
    scene: str
    round: int
    phase: str  # choose, roll, tie, lots, turn, answer, settle, between, over
    now: str  # one sentence: what happens, who is waited for
    fighters: tuple[FighterCard, ...]  # in turn order once there is one
    standing: RollCard | None
    standing_of: str
    move: str  # what the mover said
    is_held: bool
    saw: int  # goes into every form that answers what it asks now
    needs_far_reach: bool
    last: str  # the last answer's result, in words
    may_hold: bool = False
    joiners: tuple[Choice, ...] = ()
    leavers: tuple[Choice, ...] = ()
    is_over: bool = False
