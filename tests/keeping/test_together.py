"""R1 with a full disk: of actions committed together, whoever is told "done" is on the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import DatabaseError, connection, transaction

from games.live.workers import Worker
from games.models import Device, JoinAttempt, rows
from games.models.acts import acting

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite's are together"),
]
MORE_THAN_FITS = "x" * 400_000


def _grows_to(pages: int | None) -> None:
    """Let the file of this connection grow no more: the disk is full for it; None ends that."""
    with connection.cursor() as cursor:
        now = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {now + pages if pages is not None else 1 << 30}")


def _sits_down() -> str:
    with transaction.atomic():
        return str(Device.objects.create().pk)


def _needs_room() -> str:
    """Fail as a tap does: the error is caught, and answered in words."""
    try:
        with transaction.atomic():
            attempt = JoinAttempt.objects.create(address="here")
            # An update: SQLite then takes back the whole transaction, not only the statement.
            JoinAttempt.objects.filter(pk=attempt.pk).update(address=MORE_THAN_FITS)
    except DatabaseError as error:
        return f"refused: {error}"
    return "done"


def _acts_without_room() -> str:
    """Fail as an act does that is one of several: it has no savepoint to go back to."""
    try:
        with acting():
            rows.insert(rows.new(JoinAttempt, address=MORE_THAN_FITS))
    except DatabaseError as error:
        return f"refused: {error}"
    return "done"


async def _all_at_once(worker: Worker, needs_room: Callable[[], str]) -> list[str]:
    """Let two jobs wait while the worker is busy, so that they are committed together."""
    begun, go = threading.Event(), threading.Event()
    busy = asyncio.ensure_future(worker.write(lambda: (begun.set(), go.wait(10))))
    await asyncio.to_thread(begun.wait, 10)
    jobs = [asyncio.ensure_future(worker.write(w)) for w in (_sits_down, needs_room)]
    await asyncio.sleep(0)
    go.set()
    await busy
    return [await job for job in jobs]


def _played(needs_room: Callable[[], str], *, is_full: bool) -> list[str]:
    worker = Worker("test", commits_together=True)

    async def play() -> list[str]:
        try:
            await worker.write(lambda: _grows_to(4 if is_full else None))
            return await _all_at_once(worker, needs_room)
        finally:
            await worker.write(lambda: _grows_to(None))

    try:
        return asyncio.run(play())
    finally:
        worker.close()


BOTH = pytest.mark.parametrize("needs_room", [_needs_room, _acts_without_room])


@BOTH
def test_who_is_told_done_is_on_disk_though_a_neighbour_found_the_disk_full(needs_room):
    seated, refused = _played(needs_room, is_full=True)
    assert "full" in refused
    assert Device.objects.filter(pk=seated).exists()
    assert not JoinAttempt.objects.exists()


@BOTH
def test_with_room_on_the_disk_nobody_is_refused(needs_room):
    """The control: it is the full disk that the other is about."""
    assert _played(needs_room, is_full=False)[1] == "done"
    assert JoinAttempt.objects.exists()


def _goes_on_without_room() -> None:
    with transaction.atomic():
        Device.objects.create()
        with suppress(DatabaseError):
            rows.insert(rows.new(JoinAttempt, address=MORE_THAN_FITS))


def test_a_commit_of_what_a_full_disk_has_taken_back_is_none():
    """Also where somebody went on after the error: SQLite's own commit, of nothing, succeeds."""
    there = Device.objects.count()
    try:
        _grows_to(4)
        with pytest.raises(DatabaseError, match="taken back"):
            _goes_on_without_room()
    finally:
        _grows_to(None)
    assert Device.objects.count() == there
