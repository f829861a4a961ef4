"""A sequence as the lines of a record; `games.rules.records` reads and writes the file.

Lines are what the rules page prints. What we add is optional: `act`,
`needs_far_reach`, a strength's `consequential` and `far_reaching`, `waive`, the
actions `join` and `leave`. Nobody's seat stands in a line: a record is played at
the table's word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from games.rules.dice import TypedDice
from games.rules.engine import Faces, Play, learn
from games.rules.wicked_sequence import refusals
from games.rules.wicked_sequence.actions import (
    Agree,
    AnyAction,
    Choose,
    Join,
    Lots,
    Move,
    Roll,
)
from games.rules.wicked_sequence.events import AnyEvent
from games.rules.wicked_sequence.legal import awaited
from games.rules.wicked_sequence.model import Fighter, Phase, State
from games.rules.wicked_sequence.reading import dice_owed, pips_owed
from games.rules.wicked_sequence.sheets import Owed, Participant, Setup, Text
from games.rules.wicked_sequence.start import setup
from games.rules.wicked_sequence.turn import apply
from games.rules.wicked_sequence.view import standing
from games.rules.wicked_sequence.why_not import fault
from games.rules.words import refuse


class _FirstLine(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: int
    participants: tuple[Participant, ...]
    owe_list: tuple[Owed, ...] = ()
    needs_far_reach: bool = False
    act: Text = ""


class _RollLine(msgspec.Struct, frozen=True):
    """A roll whose dice are sorted out, as only the state they fell in can."""

    by: str
    dice: Faces
    pips: Faces


# Fields that a line has also when they are empty.
_ALWAYS_WRITTEN: Final[dict[type[Any], tuple[str, ...]]] = {
    Agree: ("terms",),
    Choose: ("forms", "strengths"),
    Lots: ("by",),
    Move: ("to",),
}
_FIRST: Final = msgspec.json.Decoder(_FirstLine)
learn(Setup, State, AnyAction, AnyEvent)


def read_setup(line: bytes) -> Setup:
    """Read a record's first line.

    Raises msgspec.DecodeError for a line of another shape; `setup` refuses
    what has the right shape and cannot be.
    """
    first = _FIRST.decode(line)
    return Setup(
        participants=first.participants,
        owe_list=first.owe_list,
        needs_far_reach=first.needs_far_reach,
        act=first.act,
    )


def read_play(line: bytes, state: State) -> Play:
    """Read a record's line as an action with its dice: base dice, then pips.

    Raises msgspec.DecodeError for a line of another shape, IllegalAction for
    dice that do not go with the action.
    """
    read = msgspec.json.decode(line)
    if not isinstance(read, dict):
        raise refuse(refusals.RECORD_OBJECT)
    has_dice = "dice" in read or "pips" in read
    dice, pips = read.pop("dice", None), read.pop("pips", None)
    action: AnyAction = msgspec.convert(read, AnyAction)
    if not isinstance(action, Roll):
        if has_dice:
            raise refuse(refusals.RECORD_NO_DICE)
        return None, action, ()
    if not isinstance(dice, list) or not isinstance(pips, list | None):
        raise refuse(refusals.RECORD_DICE)
    faces = msgspec.convert(dice, Faces), msgspec.convert(pips or [], Faces)
    if fault(state, None, action) is None:
        _check_dice(state, action.by, *faces)
    return None, action, (*faces[0], *faces[1])


def _check_dice(state: State, who: str, dice: Faces, pips: Faces) -> None:
    """Ask for as many dice as are in hand, and faces they have (WA-42, WA-62, WA-111)."""
    owed, pips_due = dice_owed(state, who), pips_owed(state, who)
    is_tie = state.phase is Phase.TIE
    if len(dice) != len(owed) - pips_due:
        raise refuse(refusals.ONE_DIE if is_tie else refusals.HOW_MANY_DICE)
    if len(pips) != pips_due:
        raise refuse(refusals.ONE_DIE if is_tie else refusals.HOW_MANY_PIPS)
    for (_, sides), face in zip(owed, (*dice, *pips), strict=True):
        if not 1 <= face <= sides:
            raise refuse(refusals.NO_SUCH_FACE)


def setup_line(table: Setup) -> dict[str, Any]:
    """Write a set-up as a record's first line: what the rules page prints there, and what is ours.

    Of ours, what is as usual is left out.
    """
    printed = {
        "participants": [_participant(one) for one in table.participants],
        "owe_list": msgspec.to_builtins(table.owe_list),
    }
    whole: dict[str, Any] = msgspec.to_builtins(table)
    return printed | {name: value for name, value in whole.items() if name not in printed}


def _participant(one: Participant) -> dict[str, Any]:
    line: dict[str, Any] = msgspec.to_builtins(one)
    if one.strengths:
        line["strengths"] = [
            {"name": strength.name, "die": strength.die} | msgspec.to_builtins(strength)
            for strength in one.strengths
        ]
    return line


def visible_plays(table: Setup, plays: Iterable[Play]) -> list[Play]:
    """Write every play, each roll with its pips sorted out: nothing of a sequence is hidden."""
    state, written = setup(table, TypedDice(())), list[Play]()
    for seat, action, faces in plays:
        shown = action
        if isinstance(action, Roll):
            base = len(faces) - pips_owed(state, action.by)
            shown = _RollLine(action.by, faces[:base], faces[base:])
        written.append((seat, shown, faces))
        state, _ = apply(state, seat, action, TypedDice(faces))
    return written


def play_line(table: Setup, play: Play) -> dict[str, Any]:
    """Write one of the `visible_plays` as a record's line."""
    _seat, action, _faces = play
    if isinstance(action, _RollLine):
        pips = {"pips": list(action.pips)} if action.pips else {}
        return {"action": "roll", "by": action.by, "dice": list(action.dice), **pips}
    line: dict[str, Any] = msgspec.to_builtins(action)
    for field in _ALWAYS_WRITTEN.get(type(action), ()):
        line.setdefault(field, getattr(action, field))
    if isinstance(action, Join):
        line["participant"] = _participant(action.participant)
    return line


def summary(state: State) -> dict[str, Any]:
    """Say where a sequence stands, as `manage.py replay` prints it."""
    stands = standing(state)
    return {
        "phase": state.phase.value,
        "round": state.round,
        "must": list(awaited(state)),
        "order": list(state.order),
        "in": list(state.inside),
        "standing": stands and {"by": stands.by, "total": stands.total, "dice": list(stands.dice)},
        "last": state.last and msgspec.to_builtins(state.last),
        "advantage": [msgspec.to_builtins(one) for one in state.won],
        "bought": {one.id: one.bought for one in state.participants if one.bought},
        "owe_list": [owed.name for owed in state.owe_list],
        "forms": {one.id: _forms(one) for one in state.participants},
        "out": [one.id for one in state.participants if one.is_out],
    }


def _forms(fighter: Fighter) -> dict[str, int | list[int]]:
    if fighter.kind == "npc":
        return {form: list(dice) for form, dice in fighter.forms.items()}
    return {form: dice[0] for form, dice in fighter.forms.items()}
