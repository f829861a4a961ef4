"""What waits for a worker, and whoever has gone before it was done (`games.live.workers`)."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator

import pytest

from games.live import workers

PATIENCE = 10.0


@pytest.fixture
def worker() -> Iterator[workers.Worker]:
    one = workers.Worker("a worker of a test", commits_together=False)
    yield one
    one.close()


async def test_an_action_waits_for_one_read_and_not_for_all(
    worker: workers.Worker, monkeypatch: pytest.MonkeyPatch
):
    """R5: when a house is back all its phones come in at once."""
    monkeypatch.setattr(workers, "READING_SECONDS", PATIENCE)
    begun, goes_on, done = threading.Event(), threading.Event(), list[str]()

    def reads() -> None:
        begun.set()
        goes_on.wait(PATIENCE)

    asked = [asyncio.create_task(worker.read(reads))]
    await asyncio.to_thread(begun.wait, PATIENCE)
    asked.append(asyncio.create_task(worker.read(lambda: done.append("read"))))
    asked.append(asyncio.create_task(worker.write(lambda: done.append("write"))))
    await asyncio.sleep(0)
    goes_on.set()
    await asyncio.gather(*asked)
    assert done == ["write", "read"]


async def test_whoever_asked_and_has_gone_is_no_trouble_of_ours(
    worker: workers.Worker, caplog: pytest.LogCaptureFixture
):
    """A phone that goes away in the middle of a tap left a traceback."""
    begun, goes_on = threading.Event(), threading.Event()

    def writes() -> None:
        begun.set()
        goes_on.wait(PATIENCE)

    asked = asyncio.create_task(worker.write(writes))
    await asyncio.to_thread(begun.wait, PATIENCE)
    asked.cancel()
    await asyncio.sleep(0)
    with caplog.at_level(logging.ERROR):
        goes_on.set()
        await worker.read(lambda: None)
    assert caplog.messages == []


async def test_a_loop_that_has_closed_keeps_no_other_from_being_told():
    """A worker's thread ended with it, and nobody else does its tables' work (R1)."""
    closed, told = asyncio.new_event_loop(), asyncio.Event()
    closed.close()
    outbox = workers.Outbox()
    outbox.put(closed, lambda: None)
    outbox.put(asyncio.get_running_loop(), told.set)
    outbox.send()
    await asyncio.wait_for(told.wait(), PATIENCE)


async def test_what_cannot_be_told_keeps_nothing_else_from_being_told(
    caplog: pytest.LogCaptureFixture,
):
    """R4: the drawings of many tables are handed over in one go."""
    told = asyncio.Event()
    outbox = workers.Outbox()
    outbox.put(asyncio.get_running_loop(), [].pop, told.set)
    outbox.send()
    await asyncio.wait_for(told.wait(), PATIENCE)
    assert "could not be told" in caplog.text
