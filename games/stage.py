"""What the apps above provide for their games: `games` does not know them, they register here.

Each does so in its `AppConfig.ready`; Brave or Knave, which is at home in `games`, does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from games.models import Game, Play, Seat, Table

Loader = Callable[[Table], Any]


@dataclass(frozen=True)
class Region:
    """One part of a page that is pushed whole: its template, and who sees the same.

    `is_shared`: everybody who reads the same language sees the same. `has_pieces`: parts of it are
    pushed by themselves (`games.screens.pieces`). Everything that its template reads is a plain
    value (numbers, texts, tuples and frozen structs of them, never a database row), so that what
    was drawn from equal values can be shown again (`games.screens.kept`).
    """

    template: str
    is_shared: bool = False
    has_pieces: bool = False


def regions(
    app: str,
    page: str,
    *,
    own: Iterable[str] = (),
    shared: Iterable[str] = (),
    have_pieces: bool = False,
) -> dict[str, Region]:
    """List regions by name; each is one small file, whose root element has the name as its id.

    `own` are drawn for each seat, `shared` once for everybody who reads the same language.
    """
    listed = {**dict.fromkeys(own, False), **dict.fromkeys(shared, True)}
    return {
        name: Region(f"{app}/{page}/{name}.jinja", is_shared, have_pieces)
        for name, is_shared in listed.items()
    }


GM_LOG = Region("games/gm/gm-log.jinja", has_pieces=True)
"""The log as every game's host has it."""


@dataclass(frozen=True)
class Stage:
    """A game's screens: what they read, which regions they have, and what those are drawn from.

    What a function is given is `Any` here, because the types stand in modules above this one.
    """

    rules: str
    """The name of the game, as `Table.rules` has it."""
    title: Callable[[], str]
    """Returns the game's name in the active language."""
    about: Callable[[], str]
    """Returns in a few words what kind of game it is, for whoever opens a table."""
    rulebook: Callable[[], Any]
    """Returns the rules page in the active language."""
    load: Loader
    """Reads what the screens show beside the table, its seats and its log: `Snapshot.more`."""
    pages: dict[str, dict[str, Region]]
    """By page (phone, screen, gm): its regions by name."""
    templates: dict[str, str]
    """By page: the template of the whole of it."""
    context: Callable[[Any, Seat], dict[str, Any]]
    """Given the painter and a seat, returns what this game's templates have for that seat alone."""
    shared: Callable[[Any], dict[str, Any]]
    """Given the painter, returns the same for everybody who reads the active language."""
    mode: Callable[[Any], str]
    """Given the painter, says in a word what the table is busy with."""
    scene: Callable[[Any], int] = lambda more: 0
    """Given what `load` has read, returns the scene that buttons answer; 0 where there is none."""
    try_out: Callable[[Any], None] = lambda change: None
    """Fills a trial table, within the change that it is given."""
    api: Callable[[Any, Seat], dict[str, Any]] = lambda now, seat: {}
    """Given the snapshot and a seat, returns what a program in that seat may know."""
    advance: Callable[[Any, Table, Any], Any | None] = lambda more, table, committed: None
    """Carries what `load` has read forward by a commit (a `services.change.Committed`).

    Returns None where it has to be read again.
    """
    api_types: dict[str, Any] = field(default_factory=dict)
    """By the names that `api` returns: of what types they are."""
    page_context: Callable[[Any, Seat, str], dict[str, Any]] = lambda painter, seat, page: {}
    """Given the painter, a seat and a page, returns what the page needs when it is loaded."""


STAGES: dict[str, Stage] = {}
"""The games a table can have in front of it, by the name of their rules."""


def register(stage: Stage) -> None:
    """Put a game on the list; templates, pages and the socket find it by `Table.rules`."""
    STAGES[stage.rules] = stage


class Chronicle(TypedDict):
    """What the records page tells of a game that was played: `winners` are names as well."""

    id: int
    title: NotRequired[str]
    """Stands over it; else who has won does, or that it was called off."""
    at: datetime
    names: Sequence[str]
    winners: Sequence[str]
    is_called_off: bool
    story: Sequence[str]


CHRONICLERS: dict[str, Callable[[Game], Chronicle]] = {}
"""By the rules of a finished game: what the records page tells of it."""

HOLDS_BACK: dict[str, Callable[[Table], bool]] = {}
"""By the rules of a finished game: tells whether its record is the host's alone at a table."""

GUILD_NAMES: list[Callable[[Seat], str]] = []
"""Asked for the name under which a seat plays Brave or Knave; the first that knows one wins."""

BOUT_OVER: list[Callable[[Any, Game, list[Any]], None]] = []
"""Told, inside the write, that a bout has ended: the change, the game, its entrants."""

SEAT_GONE: list[Callable[[Any, Seat], None]] = []
"""Told, inside the write, that somebody has left the table."""

HOST_HANDED: list[Callable[[Any, Seat], None]] = []
"""Told, inside the write, that another seat is the host's now."""

GOING_BACK: list[Callable[[Any, list[Play]], None]] = []
"""Asked, inside the write, before plays are taken back by the ledger: the change, the play meant
with those that hang on it. Each may raise what refuses it."""


def guild_name_of(seat: Seat) -> str:
    """Return the name a seat takes in a bout: its character's, where it has one."""
    return next((name for ask in GUILD_NAMES if (name := ask(seat))), seat.name)


def tell_all(listeners: Iterable[Callable[..., None]], *about: Any) -> None:
    """Tell every listener of something that has just happened."""
    for listen in listeners:
        listen(*about)
