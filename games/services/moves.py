"""The fights of the apps above, as games: begun, moved, and undone by the ledger.

A bout is undone by its own rules (`games.deeds.undo`). A fight touches sheets as well; so its row
is kept by the ledger like theirs, and one undo sets back all of it.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from games.bouts import encode
from games.models import Game, rows
from games.services.change import Change
from games.services.ledger import keep


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


def note_moves(change: Change, game: Game, moves: list[dict[str, Any]]) -> None:
    """Put moves into the play, after those that this tap has made already.

    Each is `{"action": …, "faces": […]}`, as `games.bouts.moves_of` reads them.
    """
    one = change.play
    one.game = game
    one.action = {**one.action, "moves": [*one.action.get("moves", []), *moves]}
    one.faces = [*one.faces, *(face for made in moves for face in made["faces"])]


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
