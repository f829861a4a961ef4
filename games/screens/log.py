"""The log as lines, and a bout as a story of a few sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from games.days import day, today
from games.models import Event, Game
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import LogLine, Told
from games.screens.shelves import Shelf, shelves_of
from games.sentences import tell
from games.snapshot import ROLLS, STORY, Happened, Names, Said, Snapshot, undone_seqs

LONGEST_STORY = 9
# Events that name people as they came in, not by their guild names.
OF_PEOPLE = {
    "table_opened",
    "seat_taken",
    "seat_passed",
    "seat_plays",
    "seat_moved",
    "seat_left",
    "seat_removed",
    "host_handed",
}
_UNDOABLE = (Game.Status.PLAYING, Game.Status.OVER)


class _Worded(NamedTuple):
    """An event's sentence with what it was made of, and as it is shown."""

    event: Event
    names: Names
    data: dict[str, Any]
    line: LogLine
    told: Told


class _Newest(NamedTuple):
    """The newest lines of a log in one language, with what they depend on."""

    events: tuple[Event, ...]
    base: tuple[object, ...]
    worded: tuple[_Worded, ...]
    lines: tuple[LogLine, ...]
    told: tuple[Told, ...]


class LogLines:
    """The newest of the log as lines; a sentence is made only once."""

    def __init__(self) -> None:
        self._kept: dict[str, _Newest] = {}
        self._shelves: dict[str, tuple[Shelf, ...]] = {}

    def of(self, now: Snapshot, language: str) -> tuple[LogLine, ...]:
        """Return the lines in the active language; `undo` marks what can go back."""
        before = self._kept.get(language)
        worded = before and _gone_on(before, now)
        if worded is None:
            known = {w.event.seq: w for w in before.worded} if before else {}
            worded = tuple(_word(now, now.events, known))
        self._kept[language] = _Newest(
            now.events,
            _base(now),
            worded,
            tuple([w.line for w in worded]),
            tuple([w.told for w in worded]),
        )
        return self._kept[language].lines

    def shelves(self, language: str) -> tuple[Shelf, ...]:
        """Return the lines that `of` returned last, by shelves."""
        kept, before = self._kept[language], self._shelves.get(language, ())
        self._shelves[language] = shelves_of(kept.lines, kept.events, before)
        return self._shelves[language]

    def told(self, language: str) -> tuple[Told, ...]:
        """Return the lines that `of` returned last, as screens tell them."""
        return self._kept[language].told


def _base(now: Snapshot) -> tuple[object, ...]:
    """Return what may change a line apart from its own event and a later undo."""
    return (today(), _open_game(now), now.undone, now.names, now.named, now.called)


def _open_game(now: Snapshot) -> int | None:
    return now.game.pk if now.game and now.game.status in _UNDOABLE else None


def _gone_on(before: _Newest, now: Snapshot) -> tuple[_Worded, ...] | None:
    """Return the lines if events were only added at one end and dropped at the other; else None."""
    events, first = now.events, now.events[0] if now.events else None
    at = next((i for i, e in enumerate(before.events) if e is first), None)
    if at is None or before.base != _base(now):
        return None
    stay = len(before.events) - at
    new = events[stay:]
    if not stay or len(events) < stay or events[stay - 1] is not before.events[-1]:
        return None
    if any(e.kind == "undone" for e in new):
        return None
    cut = _cut(before.events[:at], events[:stay])
    from_seq = events[cut].seq if cut < len(events) else now.seq + 1
    stays = bisect_left(before.lines, from_seq, key=attrgetter("seq"))
    known = {w.line.seq: w for w in before.worded[:stays]} if cut else {}
    return (
        *_word(now, events[:cut], known),
        *before.worded[stays:],
        *_word(now, new, {}),
    )


def _cut(slid: Sequence[Event], stay: Sequence[Event]) -> int:
    """Return how many of the remaining events belong to a move whose first events were dropped.

    Its Undo then moves to another event.
    """
    count = 0
    if slid:
        play = slid[-1].play_id
        while count < len(stay) and stay[count].play_id == play:
            count += 1
    return count


def _word(
    now: Snapshot, events: Sequence[Event], known: Mapping[int, _Worded]
) -> Iterator[_Worded]:
    """Yield each event that has words: its sentence, and whether it was, or can be, taken back."""
    open_game, is_now = _open_game(now), today()
    plays: set[int] = set()
    struck: list[int] = []
    for event in events:
        names, data = now.names_in(event.game_id), _as_called(now, event)
        if data is None:
            continue
        old = known.get(event.seq)
        text = old.line.text if old and _is_same(old, event, names, data) else None
        text = tell(event.kind, data, names) if text is None else text
        if not text:
            continue
        is_move = event.game_id is not None and event.kind[0].isupper()
        is_undone = event.play_id in now.undone or (is_move and event.seq in now.gone)
        # One Undo for a move, however much came of it.
        is_open = not is_undone and event.play_id not in plays
        if is_open and ((is_move and event.game_id == open_game) or event.play.can_undo):
            undo: int | None = event.seq
            plays.add(event.play_id)
        else:
            undo = None
        if is_undone:
            struck.append(event.seq)
        when = event.at.astimezone()
        at, on = when.strftime("%H:%M"), day(when) if when.date() != is_now else ""
        line = LogLine(event.seq, text, at, undo, is_undone, on)
        undoes = tuple(struck) if event.kind == "undone" else ()
        seat = data.get("seat", 0) if event.kind == "seat_passed" else 0
        yield _Worded(event, names, data, line, Told(event.seq, text, event.kind, at, undoes, seat))


def _as_called(now: Snapshot, event: Event) -> dict[str, Any] | None:
    """Return an event as it may be told now: during a bout by guild names alone (BK-2).

    None for one that would tell who has which guild name.
    """
    data: dict[str, Any] = event.data
    if event.kind == "guild_named" and data["before"] in now.called:
        return None
    if event.kind in OF_PEOPLE and data["name"] in now.called:
        return {**data, "name": now.called[data["name"]]}
    return data


def _is_same(old: _Worded, event: Event, names: Names, data: dict[str, Any]) -> bool:
    is_told_alike = old.event is event or old.event.kind == event.kind
    return is_told_alike and old.data == data and old.names == names


def story_of(now: Snapshot) -> tuple[str, ...]:
    """Tell the bout that has just ended."""
    return story(now.course, now.names)


def _is_told(event: Said) -> bool:
    """Tell whether an event belongs in a story: what a GRAVE cost is told by its cry."""
    return event.kind in STORY and event.data.get("cause") != "grave"


def story(course: Sequence[Happened], names: Sequence[str]) -> tuple[str, ...]:
    """Tell a bout in a few sentences made from what happened and was not taken back."""
    gone = undone_seqs(course)
    stands = [e for e in course if e.seq not in gone]
    rolls = sum(1 for e in stands if e.kind in ROLLS)
    told = [tell(e.kind, e.data, names) for e in stands if _is_told(e)]
    if len(told) > LONGEST_STORY:
        told = [*told[:2], _("Much happened."), *told[2 - LONGEST_STORY :]]
    count = ngettext("The die fell %(count)s time.", "The die fell %(count)s times.", rolls)
    return (*told, count % {"count": rolls})
