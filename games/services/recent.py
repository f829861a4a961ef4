"""The newest plays with what they wrote, so that screens know which own choice can be undone alone.

They are read with a snapshot and carried forward by each commit: no screen asks the database which
plays depend on which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.asked import Asked
from games.models import Event, Table
from games.services.change import Committed
from games.services.ledger import hanging_on

# For how many further events one's own choice can still be taken back with one tap.
OFFERED_FOR = 6


@dataclass(frozen=True)
class Done:
    """One of the newest plays, and the rows that it changed."""

    pk: int
    ledger: Any


Recent = tuple[Done, ...]

# By way of the events: a table's plays have no index of their own.
_NEWEST_EVENTS = Asked(
    lambda table, seq: (
        Event.objects.filter(table=table, seq__gt=seq)
        .select_related("play__undone")
        .defer("data", "play__action", "play__timing")
    )
)


def recent_at(table: Table) -> Recent:
    """Return the plays behind the newest events that an undo could go through."""
    newest = _NEWEST_EVENTS(table.pk, table.seq - OFFERED_FOR - 1)
    plays = {event.play_id: event.play for event in newest}
    stand = (play for _key, play in sorted(plays.items()) if not hasattr(play, "undone"))
    return tuple(Done(play.pk, play.ledger) for play in stand if play.ledger is not None)


def and_last(recent: Recent, committed: Committed) -> Recent:
    """Return the recent plays with the one just committed (a `services.change.Committed`) added."""
    play = committed.events[0].play
    # Each play has at least one event, so this many events hold no more plays than that.
    return (*recent, Done(play.pk, play.ledger))[-OFFERED_FOR - 1 :] if play.ledger else recent


def stands_alone(recent: Recent, play: int) -> bool:
    """Tell whether no later play depends on this one: otherwise a player's undo is refused."""
    own = next((done for done in recent if done.pk == play), None)
    later = (done for done in recent if done.pk > play)
    return own is not None and next(hanging_on(own, later), None) is None
