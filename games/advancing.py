"""Carries a snapshot forward by what has been committed since, instead of reading it again.

A commit of this process hands over its rows (`services.change.Committed`). Of another process's
commit the layer says how far the log came and which tables were written to (`games.others.Heard`);
then only those rows are read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.asked import Asked
from games.models import Event, Game, Table, rows
from games.others import Heard
from games.services.change import Committed
from games.services.tables import SitDown, UsePass
from games.snapshot import NEWEST_EVENTS, Happened, Names, Snapshot, course_of
from games.stage import STAGES
from games.stored import state_of

# The tables whose rows come with a `Committed`. Whatever else a snapshot has, only reading finds.
BROUGHT_ALONG = frozenset({"games_table", "games_play", "games_event", "games_game"})
NOT_SHOWN = frozenset({"games_seatpass"})
# Actions of somebody who had no seat: they were given one before the play began.
COMES_IN = frozenset(one.__struct_config__.tag for one in (SitDown, UsePass))


def advance(before: Snapshot, done: Committed) -> Snapshot | None:
    """Return what `load` would read after this commit, without asking the database.

    The one exception: the course of a bout that has just ended is asked for. Returns None where the
    table has to be read: this snapshot is not the one right before the commit, or something was
    written that the commit does not bring along.
    """
    table = done.table
    if before.seq + 1 != done.first_seq or table.seq != done.seq:
        return None
    ours = {name for name in done.touched if name.startswith("games_")}
    if not ours <= BROUGHT_ALONG | NOT_SHOWN or table.rules != before.table.rules:
        return None
    if not done.events or done.events[0].play.action.get("action") in COMES_IN:
        return None
    moved = _next_game(before, done)
    # Another game in front, which has a stage of its own, carries its games forward itself.
    if moved is None and "games_game" in ours and before.more is None:
        return None
    table = rows.copy_of(table)
    more = before.more
    if more is not None and (more := STAGES[table.rules].advance(more, table, done)) is None:
        return None
    events = _with_new(before.events, done)
    game, is_moved = before.game, False
    if moved is not None and game is not None:
        game, is_moved = moved, moved.state != game.state
    return replace(
        before,
        table=table,
        game=game,
        state=state_of(game) if game is not None and is_moved else before.state,
        events=events,
        course=_next_course(before, game, done),
        seen=_next_seen(before, events),
        undone=before.undone and before.undone & {e.play_id for e in events},
        named=_still_named(before.named, events),
        more=more,
    )


def _next_course(before: Snapshot, game: Game | None, done: Committed) -> tuple[Happened, ...]:
    if game is None or game.status != Game.Status.OVER:
        return ()
    # Nothing is added to it once the bout is over, and an undo that begins it anew drops it.
    return before.course or course_of(game, done.seq)


def _next_seen(before: Snapshot, events: tuple[Event, ...]) -> frozenset[str]:
    if before.game is None or not before.table.is_trial or events is before.events:
        return before.seen
    return before.seen | {e.kind for e in before.latest if e.game_id == before.game.pk}


def _still_named(named: dict[int, Names], events: tuple[Event, ...]) -> dict[int, Names]:
    if not named:
        return named
    those = {e.game_id for e in events}
    return {game: names for game, names in named.items() if game in those}


def _next_game(before: Snapshot, done: Committed) -> Game | None:
    """Return the bout as the play left it, or None where the play moved another game or none."""
    if done.game is None or before.game is None or done.game.pk != before.game.pk:
        return None
    return rows.copy_of(done.game)


def _with_new(events: tuple[Event, ...], done: Committed) -> tuple[Event, ...]:
    """Return the newest events with those of a commit that everybody may know of."""
    new = [e for e in done.events if e.to_id is None]
    if not new:
        return events
    play = rows.copy_of(new[0].play, without=("ledger", "action", "timing"))
    # As a reading would find it: nothing has taken it back.
    play._state.fields_cache["undone"] = None
    copies = []
    for event in new:
        copied = rows.copy_of(event)
        copied.data = _as_read(event.data)
        copied._state.fields_cache["play"] = play
        copies.append(copied)
    return (*events, *copies)[-NEWEST_EVENTS:]


def _as_read(value: Any) -> Any:
    """Return a value as it comes back out of JSON."""
    if isinstance(value, dict):
        return {str(key): _as_read(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_as_read(one) for one in value]
    if isinstance(value, str) and type(value) is not str:
        return str.__str__(value)
    return value


# --- committed by another process ----------------------------------------------------------------

_EVENTS = Asked(
    lambda table, seq: (
        Event.objects.filter(table=table, seq__gte=seq).select_related("play").order_by("seq")
    )
)


def committed(table_id: int, heard: Heard) -> Committed | None:
    """Return what another process has committed, or None where the table has to be read.

    That is where it was more than one play, or the log has come to another number than it said.
    """
    table = rows.first(Table, id=table_id)
    if table is None or table.seq != heard.seq:
        return None
    events = tuple(_EVENTS(table_id, heard.first_seq))
    if len({event.play_id for event in events}) != 1 or events[-1].seq != heard.seq:
        return None
    key = next((event.game_id for event in events if event.game_id), None)
    game = rows.first(Game, id=key) if key and "games_game" in heard.touched else None
    return Committed(table, heard.first_seq, events, game, heard.touched)
