"""A device's socket: actions, acknowledgements, clocks and beats come in, what changed goes out."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.http import parse_cookie

from config.sessions import SessionStore
from games import snapshot
from games.devices import SESSION_KEY
from games.live import fair, readers, stops, taps
from games.live.arrivals import may_ask, note_flood
from games.live.drawing import Drawing
from games.live.lines import Line, chunks, line_of
from games.live.page_says import back_from, digest, read_seq
from games.live.table_reader import TableReader
from games.live.trimming import trim_soon
from games.live.viewers import Viewer, who_looks
from games.live.workers import worker_of
from games.models import Table
from games.services.change import now_ms
from games.trouble import log_failure

log = logging.getLogger(__name__)

# Letters of one message; a longer form goes as a request (LONGEST_DO in static/outbox.js).
LONGEST_MESSAGE = 16_384
# A phone says something every few seconds; the token bucket lets it catch up after a hiccup.
TOKENS_A_SECOND, MOST_TOKENS = 20.0, 40.0
SOCKETS_A_SEAT = 4
# Actions of one page that wait for those before them. A page of ours sends the next of a form once
# it is answered: nobody has so many, however slow the disk is.
MOST_ASKED = 40
LONGEST_TRIP_MS = 30_000
# How many of the last marks a phone may still echo, and among how many of its last round trips the
# quickest is looked for.
MOST_MARKS, MOST_TRIPS = 4, 8
TURNED_OUT, TOO_FAST, TOO_MANY_SOCKETS, TRY_AGAIN = 4403, 4429, 4408, 1013


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """What a page may say to us.

    `ack`: it has taken the last push. `ping`: its own clock; `echo`: the mark of ours, sent back.
    `beat`: see `stops`. `do`: an action as an encoded form, with a number `n` by which it will know
    the answer.
    """

    ack: int | None = None
    ping: float | None = None
    echo: int | None = None
    beat: stops.Beat | None = None
    do: str | None = None
    n: int = 0


_decoder = msgspec.json.Decoder(Said)
_encode = msgspec.json.encode
# By table and seat, the oldest first.
_open_sockets: dict[tuple[int, int], list[TableConsumer]] = {}


def who_connects(
    code: str, page: str, number: int, key: str
) -> tuple[Table, Viewer, str, str] | None:
    """Read from the session's key who this is, or None for whoever may not look.

    Returns the table, the viewer, its language, and what this phone may stop play with: nothing
    while it waits at the door.
    """
    found = who_looks(code, page, number, SessionStore(key).get(SESSION_KEY, ""))
    if found is None:
        return None
    table, seat, viewer = found
    # read in this thread, where the database may be asked: the first pong needs it
    snapshot.epoch()
    return table, viewer, seat.language, stops.new_token() if seat.is_seated else ""


class TableConsumer:
    """Pushes the regions of one viewer that changed; a push is acknowledged before the next.

    Daphne holds whatever a sleeping phone does not take, so the flow is
    controlled here: while a push waits for its acknowledgement, news only
    replaces what will be sent next.

    An ASGI application of its own, not one of Channels' consumers: those keep
    a channel and two tasks more for each phone, and we send nothing by channel.
    """

    __slots__ = (
        "_asked", "_back", "_delays", "_doing", "_filled_at", "_language", "_line", "_marks",
        "_next", "_place", "_pushed_at", "_seq", "_served", "_session", "_shown", "_taken",
        "_token", "_tokens", "_waits_for_ack", "reader", "table_id", "viewer", "worker",
    )  # fmt: skip

    reader: TableReader | None

    def __init__(self, line: Line) -> None:
        self._line = line
        # What this page shows: of each region and piece, by name, its mark in the last push.
        self._shown: dict[str, int] = {}
        self._next: Drawing | None = None
        # `_taken` is the newest push that was acknowledged.
        self._waits_for_ack, self._pushed_at, self._taken = False, 0.0, 0
        # The last round trips, in milliseconds; and what the last pongs were marked with, of which
        # no echo has come yet: microseconds of the monotonic clock.
        self._delays: tuple[int, ...] = ()
        self._marks: tuple[int, ...] = ()
        self._tokens, self._filled_at = MOST_TOKENS, time.monotonic()
        self._asked: list[tuple[Callable[[], taps.Answer], int]] = []
        self._doing: asyncio.Task[None] | None = None
        self.reader = None

    @classmethod
    async def as_asgi(cls, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve one socket until it closes."""
        await receive()  # the connection itself
        await send({"type": "websocket.accept"})
        line = line_of(scope, send)
        consumer = cls(line)
        try:
            # Accepted first: a page takes a socket that was never accepted for a lost line, and
            # tries for ever.
            refused = await consumer._connect(scope)
            if refused:
                await send({"type": "websocket.close", "code": refused})
                return
            # The middleware around us holds the scope for as long as the socket is open.
            scope["headers"].clear()
            scope.clear()
            line.hears = consumer.hear
            trim_soon()
            await consumer._listen(receive)
        finally:
            # Also where the phone went while it was looked up.
            if consumer.reader:
                await consumer._disconnect()
                trim_soon()

    async def _connect(self, scope: dict[str, Any]) -> int:
        """Find out who this is and join the table; return the code to close with, or 0."""
        asked = scope["url_route"]["kwargs"]
        cookies = next((v for k, v in scope["headers"] if k == b"cookie"), b"").decode("latin1")
        said = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
        # What is no key of ours opens nothing, and may be of any length: it is not counted.
        key = SessionStore(said).session_key
        if key is None:
            return TURNED_OUT
        if not may_ask(key):
            return TOO_FAST
        look = partial(who_connects, asked["code"], asked["page"], asked["seat"], key)
        try:
            found = await worker_of(0).read(look)
        except DatabaseError as error:
            log_failure(log, error, "A socket could not be looked up")
            return TRY_AGAIN
        if found is None:
            return TURNED_OUT
        table, self.viewer, self._language, self._token = found
        self.table_id = table.pk
        self.worker = worker_of(self.table_id)
        self._place, self._session = (self.table_id, self.viewer.seat), key
        query = parse_qs(scope.get("query_string", b"").decode("latin1"))
        self._seq = self._taken = read_seq(query.get("seq", [""])[0])
        self._back = back_from(self._seq, table.seq)
        # What the page was served with needs no push: region and digest, until the first one.
        self._served = dict(h.split(":", 1) for h in query.get("have", [""])[0].split() if ":" in h)
        self.reader = readers.reader_of(self.table_id)
        self._take_place()
        await self.reader.join(self, table.seq)
        return 0

    def _take_place(self) -> None:
        """Be one of the seat's few sockets; the oldest makes room.

        A phone whose line broke again and again without a word still has the
        old ones open here, for as long as it takes the server to notice.
        """
        those = _open_sockets.setdefault(self._place, [])
        if len(those) >= SOCKETS_A_SEAT:
            oldest = those.pop(0)
            oldest._line.close(TOO_MANY_SOCKETS)
        those.append(self)

    async def _listen(self, receive: Any) -> None:
        """Take what comes as events until the socket closes: only that, where the line hears."""
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            self.hear(message.get("text"))

    async def _disconnect(self) -> None:
        those = _open_sockets.get(self._place, [])
        if self in those:
            those.remove(self)
        if not those:
            _open_sockets.pop(self._place, None)
        await self._reader.leave(self)

    def offer(self, drawing: Drawing) -> None:
        """Take the newest drawing: send it now, or keep it until the last push was taken."""
        self._next = drawing
        if not self._waits_for_ack:
            self._push()

    def turn_out(self) -> None:
        """Close: this device may not look any more."""
        self._line.close(TURNED_OUT)

    def start_over(self) -> None:
        """Close: this page was told things that the database no longer has. It connects anew."""
        self._line.close(TRY_AGAIN)

    def _push(self) -> None:
        """Send what differs from the last push; it has to be acknowledged.

        Where nothing does, one is sent all the same if the log has a newer number, with which the
        page comes back, and as the first of a socket: a page plays only what is told after that.
        """
        drawing, self._next = self._next, None
        if drawing is None:
            return
        shown, served, marks = self._shown, self._served, drawing.marks
        changed = {
            name: region
            for name, region in drawing.regions.items()
            if shown.get(name) != marks[name]
            and not (served and served.get(name) == digest(region.html()))
        }
        common = {n: region for n, region in drawing.common.items() if shown.get(n) != marks[n]}
        told = drawing.told_since(self._seq)
        is_first = not self._pushed_at
        if not (is_first or changed or common) and drawing.seq == self._seq:
            return
        self._shown = marks
        self._served = {}
        self._seq = drawing.seq
        self._waits_for_ack, self._pushed_at = True, time.monotonic()
        self._say(drawing.as_push(changed=changed, common=common, told=told, back=self._back))

    def _say(self, message: dict[str, Any]) -> None:
        for chunk in chunks(_encode(message)):
            self._line.say(chunk)

    def hear(self, text: str | None) -> None:
        """Take one message of the page's; anything else is answered with an error."""
        if not self._takes_token():
            self._close_flood()
            return
        if text is None or len(text) > LONGEST_MESSAGE:
            self._say({"error": "bad_message"})
            return
        try:
            said = _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeError):
            self._say({"error": "bad_message"})
            return
        if said.ack is not None:
            if self._waits_for_ack and said.do is None:
                self._tokens += 1  # an acknowledgement is what we asked for: it costs nothing
            self._waits_for_ack, self._taken = False, self._seq
            self._push()
        if said.ping is not None:
            self._say(self._pong(said.ping))
        if said.echo is not None:
            self._measure(said.echo)
        if said.beat is not None:
            stops.hear(self.table_id, said.beat, self._token)
        if said.do is not None:
            self._do(said.do, said.n)

    def _close_flood(self) -> None:
        note_flood(self._session)
        self._line.close(TOO_FAST)

    def _do(self, form: str, number: int) -> None:
        """Do an action and answer once it is on disk; this page's next action waits for that."""
        if len(self._asked) >= MOST_ASKED:
            self._close_flood()
            return
        whose = (self.table_id, self.viewer.device, self._language)
        self._asked.append((partial(taps.take, *whose, form, now_ms()), number))
        if self._doing is None:
            self._doing = asyncio.get_running_loop().create_task(self._do_all())

    async def _do_all(self) -> None:
        try:
            while self._asked:
                take, number = self._asked.pop(0)
                answer = await self._answer(take)
                self._say({"did": number, **msgspec.to_builtins(answer)})
        finally:
            self._doing = None

    async def _answer(self, take: Callable[[], taps.Answer]) -> taps.Answer:
        try:
            return await self.worker.write(take)
        except Exception:
            log.exception("A tap at table %s failed", self.table_id)
            return taps.broken(self._language)

    def _heal(self, mark: int) -> None:
        """Draw a phone afresh that never took a push but answers what was sent after it.

        Told by that answer and not by time: a push may be under way on a slow line for half a
        minute, and a second one would only queue behind it.
        """
        if self._waits_for_ack and mark > self._pushed_at * 1_000_000:
            self._shown, self._waits_for_ack, self._seq = {}, False, self._taken
            self._reader.news()

    @property
    def _reader(self) -> TableReader:
        assert self.reader
        return self.reader

    def _takes_token(self) -> bool:
        """Take one of the tokens with which a page may say something; tell whether one was left."""
        now = time.monotonic()
        earned = (now - self._filled_at) * TOKENS_A_SECOND
        self._tokens, self._filled_at = min(MOST_TOKENS, self._tokens + earned), now
        self._tokens -= 1
        return self._tokens >= 0

    def _pong(self, ping: float) -> dict[str, Any]:
        """Answer a heartbeat with our clock, the newest number, and the measured delay.

        `beat` is this socket's own stop token; every phone gets one, so it tells nothing. Who was
        at the door when it opened has none, and is not told how much goes on behind it either.
        """
        mark = time.monotonic_ns() // 1000
        self._marks = (*self._marks[1 - MOST_MARKS :], mark)
        pong: dict[str, Any] = {
            "pong": ping,
            "now": time.time() * 1000,
            "mark": mark,
            "seq": self._reader.seq if self._token else 0,
            "epoch": snapshot.epoch() + self._back,
            "beat": self._token,
        }
        if self._delays:
            pong["delay"] = self._delay_ms
            pong["note"] = fair.note_of_delay(str(self.viewer.device), self._delay_ms)
        return pong

    @property
    def _delay_ms(self) -> int:
        """The quickest of the last round trips: whatever took longer was waiting somewhere."""
        return min(self._delays)

    def _measure(self, mark: int) -> None:
        if mark not in self._marks:
            return  # not a mark that we sent: nobody can lengthen their own measured delay
        self._marks = tuple(m for m in self._marks if m != mark)
        self._heal(mark)
        trip = (time.monotonic_ns() // 1000 - mark) // 1000
        if trip < LONGEST_TRIP_MS:
            self._delays = (*self._delays[1 - MOST_TRIPS :], trip)
            self._reader.note_presence(self.viewer, self._delay_ms)
