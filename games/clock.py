"""Moves that fall due at a table without a tap, and playing them when their time has come.

Closing a shouting, a knock at a set pace, the little finger of somebody who does not pick, the
moves of the regulars. Each has a tap named after the scene, so that it happens once however many
processes watch the table.

`awake_ms` is since when people could act: a house that slept with its laptop, or was started again,
must not choose for people because of the time it was away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from games.bouts import entrants_of
from games.errors import Refused
from games.models import Entrant, Game, Table, rows
from games.regulars import REGULARS, plan
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.services.act import Actor, Tap, act
from games.services.change import now_ms
from games.stored import rules_of, state_of

# BK-20: who does not pick within this time gives up the little finger.
PICKS_WITHIN_MS = 12000
# At a trial table regulars take so many times as long to shout: somebody plays for the first time.
TRIAL_PATIENCE = 1.7


@dataclass(frozen=True)
class Due:
    """A move that nobody has to tap: when (server milliseconds), whose, what, under which tap."""

    at_ms: int
    actor: Actor
    action: Action
    tap: Tap


def due_moves(
    table: Table, game: Game | None, entrants: list[Entrant], awake_ms: int = 0
) -> list[Due]:
    """Return every move that will fall due in the present scene, soonest first."""
    if game is None or game.status != Game.Status.PLAYING or table.paused_at:
        return []
    state = state_of(game)
    patience = TRIAL_PATIENCE if table.is_trial else 1.0
    moves = [
        *_table_moves(table, game, state, awake_ms),
        *_seat_moves(game, state, entrants, patience, awake_ms),
    ]
    return sorted(moves, key=lambda due: due.at_ms)


def _soon(at_ms: int, longest_ms: int) -> int:
    """Return `at_ms`, or now where that is further ahead than it can ever be.

    A time so far ahead was noted before the clock was set back: without this the table would stand
    still for as long as that was.
    """
    now = now_ms()
    return at_ms if at_ms - now <= longest_ms else now


def _table_moves(table: Table, game: Game, state: bk.State, awake_ms: int) -> Iterator[Due]:
    """Yield what the table itself will do: close a shouting, or knock while nobody shouts."""
    if state.phase is not bk.Phase.SHOUT:
        return
    pace = table.settings.knock_pace_ms
    if state.shouts:
        if game.closes_ms is not None:
            at = _soon(game.closes_ms, settings.SHOUT_DELAY_MAX_MS)
            yield _house(game, at, bk.Close(), f"close-{game.scene}")
    elif pace:
        at = _soon(max(game.moved_ms, awake_ms) + pace, pace)
        yield _house(game, at, bk.Knock(), f"knock-{game.scene}-{state.knocks}")


def _house(game: Game, at_ms: int, action: Action, tap: str) -> Due:
    return Due(at_ms, Actor(None, is_house=True), action, Tap(tap, saw=game.scene))


def _seat_moves(
    game: Game, state: bk.State, entrants: list[Entrant], patience: float, awake_ms: int
) -> Iterator[Due]:
    """Yield what regulars will do, and which finger goes for somebody who does not pick one."""
    rules = rules_of(game)
    for index, entrant in enumerate(entrants):
        actor = Actor(entrant.seat.number, is_house=True)
        regular = REGULARS.get(entrant.seat.regular)
        if regular:
            legal = rules.legal_actions(state, index)
            view = rules.view(state, index)
            made = plan(regular, view, legal, index, game.scene, patience=patience)
            if made:
                since = game.scene_ms if made.from_scene else game.moved_ms
                kind = type(made.action).__name__
                # Some moves may come several times in one scene: the counts keep their taps apart.
                count = f"{state.knocks}-{state.owed(index)}-{len(state.shouts)}"
                tap = Tap(f"{kind}-{game.scene}-{count}", saw=game.scene)
                at = _soon(since + made.after_ms, made.after_ms)
                yield Due(at, actor, made.action, tap)
        elif state.owed(index) and state.phase is not bk.Phase.OVER:
            little = next(f for f in bk.Digit if f not in state.given[index])
            tap = Tap(f"finger-{game.scene}-{state.owed(index)}", saw=game.scene)
            since = max(game.owed_ms.get(str(index), game.moved_ms), awake_ms)
            at = _soon(since + PICKS_WITHIN_MS, PICKS_WITHIN_MS)
            yield Due(at, actor, bk.Finger(little), tap)


def may_fall_due(game: Game | None) -> bool:
    """Tell whether a game is one in which something can fall due: a bout that is being played."""
    return game is not None and game.rules == bk.NAME and game.status == Game.Status.PLAYING


def due_moves_at(table_id: int, awake_ms: int = 0) -> list[Due]:
    """Return the same as `due_moves`, of a table that is read for it."""
    table = rows.first(Table, id=table_id)
    if table is None:
        return []
    game = rows.first(Game, table_id=table_id, rules=bk.NAME, status=Game.Status.PLAYING)
    if game is None:
        return []
    game.table = table
    return due_moves(table, game, entrants_of(game), awake_ms)


def first_ms(moves: list[Due]) -> int | None:
    """Return when the first of such moves falls due, in server milliseconds, or None."""
    return moves[0].at_ms if moves else None


def play_due(table_id: int, awake_ms: int = 0) -> bool:
    """Play the next move that is due at a table, unless another process has done it.

    Returns whether one has been played by now: false where none is due, or all were refused.
    """
    for due in due_moves_at(table_id, awake_ms):
        if due.at_ms > now_ms():
            return False
        try:
            act(table_id, due.actor, due.action, due.tap)
        except Refused:
            continue  # a person was quicker
        return True  # the scene may have changed: the reader is woken and asks again
    return False
