"""A bout as the lines of a record; `games.rules.records` reads and writes the file.

Lines are what the rules page prints, with these additions of ours: a roll may
say ``"cupped": true`` instead of its die (BK-23) and name its ``source``; a
``name`` without a call is a house rule's pick (BK-25); ``leave`` puts a player
out; and ``house_rules`` may stand in the first line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from games.rules.brave_or_knave import refusals
from games.rules.brave_or_knave.actions import (
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
from games.rules.brave_or_knave.legal import must
from games.rules.brave_or_knave.model import (
    UNISON_MS,
    Call,
    Digit,
    HouseRule,
    Setup,
    State,
)
from games.rules.brave_or_knave.start import setup
from games.rules.brave_or_knave.turn import apply
from games.rules.dice import TypedDice
from games.rules.engine import Play, Seat
from games.rules.words import composed, refuse


class _FirstLine(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: int
    seats: tuple[str, ...]
    numbers: dict[str, int]
    first: str | None = None
    variations: tuple[Literal["shroud", "nine_sisters"], ...] = ()
    unison_ms: int = UNISON_MS
    house_rules: tuple[HouseRule, ...] = ()


class _Line(msgspec.Struct, forbid_unknown_fields=True, tag_field="action"):
    by: str | None


class _Shroud(_Line, tag="shroud"):
    pass


class _Roll(_Line, tag="roll"):
    dice: tuple[int, ...] = ()
    cupped: bool = False
    source: Literal["real", "server"] | None = None


class _Blind(_Line, tag="blind"):
    call: Call


class _Shout(_Line, tag="shout"):
    call: Call
    at_ms: int


class _Close(_Line, tag="close"):
    pass


class _Knock(_Line, tag="knock"):
    pass


class _Award(_Line, tag="award"):
    to: str


class _Name(_Line, tag="name"):
    to: str
    call: Call | None = None


class _Deal(_Line, tag="deal"):
    fingers: dict[str, int]


class _Finger(_Line, tag="finger"):
    which: Digit


class _Leave(_Line, tag="leave"):
    pass


_AnyLine = (
    _Shroud | _Roll | _Blind | _Shout | _Close | _Knock | _Award | _Name | _Deal | _Finger | _Leave
)

_FIRST: Final = msgspec.json.Decoder(_FirstLine)
_LINE: Final = msgspec.json.Decoder(_AnyLine)


def read_setup(line: bytes) -> Setup:
    """Read a record's first line; without `first`, the first seat begins.

    Raises msgspec.DecodeError for a line of another shape, IllegalAction for
    a name or number that does not fit.
    """
    first = _FIRST.decode(line)
    seats = first.seats
    numbers = {composed(name): number for name, number in first.numbers.items()}
    if set(numbers) != {composed(name) for name in seats}:
        raise refuse(refusals.NUMBERS_COUNT)
    return Setup(
        names=seats,
        numbers=tuple(numbers[composed(name)] for name in seats),
        first=0 if first.first is None else _seat(first.first, seats),
        shroud="shroud" in first.variations,
        nine_sisters="nine_sisters" in first.variations,
        unison_ms=first.unison_ms,
        house_rules=first.house_rules,
    )


def read_play(line: bytes, state: State) -> Play:
    """Read a record's line as somebody's action with its dice; raises as `read_setup` does."""
    read = _LINE.decode(line)
    by = None if read.by is None else _seat(read.by, state.names)
    if isinstance(read, _Roll):
        wanted = 0 if read.cupped else 1
        if len(read.dice) != wanted:
            raise refuse(refusals.RECORD_CUP if read.cupped else refusals.RECORD_ONE_DIE)
        return by, Roll(read.cupped), read.dice
    return by, _action(read, state.names), ()


def _action(read: _AnyLine, names: tuple[str, ...]) -> AnyAction:
    match read:
        case _Shout():
            return Shout(read.call, read.at_ms)
        case _Blind():
            return Blind(read.call)
        case _Award():
            return Award(_seat(read.to, names))
        case _Name():
            return Name(_seat(read.to, names), read.call)
        case _Deal():
            dealt = {_seat(name, names): count for name, count in read.fingers.items()}
            return Deal(tuple(dealt.get(seat, 0) for seat in range(len(names))))
        case _Finger():
            return Finger(read.which)
        case _Shroud():
            return Shroud()
        case _Close():
            return Close()
        case _Knock():
            return Knock()
        case _:
            return Leave()


def _seat(name: str, names: tuple[str, ...]) -> Seat:
    if name in names:
        return names.index(name)
    alike = [seat for seat, other in enumerate(names) if composed(other) == composed(name)]
    if not alike:
        raise refuse(refusals.RECORD_NOBODY)
    return alike[0]


def setup_line(table: Setup) -> dict[str, Any]:
    """Write a set-up as a record's first line; what is as usual is left out."""
    if table.first is None:
        raise ValueError("a record says who opened")
    variations = [name for name in ("shroud", "nine_sisters") if getattr(table, name)]
    line: dict[str, Any] = {
        "seats": list(table.names),
        "numbers": dict(zip(table.names, table.numbers, strict=True)),
        "first": table.names[table.first],
        "variations": variations,
        "unison_ms": table.unison_ms,
    }
    if table.house_rules:
        line["house_rules"] = msgspec.to_builtins(table.house_rules)
    return line


def play_line(table: Setup, play: Play) -> dict[str, Any]:
    """Write one action as a record's line, with guild names for seats."""
    by, action, faces = play
    line = {"by": None if by is None else table.names[by], **msgspec.to_builtins(action)}
    match action:
        case Roll(cupped=True):
            pass
        case Roll():
            del line["cupped"]
            line["dice"] = list(faces)
        case Award() | Name():
            line["to"] = table.names[action.to]
            if line.get("call", True) is None:
                del line["call"]
        case Deal():
            dealt = zip(table.names, action.fingers, strict=True)
            line["fingers"] = {name: count for name, count in dealt if count}
    return line


def visible_plays(table: Setup, plays: Iterable[Play]) -> list[Play]:
    """Leave out what nobody may know: a die that still lies under a Shroud (BK-23).

    Its roll is not written, so the record ends with that roll still to be made.
    A die that was never revealed, since the round ended over it, is written as
    one under a real cup, without its face.
    """
    kept = list(plays)
    state = setup(table, TypedDice(()))
    lies_at: int | None = None
    for at, (seat, action, faces) in enumerate(kept):
        state, _ = apply(state, seat, action, TypedDice(faces))
        if isinstance(action, Blind):
            lies_at = None
        elif lies_at is None and state.hidden is not None:
            lies_at = at
        elif lies_at is not None and state.hidden is None:
            kept[lies_at] = (kept[lies_at][0], Roll(cupped=True), ())
            lies_at = None
    if lies_at is not None:
        del kept[lies_at]
    return kept


def summary(state: State) -> dict[str, Any]:
    """Say where a bout stands, with guild names for seats, as `manage.py replay` prints it."""
    names = state.names
    return {
        "phase": state.phase.value,
        "must": [names[seat] for seat in must(state)],
        "standing": state.standing,
        "roller": names[state.roller],
        "call": None if state.call is None else state.call.value,
        "fingers": dict(zip(names, state.fingers, strict=True)),
        "winners": [names[seat] for seat in state.winners],
    }
