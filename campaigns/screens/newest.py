"""The newest events on screens: the last sentence, the news, choices that can be undone."""

from __future__ import annotations

from collections.abc import Iterator

from campaigns.sentences import KINDS, LONG
from campaigns.snapshot import Tale
from games.models import Event
from games.sentences import tell
from games.services.recent import OFFERED_FOR, stands_alone
from games.snapshot import Snapshot

# What is written on the owe list can be struck again in the same fight (WA-65).
ENDINGS = (
    "harm_settled",
    "terms_settled",
    "backed_away",
    "character_out",
    "name_owed",
    "die_bought",
)
# From then on another campaign is in front: what was done in the former one is out of sight.
TURNS = ("campaign_begun", "campaign_fronted", "campaign_imported")
BEGINNINGS = (
    *TURNS,
    "sequence_begun",
    "scene_opened",
    "scene_turned_to",
    "end_proposed",
    "chapter_ended",
    "chapter_opened",
)
# Nobody tells whose word it was (WA-4): the phone that said it shows what all others show.
UNNAMED = ("element_struck", "element_restored")


def last_sentence(now: Snapshot) -> str:
    """Return what the log says last of the campaign."""
    told = (
        tell(e.kind, e.data, [])
        for e in reversed(now.events)
        if e.kind in KINDS and e.play_id not in now.undone
    )
    return next((text for text in told if text), "")


def ended_text(now: Snapshot) -> str:
    """Say what the newest fight came to, as long as nothing else has begun."""
    ends = ("sequence_ended", *BEGINNINGS)
    told = (e for e in reversed(now.events) if e.kind in ends and e.play_id not in now.undone)
    newest = next(told, None)
    if newest is None or newest.kind != "sequence_ended":
        return ""
    mine = (
        e
        for e in now.events
        if e.kind in ENDINGS and e.game_id == newest.game_id and e.play_id not in now.undone
    )
    return " ".join(filter(None, (tell(e.kind, e.data, []) for e in mine)))


def news_of(now: Snapshot) -> tuple[int | None, str]:
    """Say what has just been done, and return it with the key of the seat that did it.

    That is none where nobody is to know it.
    """
    newest = now.events[-1] if now.events else None
    if newest is None or newest.play_id in now.undone:
        return None, ""
    text = next((text for _event, text in _told_of(now, newest)), "")
    return None if newest.kind in UNNAMED else newest.play.seat_id, text


def own_lasts(now: Snapshot) -> dict[int, tuple[int, str]]:
    """Return each seat's newest choice, where it may be taken back by who made it.

    By the seat's key: the event's number, and what the log says of it.
    """
    found: dict[int, tuple[int, str]] = {}
    for seat, event in _newest_of_each(now).items():
        told = next(_told_of(now, event), None) if _may_take_back(now, event) else None
        if told is not None:
            found[seat] = (told[0].seq, told[1])
    return found


def _newest_of_each(now: Snapshot) -> dict[int, Event]:
    found: dict[int, Event] = {}
    # Of an older one nothing is offered any more.
    newest = now.events[-OFFERED_FOR - 1 :]
    turned = [e.seq for e in newest if e.kind in TURNS and e.play_id not in now.undone]
    for event in (e for e in newest if not turned or e.seq >= turned[-1]):
        if event.play.seat_id is not None:
            found[event.play.seat_id] = event
    return found


def _may_take_back(now: Snapshot, one: Event) -> bool:
    if not one.play.can_undo or one.play.faces or one.play_id in now.undone:
        return False
    if one.kind in UNNAMED:
        return False
    if now.seq - one.seq > OFFERED_FOR or _is_past(now, one):
        return False
    if one.game_id and any(_answers(e, one) for e in now.events[-OFFERED_FOR:]):
        return False
    return _stands_alone(now, one)


def _is_past(now: Snapshot, one: Event) -> bool:
    """Tell whether the chapter has left behind what was said: play has news of its own."""
    tale: Tale = now.more
    return one.kind == "sheet_ready" and (tale.chapter is None or not tale.chapter.is_setting_up)


def _stands_alone(now: Snapshot, one: Event) -> bool:
    """Tell whether nothing depends on it: else a player's undo is refused, a GM's asks first."""
    seat = next((seat for seat in now.seats if seat.pk == one.play.seat_id), None)
    if seat is not None and seat.is_gm:
        return True
    tale: Tale = now.more
    return stands_alone(tale.recent, one.play_id)


def _answers(later: Event, one: Event) -> bool:
    """Tell whether somebody has gone on with the same dice since."""
    is_other = later.play.seat_id != one.play.seat_id
    return later.seq > one.seq and later.game_id == one.game_id and is_other


def _told_of(now: Snapshot, one: Event) -> Iterator[tuple[Event, str]]:
    """Yield the events that came of the same tap, with what the log says of each.

    What a chapter's chronicle opens with says over again what others did before that tap.
    """
    kinds = KINDS - LONG
    same = (e for e in now.events if e.play_id == one.play_id and e.kind in kinds)
    yield from ((event, text) for event in same if (text := tell(event.kind, event.data, [])))
