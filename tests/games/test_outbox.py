"""What a worker's thread hands to the loops: nothing that breaks keeps the next from arriving."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from games.live import workers

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 10


async def test_who_is_told_after_one_that_could_not_be_told_is_told(
    caplog: pytest.LogCaptureFixture,
):
    """R1: what is committed together is told together: the others' answers went with the first."""
    told, loop, outbox = asyncio.Event(), asyncio.get_running_loop(), workers.Outbox()

    def breaks() -> None:
        raise RuntimeError("this page cannot be drawn")

    outbox.put(loop, breaks)
    outbox.put(loop, told.set)
    outbox.send()
    await asyncio.wait_for(told.wait(), PATIENCE)
    assert "this page cannot be drawn" in caplog.text


async def test_a_loop_that_has_closed_keeps_no_other_from_being_told():
    """R1: nobody else does the work of a thread that ends, so that its tables stand still."""
    told, outbox, closed = asyncio.Event(), workers.Outbox(), asyncio.new_event_loop()
    closed.close()
    outbox.put(closed, told.clear)
    outbox.put(asyncio.get_running_loop(), told.set)
    outbox.send()
    await asyncio.wait_for(told.wait(), PATIENCE)


async def test_who_has_gone_before_the_answer_leaves_no_error(caplog: pytest.LogCaptureFixture):
    """A phone that gives up while the disk is slow: each left a traceback in the log."""
    worker = workers.Worker("a worker of a test", commits_together=True)
    try:
        first = asyncio.ensure_future(worker.write(partial(int, 1)))
        await asyncio.sleep(0)
        first.cancel()
        assert await worker.write(partial(int, 2)) == 2
    finally:
        worker.close()
    assert not caplog.records


async def test_a_table_that_cannot_be_drawn_does_not_end_its_worker(
    caplog: pytest.LogCaptureFixture,
):
    class Breaks:
        loop = asyncio.get_running_loop()

        def draw(self) -> Callable[[], None] | None:
            raise RuntimeError("no drawing")

    worker = workers.Worker("a worker of a test", commits_together=True)
    try:
        worker.draw(Breaks())
        assert await asyncio.wait_for(worker.write(partial(int, 2)), PATIENCE) == 2
        assert await asyncio.wait_for(worker.read(partial(int, 3)), PATIENCE) == 3
    finally:
        worker.close()
    assert "no drawing" in caplog.text
