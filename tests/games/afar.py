"""A commit as another process learns of it: from the layer's message and the database."""

from __future__ import annotations

from itertools import cycle

import msgspec

from games import advancing, others
from games.services.change import Committed
from games.snapshot import Snapshot


def heard_of(done: Committed) -> others.Heard:
    """Return what another process hears of a commit, in the form in which it is sent."""
    news = others.Heard(done.first_seq, done.seq, done.touched)
    sent = msgspec.msgpack.encode(others.said(done.table.pk, news))
    heard = others.heard(msgspec.msgpack.decode(sent))
    assert heard is not None
    return heard


class Reader:
    """Carries a snapshot forward by commits; every other one as if another process had made it."""

    def __init__(self) -> None:
        self._is_afar = cycle((False, True))
        self.from_afar = 0

    def take_on(self, now: Snapshot | None, done: Committed) -> Snapshot | None:
        """Return the snapshot after a commit, or None where it would be read."""
        if now is None:
            return None
        if not next(self._is_afar):
            return advancing.advance(now, done)
        found = advancing.committed(done.table.pk, heard_of(done))
        now = None if found is None else advancing.advance(now, found)
        self.from_afar += now is not None
        return now
