"""A table read once, for every screen that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.bouts import rules_of, state_of
from games.models import Entrant, Event, Game, House, Seat, Table
from games.rules import brave_or_knave as bk
from games.stage import STAGES

# A phone that slept longer than this is told the newest of what it missed; its log has it all.
NEWEST_EVENTS = 60


@dataclass(frozen=True)
class Snapshot:
    """What the log led to, at `seq`. `state` is the server's; screens are given views of it."""

    epoch: str
    table: Table
    seats: tuple[Seat, ...]
    game: Game | None
    entrants: tuple[Entrant, ...]
    state: bk.State | None
    events: tuple[Event, ...]
    more: Any = None  # what the stage of the game in front has read

    @property
    def seq(self) -> int:
        return self.table.seq

    @property
    def is_playing(self) -> bool:
        return self.game is not None and self.game.status == Game.Status.PLAYING

    @property
    def saw(self) -> int:
        """The scene that a button drawn now answers, or 0 where nothing can move on."""
        if self.game is not None:
            return self.game.scene
        return STAGES[self.table.rules].scene(self.more) if self.more is not None else 0

    def seat(self, number: int) -> Seat | None:
        return next((s for s in self.seats if s.number == number), None)

    def index_of(self, seat: Seat) -> int | None:
        """Return a seat's place in the bout's ring, or None when it only watches."""
        return next((i for i, e in enumerate(self.entrants) if e.seat_id == seat.pk), None)

    def names(self) -> list[str]:
        return [e.guild_name for e in self.entrants]

    def view(self, index: int | None) -> bk.View | None:
        """Return what a seat may know of the bout: the only way from the state to a screen."""
        if self.game is None or self.state is None:
            return None
        view: bk.View = rules_of(self.game).view(self.state, index)
        return view


def load(table_id: int, rules: str = "") -> Snapshot:
    """Read a table as it is committed now, with the newest of its log.

    `rules` names the game to read for, where that is not the one in front.
    """
    table = Table.objects.get(pk=table_id)
    front = STAGES[rules or table.rules]
    is_bout = front.rules == bk.NAME
    game = table.games.filter(rules=bk.NAME).first() if is_bout else None
    entrants = list(game.entrants.select_related("seat")) if game else []
    # Never newer than the table's own number, or a socket would be told the same event twice.
    public = (
        table.events.filter(to=None, seq__lte=table.seq)
        .select_related("play__undone")
        .defer("play__ledger")
    )
    events = list(public.order_by("-seq")[:NEWEST_EVENTS])
    return Snapshot(
        epoch=House.current_epoch(),
        table=table,
        seats=tuple(table.seats.exclude(standing=Seat.Standing.GONE)),
        game=game,
        entrants=tuple(entrants),
        state=state_of(game) if game and game.state else None,
        events=tuple(reversed(events)),
        more=front.load(table),
    )


def head(table_id: int) -> int | None:
    """Return the newest number of a table's log, or None when there is no such table."""
    return Table.objects.filter(pk=table_id).values_list("seq", flat=True).first()


def names_by_game(events: list[Event]) -> dict[int | None, list[str]]:
    """Return the guild names of every bout that these events belong to, by the bout's key."""
    names: dict[int | None, list[str]] = {None: []}
    games = {e.game_id for e in events if e.game_id}
    for entrant in Entrant.objects.filter(game__in=games).order_by("game", "order", "id"):
        names.setdefault(entrant.game_id, []).append(entrant.guild_name)
    return names
