"""Where sockets connect."""

from typing import Any

from django.urls import path, re_path

from games.live.consumer import TURNED_OUT, TableConsumer


async def nowhere(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer a socket that asks for what there is not; it need not try again."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": TURNED_OUT})


websocket_urlpatterns = [
    path("ws/t/<slug:code>/<slug:page>/<int:seat>/", TableConsumer.as_asgi),
    re_path("", nowhere),
]
