"""Sequences told in few words: who takes part, what they do, what then holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules import records
from games.rules import wicked_sequence as ws

SHEETS: dict[str, dict[str, Any]] = {
    "amek": {
        "kind": "pc",
        "player": "amy",
        "forms": {
            "covertly": 8,
            "directly": 10,
            "for_myself": 4,
            "for_others": 6,
            "with_love": 6,
            "with_violence": 12,
        },
    },
    "mekha": {
        "kind": "pc",
        "player": "martha",
        "forms": {
            "covertly": 6,
            "directly": 8,
            "for_myself": 10,
            "for_others": 4,
            "with_love": 12,
            "with_violence": 6,
        },
    },
    "tajie": {
        "kind": "pc",
        "player": "tom",
        "forms": {
            "covertly": 8,
            "directly": 6,
            "for_myself": 12,
            "for_others": 10,
            "with_love": 6,
            "with_violence": 4,
        },
    },
    "esan": {
        "kind": "npc",
        "forms": {"action": [12, 8], "maneuvering": [10, 6], "self_protection": [6, 4]},
    },
}
HAWK = {"name": "hawk", "die": 8, "forms": ["directly"], "npc_form": "maneuvering"}
CHOICES = {
    "amek": ["with_violence", "directly"],
    "mekha": ["for_myself", "directly"],
    "tajie": ["for_myself", "covertly"],
    "esan": ["maneuvering"],
}


class Sequence:
    """A sequence played by lines of a record."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.lines = [json.dumps({"game": "wicked_sequence", "format": 1, **setup})]
        self.moment = records.replay(self.text)

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    @property
    def state(self) -> ws.State:
        return self.moment.state

    @property
    def summary(self) -> dict[str, Any]:
        return ws.summary(self.state)

    def does(self, action: str, by: str | None = None, **fields: Any) -> Sequence:
        """Play one line; a RecordError leaves everything as it was."""
        who = {} if by is None else {"by": by}
        line = json.dumps({"action": action, **who, **fields})
        self.moment = records.replay(self.text + line)
        self.lines.append(line)
        return self

    def rolls(self, **dice: list[int] | tuple[list[int], list[int]]) -> Sequence:
        """Let several roll, each her dice, or her dice and her pips."""
        for who, faces in dice.items():
            base, pips = faces if isinstance(faces, tuple) else (faces, [])
            self.does("roll", who, dice=base, pips=pips)
        return self

    def moves(self, by: str, *to: str) -> Sequence:
        return self.does("move", by, to=list(to))

    def settles(self, winner: str, loser: str, as_: str = "exhausted", **more: Any) -> Sequence:
        return self.does("settle", winner=winner, loser=loser, **{"as": as_}, **more)

    def agrees(self, winner: str, loser: str, *terms: Any, **more: Any) -> Sequence:
        return self.does("agree", winner=winner, loser=loser, terms=list(terms), **more)

    def refuses(self, action: str, by: str | None = None, **fields: Any) -> str:
        """Try a line that must be refused, and return why."""
        with pytest.raises(records.RecordError) as refused:
            self.does(action, by, **fields)
        assert refused.value.line == len(self.lines) + 1
        return refused.value.why


def sheet(who: str, **changed: Any) -> dict[str, Any]:
    """Return a participant of the usual cast, with something changed."""
    return {"id": who, **SHEETS[who], **changed}


def sequence(*who: str | dict[str, Any], choose: bool = True, **setup: Any) -> Sequence:
    """Set up a sequence; the usual cast chooses its usual forms."""
    cast = [sheet(one) if isinstance(one, str) else one for one in who]
    played = Sequence({"participants": cast, **setup})
    for one in cast:
        if choose:
            used = [held["name"] for held in one.get("strengths", [])]
            played.does("choose", one["id"], forms=CHOICES[one["id"]], strengths=used)
    return played


def duel(amek: list[int] | None = None, mekha: list[int] | None = None) -> Sequence:
    """Amek (d12, d10) against Mekha (d10, d8); Amek is first unless told otherwise."""
    return sequence("amek", "mekha").rolls(amek=amek or [9, 5], mekha=mekha or [4, 3])


def three(**dice: list[int]) -> Sequence:
    """Amek, Mekha and Esan have rolled."""
    return sequence("amek", "mekha", "esan").rolls(**dice)
