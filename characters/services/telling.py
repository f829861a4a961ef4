"""Telling the log what happened, and the records of those whom it happened to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from characters.models import Character, Mention
from games.models import Event, Game, Seat, rows
from games.services.change import Change
from games.services.host import gm_seat


def tell(
    change: Change,
    kind: str,
    *about: Character,
    game: Game | None = None,
    to: Seat | None = None,
    **data: Any,
) -> Event:
    """Log an event and put it into the record of every character it is about.

    What is about somebody hidden only the host is told.
    """
    if to is None and any(c.is_hidden for c in about):
        to = gm_seat(change)
    event = change.log(kind, game=game, to=to, **data)
    keys = list(dict.fromkeys(c.pk for c in about))
    change.after_log.append(partial(_mention, event, keys))
    return event


def tell_by_sight(change: Change, kind: str, who: Iterable[Character], **data: Any) -> None:
    """Log an event about several, by name: of those in sight to all, of the hidden to the host."""
    everybody = list(who)
    for is_hidden in (False, True):
        some = [one for one in everybody if one.is_hidden == is_hidden]
        if some:
            tell(change, kind, *some, names=[one.name for one in some], **data)


def tell_of(change: Change, kind: str, one: Character, **data: Any) -> Event:
    """Log an event that is about one character, by name."""
    return tell(change, kind, one, name=one.name, **data)


def _mention(event: Event, keys: list[int]) -> None:
    rows.insert(*(Mention(character_id=key, event=event) for key in keys))
