"""Who comes in while a table is drawn (`games.live.readers`)."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.live import readers
from games.live.drawing import Drawing, Viewer
from tests.games.party import Party, Person
from tests.games.sockets import looks

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 10.0


class Came:
    """A socket that has just come in."""

    def __init__(self, who: Person) -> None:
        seat = who.row
        assert seat.device_id
        self.viewer = Viewer("phone", seat.number, seat.device_id)
        self.told: list[str] = []
        self.is_told = asyncio.Event()

    def offer(self, _drawing: Drawing) -> None:
        self._hears("a drawing")

    def turn_out(self) -> None:
        self._hears("turned out")

    def start_over(self) -> None:
        self._hears("has to start over")

    def _hears(self, what: str) -> None:
        self.told.append(what)
        self.is_told.set()


async def test_who_comes_in_while_the_table_is_drawn_is_shown_the_next_drawing(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: that it has no drawing for them yet does not mean that they may not look."""
    party, begun, goes_on = running_party, threading.Event(), threading.Event()
    came, table_id = await sync_to_async(lambda: (Came(party.ana), party.table.pk))()
    draw_all = readers.draw_all

    def slowly(*given: Any) -> Any:
        drawn = draw_all(*given)
        begun.set()
        goes_on.wait(PATIENCE)
        return drawn

    async with looks(party.ben) as ben:
        await ben.settles()
        reader = readers.reader_of(table_id)
        monkeypatch.setattr(readers, "draw_all", slowly)
        readers.draw_again(reader.table_id)
        await asyncio.to_thread(begun.wait, PATIENCE)
        await reader.join(came)
        goes_on.set()
        await asyncio.wait_for(came.is_told.wait(), PATIENCE)
        await reader.leave(came)
        assert came.told == ["a drawing"]
