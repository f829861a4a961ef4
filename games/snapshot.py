"""A table read once, for every screen that shows it; `games.advancing` carries it forward."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models

from config.sqlite3.base import DatabaseWrapper as SQLite
from games.asked import Asked
from games.bouts import seated
from games.models import ContentLine, Entrant, Event, Game, House, HouseRule, Seat, Table, rows
from games.page_mark import mark_of_pages
from games.rules import brave_or_knave as bk
from games.settings import TableSettings
from games.stage import STAGES
from games.stored import rules_of, state_of
from games.text import in_order

# A phone that missed more events than this is told the newest of them; its log has them all.
NEWEST_EVENTS = 60

# The kinds of event that a bout's story is made of: who fell, what was cried, and the rolls, which
# are only counted. What was undone is left out.
STORY = frozenset({"Grave", "Stave", "Out", "Healed", "Dealt", "HouseRuleActed"})
ROLLS = frozenset({"Rolled", "Revealed"})
TOLD_AFTERWARDS = STORY | ROLLS | {"undone"}

Names = tuple[str, ...]
Row = TypeVar("Row", bound=models.Model)


class Happened(NamedTuple):
    """What a story needs of an event: a bout has hundreds, and at its end everybody waits."""

    seq: int
    kind: str
    data: dict[str, Any]


class Said(Protocol):
    """An event, or what of one a story needs."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...


def undone_seqs(events: Sequence[Said]) -> set[int]:
    """Return the numbers of the events that a later undo took back."""
    gone: set[int] = set()
    for event in events:
        if event.kind == "undone" and "back_to" in event.data:
            gone |= {e.seq for e in events if event.data["back_to"] <= e.seq < event.seq}
    return gone


@dataclass(frozen=True)
class Snapshot:
    """A table at number `seq` of its log: all that its screens are drawn from.

    Many drawings share it, so nobody may change the rows.
    """

    epoch: str
    rules: str  # the game that this was read for; another one may be in front by now
    table: Table
    seats: tuple[Seat, ...]
    # The bout of Brave or Knave, if that was read for, with its seats in the ring's order.
    game: Game | None
    entrants: tuple[Entrant, ...]
    state: bk.State | None  # the server's own: screens are given a `view` of it
    events: tuple[Event, ...]  # the newest that everybody may know of
    undone: frozenset[int] = frozenset()  # of the plays behind them, those that were taken back
    named: dict[int, Names] = field(default_factory=dict)  # guild names of the bouts before this
    course: tuple[Happened, ...] = ()  # what happened in a bout that is over
    # At a trial table: the kinds of event that its bout had before the last play.
    seen: frozenset[str] = frozenset()
    house_rules: tuple[HouseRule, ...] = ()
    content_lines: tuple[ContentLine, ...] = ()
    more: Any = None  # what the stage of that game has read

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
        return STAGES[self.rules].scene(self.more) if self.more is not None else 0

    @cached_property
    def settings(self) -> TableSettings:
        return self.table.settings

    def index_of(self, seat: Seat) -> int | None:
        """Return a seat's place in the bout's ring, or None when it only watches."""
        return self._indexes.get(seat.pk)

    @cached_property
    def _indexes(self) -> dict[int, int]:
        return {e.seat_id: i for i, e in enumerate(self.entrants)}

    @cached_property
    def held_by(self) -> dict[Any, tuple[Seat, ...]]:
        """Return who sits at each device that is at the table."""
        held: dict[Any, tuple[Seat, ...]] = {}
        for seat in self.seats:
            if seat.device_id and seat.is_seated:
                held[seat.device_id] = (*held.get(seat.device_id, ()), seat)
        return held

    @cached_property
    def names(self) -> Names:
        return tuple(e.guild_name for e in self.entrants)

    def names_in(self, game_id: int | None) -> Names:
        """Return the guild names of the bout that an event belongs to."""
        if self.game is not None and game_id == self.game.pk:
            return self.names
        return self.named.get(game_id or 0, ())

    @cached_property
    def called(self) -> dict[str, str]:
        """While a bout is played: the guild name of each, by the name they came with (BK-2)."""
        if self.game is None or self.game.status != Game.Status.PLAYING:
            return {}
        named = ((e.seat.name, e.guild_name) for e in self.entrants)
        return {person: guild for person, guild in named if person != guild}

    def view(self, index: int | None) -> bk.View | None:
        """Return what a seat may know of the bout: screens see the state by this alone."""
        if self.game is None or self.state is None:
            return None
        view: bk.View = rules_of(self.game).view(self.state, index)
        return view

    @cached_property
    def gone(self) -> set[int]:
        """The numbers of those events that a later undo took back."""
        return undone_seqs(self.events)

    @cached_property
    def latest(self) -> tuple[Event, ...]:
        """What the last play brought, as far as everybody may know it."""
        return self.of_play(len(self.events) - 1)

    def of_play(self, last: int) -> tuple[Event, ...]:
        """Return the events of one play, given the index of the last of them."""
        return _play_up_to(self.events, last)

    @cached_property
    def public_view(self) -> bk.View | None:
        """What everybody may know of the bout."""
        return self.view(None)


def _play_up_to(events: tuple[Event, ...], last: int) -> tuple[Event, ...]:
    """Return the events of the play that ends at this index; none before the first."""
    if last < 0:
        return ()
    play, first = events[last].play_id, last
    while first and events[first - 1].play_id == play:
        first -= 1
    return events[first : last + 1]


# --- reading -------------------------------------------------------------------------------------


@cache
def epoch() -> str:
    """Return what every page must carry: this installation (see `House`) and this release.

    A page of another release loads itself anew: its scripts and forms are not ours. It is asked for
    once: a backup is only restored while no server runs, so that no process lives through a change.
    """
    return f"{House.current_epoch()}-{mark_of_pages()}"


def load(table_id: int, rules: str = "") -> Snapshot:
    """Read a table as it is committed now, with the newest of its log.

    `rules` names the game to read for, where that is not the one in front.
    Raises Table.DoesNotExist where there is no such table.
    """
    table = rows.first(Table, id=table_id)
    if table is None:
        raise Table.DoesNotExist
    front = STAGES[rules or table.rules]
    game = _BOUT.first(table_id) if front.rules == bk.NAME else None
    if game is not None:
        game.table = table
    # Before the seats: somebody may sit down between the two queries, and seats are never deleted.
    entrants = rows.fetch(Entrant, game_id=game.pk) if game else []
    seats = tuple(rows.belonging(_SEATS(table_id), table=table))
    events = _newest(table)
    return Snapshot(
        epoch=epoch(),
        rules=front.rules,
        table=table,
        seats=seats,
        game=game,
        entrants=tuple(seated(entrants, game, seats)) if game else (),
        state=state_of(game) if game and game.state else None,
        events=events,
        undone=_undone_plays(events),
        named=_names_of_bouts(events, game),
        course=course_of(game, table.seq) if game and game.status == Game.Status.OVER else (),
        seen=_seen_before(game, events) if table.is_trial else frozenset(),
        house_rules=tuple(_of(table, HouseRule)),
        content_lines=tuple(sorted(_of(table, ContentLine), key=lambda one: in_order(one.text))),
        more=front.load(table),
    )


_BOUT = Asked(lambda table: Game.objects.filter(table=table, rules=bk.NAME)[:1])
# At a table of years hundreds have gone, and anybody can sit down and get up all evening.
_SEATS = Asked(lambda table: Seat.objects.filter(table=table).exclude(standing=Seat.Standing.GONE))


def _public(table: Any, seq: Any) -> models.QuerySet[Event]:
    """Return what everybody may know of a table's log up to a number, the newest first."""
    told = Event.objects.filter(table=table, to=None, seq__lte=seq).select_related("play__undone")
    return told.defer("play__ledger", "play__action", "play__timing").order_by("-seq")


_NEWEST = Asked(lambda table, seq: _public(table, seq)[:NEWEST_EVENTS])


def _of(table: Table, model: type[Row]) -> list[Row]:
    """Return a table's rows of a model, which know the table."""
    return rows.belonging(rows.fetch(model, table_id=table.pk), table=table)


def _newest(table: Table) -> tuple[Event, ...]:
    """Return the newest public events, none newer than the number in the table's row.

    Otherwise a socket would be told the same event twice.
    """
    return tuple(reversed(_NEWEST(table.pk, table.seq)))


def earlier(now: Snapshot, before: int, count: int) -> Snapshot:
    """Return a table with older public events than it has: so many before a number of its log.

    Each undo that came later stands behind them, as it may have taken some of them back.
    """
    told = _public(now.table, now.seq)
    those = reversed(told.filter(seq__lt=before)[:count])
    undone = reversed(told.filter(kind="undone", seq__gte=before))
    events = (*those, *undone)
    named = _names_of_bouts(events, now.game)
    return replace(now, events=events, undone=_undone_plays(events), named=named)


def _undone_plays(events: Iterable[Event]) -> frozenset[int]:
    # What `hasattr(play, "undone")` tells, without the exception that it makes for most of the
    # sixty.
    return frozenset(e.play_id for e in events if e.play._state.fields_cache["undone"])


def _names_of_bouts(events: Iterable[Event], game: Game | None) -> dict[int, Names]:
    """Return the guild names of the bouts before this one that these events belong to."""
    here = game.pk if game else None
    earlier = {e.game_id for e in events if e.game_id and e.game_id != here}
    those = {key: rows.fetch(Entrant, game_id=key) for key in earlier}
    return {key: tuple(e.guild_name for e in found) for key, found in those.items() if found}


def course_of(game: Game, seq: int | None = None) -> tuple[Happened, ...]:
    """Return the events of a bout's story, up to a number of the log."""
    told = Event.objects.filter(game=game, to=None, kind__in=TOLD_AFTERWARDS).order_by("seq")
    told = told if seq is None else told.filter(seq__lte=seq)
    return tuple(Happened(*row) for row in told.values_list("seq", "kind", "data"))


def _seen_before(game: Game | None, events: tuple[Event, ...]) -> frozenset[str]:
    """Return the kinds of event that a bout had before the last play of these."""
    latest = _play_up_to(events, len(events) - 1)
    if game is None or not latest:
        return frozenset()
    earlier = Event.objects.filter(game=game, to=None, seq__lt=latest[0].seq)
    return frozenset(earlier.order_by().values_list("kind", flat=True).distinct())


def head(table_id: int) -> int | None:
    """Return the newest number of a table's log, or None when there is no such table."""
    table = rows.first(Table, id=table_id)
    return None if table is None else table.seq


def writes_of_others() -> tuple[int, int] | None:
    """Return a value that changes once another connection has written to the database.

    It is SQLite's own. None where there is no such value (PostgreSQL).
    """
    db = connections[DEFAULT_DB_ALIAS]
    return db.writes_of_others() if isinstance(db, SQLite) else None
