"""Tries what somebody might do, and takes it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from django.db import transaction

from games.errors import Refused
from games.live import drawing
from games.services.act import ACTIONS, Actor, Tap, act
from tests.games.party import Person

Told = dict[str, Any]
Offer = tuple[str, Told]


@contextmanager
def taken_back() -> Iterator[None]:
    """Set every row back to how it stood, when the block ends."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def refused_to(
    people: Iterable[Person], offers: Callable[[Told], Iterable[Offer]]
) -> tuple[int, list[tuple[str, str, str]]]:
    """Try all that these are told by the API; return how much that was, and what was refused, why.

    `offers` reads a seat's answer as actions with their fields.
    """
    count, refused = 0, []
    for who in people:
        actor = Actor(who.seat, who.device.pk)
        for word, fields in offers(who.client.get(f"/api/tables/{who.code}/").json()):
            kind, count = ACTIONS[word], count + 1
            action = msgspec.convert({**fields, "action": kind.__struct_config__.tag}, kind)
            try:
                with taken_back():
                    act(who.table.pk, actor, action, Tap(f"try-{count}"))
            except Refused as why:
                refused.append((who.name, word, why.message))
    drawing.drawing_cache.forget()  # what was tried was never
    return count, refused
