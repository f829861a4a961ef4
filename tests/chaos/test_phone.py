"""A phone of ours ends when it is put away: otherwise a test behind it would never end."""

from __future__ import annotations

import asyncio

from tests.chaos.phone import ended


async def test_work_whose_wait_forgets_that_it_was_cancelled_ends_all_the_same():
    waits: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def sends() -> None:
        while True:
            try:
                await asyncio.wait_for(waits, 60)
            except ConnectionResetError:
                await asyncio.sleep(0.01)

    work = asyncio.create_task(sends())
    await asyncio.sleep(0)
    # The socket ends in the same turn in which everything is cancelled.
    waits.set_exception(ConnectionResetError("the socket closed"))
    await asyncio.wait_for(ended([work]), 10)
    assert work.done()
