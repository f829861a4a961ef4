"""What a phone was promised and told, and in what it may differ from a well-behaved one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

POST_TIMEOUT = 8.0


@dataclass
class Tap:
    """One press, until it is answered. `first_sent` and `answered_at` are monotonic seconds."""

    id: str
    fields: dict[str, Any]
    answer: asyncio.Future[int]
    sent: int = 0
    first_sent: float = 0.0
    answered_at: float = 0.0


@dataclass
class Push:
    """One push as it arrived: when, its number, what it told, how many regions it changed."""

    at: float
    seq: int
    told: list[int]
    regions: int
    size: int


@dataclass
class Habits:
    """In what a phone may differ from a well-behaved one. The controls are here.

    `way` is how taps travel: "post", or "socket" where it is open; one that
    only taps has no socket at all. With
    `fresh_ids` a tap that was not answered is sent under another id; with
    `forgets_seq` a socket is opened as if nothing had been told before. A
    `deaf` phone acknowledges nothing.
    `clock` is how wrong its own is, in seconds.
    """

    way: str = "socket"
    has_socket: bool = True
    fresh_ids: bool = False
    forgets_seq: bool = False
    deaf: bool = False
    retry_first: float = 0.8
    retry: float = 1.5
    backoff_first: float = 0.3
    backoff_most: float = 2.0
    post_timeout: float = POST_TIMEOUT
    clock: float = 0.0


@dataclass
class Account:
    """What a phone was promised and what it was told."""

    answers: dict[str, int] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    pushes: list[Push] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    opened: int = 0
    troubles: int = 0
    sends: int = 0


def taken(regions: dict[str, str], pushed: dict[str, str]) -> dict[str, str]:
    """Return what a page shows after a push: a piece also stands in the region around it."""
    shown = {**regions, **pushed}
    for name, html in pushed.items():
        before = regions.get(name)
        if before and before != html:
            for other, around in shown.items():
                if other != name:
                    shown[other] = around.replace(before, html)
    return shown
