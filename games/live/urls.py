"""Where sockets connect."""

from typing import Any

from django.urls import path, re_path

from games.live.consumer import TURNED_OUT, TableConsumer

TABLE = "ws/t/<slug:code>/<slug:page>/<int:seat>/"


async def nowhere(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer a socket that asks for what there is not; it need not try again."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": TURNED_OUT})


# Their types know of views alone; Channels puts ASGI applications here.
websocket_urlpatterns = [
    path(TABLE, TableConsumer.as_asgi),  # type: ignore[arg-type]
    re_path("", nowhere),  # type: ignore[arg-type]
]
