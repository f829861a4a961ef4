"""A device's socket. Nothing comes in here but acknowledgements and clocks; it never writes."""

from __future__ import annotations

import logging
import time
from collections import deque
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from games.live import fair, readers
from games.live.drawing import Drawing, Viewer, digest, may_look
from games.models import Seat, Table

log = logging.getLogger(__name__)

PAGES = {"phone", "screen", "gm"}
LONGEST_MESSAGE = 2048
# A phone says something every few seconds; a token bucket holds what is more than a hiccup.
TOKENS_A_SECOND, MOST_TOKENS = 20.0, 40.0
SOCKETS_A_SEAT = 4
ACK_SECONDS = 10.0
LONGEST_SENT = 65_000
# Characters; each is at most four bytes, so that a piece stays under the server's 65,536.
PIECE = 16_000
LONGEST_TRIP_MS = 30_000
MARKS = 4
TURNED_OUT, TOO_FAST, TOO_MANY_SOCKETS = 4403, 4429, 4408


class Heartbeat(msgspec.Struct, forbid_unknown_fields=True):
    """What a phone may say: `ack` a push, `ping` with its clock, `echo` the server's."""

    ack: int | None = None
    ping: float | None = None
    echo: int | None = None


_decoder = msgspec.json.Decoder(Heartbeat)
_encode = msgspec.json.encode
_open_sockets: dict[tuple[int, int], int] = {}


def pieces(text: str) -> list[str]:
    """Cut a message that the server would refuse to send whole.

    Its limit of 64 KB guards against what phones send, and holds both ways. A
    piece begins with "+", the last one with "."; a whole message with its brace.
    """
    if len(text.encode()) <= LONGEST_SENT:
        return [text]
    cut = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    return [*(f"+{piece}" for piece in cut[:-1]), f".{cut[-1]}"]


class TableConsumer(AsyncWebsocketConsumer):
    """Pushes the regions of one viewer that changed; a push is acknowledged before the next.

    Daphne holds whatever a sleeping phone does not take, so the flow is
    controlled here: while a push waits for its acknowledgement, news only
    replaces what will be sent next.
    """

    viewer: Viewer
    reader: readers.TableReader

    async def connect(self) -> None:
        found = await database_sync_to_async(self._find)()
        if found is None:
            # A socket closed before it was accepted looks like a lost line, and is tried for ever.
            await self.accept()
            await self.close(TURNED_OUT)
            return
        self.table_id, self.viewer = found
        self._key = (self.table_id, self.viewer.seat)
        if _open_sockets.get(self._key, 0) >= SOCKETS_A_SEAT:
            await self.accept()
            await self.close(TOO_MANY_SOCKETS)
            return
        _open_sockets[self._key] = _open_sockets.get(self._key, 0) + 1
        self._shown: dict[str, str] = {}
        self._next: Drawing | None = None
        self._waits_for_ack, self._pushed_at = False, 0.0
        query = parse_qs(self.scope.get("query_string", b"").decode("latin1"))
        asked = query.get("seq", [""])[0]
        self._seq = int(asked) if asked.isdecimal() and len(asked) < 16 else 0
        # What the page was served with needs no push: region and digest, until the first one.
        self._served = dict(h.split(":", 1) for h in query.get("have", [""])[0].split() if ":" in h)
        self._delays: list[int] = []
        self._marks: deque[int] = deque(maxlen=MARKS)
        self._tokens, self._filled_at = MOST_TOKENS, time.monotonic()
        await self.accept()
        self.reader = readers.reader_of(self.table_id)
        await self.reader.join(self)

    def _find(self) -> tuple[int, Viewer] | None:
        """Read who this is from the session cookie; the address only says which seat."""
        route = self.scope["url_route"]["kwargs"]
        device = self.scope["session"].get("device")
        table = Table.objects.filter(code=route["code"].upper()).only("pk").first()
        seat = table.seats.filter(number=route["seat"]).first() if table else None
        if table is None or seat is None or not device or route["page"] not in PAGES:
            return None
        viewer = Viewer(route["page"], seat.number, UUID(device))
        if seat.standing == Seat.Standing.GONE or not may_look(seat, viewer):
            return None
        return table.pk, viewer

    async def disconnect(self, code: int) -> None:
        if not hasattr(self, "reader"):
            return
        left = _open_sockets.get(self._key, 1) - 1
        if left > 0:
            _open_sockets[self._key] = left
        else:
            _open_sockets.pop(self._key, None)
        await self.reader.leave(self)

    async def offer(self, drawing: Drawing) -> None:
        """Take the newest drawing: send it now, or keep it until the last push was taken."""
        self._next = drawing
        if not self._waits_for_ack:
            await self._push()

    async def turn_out(self) -> None:
        """Close: this device may not look any more."""
        try:
            await self.close(TURNED_OUT)
        except Exception:
            log.debug("A socket was closed already", exc_info=True)

    async def _push(self) -> None:
        drawing, self._next = self._next, None
        if drawing is None:
            return
        changed = {
            name: html
            for name, html in drawing.regions.items()
            if self._shown.get(name) != html and self._served.get(name) != digest(html)
        }
        told = [t for t in drawing.told if t.seq > self._seq]
        is_first = not self._shown
        if not (is_first or changed or told) and drawing.seq == self._seq:
            return
        self._shown, self._served = drawing.regions, {}
        self._seq = drawing.seq
        self._waits_for_ack, self._pushed_at = True, time.monotonic()
        await self._send(
            {
                "epoch": drawing.epoch,
                "seq": drawing.seq,
                "game": drawing.game,
                "mode": drawing.mode,
                "regions": changed,
                "told": told,
            }
        )

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            for piece in pieces(_encode(message).decode()):
                await self.send(text_data=piece)
        except Exception:
            # Each server has its own error for a line that broke a moment ago. Its disconnect is on
            # the way, and the other phones of the table must not wait for it.
            log.debug("A socket closed while it was written to", exc_info=True)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._has_token():
            await self.close(TOO_FAST)
            return
        if text_data is None or len(text_data) > LONGEST_MESSAGE:
            await self._send({"error": "bad_message"})
            return
        try:
            said = _decoder.decode(text_data)
        except (msgspec.DecodeError, ValueError, RecursionError):
            await self._send({"error": "bad_message"})
            return
        if said.ack is not None:
            self._waits_for_ack = False
            await self._push()
        if said.ping is not None:
            await self._heal()
            await self._send(self._pong(said.ping))
        if said.echo is not None:
            self._measure(said.echo)

    async def _heal(self) -> None:
        """A phone that is awake but never took a push is drawn afresh."""
        if self._waits_for_ack and time.monotonic() - self._pushed_at > ACK_SECONDS:
            self._shown, self._waits_for_ack, self._seq = {}, False, 0
            self.reader.news()

    def _has_token(self) -> bool:
        now = time.monotonic()
        earned = (now - self._filled_at) * TOKENS_A_SECOND
        self._tokens, self._filled_at = min(MOST_TOKENS, self._tokens + earned), now
        self._tokens -= 1
        return self._tokens >= 0

    def _pong(self, ping: float) -> dict[str, Any]:
        """Answer a heartbeat with our clock, the newest number, and the delay as measured."""
        mark = time.monotonic_ns() // 1000
        self._marks.append(mark)
        pong: dict[str, Any] = {
            "pong": ping,
            "now": time.time() * 1000,
            "mark": mark,
            "seq": self.reader.seq,
            "epoch": self.reader.epoch,
        }
        if self._delays:
            pong["delay"] = self._delay_ms
            pong["note"] = fair.note_of_delay(str(self.viewer.device), self._delay_ms)
        return pong

    @property
    def _delay_ms(self) -> int:
        """The quickest of the last round trips: what is above it was waiting, not the line."""
        return min(self._delays)

    def _measure(self, mark: int) -> None:
        if mark not in self._marks:
            return  # not a clock we sent: nobody lengthens their own delay that way
        self._marks.remove(mark)
        trip = (time.monotonic_ns() // 1000 - mark) // 1000
        if trip < LONGEST_TRIP_MS:
            self._delays = [*self._delays[-7:], trip]
            self.reader.note_presence(self.viewer, self._delay_ms)
