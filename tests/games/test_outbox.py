"""What a worker's thread hands to the loops: nothing that breaks or lasts holds up the next."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

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


async def test_no_error_of_any_kind_ends_a_worker():
    """R1: it would stand still from then on, with each table that is its own."""

    class Ends(BaseException):
        """As a cancelled task has, or a program that is told to end."""

    def ends() -> None:
        raise Ends

    worker = workers.Worker("a worker of a test", commits_together=True)
    try:
        with pytest.raises(Ends):
            await asyncio.wait_for(worker.write(ends), PATIENCE)
        assert await asyncio.wait_for(worker.write(partial(int, 2)), PATIENCE) == 2
    finally:
        worker.close()


async def test_neither_who_comes_in_nor_what_is_drawn_holds_all_else_up(
    monkeypatch: pytest.MonkeyPatch,
):
    """R5: when a house is back there is so much of both that who acts would wait for seconds."""
    for bound in ("READING_SECONDS", "DRAWING_SECONDS"):
        monkeypatch.setattr(workers, bound, 0.0)
    order: list[str] = []
    loop = asyncio.get_running_loop()
    worker = workers.Worker("a worker of a test", commits_together=True)
    act = workers.Job(lambda: order.append("played"), loop)

    class Draws:
        def __init__(self, name: str) -> None:
            self.loop, self.name = loop, name

        def draw(self) -> None:
            order.append(self.name)
            if self.name == "one":
                worker._writes.append(act)
                worker._calls.put(None)

    def lets_in() -> None:
        order.append("in")
        for name in ("one", "two"):
            worker.draw(Draws(name))

    try:
        waits = partial(time.sleep, 0.05)
        works = (waits, lets_in, lambda: order.append("in as well"))
        await asyncio.gather(*(worker.read(work) for work in works))
        await asyncio.wait_for(act.answer, PATIENCE)
        await worker.read(partial(int, 2))
    finally:
        worker.close()
    assert order == ["in", "one", "in as well", "played", "two"]


async def test_what_was_done_first_is_told_in_time_however_much_is_done_after_it():
    """R5: not alone, which would switch threads twice, and not once all of the others are done."""
    told, outbox = asyncio.Event(), workers.Outbox()
    outbox.put(asyncio.get_running_loop(), told.set)
    outbox.send(after=PATIENCE)
    await asyncio.sleep(0.02)
    assert not told.is_set()
    outbox.put(asyncio.get_running_loop(), lambda: None)
    outbox.send(after=0.02)
    await asyncio.wait_for(told.wait(), PATIENCE)


@pytest.mark.parametrize("commits_together", [True, False])
async def test_a_worker_at_rest_keeps_its_connection_where_that_is_its_own(
    monkeypatch: pytest.MonkeyPatch, commits_together: bool
):
    """R5: on SQLite the next tap would find nothing kept; a pool is shared with others."""
    monkeypatch.setattr(workers, "UNUSED_S", 0.02)
    one = workers.Worker("a worker of a test", commits_together=commits_together)
    here = await one.read(connects)
    await asyncio.sleep(0.2)
    assert (here.connection is not None) == commits_together
    one.close()
    assert here.connection is None, "a server has only so many"


@pytest.mark.parametrize("is_usable", [True, False])
async def test_a_connection_is_given_up_where_it_broke_and_not_where_an_answer_was_no(
    monkeypatch: pytest.MonkeyPatch, is_usable: bool
):
    """R4: who has no second of rest never gave a broken one up; another has much to learn anew."""
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda _connection: is_usable)
    worker = workers.Worker("a worker of a test", commits_together=False)
    try:
        (await worker.read(connects)).close_at = 0.0  # as of each that a pool has lent
        before = await worker.read(raw)
        with pytest.raises(DatabaseError):
            await worker.write(partial(asks, "SELECT no_such_thing"))
        await asyncio.sleep(0.05)  # the answer comes before it is looked at
        assert (await worker.read(raw) is before) == is_usable
    finally:
        worker.close()


async def test_a_worker_that_has_prepared_everything_rests_without_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """Five tracebacks a second stood in the log, for as long as nobody played."""
    for bound in ("UNUSED_S", "IDLE_SECONDS", "STEP_SECONDS"):
        monkeypatch.setattr(workers, bound, 0.01)
    worker = workers.Worker("of a test", commits_together=True, when_idle=iter([None]))
    await asyncio.sleep(0.15)
    await asyncio.wait_for(worker.read(partial(int, 2)), PATIENCE)
    worker.close()
    assert not caplog.records


def connects() -> BaseDatabaseWrapper:
    here = connections["default"]
    here.ensure_connection()
    return here


def asks(statement: str) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute(statement)


def raw() -> Any:
    return connections["default"].connection
