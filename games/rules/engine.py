"""The shape every game has, and the one way to play an action.

A game is a module with five functions over frozen values (`msgspec.Struct`,
because its `replace` measured eight times faster than a dataclass's):

- ``setup(table, dice) -> State``
- ``legal_actions(state, seat) -> list[Action]``
- ``apply(state, seat, action, dice) -> (State, events)``
- ``view(state, seat) -> View``
- ``outcome(state) -> Outcome | None``

A seat is an index into the game's seating, clockwise. Seat ``None`` is, for
actions, the table itself (closing the shouting, a knock at a set pace) and,
for views, a bystander: the shared tablet, or whoever watches.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self

import msgspec

Seat = int


class Dice(Protocol):
    """Where faces come from: the server's generator, a seed, or a hand that typed them."""

    def roll(self, sides: int) -> int:
        """Roll one die and return its face, from 1 to `sides`."""
        ...


CHOSEN = msgspec.Meta(extra={"is_chosen": True})
"""Marks the type of a text that is picked: a key or a name that nobody writes."""


class Action(msgspec.Struct, frozen=True, tag_field="action"):
    """What a seat wants to do. Imperative: `Roll`, `Shout`.

    `lacks` has, by field, what is told of one that is left out, where that can be said in words of
    its own; each is a constant, which screens translate.
    """

    lacks: ClassVar[Mapping[str, str]] = {}

    def blank(self) -> Self:
        """Return the action as `legal_actions` lists it: what the player fills in left open."""
        return self


def is_within_bounds(value: msgspec.Struct) -> bool:
    """Tell whether every figure and text keeps to its type's limits; records always do."""
    try:
        msgspec.convert(msgspec.to_builtins(value), type(value))
    except msgspec.ValidationError:
        return False
    return True


class Event(msgspec.Struct, frozen=True, tag_field="event", kw_only=True):
    """What happened, in the past tense.

    `to` is the only seat that may know of it; None means the whole table may.
    """

    to: Seat | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the seats that won, several where they fell together."""

    winners: tuple[Seat, ...]


class IllegalAction(Exception):
    """The rules do not allow this action by this seat now.

    `rule` is the number of the rule that refuses it; `why` is a short English
    sentence, which screens translate.
    """

    def __init__(self, why: str, rule: str = "") -> None:
        super().__init__(f"{why} ({rule})" if rule else why)
        self.why = why
        self.rule = rule


Faces = tuple[int, ...]
Play = tuple[Seat | None, Any, Faces]
"""One action as a record keeps it: who acted, what they did, and the dice that fell."""


class Rules(Protocol):
    """A game's module, seen from outside.

    Beyond the five functions, `must` names the seats the table waits for,
    `refusal` says why an action is not legal, and `scramble` changes what a
    seat may not know, so that tests can demand an equal view.

    `Setup` and `State` are the types of its values, `ACTIONS` its kinds of action
    by their tags; `AnyAction` and `AnyEvent` are the unions of what is played and
    told. The database, the records and the contract test read by them.

    The last six functions are the game's half of `games.rules.records`: reading a line,
    writing one, the summary of a state, and which plays may be written while a
    secret is still kept.
    """

    @property
    def NAME(self) -> str: ...
    @property
    def FORMAT(self) -> int: ...
    @property
    def Setup(self) -> type: ...
    @property
    def State(self) -> type: ...
    @property
    def ACTIONS(self) -> Mapping[str, type]: ...
    @property
    def AnyAction(self) -> Any: ...
    @property
    def AnyEvent(self) -> Any: ...
    def setup(self, table: Any, dice: Dice, /) -> Any: ...
    def legal_actions(self, state: Any, seat: Seat | None, /) -> list[Any]: ...
    def apply(
        self, state: Any, seat: Any, action: Any, dice: Dice, /
    ) -> tuple[Any, tuple[Event, ...]]: ...
    def view(self, state: Any, seat: Seat | None, /) -> Any: ...
    def outcome(self, state: Any, /) -> Outcome | None: ...
    def must(self, state: Any, /) -> tuple[Seat, ...]: ...
    def refusal(self, state: Any, seat: Seat | None, action: Any, /) -> IllegalAction: ...
    def scramble(self, state: Any, seat: Seat | None, rng: random.Random, /) -> Any: ...
    def read_setup(self, line: bytes, /) -> Any: ...
    def read_play(self, line: bytes, state: Any, /) -> Play: ...
    def setup_line(self, table: Any, /) -> dict[str, Any]: ...
    def play_line(self, table: Any, play: Play, /) -> dict[str, Any]: ...
    def visible_plays(self, table: Any, plays: Iterable[Play], /) -> list[Play]: ...
    def summary(self, state: Any, /) -> dict[str, Any]: ...


def learn(*kinds: Any) -> None:
    """Let msgspec look into types now, while modules are imported.

    It does so when it first reads or makes one, and crashes when two threads have it do that for
    the same type at once.
    """
    for kind in kinds:
        msgspec.json.Decoder(kind)


def play(
    rules: Rules, state: Any, seat: Seat | None, action: Action, dice: Dice
) -> tuple[Any, tuple[Event, ...]]:
    """Play one action if the rules allow it; the only way into a game's `apply`.

    Raises IllegalAction, with the rule that refuses, when the action is not
    among the seat's legal ones.
    """
    if action.blank() not in rules.legal_actions(state, seat):
        raise rules.refusal(state, seat, action)
    new_state, events = rules.apply(state, seat, action, dice)
    return new_state, events
