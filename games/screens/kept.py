"""HTML that was drawn is kept, and shown again wherever the same values would be drawn.

The key of a kept piece is the template, the language and every value that the template reads
(`games.screens.reads`). The piece is drawn from nothing else, so it may be shown to everybody who
is given equal values, at this table or another, and may be dropped at any moment. Not part of it
are who presses a button, where its form goes, which scene or bout it means and which choice it
takes back: those are gaps, filled in for each seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from jinja2 import Environment
from markupsafe import escape

from games.screens.keys import MISSING, getter
from games.screens.paths import NotRead, Path
from games.screens.reads import reads_of

Fill = tuple[str, str, str, str, str]

# The gaps, and the marks that stand for them in a kept piece. Nobody can type those: every process
# draws its own at random.
FILLED: Final = ("act_url", "sender", "saw", "own_last", "bout")
ACTORS: Final = frozenset({"mine", "host"})
_STAND_INS: Final = tuple(f"\ue000{secrets.token_hex(8)}{name}\ue001" for name in FILLED)
_WORDS: Final = tuple(word.encode() for word in _STAND_INS)
# Bytes of HTML that each of the two generations may hold: for tables at rest together, for each
# table that is being played, and in all. A fight of Knave on seven devices takes a megabyte: where
# all tables hold more than is kept, what the next one needs was dropped just before.
MOST_AT_REST, MOST_IN_PLAY, MOST = 1_500_000, 1_200_000, 100_000_000
# Where in a context `games.screens.each` finds what the region around it is kept in.
KEPT = "_kept"


class Drawn:
    """A piece of HTML with gaps for who acts. Pieces with equal marks have equal HTML.

    It is kept in the form in which it is sent: as a JSON string.
    """

    __slots__ = ("_filled", "_json", "_mark")

    def __init__(self, html: str) -> None:
        self._json = msgspec.json.encode(html)
        self._filled = tuple([at for at, word in enumerate(_WORDS) if word in self._json])
        self._mark = hash(html)

    def html(self, fill: Fill) -> str:
        """Return the HTML for one seat."""
        html: str = msgspec.json.decode(self.json(fill))
        return html

    def json(self, fill: Fill) -> bytes:
        """Return the same as a JSON string."""
        text = self._json
        for which in self._filled:
            text = text.replace(_WORDS[which], _in_json(fill[which]))
        return text

    def mark(self, fill: Fill) -> int:
        """Return a number for the filled HTML; it is comparable as long as this process lives."""
        if not self._filled:
            return self._mark
        # Only by the gaps that occur: most forms answer no scene, and stay the same in the next
        # one.
        return hash((self._mark, *[fill[which] for which in self._filled]))

    def __len__(self) -> int:
        return len(self._json)


@lru_cache(maxsize=4096)
def _in_json(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]


class HasGaps(Protocol):
    """Something drawn once for many seats: a `Drawn`, or a region in pieces (`pieces.Whole`)."""

    def html(self, fill: Fill, /) -> str:
        """Return the HTML for one seat."""

    def json(self, fill: Fill, /) -> bytes:
        """Return the same as a JSON string."""


class Shown(NamedTuple):
    """Something drawn with one seat's gaps; its text is only made when asked for."""

    drawn: HasGaps
    fill: Fill

    def html(self) -> str:
        """Return the HTML for that seat."""
        return self.drawn.html(self.fill)

    def json(self) -> bytes:
        """Return the same as a JSON string, ready to be sent."""
        return self.drawn.json(self.fill)


Regions = tuple[dict[str, Shown], dict[str, int]]
"""Of a page: its regions and their pieces by name, and the mark of each."""


class DrawnBefore:
    """Kept HTML, by what it was drawn from; what is not asked for any more is dropped."""

    def __init__(self) -> None:
        self._young: dict[Hashable, Any] = {}
        self._old: dict[Hashable, Any] = {}
        self._size = 0
        self._most = MOST_AT_REST

    def make_room(self, tables: int) -> None:
        """Note how many tables are being played."""
        self._most = min(MOST, MOST_AT_REST + tables * MOST_IN_PLAY)

    def get(self, key: Hashable) -> Any | None:
        """Return a kept piece, or None. Raises TypeError for a key that has no hash."""
        piece = self._young.get(key)
        if piece is None and (piece := self._old.get(key)) is not None:
            self.put(key, piece)
        return piece

    def put(self, key: Hashable, piece: Any) -> None:
        """Keep a piece; when the room is full, what nobody asked for since it last was goes."""
        if self._size > self._most:
            self._old, self._young, self._size = self._young, {}, 0
        self._young[key] = piece
        self._size += len(piece)

    def forget(self) -> None:
        """Drop everything; it is drawn again when needed."""
        self._young, self._old, self._size = {}, {}, 0


drawn_before = DrawnBefore()


class Stencil:
    """A template that is kept by the values at the paths that it reads, with gaps for who acts."""

    def __init__(self, env: Environment, template: str, *, with_pieces: bool = True) -> None:
        self.name = template
        self.template = env.get_template(template)
        paths = reads_of(env, template, with_pieces=with_pieces)
        self.actor = next((p[0] for p in paths if p[0] in ACTORS and p[1:] in _GAPS), "")
        self.getters = tuple(
            (root, getter([p[1:] for p in paths if p[0] == root and not self._is_gap(p)]))
            for root in sorted({p[0] for p in paths if not self._is_gap(p)})
        )

    def reads_only(self, root: str) -> bool:
        """Tell whether this template is drawn from one thing and nothing else."""
        return [name for name, _get in self.getters] == [root]

    def _is_gap(self, path: Path) -> bool:
        return path[0] == self.actor and path[1:] in _GAPS

    def key(self, given: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Return the values that this template would read of what it is given."""
        return tuple([get(given[root]) if root in given else MISSING for root, get in self.getters])

    def draw(self, given: Mapping[str, Any], kept: DrawnBefore) -> Drawn:
        """Draw with marks in the gaps."""
        return Drawn(self.template.render({**self.with_gaps(given), KEPT: kept}).strip())

    def with_gaps(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is given, with marks in place of the actor's fields."""
        if self.actor not in given:
            return dict(given)
        return {**given, self.actor: _without_actor(given[self.actor])}


_GAPS: Final = frozenset((name,) for name in FILLED)


@cache
def stencil_of(env: Environment, template: str, *, with_pieces: bool = True) -> Stencil | None:
    """Return a template's stencil; None where its reads can't be told: it is then always drawn."""
    if env.auto_reload:  # somebody is at work on the templates
        return None
    try:
        return Stencil(env, template, with_pieces=with_pieces)
    except NotRead:
        return None


def recall(
    kept: DrawnBefore | None, env: Environment, template: str, given: Mapping[str, Any]
) -> Drawn:
    """Return a template drawn from what it reads of `given`: as it was kept, or drawn now.

    It is always drawn where there is nothing to keep it in, or where it reads a value without a
    hash. `given` names the language.
    """
    stencil = stencil_of(env, template) if kept is not None else None
    if kept is None or stencil is None:
        return drawn_afresh(env, template, given)
    key = (template, given["language"], *stencil.key(given))
    try:
        drawn: Drawn | None = kept.get(key)
    except TypeError:
        return drawn_afresh(env, template, given)
    if drawn is None:
        drawn = stencil.draw(given, kept)
        kept.put(key, drawn)
    return drawn


def drawn_afresh(env: Environment, template: str, given: Mapping[str, Any]) -> Drawn:
    """Return a template drawn with nothing kept."""
    return Drawn(env.get_template(template).render(given).strip())


NOBODY: Final[Fill] = ("", "", "", "", "")
"""For what is drawn alike for all: nobody acts there, it has no gaps."""


def fill_of(actor: Any) -> Fill:
    """Return the values for the gaps of a seat's pieces."""
    last, bout = str(getattr(actor, "own_last", 0)), str(getattr(actor, "bout", 0))
    return (_escaped(actor.act_url), str(actor.sender), str(actor.saw), last, bout)


def sender(actor: Any) -> Any:
    """Return the number of the seat that a form acts for, as templates ask for it."""
    if isinstance(actor, dict):
        return actor.get("sender", actor["seat"].number)
    return actor.sender


class Answering(NamedTuple):
    """Whom a form acts for, and the scene that it answers."""

    act_url: str
    sender: int
    saw: int


def answering(actor: Any, saw: int) -> Answering:
    """Let forms of the one who acts answer a scene of their own, as each of several fights has."""
    return Answering(actor.act_url, actor.sender, saw)


@lru_cache(maxsize=4096)
def _escaped(address: str) -> str:
    return str(escape(address))


def _without_actor(actor: Any) -> Any:
    own = [gap for gap in zip(FILLED, _STAND_INS, strict=True) if hasattr(actor, gap[0])]
    return msgspec.structs.replace(actor, **dict(own))
