"""Bouts told as the rulebook would tell them."""

from __future__ import annotations

from typing import Any, Self

import pytest
from msgspec.structs import replace

from games.rules import brave_or_knave as bk
from games.rules import engine
from games.rules.brave_or_knave import (
    Call,
    Close,
    Effect,
    HouseRule,
    Knock,
    Name,
    Phase,
    Roll,
    Setup,
    Shout,
)
from games.rules.dice import TypedDice
from games.rules.engine import Event, IllegalAction

BRAVE, KNAVE, HEAL = Call.BRAVE, Call.KNAVE, Call.HEAL


class Bout:
    """A bout at one table, played by guild names with dice that fall as told."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.state = bk.setup(setup, TypedDice(()))
        self.log: tuple[Event, ...] = ()
        self.story: list[Event] = []
        self.moves: list[engine.Play] = []

    def seat(self, who: str | None) -> int | None:
        return None if who is None else self.setup.names.index(who)

    def name(self, seat: int | None) -> str | None:
        return None if seat is None else self.setup.names[seat]

    def plays(self, who: str | None, action: Any, *faces: int) -> Self:
        dice = TypedDice(faces)
        seat = self.seat(who)
        self.state, self.log = engine.play(bk, self.state, seat, action, dice)
        assert dice.unused == 0
        self.story += self.log
        self.moves.append((seat, action, faces))
        return self

    def rolls(self, who: str, face: int) -> Self:
        return self.plays(who, Roll(), face)

    def shouts(self, who: str, call: Call, at_ms: int = 500) -> Self:
        return self.plays(who, Shout(call, at_ms))

    def closes(self) -> Self:
        return self.plays(None, Close())

    def names(self, who: str, to: str, call: Call | None = None) -> Self:
        return self.plays(who, Name(self.setup.names.index(to), call))

    def knocks(self, times: int = 3) -> Self:
        for _ in range(times):
            self.plays(None, Knock())
        return self

    def stands(self, who: str, face: int, *challenge: Any) -> Self:
        """Let `who` open with an ordinary number, and perhaps somebody shout and be first."""
        self.rolls(who, face)
        if challenge:
            self.shouts(*challenge).closes()
        return self

    def with_fingers(self, **left: int) -> Self:
        fingers = tuple(
            left.get(name, old)
            for name, old in zip(self.setup.names, self.state.fingers, strict=True)
        )
        self.state = replace(self.state, fingers=fingers)
        return self

    def refuses(self, who: str | None, action: Any) -> str:
        """Return the rule that refuses this action, as the state before it stays."""
        before = self.state
        with pytest.raises(IllegalAction) as refused:
            self.plays(who, action, 10)
        assert self.state == before
        assert refused.value.why
        return refused.value.rule

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def roller(self) -> str | None:
        return self.name(self.state.roller)

    @property
    def challenger(self) -> str | None:
        return self.name(self.state.challenger)

    @property
    def must(self) -> list[str]:
        return [self.setup.names[seat] for seat in bk.must(self.state)]

    @property
    def winners(self) -> list[str]:
        return [self.setup.names[seat] for seat in self.state.winners]

    def fingers(self, *names: str) -> list[int]:
        return [self.state.fingers[self.setup.names.index(name)] for name in names]

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.log if isinstance(event, kind)]

    def opens(self, who: str) -> bool:
        return self.phase is Phase.OPEN and self.must == [who] and self.state.standing is None


def bout(*, first: str | None = None, **told: Any) -> Bout:
    """Seat guilds with their numbers clockwise: ``bout(Moth=17, Ash=18, shroud=True)``."""
    options = {key: told.pop(key) for key in list(told) if key[0].islower()}
    names = tuple(told)
    begins = 0 if first is None else names.index(first)
    return Bout(Setup(names=names, numbers=tuple(told.values()), first=begins, **options))


def four(rook: int = 3, **told: Any) -> Bout:
    """Seat Moth, Ash, Vane and Rook, with numbers out of the way but for Rook's."""
    return bout(Moth=17, Ash=18, Vane=19, Rook=rook, **told)


def house_rule(number: int, *effects: Effect, on: str = "both") -> HouseRule:
    """Write a house rule; without effects it turns the direction round, which hurts nobody."""
    return HouseRule("The Cat", "Meow!", number, on, effects or (Effect("reverse"),))


def house(*effects: Effect, on: str = "both") -> Bout:
    """Seat the four with a house rule on the 10."""
    return four(house_rules=(house_rule(10, *effects, on=on),))
