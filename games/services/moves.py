"""Fights as games of the apps above: how one begins, is moved, and is undone by the ledger.

A bout is undone by its own rules (`games.deeds.undo`). A fight changes sheets as well, so its row
is kept by the ledger as theirs are, and one undo sets back all of it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from games.models import Game, rows
from games.rules.dice import RecordedDice
from games.rules.engine import Action, Event, play
from games.services.change import Change
from games.services.ledger import keep
from games.stored import encode, rules_of, state_of


def begin_game(change: Change, rules: str, setup: Any, state: Any) -> Game:
    """Begin a game from the rules' own setup and first state; return its row.

    The row is made outside the ledger, and called off until it begins: an undo
    of the beginning then leaves an empty row behind, because the log hangs on
    it and a log is never deleted.
    """
    made = Game(table=change.table, rules=rules, status=Game.Status.ENDED)
    rows.insert(made)
    game = rows.first(Game, id=made.pk)
    assert game
    game.status, game.started_at = Game.Status.PLAYING, timezone.now()
    game.setup, game.state = encode(setup), encode(state)
    game.scene, game.scene_ms, game.moved_ms = change.play.seq, change.now_ms, change.now_ms
    keep(change, game)
    return game


class Moves:
    """A game's state while moves are played into it, and the moves as its record has them.

    They go in at the table's word (no seat): a deed has checked before whether
    who taps may.
    """

    def __init__(self, game: Game, dice: RecordedDice) -> None:
        self.game, self.dice = game, dice
        self.state: Any = state_of(game)
        self.made: list[dict[str, Any]] = []
        """Each is `{"action": …, "faces": […]}`, as `games.stored.moves_of` reads them."""
        self._rules = rules_of(game)

    def play(self, action: Action) -> tuple[Event, ...]:
        """Play one move and return what happened in it. Raises IllegalAction."""
        fallen = len(self.dice.faces)
        self.state, events = play(self._rules, self.state, None, action, self.dice)
        self.made.append({"action": msgspec.to_builtins(action), "faces": self.dice.faces[fallen:]})
        return events


def note_moves(change: Change, moves: Moves) -> None:
    """Put moves into the play, after those that this tap has made already."""
    one = change.play
    one.game = moves.game
    one.action = {**one.action, "moves": [*one.action.get("moves", []), *moves.made]}
    one.faces = [*one.faces, *(face for made in moves.made for face in made["faces"])]


def put_state(change: Change, game: Game, state: Any, *, opens_scene: bool) -> None:
    """Put the state after a move into a game's row, which the caller has yet to keep.

    With `opens_scene` what was tapped before is refused from now on.
    """
    game.state = encode(state)
    # Always another number, so that no two moves leave the row the same: an undo of the one
    # then always finds the other after it.
    game.moved_ms = max(change.now_ms, game.moved_ms + 1)
    if opens_scene:
        game.scene, game.scene_ms = change.play.seq, change.now_ms


def tie_to_last_move(change: Change, game: Game) -> None:
    """Make this play depend on a game's last move, so that an undo of that move takes both back.

    What the play begins could not have begun before that move. The instant of a fight's last move
    is read by nothing else; changing it is how an undo finds the dependence.
    """
    game.moved_ms += 1
    keep(change, game)
