"""A house with hardly more than sockets (`test_daphne_sockets.py`): a path's word is what it does.

Run as a process of its own, since Twisted has one reactor for good; it says its port.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from twisted.web.http import HTTPChannel

from config import bounds, daphne_requests
from config.daphne_server import Server
from config.daphne_sockets import Socket
from games.live.lines import LINE

SILENT, PATIENCE = 0.2, 2.0
HEAD_SECONDS, BODY_SECONDS = 0.5, 1.0
PART, PARTS = b"x" * 65_536, 192
# Of four such answers the system takes a third each, if it is generous.
HELD = 20_000_000
NO_BODY = (b"content-length", b"0")


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await receive()
    if scope["type"] == "websocket":
        await WAYS[scope["path"].strip("/ ")](scope, receive, send)
    elif scope["path"] == "/much":
        await much(scope, receive, send)
    elif scope["path"] == "/where":
        headers = [(b"content-length", str(len(scope["root_path"])).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": scope["root_path"].encode()})
    else:
        await asyncio.sleep(HEAD_SECONDS + SILENT)
        await send({"type": "http.response.start", "status": 200, "headers": [NO_BODY]})
        await send({"type": "http.response.body"})


async def much(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer a request with more than the system takes for a phone that does not read."""
    headers = [(b"content-length", str(len(PART) * PARTS).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for n in range(1, PARTS + 1):
        await send({"type": "http.response.body", "body": PART, "more_body": n < PARTS})


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Say everything again, by events; "close" and "later" close, "fail" fails."""
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        if event.get("text") == "close":
            await send({"type": "websocket.close", "code": 4403})
        elif event.get("text") == "later":
            await send({"type": "websocket.close", "code": 1013})
        elif event.get("text") == "fail":
            raise RuntimeError("as it was told")
        else:
            await send({**event, "type": "websocket.send"})
    print("ended with", event["code"], file=sys.stderr, flush=True)


async def direct(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Speak over the line; a number asks for so many letters."""
    await send({"type": "websocket.accept"})
    line: Socket = scope["extensions"][LINE]

    def hears(text: str | None) -> None:
        if text == "fail":
            raise RuntimeError("as it was told")
        if text == "close":
            line.close(4429)
            line.say(b"too late")
        elif text == "later":
            line.close(1013)
        elif text == "facts":
            line.say(json.dumps(facts()).encode())
        else:
            line.say(b"x" * int(text) if text and text.isdecimal() else f"heard {text}".encode())

    line.hears = hears
    print("ended with", (await receive())["code"], file=sys.stderr, flush=True)
    line.say(b"nobody is there")


def facts() -> dict[str, Any]:
    """Tell what is held of all who are here."""
    gc.collect()
    those = gc.get_objects()
    return {
        "sockets": sum(isinstance(one, Socket) for one in those),
        "channels": sum(isinstance(one, HTTPChannel) for one in those),
        "fields": max(len(vars(one)) for one in those if isinstance(one, Socket)),
    }


async def where(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Say below which path the house stands."""
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": f"below {scope['root_path']}/"})
    await send({"type": "websocket.close"})


async def refuse(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "websocket.close"})


async def fail(scope: dict[str, Any], receive: Any, send: Any) -> None:
    raise RuntimeError("as it was told")


WAYS = {"echo": echo, "direct": direct, "where": where, "refuse": refuse, "fail": fail}


class Told(Server):
    """Says where it listens."""

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        print("port", port.getHost().port, flush=True)


if __name__ == "__main__":
    daphne_requests.HEAD_SECONDS = HEAD_SECONDS
    bounds.BODY_SECONDS, bounds.MOST_KEPT = BODY_SECONDS, HELD
    Told(
        application=application,
        endpoints=build_endpoint_description_strings(host="127.0.0.1", port=0),
        websocket_timeout=-1,
        ping_interval=SILENT,
        ping_timeout=PATIENCE,
        websocket_max_message_size=int(sys.argv[1]),
        websocket_max_frame_size=int(sys.argv[1]),
    ).run()
