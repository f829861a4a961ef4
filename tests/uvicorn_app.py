"""Houses with hardly more than sockets, on uvicorn: as `tests.daphne_app`, in this process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import uvicorn

from config import uvicorn_sockets

LONGEST = 2000
App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Say everything again; "close" closes, "fail" fails."""
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        if event.get("text") == "close":
            await send({"type": "websocket.close", "code": 4403})
        elif event.get("text") == "fail":
            raise RuntimeError("as it was told")
        else:
            await send({**event, "type": "websocket.send"})


@contextlib.asynccontextmanager
async def serving(app: App, **ways: Any) -> AsyncIterator[SimpleNamespace]:
    """Serve an application, with nothing but sockets of ours, at a port of its own."""
    config = uvicorn.Config(
        app, port=0, lifespan="off", log_level="critical", ws=uvicorn_sockets.Socket,
        ws_max_size=LONGEST, loop="asyncio", **ways,
    )  # fmt: skip
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        url = f"ws://127.0.0.1:{port}/a%20b?c=d"
        yield SimpleNamespace(url=url, port=port, server=server, task=running)
    finally:
        server.should_exit = True
        await asyncio.wait_for(running, 10)
