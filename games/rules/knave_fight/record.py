"""A fight as the lines of a record; `games.rules.records` reads and writes the file.

Lines are what the rules page prints. What we add are optional fields and
further actions, listed in `model.Combatant`, `model.Weapon` and `actions`.
Nobody's seat stands in a line: a record is played at the referee's word. It
tells every figure of the foes, so while a fight lasts only the referee may
have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.rules.engine import Faces, Play, learn
from games.rules.knave_fight import refusals
from games.rules.knave_fight.actions import (
    AnyAction,
    Attack,
    Initiative,
    Join,
    Morale,
    Rest,
    Save,
    Stunt,
)
from games.rules.knave_fight.events import AnyEvent
from games.rules.knave_fight.model import Combatant, Fighter, Setup, State
from games.rules.words import refuse

_ROLLS: Final = (Initiative, Attack, Stunt, Save, Morale)


class _FirstLine(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: int
    party: tuple[Combatant, ...]
    foes: tuple[Combatant, ...]


_FIRST: Final = msgspec.json.Decoder(_FirstLine)
learn(Setup, State, AnyAction, AnyEvent)


def read_setup(line: bytes) -> Setup:
    """Read a record's first line.

    Raises msgspec.DecodeError for a line of another shape; `setup` refuses
    what has the right shape and cannot be.
    """
    first = _FIRST.decode(line)
    return Setup(first.party, first.foes)


def read_play(line: bytes, state: State) -> Play:
    """Read a record's line as an action with its dice, in the order they are rolled.

    Raises msgspec.DecodeError for a line of another shape, IllegalAction for
    dice that do not go with the action.
    """
    read = msgspec.json.decode(line)
    if not isinstance(read, dict):
        raise refuse(refusals.RECORD_OBJECT)
    dice = read.pop("dice", None)
    action: AnyAction = msgspec.convert(read, AnyAction)
    if isinstance(action, Rest):
        return _read_rest(action, dice, state)
    if isinstance(action, _ROLLS):
        if not isinstance(dice, list):
            raise refuse(refusals.RECORD_DICE)
        return None, action, msgspec.convert(dice, tuple[int, ...])
    if dice is not None:
        raise refuse(refusals.RECORD_NO_DICE)
    return None, action, ()


def _read_rest(action: Rest, dice: Any, state: State) -> Play:
    """Read who rests from the names beside the dice, in the order of the combatants (KN-21)."""
    if action.who:
        raise refuse(refusals.RECORD_WHO)
    if action.kind == "haven":
        if dice is not None:
            raise refuse(refusals.REST_HAVEN)
        return None, action, ()
    if not isinstance(dice, dict):
        raise refuse(refusals.RECORD_DICE)
    faces = msgspec.convert(dice, dict[str, int])
    if any(state.find(who) is None for who in faces):
        raise refuse(refusals.STRANGER)
    who = tuple(one for one in state.ids if one in faces)
    return None, replace(action, who=who), tuple(faces[one] for one in who)


def setup_line(table: Setup) -> dict[str, Any]:
    """Write a set-up as a record's first line: what the rules page prints there, and what is ours.

    Of ours, what is as usual is left out.
    """
    return {
        "party": [_combatant(one) for one in table.party],
        "foes": [_combatant(one) for one in table.foes],
    }


def _combatant(one: Combatant) -> dict[str, Any]:
    line: dict[str, Any] = msgspec.to_builtins(one)
    return {"id": one.id, "level": one.level} | line


def play_line(table: Setup, play: Play) -> dict[str, Any]:
    """Write one action as a record's line, with its dice."""
    _, action, faces = play
    line: dict[str, Any] = msgspec.to_builtins(action)
    if isinstance(action, Rest) and action.kind == "night":
        line.pop("who", None)
        line["dice"] = _by_sleeper(action.who, faces)
    elif isinstance(action, _ROLLS):
        line["dice"] = list(faces)
    elif isinstance(action, Join):
        line["combatant"] = _combatant(action.combatant)
    return line


def _by_sleeper(who: Sequence[str], faces: Faces) -> dict[str, int]:
    return dict(zip(who, faces, strict=True))


def visible_plays(table: Setup, plays: Iterable[Play]) -> list[Play]:
    """Write every play: no die of a fight lies hidden."""
    return list(plays)


def summary(state: State) -> dict[str, Any]:
    """Say where a fight stands, as `manage.py replay` prints it."""
    last = state.last
    return {
        "round": state.round,
        "first": None if state.first is None else state.first.value,
        "last": last and {"total": last.total, "target": last.target, "success": last.success},
        "combatants": {one.id: _standing(one) for one in state.fighters},
    }


def _standing(one: Fighter) -> dict[str, Any]:
    return {
        "hp": one.hp,
        "state": one.status.value,
        "armor_defense": one.armor_defense,
        "armor_quality": None if one.armor is None else one.armor.quality,
        "weapon_quality": None if one.weapon is None else one.weapon.quality,
    }
