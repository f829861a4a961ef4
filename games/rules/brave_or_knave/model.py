"""What a bout of Brave or Knave is made of: its values, and questions to its state."""

from __future__ import annotations

import enum
from typing import Final, Literal

import msgspec

from games.rules.engine import Seat

FORMAT: Final = 1
DIE: Final = 20
HAND: Final = 5
GRAVE: Final = 1
STAVE: Final = 20
HEALING_NUMBER: Final = 9
KNOCKS: Final = 3
WAGER: Final = 3
MIN_SEATS: Final = 2
MAX_SEATS: Final = 18
MIN_NUMBER: Final = 2
MAX_NUMBER: Final = 19
UNISON_MS: Final = 120


class Call(enum.StrEnum):
    """What a challenger must do: roll higher, roll lower, or (BK-24) heal."""

    BRAVE = "brave"
    KNAVE = "knave"
    HEAL = "heal"


class Phase(enum.StrEnum):
    """What the table waits for."""

    OPEN = "open"
    BLIND = "blind"
    SHOUT = "shout"
    AWARD = "award"
    CHALLENGE = "challenge"
    NAME = "name"
    DEAL = "deal"
    OVER = "over"


class Digit(enum.StrEnum):
    """Which finger of a hand, in the order fingers go when nobody picks (BK-20)."""

    LITTLE = "little"
    RING = "ring"
    MIDDLE = "middle"
    INDEX = "index"
    THUMB = "thumb"


Occasion = Literal["opening", "challenge", "both"]
EffectKind = Literal["lose", "regain", "pass_die", "roll_next", "roll_again", "reverse"]
Target = Literal["roller", "challenger", "left", "right", "everyone_else", "everyone", "picked"]
Why = Literal["shout", "award", "overruled", "named", "control", "shroud", "house"]
NamingWhy = Literal["knocks", "control", "house"]
Cause = Literal["fingers", "grave", "heal", "left"]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing a house rule does, and to whom (BK-25).

    `amount` counts fingers for ``lose`` and ``regain``; `call` is what
    ``roll_next`` has to beat the number with. ``roll_again`` and ``reverse``
    need no target.
    """

    kind: EffectKind
    target: Target = "roller"
    amount: int = 1
    call: Call | None = None


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table's own special number, with its cry and what it does (BK-25)."""

    name: str
    cry: str
    number: int
    on: Occasion
    effects: tuple[Effect, ...]


class Setup(msgspec.Struct, frozen=True):
    """A table about to play: who sits where, with which number and variations.

    `names` are guild names in clockwise order (BK-2, BK-5), `numbers` the
    personal numbers in the same order (BK-3); `first` None lets the die choose
    who begins (BK-6).
    """

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    first: Seat | None = None
    shroud: bool = False
    nine_sisters: bool = False
    unison_ms: int = UNISON_MS
    house_rules: tuple[HouseRule, ...] = ()


class Heard(msgspec.Struct, frozen=True):
    """A shout as it was heard: when it was pressed, and whether only BK-10 can honour it."""

    seat: Seat
    call: Call
    at_ms: int
    late: bool = False


class Settling(msgspec.Struct, frozen=True):
    """A roll that has been judged but not yet finished.

    It waits while a Shroud's winner deals out fingers (BK-23) or while somebody
    picks for a house rule (BK-25). `against` is who had rolled the number that
    was challenged, None for an opening roll.
    """

    seat: Seat
    against: Seat | None
    succeeded: bool
    effect: int = 0
    picked: Seat | None = None
    next_seat: Seat | None = None
    next_call: Call | None = None


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A bout at one moment. Only `hidden` is secret.

    `roller` opens the round in ``open``; afterwards it is who rolled the
    `standing` number, even if that roll put them out. `challenger` has to roll
    against it, by `call`; `setter` is the owner in control, or whoever else set
    the challenge, for BK-15. `from_shouts`: it was shouted for, and can be given
    to another until it is rolled (BK-10); `bounced`: it came back by a tie.
    `fingers` counts what each has left; `given` holds the fingers a player
    explicitly gave up, never more than they have lost.

    Of a Shroud (BK-23): `caller` asked for it and chose `blind_call` before the
    number was seen. That is `hidden` until then, or a real die that nobody has
    read, which lies `cupped`. With `wager` the caller's roll settles it, and
    `deal_amount` are the fingers to deal out if it succeeds.

    `namer` has to name who rolls next; `direction` is -1 where a house rule has
    the die go round against the clock (BK-25).
    """

    format: int = FORMAT
    names: tuple[str, ...]
    numbers: tuple[int, ...]
    first: Seat
    fingers: tuple[int, ...]
    given: tuple[tuple[Digit, ...], ...]
    roller: Seat
    phase: Phase = Phase.OPEN
    challenger: Seat | None = None
    call: Call | None = None
    standing: int | None = None
    setter: Seat | None = None
    from_shouts: bool = False
    bounced: bool = False
    shouts: tuple[Heard, ...] = ()
    knocks: int = 0
    caller: Seat | None = None
    blind_call: Call | None = None
    hidden: int | None = None
    cupped: bool = False
    wager: bool = False
    namer: Seat | None = None
    naming_why: NamingWhy | None = None
    deal_amount: int = 0
    settling: Settling | None = None
    direction: Literal[1, -1] = 1
    shroud: bool = False
    nine_sisters: bool = False
    unison_ms: int = UNISON_MS
    house_rules: tuple[HouseRule, ...] = ()
    winners: tuple[Seat, ...] = ()

    @property
    def seats(self) -> range:
        """Every seat, in clockwise order."""
        return range(len(self.names))

    def is_alive(self, seat: Seat) -> bool:
        """Tell whether this seat still has a finger to play with (BK-21)."""
        return 0 <= seat < len(self.fingers) and self.fingers[seat] > 0

    def living(self, *, but: Seat | None = None) -> tuple[Seat, ...]:
        """List the living players in seating order, without `but`."""
        return tuple([s for s, left in enumerate(self.fingers) if left and s != but])

    def next_living(self, seat: Seat) -> Seat:
        """Return who takes the die after this seat: clockwise, unless a house rule reversed it."""
        return self._step(seat, self.direction)

    def neighbour(self, seat: Seat, side: Literal["left", "right"]) -> Seat:
        """Return the nearest living player on that side; the left is the next clockwise."""
        return self._step(seat, 1 if side == "left" else -1)

    def _step(self, seat: Seat, step: int) -> Seat:
        count = len(self.fingers)
        for distance in range(1, count):
            other = (seat + step * distance) % count
            if self.fingers[other]:
                return other
        return seat

    def living_owner(self, number: int | None) -> Seat | None:
        """Return the living player whose personal number this is (BK-18)."""
        if number in self.numbers:
            owner = self.numbers.index(number)
            return owner if self.fingers[owner] else None
        return None

    def has_shouted(self, seat: Seat) -> bool:
        """Tell whether this seat has spent its shout on the standing number."""
        return seat in [heard.seat for heard in self.shouts]

    def may_shout(self) -> tuple[Seat, ...]:
        """List who has yet to shout at the standing number: all but who rolled it (BK-7, BK-13)."""
        done = {self.roller, *[heard.seat for heard in self.shouts]}
        return tuple([s for s, left in enumerate(self.fingers) if left and s not in done])

    def hears_late_shouts(self) -> bool:
        """Tell whether the roller may still overrule: shouted for and not yet rolled (BK-10)."""
        return self.from_shouts and not self.bounced

    def may_heal(self) -> bool:
        """Tell whether HEAL may be shouted now (BK-24); a living owner's 9 opens no shouting."""
        return (
            self.nine_sisters
            and self.standing == HEALING_NUMBER
            and (self.phase is Phase.SHOUT or self.hears_late_shouts())
        )

    def owed(self, seat: Seat) -> int:
        """Count the lost fingers this seat has not picked yet (BK-20)."""
        left = self.fingers[seat]
        return HAND - left - len(self.given[seat]) if left else 0

    def hand(self, seat: Seat) -> tuple[Digit, ...]:
        """List the fingers left; lost ones nobody picked go from the little finger on (BK-20)."""
        kept = [finger for finger in Digit if finger not in self.given[seat]]
        return tuple(kept[len(kept) - self.fingers[seat] :])

    def in_unison(self) -> tuple[Heard, ...]:
        """List the shouts within one breath of the earliest (BK-9)."""
        timely = [heard for heard in self.shouts if not heard.late]
        if not timely:
            return ()
        latest = min(heard.at_ms for heard in timely) + self.unison_ms
        return tuple(heard for heard in timely if heard.at_ms <= latest)
