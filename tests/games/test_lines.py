"""What is said to a phone arrives in order, whichever server has the line (`games.live.lines`)."""

from __future__ import annotations

import asyncio
from typing import Any

from games.live.lines import AsgiLine


async def test_what_is_said_while_something_is_on_its_way_comes_after_it():
    arrived = []
    waits = iter((0.05, 0.0, 0.0))

    async def send(event: dict[str, Any]) -> None:
        await asyncio.sleep(next(waits))
        arrived.append(event.get("text") or event["code"])

    line = AsgiLine(send)
    line.say(b"first")
    await asyncio.sleep(0.01)
    line.say(b"second")
    line.close(1000)
    await asyncio.sleep(0.1)
    assert arrived == ["first", "second", 1000]


async def test_a_line_that_breaks_while_it_is_written_to_is_no_trouble_of_ours():
    """Each server has an error of its own for that, and asyncio would log a traceback."""
    loop, troubles = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _loop, context: troubles.append(context))

    async def send(_event: dict[str, Any]) -> None:
        raise RuntimeError("gone")

    line = AsgiLine(send)
    for _push in range(2):
        line.say(b"too late")
        await asyncio.sleep(0.01)
    assert troubles == []
