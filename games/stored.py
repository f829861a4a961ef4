"""What is stored of a game, as its rules' own values: set-up and state, its moves, its record."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from games.models import Game, Play
from games.rules import RULES, records
from games.rules.dice import TypedDice
from games.rules.engine import Action, Rules, play


def encode(value: Any) -> str:
    """Return a rules value as JSON text."""
    return msgspec.json.encode(value).decode()


def rules_of(game: Game) -> Rules:
    """Return the module that a game is played by."""
    return RULES[game.rules]


def state_of(game: Game) -> Any:
    """Return a game's state as its rules' own value."""
    return _decoded(game.rules, game.state)


@lru_cache(maxsize=256)
def _decoded(rules: str, text: str) -> Any:
    """Return a state; it is frozen, and a tap and the drawings after it all ask for it."""
    return msgspec.json.decode(text, type=RULES[rules].State)


def kept_setup(game: Game) -> Any:
    """Return what a game was set up with, as its rules' own value."""
    return msgspec.json.decode(game.setup, type=rules_of(game).Setup)


def plays_that_count(game: Game, standing: Iterable[Play] | None = None) -> list[Play]:
    """Return the game's moves that no undo took back, in order.

    `standing` are its plays that are not undone, in order, where they have been read already.
    """
    counted: list[Play] = []
    if standing is None:
        standing = game.plays.filter(undone=None).defer("ledger").order_by("id")
    for one in standing:
        if one.action["action"] == "undo":
            counted = [p for p in counted if p.seq < one.action["back_to"]]
        else:
            counted.append(one)
    kinds = rules_of(game).ACTIONS
    return [p for p in counted if "moves" in p.action or p.action["action"] in kinds]


def moves_of(one: Play) -> list[tuple[Action, tuple[int, ...]]]:
    """Return a play's moves with the dice of each.

    Most are one move. One tap in a fight may be several: step up to a foe and
    strike, or a torch dropped for a sword, and then they are listed as `moves`.
    """
    assert one.game
    kinds = rules_of(one.game).ACTIONS
    listed = one.action.get("moves", [{"action": one.action, "faces": one.faces}])
    return [
        (msgspec.convert(move["action"], kinds[move["action"]["action"]]), tuple(move["faces"]))
        for move in listed
    ]


def play_again(game: Game, plays: Iterable[Play]) -> Any:
    """Return the state after these moves, with the dice that fell then."""
    rules = rules_of(game)
    state = rules.setup(kept_setup(game), TypedDice(()))
    seats = _seat_indexes(game)
    for one in plays:
        seat = seats.get(one.seat_id)
        for action, faces in moves_of(one):
            state, _events = play(rules, state, seat, action, TypedDice(faces))
    return state


def _seat_indexes(game: Game) -> dict[int | None, int]:
    """Map a seat's key to its index in the rules' seating; a fight is played without entrants."""
    return {e.seat_id: i for i, e in enumerate(game.entrants.all())}


def record_of(game: Game) -> str:
    """Write the game as a record that replays to the same end, without what is still hidden."""
    seats = _seat_indexes(game)
    moves = [
        (seats.get(p.seat_id), action, faces)
        for p in plays_that_count(game)
        for action, faces in moves_of(p)
    ]
    return records.write(game.rules, kept_setup(game), moves)
