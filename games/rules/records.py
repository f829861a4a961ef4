"""Games as text files: one JSON object a line, which replays to the same end.

The first line names the game and sets it up; each later line is one action,
with the dice that fell in it. Blank lines, a byte order mark and Windows line
ends are let pass, and count for line numbers. Nothing else is: a field too
many or told twice, one of another type or an action the rules refuse stops the
reading.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from games.rules import RULES, engine
from games.rules.dice import TypedDice
from games.rules.engine import Event, IllegalAction, Play, Rules
from games.rules.words import _, composed

# What JSON leaves as it is, though to some readers it ends a line, or commands a terminal.
_ESCAPED = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
# What is wrong is told with what stands there, which may be a letter or a whole novel.
_LONGEST_WHY = 300


class RecordError(Exception):
    """A line of a record that cannot be played: which, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"{line}: {why}")
        self.line = line
        self.why = why


class ToldTwice(IllegalAction):
    """A field stands twice in one object."""

    WHY = _("this is told twice in one object: %(field)s")

    def __init__(self, field: str) -> None:
        self.field = field
        self.said = json.dumps(field, ensure_ascii=False)
        super().__init__(self.WHY % {"field": self.said})


class Position(NamedTuple):
    """A game after one line of its record; `play` is None for the line that sets it up."""

    line: int
    rules: Rules
    table: Any
    state: Any
    play: Play | None
    events: tuple[Event, ...]

    def summary(self) -> str:
        """Say where the game stands, as one line of JSON."""
        return _as_line(self.rules.summary(self.state), separators=(",", ":"))


class _Header(msgspec.Struct):
    game: str
    format: int


def read(lines: Iterable[bytes]) -> Iterator[Position]:
    """Play a record line by line; yields the game after each.

    Raises RecordError at the first line that breaks a rule or the format, and
    for a record without any line.
    """
    position: Position | None = None
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        line = line.strip()
        if not line:
            continue
        try:
            check_told_once(line.decode())
            position = _begin(number, line) if position is None else _go_on(position, number, line)
        except (IllegalAction, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise RecordError(number, _why(fault)) from fault
        yield position
    if position is None:
        raise RecordError(max(number, 1), _("a record begins with the line that sets the game up"))


def replay(text: str) -> Position:
    """Play a whole record and return the game as it ends."""
    *_, last = read(text.encode().split(b"\n"))
    return last


def write(game: str, table: Any, plays: Iterable[Play]) -> str:
    """Write a game as a record, without anything that is still secret.

    `table` must say what dice decided at the set-up (who opened).
    """
    rules = RULES[game]
    first = {"game": rules.NAME, "format": rules.FORMAT, **rules.setup_line(table)}
    lines = [rules.play_line(table, play) for play in rules.visible_plays(table, plays)]
    return "".join(_as_line(line) + "\n" for line in [first, *lines])


def _as_line(value: Any, separators: tuple[str, str] | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, separators=separators).translate(_ESCAPED)


def check_told_once(line: bytes | str) -> None:
    """Refuse JSON with a field twice in one object: readers would differ about which counts.

    Raises ToldTwice with the field, and RecursionError for what lies too deep.
    """
    with suppress(ValueError):  # no JSON: whoever reads the line's content says what is wrong
        json.loads(line, object_pairs_hook=_told_once, parse_int=str)


def _told_once(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for name, _value in pairs:
        if composed(name) in seen:
            raise ToldTwice(name)
        seen.add(composed(name))


def _why(fault: Exception) -> str:
    """Say what is wrong with a line."""
    if isinstance(fault, RecursionError):
        return _("this line is nested too deep")
    if isinstance(fault, UnicodeDecodeError):
        return _("this line is not UTF-8 text")
    return in_one_line(str(fault))


def in_one_line(why: str) -> str:
    """Return a reason, of which a part may stand in a record, as any terminal can show it."""
    if len(why) > _LONGEST_WHY:
        why = f"{why[:_LONGEST_WHY]}…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in why)


def _begin(number: int, line: bytes) -> Position:
    header = msgspec.json.decode(line, type=_Header)
    rules = RULES.get(header.game)
    if rules is None:
        raise IllegalAction(_("no game has that name"))
    if header.format != rules.FORMAT:
        raise IllegalAction(_("this format of the game is not known here"))
    table = rules.read_setup(line)
    return Position(number, rules, table, rules.setup(table, TypedDice(())), None, ())


def _go_on(before: Position, number: int, line: bytes) -> Position:
    rules, state = before.rules, before.state
    play = rules.read_play(line, state)
    seat, action, faces = play
    dice = TypedDice(faces)
    state, events = engine.play(rules, state, seat, action, dice)
    if dice.unused:
        raise IllegalAction(_("more dice than this action rolls"))
    return Position(number, rules, before.table, state, play, events)
