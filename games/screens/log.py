"""The log as lines, and a bout as a story of a few sentences."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Event, Game
from games.screens.cards import LogLine
from games.sentences import tell
from games.snapshot import Snapshot, names_by_game

# What makes a story: who fell, and the moments that everybody cried out at.
STORY = {"Grave", "Stave", "Out", "Healed", "Dealt", "HouseRuleActed"}
LONGEST_STORY = 9


def new_lines(now: Snapshot) -> list[LogLine]:
    """Return the newest of the log in the active language; `undo` marks what can go back."""
    names = names_by_game(list(now.events))
    open_game = now.game.pk if now.game and now.game.status in _UNDOABLE else None
    undone_from = undone_seqs(now.events)
    taken_back = {e.play_id for e in now.events if hasattr(e.play, "undone")}
    lines: list[LogLine] = []
    plays: set[int] = set()
    for event in now.events:
        text = tell(event.kind, event.data, names.get(event.game_id, []))
        if not text:
            continue
        is_move = event.game_id is not None and event.kind[0].isupper()
        is_undone = event.play_id in taken_back or (is_move and event.seq in undone_from)
        is_open = not is_undone and (
            event.play.can_undo or (is_move and event.game_id == open_game)
        )
        # One Undo for a move, however much came of it.
        undo = event.seq if is_open and event.play_id not in plays else None
        if undo:
            plays.add(event.play_id)
        lines.append(
            LogLine(
                seq=event.seq,
                text=text,
                at=event.at.astimezone().strftime("%H:%M"),
                kind=event.kind,
                undo=undo,
                is_undone=is_undone,
            )
        )
    return lines


_UNDOABLE = (Game.Status.PLAYING, Game.Status.OVER)


def undone_seqs(events: Sequence[Event]) -> set[int]:
    """Return the numbers of the events that a later undo took back."""
    gone: set[int] = set()
    for event in events:
        if event.kind == "undone" and "back_to" in event.data:
            gone |= {e.seq for e in events if event.data["back_to"] <= e.seq < event.seq}
    return gone


def story_of(now: Snapshot) -> tuple[str, ...]:
    """Tell the bout that has just ended, from its log."""
    assert now.game
    return story(now.game, now.names())


def _is_told(event: Event) -> bool:
    """What GRAVE did is told by its cry; who is out by it need not be told again."""
    return event.kind in STORY and event.data.get("cause") != "grave"


def story(game: Game, names: list[str]) -> tuple[str, ...]:
    """Tell a bout in a few sentences made from what happened and was not taken back."""
    events = list(game.events.filter(to=None).order_by("seq"))
    gone = undone_seqs(events)
    stands = [e for e in events if e.seq not in gone]
    rolls = sum(1 for e in stands if e.kind in ("Rolled", "Revealed"))
    told = [tell(e.kind, e.data, names) for e in stands if _is_told(e)]
    if len(told) > LONGEST_STORY:
        told = [*told[:2], _("Much happened."), *told[2 - LONGEST_STORY :]]
    count = ngettext("The die fell %(count)s time.", "The die fell %(count)s times.", rolls)
    return (*told, count % {"count": rolls})
