"""A sequence at one moment: its participants as they are now, its state, and questions to it."""

from __future__ import annotations

import enum
from typing import Literal

import msgspec
from msgspec.structs import replace

from games.rules.engine import Seat
from games.rules.wicked_age.forms import is_out
from games.rules.wicked_sequence.sheets import FORMAT, Condition, Kind, Owed, StrengthDie


class Phase(enum.StrEnum):
    """What the table is doing now."""

    CHOOSE = "choose"
    ROLL = "roll"
    TIE = "tie"
    LOTS = "lots"
    TURN = "turn"
    ANSWER = "answer"
    SETTLE = "settle"
    BETWEEN = "between"
    OVER = "over"


class Status(enum.StrEnum):
    """Where a participant is: still in, out by an absolute loss, or left of her own will."""

    IN = "in"
    LOST = "lost"
    LEFT = "left"


class Turn(enum.StrEnum):
    """What has become of somebody's move in this round (WA-58)."""

    WAITING = "waiting"
    MOVED = "moved"
    LOST = "lost"


class Die(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die in hand or on the table: the form or strength it comes from, and its face."""

    source: str
    sides: int
    face: int = 0


class Throw(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice as they last lay, in the order they were taken; `lies` until they are picked up."""

    dice: tuple[Die, ...]
    pips: tuple[int, ...] = ()
    lies: bool = True

    @property
    def ranked(self) -> tuple[int, ...]:
        """List the faces of the base dice as they are read, the highest first (WA-46)."""
        return tuple(sorted([die.face for die in self.dice], reverse=True))

    @property
    def total(self) -> int:
        """Add all pips to the highest base die (WA-46)."""
        return self.ranked[0] + sum(self.pips)

    @property
    def rank(self) -> tuple[int, ...]:
        """What two rolls are ranked by: the total, then each lower die (WA-47).

        Tuples compare a missing die as less than any, which is the rule's 0.
        """
        ranked = self.ranked
        return (ranked[0] + sum(self.pips), *ranked[1:])

    @property
    def lowest(self) -> int:
        """Find the lowest base die, by its place (WA-52).

        Of two equal ones it is the one of fewer sides, else the later taken.
        """
        places = range(len(self.dice))
        return min(places, key=lambda at: (self.dice[at].face, self.dice[at].sides, -at))


class Fighter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A participant as she is now.

    `chosen` and `using` are her forms and strengths in this sequence (WA-43);
    `first_sizes` the base dice of her first roll, for the owe list (WA-77);
    `bought` her bought advantage dice; `is_out` of the chapter (WA-69).
    """

    id: str
    kind: Kind
    player: str | None = None
    name: str = ""
    forms: dict[str, tuple[int, ...]]
    strengths: tuple[StrengthDie, ...] = ()
    chosen: tuple[str, ...] = ()
    using: tuple[str, ...] = ()
    first_sizes: tuple[int, ...] = ()
    throw: Throw | None = None
    bought: int = 0
    turn: Turn = Turn.WAITING
    status: Status = Status.IN
    is_out: bool = False
    condition: Condition | None = None

    @property
    def is_in(self) -> bool:
        """Tell whether she is still in the sequence."""
        return self.status is Status.IN

    @property
    def used(self) -> tuple[StrengthDie, ...]:
        """List the strengths she uses in this sequence, in the order she took them."""
        if not self.using:
            return ()
        by_name = {one.name: one for one in self.strengths}
        return tuple(by_name[name] for name in self.using if name in by_name)

    @property
    def base(self) -> tuple[Die, ...]:
        """List her base dice in the order they are taken; a form at 0 gives none (WA-42 to 45)."""
        # Lists, here and below: a generator takes twice as long for the few that there are.
        dice = [Die(form, sides) for form in self.chosen for sides in self.forms[form] if sides]
        dice += [Die(one.name, one.die) for one in self.used]
        return tuple(dice)

    @property
    def has_form_die(self) -> bool:
        """Tell whether one of her chosen forms still gives a die (WA-44)."""
        return any(sides for form in self.chosen for sides in self.forms[form])

    @property
    def has_two_zeros(self) -> bool:
        """Tell whether two of her form dice are at 0 (WA-69)."""
        return is_out(sides for dice in self.forms.values() for sides in dice)


class Advantage(msgspec.Struct, frozen=True):
    """The one won die of a pair, and who holds it over whom (WA-61)."""

    holder: str
    over: str

    @property
    def pair(self) -> frozenset[str]:
        """The two it lies between."""
        return frozenset((self.holder, self.over))


Result = Literal["wins_absolutely", "wins_advantage", "loses_advantage", "loses_absolutely"]


class Last(msgspec.Struct, frozen=True):
    """The last comparison; `result` is the answerer's (WA-49)."""

    mover: str
    answerer: str
    result: Result


class Hit(msgspec.Struct, frozen=True):
    """A loser's form that a consequential strength takes a size from (WA-24)."""

    strength: str
    form: str


class Settlement(msgspec.Struct, frozen=True, omit_defaults=True):
    """An absolute result that waits for its consequences (WA-60, WA-73)."""

    winner: str
    loser: str
    hits: tuple[Hit, ...] = ()


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sequence at one moment. Nothing of it is hidden from anybody.

    `to_roll` are those the phase still waits for: everybody's first roll, or
    the tied ones' lowest die. `tied` and `backing` belong to a tie at the top;
    `ranking` holds the round's rolls, highest first, equal ones together, until
    lots have made an `order` of it. `named` are all who answer the move,
    `to_answer` those who have not yet. `won` are the advantage dice as they are
    rolled now, `transfers` what becomes of them at the round's end (WA-63).
    `met` are the pairs that compared dice in round 1 (WA-78).
    """

    format: int = FORMAT
    participants: tuple[Fighter, ...]
    phase: Phase = Phase.CHOOSE
    round: int = 1
    needs_far_reach: bool = False
    act: str = ""
    to_roll: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    backing: tuple[str, ...] = ()
    ranking: tuple[tuple[str, ...], ...] = ()
    order: tuple[str, ...] = ()
    mover: str | None = None
    named: tuple[str, ...] = ()
    to_answer: tuple[str, ...] = ()
    last: Last | None = None
    won: tuple[Advantage, ...] = ()
    transfers: tuple[Advantage, ...] = ()
    met: tuple[tuple[str, str], ...] = ()
    settlement: Settlement | None = None
    owe_list: tuple[Owed, ...] = ()

    @property
    def inside(self) -> tuple[str, ...]:
        """List who is still in the sequence."""
        return tuple([one.id for one in self.participants if one.status is Status.IN])

    @property
    def standing(self) -> str | None:
        """Return whose roll stands now, if one does (WA-51, WA-54)."""
        if self.phase is Phase.LOTS:
            return self.ranking[0][0]
        if self.mover is None:
            return None
        throw = self.of(self.mover).throw
        return self.mover if throw is not None and throw.lies else None

    def find(self, who: str) -> Fighter | None:
        """Return a participant, or None for a stranger."""
        for one in self.participants:  # asked so often that a generator would be half of it
            if one.id == who:
                return one
        return None

    def of(self, who: str) -> Fighter:
        """Return a participant who is known to be here."""
        found = self.find(who)
        assert found is not None
        return found

    def seat_of(self, who: str) -> Seat:
        """Return a participant's seat: her place among all of them."""
        return [one.id for one in self.participants].index(who)

    def put(self, *changed: Fighter) -> State:
        """Return the state with these participants in place of those of the same ids."""
        by_id = {one.id: one for one in changed}
        return replace(
            self, participants=tuple([by_id.get(one.id, one) for one in self.participants])
        )

    def advantage_of(self, who: str) -> int:
        """Count the won advantage dice she rolls now, whomever she faces (WA-62)."""
        return sum(one.holder == who for one in self.won)
