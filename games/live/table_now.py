"""A table as it is now, as one process knows it: read once, then carried forward by commits.

It is a cache: dropped at any moment, nothing differs.
"""

from __future__ import annotations

import time
from collections import deque

from games import advancing, snapshot
from games.models import Table
from games.others import Heard
from games.services.change import Committed
from games.snapshot import Snapshot

# After FRESH seconds the next look has the table read anew between two taps, unless the database
# says that nobody else has written; after BELIEVED seconds a drawing reads it anew in any case;
# after IDLE seconds unused it is dropped.
FRESH_SECONDS, BELIEVED_SECONDS, IDLE_SECONDS = 30.0, 45.0, 60.0
# News of a commit that was read along with the table comes within this time after the reading. News
# that come later and name no newer number show that the number was given twice: after a failover to
# a server that lacked the last moments.
LATE_SECONDS = 5.0


class TableNow:
    """Keeps one table's snapshot, and finds out when it has to be read again.

    `now` and `is_behind` ask the database, in the table's worker; all else is safe from any thread.
    """

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        self.seq = 0
        """The log's newest number, as it was read or carried to last."""
        self.is_played = False
        """Whether anything was committed here since the snapshot was last dropped."""
        self._handed: deque[Committed | Heard] = deque()
        self._has_to_read, self._least = False, 0
        self._kept: Snapshot | None = None
        self._read_at = self._asked_at = 0.0
        self._others: tuple[int, int] | None = None
        self._door: tuple[Table, str] | None = None

    def carry(self, done: Committed | Heard) -> None:
        """Carry the snapshot forward by a commit, when it is asked for next."""
        self._handed.append(done)

    def read_anew(self) -> None:
        """Read the table anew when it is asked for next."""
        self._has_to_read = True

    def reach(self, seq: int) -> None:
        """Show nothing older than this number of the log, which somebody has read."""
        self._least = max(self._least, seq)

    def drop(self) -> None:
        """Drop the snapshot: it costs memory, and can be read again."""
        self._kept, self.is_played = None, False

    def now(self) -> Snapshot:
        """Return the table as it is now: the last snapshot carried forward by commits, or anew.

        A snapshot that was carried forward is read anew now and then all the same, and whenever
        something other than the commits at hand has moved the table.
        """
        self._asked_at, is_played = time.monotonic(), bool(self._handed)
        now = self._carried_on()
        if now is not None and not is_played and snapshot.head(self.table_id) != now.seq:
            now = None  # another process has written, and its wake-up is not here yet
        if now is None or now.seq < self._least:
            now = self._read()
            self._least = min(self._least, now.seq)  # unless an older copy has been put in place
        self._kept, self.is_played = now, self.is_played or is_played
        self.seq, self._door = now.seq, (now.table, now.table.door_now)
        return now

    def _read(self) -> Snapshot:
        # Asked before reading, so that what is written during it counts as later.
        others = snapshot.writes_of_others()
        now = snapshot.load(self.table_id)
        self._others, self._read_at = others, self._asked_at
        return now

    def _carried_on(self) -> Snapshot | None:
        """Return the kept snapshot carried forward by all commits at hand, or None: to be read."""
        age = self._asked_at - self._read_at
        now = self._kept if age <= BELIEVED_SECONDS else None
        if self._has_to_read:  # taken back only where it was seen: another thread may ask just now
            self._has_to_read, now = False, None
        while self._handed:
            done = self._handed.popleft()
            if now is not None and done.seq > now.seq:
                now = self._carried(now, done)
            elif age > LATE_SECONDS:
                now = None
        return now

    def _carried(self, now: Snapshot, news: Committed | Heard) -> Snapshot | None:
        """Return the snapshot carried forward by one commit, or None if it has to be read."""
        done = advancing.committed(self.table_id, news) if isinstance(news, Heard) else news
        return None if done is None else advancing.advance(now, done)

    def is_behind(self) -> bool:
        """Ask the database whether the table has to be read anew, and drawn by that."""
        seq, others = snapshot.head(self.table_id), snapshot.writes_of_others()
        if self._has_to_read or seq != self.seq or self._is_door_another:
            return True
        was_carried = self._kept is not None and self._asked_at > self._read_at
        at = time.monotonic()
        if not was_carried or at - self._read_at <= FRESH_SECONDS:
            return False
        if others is None or others != self._others:
            return True
        self._read_at = at  # nobody else has written: reading it would give the same
        return False

    @property
    def _is_door_another(self) -> bool:
        """Tell whether the door has changed since it was drawn: its hours end without a tap."""
        return self._door is not None and self._door[0].door_now != self._door[1]

    @property
    def is_idle(self) -> bool:
        """Tell whether a snapshot is kept that nobody has asked for in a while."""
        return self._kept is not None and time.monotonic() - self._asked_at > IDLE_SECONDS
