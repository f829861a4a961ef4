"""What was drawn is kept, and shown again wherever the same values would be drawn.

The key of a kept piece is the template, the language and every value that the
template reads (`games.screens.reads`); the piece is drawn from nothing else,
so it may be shown to whoever is given those values, at this table or another,
and may be forgotten at any moment. Who presses a button, where it goes and
which scene it answers are not part of it: they are filled in for each seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from games.screens.reads import COUNT, EACH, TRUTH, NotRead, Path, reads_of

Getter = Callable[[Any], Hashable]
Fill = tuple[str, str, str]

# What forms are filled in with, and the words that stand in their place in a kept piece. Nobody can
# type those: they are drawn anew by every process.
FILLED: Final = ("act_url", "sender", "saw")
ACTORS: Final = frozenset({"mine", "host"})
_STAND_INS: Final = tuple(f"\ue000{secrets.token_hex(8)}{name}\ue001" for name in FILLED)
_WORDS: Final = tuple(word.encode() for word in _STAND_INS)
# Stands in a key for what is not given. Not None: that would be drawn as a word.
_MISSING: Final = "\ue000missing\ue001"
# Of two generations, each may hold so many bytes of HTML: for all who only look in or sleep, for
# each table that is being played, and altogether.
MOST_AT_REST, MOST_IN_PLAY, MOST = 1_500_000, 400_000, 60_000_000
# Where in a context `each` finds the memory that the region around it is drawn into.
MEMORY = "_memory"


class Drawn:
    """A piece of HTML with gaps for who acts, and a mark: equal marks, equal HTML.

    It is kept as it is sent, in the form of a JSON string.
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
        """Return what `html` can be told by, as long as this process lives."""
        if not self._filled:
            return self._mark
        # By what stands in it alone: most forms answer no scene, and stay as they are in the next.
        return hash((self._mark, *[fill[which] for which in self._filled]))

    def __len__(self) -> int:
        return len(self._json)


@lru_cache(maxsize=4096)
def _in_json(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]


class Shown(NamedTuple):
    """What one seat is shown of something drawn, made only where it is asked for."""

    drawn: Any  # a Drawn, or a region in pieces
    fill: Fill

    def html(self) -> str:
        html: str = self.drawn.html(self.fill)
        return html

    def json(self) -> bytes:
        encoded: bytes = self.drawn.json(self.fill)
        return encoded


class Memory:
    """Pieces by what they were drawn from; those that nobody asks for any more are let go."""

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
        if self._size > self._most:
            self._old, self._young, self._size = self._young, {}, 0
        self._young[key] = piece
        self._size += len(piece)

    def forget(self) -> None:
        """Let everything go. Nothing that is drawn differs for it."""
        self._young, self._old, self._size = {}, {}, 0

    def keys(self) -> list[Hashable]:
        """Return what is kept, for tests."""
        return [*self._young, *self._old]


memory = Memory()


class Sheet:
    """A template ready to be drawn from what it reads, with or without what its pieces read."""

    def __init__(self, env: Environment, template: str, *, with_pieces: bool = True) -> None:
        self.name = template
        self.template = env.get_template(template)
        paths = reads_of(env, template, with_pieces=with_pieces)
        self.actor = next((p[0] for p in paths if p[0] in ACTORS and p[1:] in _GAPS), "")
        self.getters = tuple(
            (root, _getter([p[1:] for p in paths if p[0] == root and not self._is_gap(p)]))
            for root in sorted({p[0] for p in paths if not self._is_gap(p)})
        )

    def reads_only(self, root: str) -> bool:
        """Tell whether this template is drawn from one thing and nothing else."""
        return [name for name, _get in self.getters] == [root]

    def _is_gap(self, path: Path) -> bool:
        return path[0] == self.actor and path[1:] in _GAPS

    def key(self, given: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Return the values that this template would read of what it is given."""
        return tuple(
            [get(given[root]) if root in given else _MISSING for root, get in self.getters]
        )

    def draw(self, given: Mapping[str, Any], kept: Memory) -> Drawn:
        """Draw with words in place of who acts."""
        context = {**given, MEMORY: kept}
        if self.actor in given:
            context[self.actor] = _without_actor(given[self.actor])
        return Drawn(self.template.render(context).strip())


_GAPS: Final = frozenset((name,) for name in FILLED)


@cache
def sheet_of(env: Environment, template: str, *, with_pieces: bool = True) -> Sheet | None:
    """Return a template's sheet, or None when it can't be read and is drawn every time."""
    if env.auto_reload:  # somebody is at work on the templates
        return None
    try:
        return Sheet(env, template, with_pieces=with_pieces)
    except NotRead:
        return None


def recall(kept: Memory | None, env: Environment, template: str, given: Mapping[str, Any]) -> Drawn:
    """Return a template drawn from what it reads of `given`: as it was kept, or drawn now.

    Without a memory it is always drawn, and so is what reads something without
    a hash. `given` names the language.
    """
    sheet = sheet_of(env, template) if kept is not None else None
    if kept is None or sheet is None:
        return drawn_afresh(env, template, given)
    key = (template, given["language"], *sheet.key(given))
    try:
        drawn: Drawn | None = kept.get(key)
    except TypeError:
        return drawn_afresh(env, template, given)
    if drawn is None:
        drawn = sheet.draw(given, kept)
        kept.put(key, drawn)
    return drawn


def drawn_afresh(env: Environment, template: str, given: Mapping[str, Any]) -> Drawn:
    """Return a template drawn with nothing kept."""
    return Drawn(env.get_template(template).render(given).strip())


NOBODY: Final[Fill] = ("", "", "")
"""For what is drawn alike for all: nobody acts there, it has no gaps."""


def fill_of(actor: Any) -> Fill:
    """Return what the gaps of a seat's pieces are filled with."""
    return (_escaped(actor.act_url), str(actor.sender), str(actor.saw))


@lru_cache(maxsize=4096)
def _escaped(address: str) -> str:
    return str(escape(address))


def _without_actor(actor: Any) -> Any:
    url, sender, saw = _STAND_INS
    return msgspec.structs.replace(actor, act_url=url, sender=sender, saw=saw)


# --- values by paths -----------------------------------------------------------------------------


def _getter(paths: list[Path]) -> Getter:
    """Make a function that returns the values at these paths as one key."""
    if () in paths:
        return lambda value: value
    plain = sorted(".".join(p) for p in paths if EACH not in p and p[-1] != TRUTH)
    tested = sorted(p[:-1] for p in paths if EACH not in p and p[-1] == TRUTH)
    loops: dict[Path, list[Path]] = {}
    for path in paths:
        if EACH in path:
            at = path.index(EACH)
            loops.setdefault(path[:at], []).append(path[at + 1 :])
    each = [(_walk(before), _row_getter(rest)) for before, rest in sorted(loops.items())]
    fields, truths = _fields(plain), _truths(tested)
    if not each and not tested:
        return fields
    return lambda value: (
        fields(value),
        truths(value),
        *[tuple(map(row, walk(value))) for walk, row in each],
    )


def _row_getter(paths: list[Path]) -> Getter:
    counted = [p for p in paths if p != (COUNT,)]
    return _getter(counted) if counted else lambda row: None


def _fields(names: list[str]) -> Getter:
    if not names:
        return lambda value: None
    fast = attrgetter(*names)

    def fields(value: Any) -> Hashable:
        try:
            return fast(value)  # type: ignore[no-any-return]
        except AttributeError:
            return tuple(_step(value, name.split(".")) for name in names)

    return fields


def _truths(paths: list[Path]) -> Getter:
    """Make a function that tells which of these count as true in a template."""
    if not paths:
        return lambda value: None
    if () in paths:
        rest = _truths([path for path in paths if path])
        return lambda value: (bool(value), rest(value))
    # Twice, so that there is a tuple for one name as well.
    names = [".".join(path) for path in paths]
    fast = attrgetter(*names, names[-1])

    def truths(value: Any) -> Hashable:
        try:
            return tuple(map(bool, fast(value)))
        except AttributeError:
            found = [_step(value, path) for path in paths]
            return tuple([bool(one) and one is not _MISSING for one in found])

    return truths


def _walk(path: Path) -> Callable[[Any], Iterable[Any]]:
    def walk(value: Any) -> Iterable[Any]:
        found = _step(value, path)
        return () if found is _MISSING else found or ()

    return walk


def _step(value: Any, path: Iterable[str]) -> Any:
    """Return what a template finds at a path: a field, an entry, or nothing at all."""
    for name in path:
        try:
            value = getattr(value, name)
        except AttributeError:
            try:
                value = value[name]
            except (TypeError, LookupError):
                return _MISSING
    return value


# --- for templates -------------------------------------------------------------------------------


@pass_context
def each(context: Context, template: str, name: str, items: Iterable[Any], **given: Any) -> Markup:
    """Draw a row for each item: `{{ each("games/phone/ring-seat.jinja", "seat", scene.ring) }}`.

    A row is given the item by that name, what else is listed, and whether it
    `is_first` or `is_last`; nothing more, but for a page's CSRF input. It is
    kept like a region.
    """
    env = context.environment
    kept: Memory | None = context.get(MEMORY)
    sheet = sheet_of(env, template) if kept is not None else None
    items = tuple(items)
    if kept is not None and sheet is not None and not given and sheet.reads_only(name):
        alone = {MEMORY: kept, "language": context.get("language")}
        drawn = [_alone(kept, sheet, name, item, alone) for item in items]
        return Markup("".join(drawn))  # noqa: S704 - escaped by their own template
    rows = [
        {**given, name: item, "is_first": at == 0, "is_last": at == len(items) - 1}
        for at, item in enumerate(items)
    ]
    if kept is None or sheet is None:
        row = env.get_template(template)
        around = {"csrf_input": context["csrf_input"]} if "csrf_input" in context else {}
        drawn = [row.render({**around, **one}) for one in rows]
    else:
        fixed = {MEMORY: kept, "language": context.get("language")}
        drawn = [_row(kept, sheet, {**fixed, **one}) for one in rows]
    return Markup("".join(drawn))  # noqa: S704 - escaped by their own template


def _row(kept: Memory, sheet: Sheet, given: dict[str, Any]) -> str:
    return _kept_row(kept, (sheet.name, given["language"], *sheet.key(given)), sheet, given)


def _alone(kept: Memory, sheet: Sheet, name: str, item: Any, given: dict[str, Any]) -> str:
    """Return a row that nothing else goes into, by the whole item: there may be many of them."""
    try:
        html = kept.get((sheet.name, given["language"], item))
    except TypeError:
        return _row(kept, sheet, {**given, name: item})
    if html is None:
        key = (sheet.name, given["language"], item)
        return _kept_row(kept, key, sheet, {**given, name: item})
    return html  # type: ignore[no-any-return]


def _kept_row(kept: Memory, key: Hashable, sheet: Sheet, given: dict[str, Any]) -> str:
    try:
        html: str | None = kept.get(key)
    except TypeError:
        return sheet.template.render(given)
    if html is None:
        html = sheet.template.render(given)
        kept.put(key, html)
    return html


def sender(actor: Any) -> Any:
    """Return the number of the seat that a form acts for."""
    if isinstance(actor, dict):
        return actor.get("sender", actor["seat"].number)
    return actor.sender
