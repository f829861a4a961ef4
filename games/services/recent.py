"""The newest plays of a table, so that screens know which choice a player can undo alone.

They are read with a snapshot and carried forward by each commit, so that no screen has to ask the
database which plays depend on which.
"""

from __future__ import annotations

from games.asked import Asked
from games.models import Event, Table
from games.services.change import Committed
from games.services.ledger import NotedPlay, hanging_on

# For how many further events one's own choice can still be taken back with one tap.
OFFERED_FOR = 6


Recent = tuple[NotedPlay, ...]

# By way of the events: a table's plays have no index of their own.
_NEWEST_EVENTS = Asked(
    lambda table, after, last: (
        Event.objects.filter(table=table, seq__gt=after, seq__lte=last)
        .select_related("play__undone")
        .defer("data", "play__action", "play__timing")
    )
)


def recent_at(table: Table) -> Recent:
    """Return the plays behind the newest events that an undo could go through.

    None newer than the number in the table's row, which was read first: the commit that brings it
    adds it, and twice it would keep an older one from being offered.
    """
    newest = _NEWEST_EVENTS(table.pk, table.seq - OFFERED_FOR - 1, table.seq)
    plays = {event.play_id: event.play for event in newest}
    stand = (play for play in plays.values() if not hasattr(play, "undone"))
    return tuple(NotedPlay(one.pk, one.ledger) for one in stand)


def and_last(recent: Recent, committed: Committed) -> Recent:
    """Return the recent plays with the one that was just committed."""
    play = committed.events[0].play
    # Only plays with an event are taken on (`games.advancing`), so this many events hold no more.
    return (*recent, NotedPlay(play.pk, play.ledger))[-OFFERED_FOR - 1 :]


def stands_alone(recent: Recent, play: int) -> bool:
    """Tell whether no later play depends on this one: otherwise a player's undo is refused."""
    own = next((one for one in recent if one.pk == play), None)
    later = (one for one in recent if one.pk > play)
    return own is not None and next(hanging_on(own, later), None) is None
