"""Telling the log what happened, and the records of those whom it happened to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from characters.models import Character, Mention
from games.models import Event, Game, Seat, rows
from games.services.change import Change
from games.services.host import gm_seat


def by_sight(characters: Iterable[Character]) -> list[list[Character]]:
    """Part those in sight from the hidden ones, so that each part is told to whom it is meant."""
    everybody = list(characters)
    parts = [[c for c in everybody if c.is_hidden == hidden] for hidden in (False, True)]
    return [part for part in parts if part]


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


def tell_of(change: Change, kind: str, one: Character, **data: Any) -> Event:
    """Log an event that is about one character, by name."""
    return tell(change, kind, one, name=one.name, **data)


def _mention(event: Event, keys: list[int]) -> None:
    rows.insert(*(Mention(character_id=key, event=event) for key in keys))
