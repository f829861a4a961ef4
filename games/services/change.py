"""One write under way: the locked table, what is logged, and the wake-up after the commit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.models import Entrant, Event, Game, Play, Seat, Table, rows
from games.models.acts import database
from games.models.touched import Touched
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.wake import announce


def now_ms() -> int:
    """Return the server's wall clock in milliseconds: the scale on which shouts are judged."""
    return time.time_ns() // 1_000_000


@dataclass
class Change:
    """One write to a table that stays locked from the first line to the commit.

    `now_ms` is the instant by the table's own clock, which stands still in a pause. `after_log` is
    called once the play and its events have rows; `ledger` is filled by `games.services.ledger`.
    """

    table: Table
    seat: Seat | None
    play: Play
    now_ms: int
    events: list[Event] = field(default_factory=list)
    answer: dict[str, Any] = field(default_factory=dict)
    after_log: list[Callable[[], Any]] = field(default_factory=list)
    ledger: list[list[Any]] = field(default_factory=list)
    _entrants: dict[int, list[Entrant]] = field(default_factory=dict)

    def log(
        self, kind: str, /, *, game: Game | None = None, to: Seat | None = None, **data: Any
    ) -> Event:
        """Add one event to the log, in the past tense; `to` is the only seat that may see it."""
        event = rows.new(
            Event,
            table=self.table,
            seq=self.next_seq,
            play=self.play,
            game=game,
            kind=kind,
            data=data,
            to=to,
        )
        self.events.append(event)
        return event

    @property
    def next_seq(self) -> int:
        """The number that the next event will have."""
        return self.table.seq + len(self.events) + 1

    def game(self) -> Game | None:
        """Return the table's bout, gathering or being played, or None."""
        for status in (Game.Status.PLAYING, Game.Status.GATHERING):
            game = rows.first(Game, table_id=self.table.pk, rules=bk.NAME, status=status)
            if game is not None:
                game.table = self.table
                return game
        return None

    def entrants(self, game: Game) -> list[Entrant]:
        """Return who takes part in a game, in its order, read once."""
        if game.pk not in self._entrants:
            self._entrants[game.pk] = rows.fetch(Entrant, game_id=game.pk)
        return self._entrants[game.pk]


@dataclass(frozen=True)
class Committed:
    """What one write has left in the database, handed to whoever draws the table.

    `table` and `game` (the one that was moved, if any) are the rows as they
    were written; `touched` names every database table that was written to.
    Nobody may change what hangs on it.
    """

    table: Table
    first_seq: int
    events: tuple[Event, ...]
    game: Game | None
    touched: frozenset[str]

    @property
    def seq(self) -> int:
        """The log's newest number after this write."""
        return self.first_seq + len(self.events) - 1


def _clock_ms(table: Table) -> int:
    # What begins in a pause has its whole time afterwards: going on adds all of the pause to it.
    return now_ms() if table.paused_at is None else table.pause


@contextmanager
def changing(
    table: Table, seat: Seat | None, action: Action, tap: str, **play: Any
) -> Iterator[Change]:
    """Record what the block does to a locked table as one play with its events.

    Must run inside a transaction that holds the table's row. The wake-up
    leaves after the commit; what it tells other processes has no state in it.
    """
    record = rows.new(
        Play,
        table=table,
        seat=seat,
        tap=tap,
        action=msgspec.to_builtins(action),
        seq=table.seq + 1,
        **play,
    )
    change = Change(table, seat, record, _clock_ms(table))
    db, touched, was = database(), Touched(), dict(table.__dict__)
    with db.execute_wrapper(touched):
        yield change
        if change.ledger:
            record.ledger, record.can_undo = change.ledger, True
        rows.insert(record)
        rows.belonging(change.events, play=record)  # it has a key now
        rows.insert(*change.events)
        for finish in change.after_log:
            finish()
        table.seq += len(change.events)
        rows.update(table, rows.changed(table, was))
    done = Committed(
        table, record.seq, tuple(change.events), record.game, frozenset(touched.tables)
    )
    # Robust: a failing wake-up must not turn a committed action into an error.
    db.on_commit(lambda: announce(done), robust=True)
