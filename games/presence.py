"""Who is there, and how long their line takes. Known while it lasts, never stored.

Each process knows the phones on its own sockets; with several processes each
tells the others over the channel layer: when one comes or goes, and now and then.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType

# Without a measurement, a phone is taken to be on an ordinary wireless network.
UNKNOWN_DELAY_MS = 150
# What another process said is forgotten when it stops saying it.
HEARSAY_SECONDS = 45.0
# A page without scripts has no socket, nor has many a program: who asked is there for so long.
PAGE_SECONDS = 75.0
# A line that takes longer is shown as slow.
SLOW_MS = 400


@dataclass(frozen=True, slots=True)
class Connection:
    """One seat's connection: the measured round trip, and how long another's word for it holds."""

    delay_ms: int | None
    until: float = float("inf")

    @property
    def is_slow(self) -> bool:
        """Tell whether the line is shown as slow; one that was never measured is not."""
        return (self.delay_ms or 0) > SLOW_MS


Connections = dict[int, Connection]
"""Connections by the seat's number."""

_here: dict[int, Connections] = {}
# Of tables with phones here: whose last socket has ended, and when.
_gone: dict[int, dict[int, float]] = {}
# By table, and by the process that said so.
_elsewhere: dict[int, dict[str, Connections]] = {}
# By table: who asked for a page; the table at which somebody did so last comes last.
_asked: dict[int, Connections] = {}
# Several threads answer requests: of two that note somebody at once, one would lose the other's,
# and who reads meanwhile would find nobody.
_asking = Lock()


def put(table_id: int, seat: int, delay_ms: int | None) -> Connection | None:
    """Note that a seat is connected to this process, with its measured round trip.

    Returns what was known of it before.
    """
    seats = _here.setdefault(table_id, {})
    before = seats.get(seat)
    if before is None:
        _forget_asked(table_id, seat)
        _gone.get(table_id, {}).pop(seat, None)
    seats[seat] = Connection(delay_ms)
    return before


def drop(table_id: int, seat: int) -> None:
    """Note that a seat has no socket in this process any more."""
    seats = _here.get(table_id, {})
    seats.pop(seat, None)
    if seats:
        _gone.setdefault(table_id, {})[seat] = time.monotonic()
    else:
        _here.pop(table_id, None)
        _gone.pop(table_id, None)
    _forget_asked(table_id, seat)


def _forget_asked(table_id: int, seat: int, *, before: float = float("inf")) -> bool:
    """Forget that a seat has asked for its page: its socket, at any process, says more.

    What was asked since `before` stays. Returns whether there was anything to forget.
    """
    with _asking:
        asked = _asked.get(table_id, {})
        if seat not in asked or asked[seat].until - PAGE_SECONDS > before:
            return False
        del asked[seat]
        return True


def note_asked(table_id: int, seat: int) -> bool:
    """Note that a seat has asked for its page just now, or a program for its table.

    Its socket comes next, or never. Returns whether it had asked before, and no socket has come
    since.
    """
    now = time.monotonic()
    with _asking:
        here = _holding(_asked.pop(table_id, {}), now)
        for table, seats in list(_asked.items()):
            if _holding(seats, now):
                break
            del _asked[table]
        has_asked = seat in here
        here[seat] = Connection(None, now + PAGE_SECONDS)
        _asked[table_id] = here
    return has_asked


def hear(
    table_id: int,
    delays: dict[str, int | None],
    process: str = "",
    gone: Mapping[str, float] = MappingProxyType({}),
) -> bool:
    """Take in what another process says of its own phones, replacing what it said before.

    `gone` says of those that went lately how long ago that was: they may have gone before anybody
    here heard of them. Returns whether somebody has come, gone, or become slow or quick by it.
    """
    until = time.monotonic() + HEARSAY_SECONDS
    told = _elsewhere.setdefault(table_id, {})
    before = told.pop(process, {})
    after = {int(seat): Connection(delay, until) for seat, delay in delays.items()}
    if after:
        told[process] = after
    elif not told:
        _elsewhere.pop(table_id)
    for seat in before.keys() | after.keys():
        _forget_asked(table_id, seat)
    now = time.monotonic()
    ended = [_forget_asked(table_id, int(seat), before=now - ago) for seat, ago in gone.items()]
    return shown(before) != shown(after) or any(ended)


def forget_others(table_id: int) -> None:
    """Drop what other processes said of a table: nobody here hears any more whether it holds."""
    _elsewhere.pop(table_id, None)


def shown(those: Connections) -> dict[int, bool]:
    """Return what screens tell of connections: who is here, and whose line is slow."""
    return {seat: one.is_slow for seat, one in those.items()}


def here(table_id: int) -> dict[str, int | None]:
    """Return this process's phones at a table, ready to be told to the others."""
    return {str(seat): one.delay_ms for seat, one in _here.get(table_id, {}).items()}


def gone(table_id: int) -> dict[str, float]:
    """Return how many seconds ago phones went from this process, ready to be told to the others.

    Of those only who may still be taken for somebody without scripts, where their page was asked
    for.
    """
    now = time.monotonic()
    ages = {str(seat): now - at for seat, at in list(_gone.get(table_id, {}).items())}
    return {seat: age for seat, age in ages.items() if age < PAGE_SECONDS}


def connections(table_id: int) -> Connections:
    """Return every seat that is at its table, as far as this process knows.

    Who plays without scripts, or by a program that reads the table, is there for `PAGE_SECONDS`
    after asking this process.
    """
    with _asking:
        asked = _asked.get(table_id)
    connected = _connected(table_id)
    return {**_holding(asked, time.monotonic()), **connected} if asked else connected


def _connected(table_id: int) -> Connections:
    """Return every seat that has a socket, here or by the word of another process."""
    now = time.monotonic()
    told: Connections = {}
    for phones in list(_elsewhere.get(table_id, {}).values()):
        told |= _holding(phones, now)
    return {**told, **_here.get(table_id, {})}


def _holding(those: Connections, now: float) -> Connections:
    """Return the connections of which somebody's word still holds."""
    return {seat: one for seat, one in list(those.items()) if one.until > now}


def slowest_delay(table_id: int, seats: list[int]) -> int:
    """Return the longest round trip among these seats that have a socket, in milliseconds."""
    known = _connected(table_id)
    delays = (known[seat].delay_ms for seat in seats if seat in known)
    return max((UNKNOWN_DELAY_MS if ms is None else ms for ms in delays), default=0)
