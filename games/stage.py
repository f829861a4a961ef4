"""What the apps above provide for their games: `games` does not know them, they register here.

Each does so in its `AppConfig.ready`; Brave or Knave, which is at home in `games`, does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from games.models import Game, Play, Seat, Table

Loader = Callable[[Table], Any]


@dataclass(frozen=True)
class Region:
    """One part of a page that is pushed whole: its template, and who sees the same.

    `is_shared`: everybody who reads the same language sees the same. `is_kept`: everything that its
    template reads is a plain value (numbers, texts, tuples and frozen structs of them, never a
    database row), so that what was drawn from equal values can be shown again
    (`games.screens.kept`). `has_pieces`: parts of it are pushed by themselves
    (`games.screens.pieces`).
    """

    template: str
    is_shared: bool = False
    is_kept: bool = False
    has_pieces: bool = False


def regions(
    app: str, page: str, *, are_kept: bool = False, have_pieces: bool = False, **is_shared: bool
) -> dict[str, Region]:
    """List a page's regions; each is one small file, whose root element has its name as id."""
    names = {name.replace("_", "-"): shared for name, shared in is_shared.items()}
    return {
        name: Region(f"{app}/{page}/{name}.jinja", shared, are_kept, have_pieces)
        for name, shared in names.items()
    }


GM_LOG = Region("games/gm/gm-log.jinja", is_kept=True, has_pieces=True)
"""The log as every game's host has it."""


@dataclass(frozen=True)
class Stage:
    """A game's screens. `load` reads what they show beside the table, its seats and its log.

    `context` is given the painter and a seat and returns what the templates
    are given beside what every game's are; `mode` says in a word what the
    table is busy with; `title` returns the game's name in the active language,
    and `scene` the number that buttons answer, where a game can move on under
    a finger. `try_out` fills a trial table, inside the change it is given.
    `advance` takes what was loaded on by a commit of this process (a
    `services.change.Committed`), or returns None where it has to be read again.
    `shared` returns what everybody who reads the same language is given, and
    `page_context` what a page needs beside its regions, once, when it is loaded.
    `api` is given the snapshot and a seat and returns what a program may know;
    `api_types` says by name of what types it is.
    """

    rules: str
    title: Callable[[], str]
    load: Loader
    pages: dict[str, dict[str, Region]]
    templates: dict[str, str]
    context: Callable[[Any, Seat], dict[str, Any]]
    shared: Callable[[Any], dict[str, Any]]
    mode: Callable[[Any], str]
    rulebook: Callable[[], Any] = lambda: None
    scene: Callable[[Any], int] = lambda more: 0
    try_out: Callable[[Any], None] = lambda change: None
    api: Callable[[Any, Seat], dict[str, Any]] = lambda now, seat: {}
    advance: Callable[[Any, Table, Any], Any | None] = lambda more, table, committed: None
    api_types: dict[str, Any] = field(default_factory=dict)
    page_context: Callable[[Any, Seat, str], dict[str, Any]] = field(
        default=lambda painter, seat, page: {}
    )


STAGES: dict[str, Stage] = {}
"""The games a table can have in front of it, by the name of their rules."""


def register(stage: Stage) -> None:
    """Put a game on the list; templates, pages and the socket find it by `Table.rules`."""
    STAGES[stage.rules] = stage


CHRONICLERS: dict[str, Callable[[Game], dict[str, Any]]] = {}
"""By the rules of a finished game: what the records page tells of it."""

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
