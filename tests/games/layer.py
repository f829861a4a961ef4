"""A channel layer in the hands of a test, instead of Redis."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games import wake
from games.live import listener


class Layer:
    """A channel layer that brings what the test puts into it, and may be away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_away = False
        self.news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.channels = 0
        self.groups: list[tuple[str, str]] = []
        self.sent: list[dict[str, Any]] = []
        for module in (listener, wake):
            monkeypatch.setattr(module, "layer_to_others", lambda: self)
        monkeypatch.setattr(listener, "_ears", {})

    def _answer(self) -> None:
        if self.is_away:
            raise ConnectionError("the layer is away")

    async def new_channel(self) -> str:
        self._answer()
        self.channels += 1
        name = f"ear {self.channels}"
        await asyncio.sleep(0)  # Redis is asked
        return name

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self.news.get()

    async def group_add(self, group: str, channel: str) -> None:
        self._answer()
        self.groups.append((group, channel))

    async def group_discard(self, group: str, channel: str) -> None:
        self._answer()
        if (group, channel) in self.groups:
            self.groups.remove((group, channel))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self._answer()
        self.sent.append(message)
