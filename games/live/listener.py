"""Each process's subscription to the channel layer: other processes' commits wake our readers."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from config.logs import error_in_words
from games import presence
from games.others import group_of, heard, layer_to_others, this_process
from games.wake import onlookers, wakers

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
# Shouts that count as one breath may be as far apart (`TableSettings.unison_ms`): from here on the
# clock of another machine could decide who was first.
MOST_AHEAD_S = 0.5
# What we tell comes back to us as well, at once. After so long without anything our line is dead.
COMES_BACK_S = 5.0

# By the loop that it listens in: a process serves from one, tests from several.
_ears: dict[asyncio.AbstractEventLoop, Listener] = {}
_beginning: dict[asyncio.AbstractEventLoop, asyncio.Lock] = {}


async def follow(table_id: int, *, anew: bool = False) -> None:
    """Listen to other processes' news of a table; in a single process there is nothing to do.

    The layer asks Redis once for each table. With `anew` it asks again: Redis may have refused. And
    it says who is here, so that a line on which nothing comes back is found out.
    """
    layer = layer_to_others()
    if layer is None:
        return
    loop = asyncio.get_running_loop()
    if anew and loop in _ears and _ears[loop].hears_nothing:
        await _hang_up(layer, loop)
    # Where many tables are first looked at together, one of them makes the ear. Each channel beside
    # it would be listened to for ever.
    async with _beginning.setdefault(loop, asyncio.Lock()):
        if loop not in _ears:
            ear = _ears[loop] = Listener(layer, await layer.new_channel())
            ear.task = loop.create_task(ear.listen())
    ear = _ears[loop]
    if anew:
        await layer.group_discard(group_of(table_id), ear.channel)
    await layer.group_add(group_of(table_id), ear.channel)
    ear.tables.add(table_id)
    if anew:
        await tell_presence(table_id, asks=True)


async def _hang_up(layer: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Give up the lines to Redis, and listen to the same tables on new ones.

    Where a proxy or a firewall has forgotten the line we hear by, nobody says so: only what we ask
    for on it would be missed, and we ask for nothing.
    """
    log.warning("Nothing is heard of other processes any more; listening anew")
    deaf = _ears[loop]
    deaf.waits_since = None  # for one table only: the others that heard nothing need not do it too
    try:
        await layer.flush()
        ear = Listener(layer, await layer.new_channel())
    except BaseException:
        deaf.waits_since = -COMES_BACK_S  # Redis is away: the next table that looks tries it again
        raise
    if deaf.task is not None:
        deaf.task.cancel()
    _ears[loop], ear.tables = ear, deaf.tables
    ear.task = loop.create_task(ear.listen())
    for table_id in list(ear.tables):
        await layer.group_add(group_of(table_id), ear.channel)


async def forget(table_id: int) -> None:
    """Stop listening to news of a table that nobody here looks at any more.

    Where the layer is away, news of that table go on coming, and wake nobody.
    """
    presence.forget_others(table_id)
    layer = layer_to_others()
    ear = _ears.get(asyncio.get_running_loop())
    if layer is not None and ear is not None:
        ear.tables.discard(table_id)
        ear.waits_since = None  # it may have been this table's news
        try:
            await layer.group_discard(group_of(table_id), ear.channel)
        except Exception as error:
            log.warning("Table %s is still listened to: %s", table_id, error_in_words(error))


class Listener:
    """Takes what the layer brings; one that is broken is tried again."""

    def __init__(self, layer: Any, channel: str) -> None:
        self.layer = layer
        self.channel = channel
        self.tables: set[int] = set()
        self.task: asyncio.Task[None] | None = None
        # Since when something of our own is on its way back to us.
        self.waits_since: float | None = None

    def expects(self, table_id: int) -> None:
        """Note that something was told of a table, which we hear as everybody does."""
        if self.waits_since is None and table_id in self.tables:
            self.waits_since = time.monotonic()

    @property
    def hears_nothing(self) -> bool:
        """Tell whether what was told has not come back for too long."""
        return self.waits_since is not None and time.monotonic() - self.waits_since > COMES_BACK_S

    async def listen(self) -> None:
        """Take what comes, without end; where the layer is away it is asked again each second."""
        while True:
            try:
                news = await self.layer.receive(self.channel)
            except ValueError as error:
                # The layer is there: some other program has said what cannot be unpacked.
                log.warning("What came over Redis is no news: %s", error_in_words(error))
                continue
            except Exception as error:
                why = error_in_words(error)
                log.warning("The channel layer is not there; trying again: %s", why)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self.waits_since = None
            try:
                await _take(news)
            except Exception:
                # Perhaps of another release. Without this task nothing more would be heard.
                log.exception("News of another process could not be taken")


async def _take(news: dict[str, Any]) -> None:
    if news.get("from") == this_process():
        return  # our own news: our readers had it before the layer did
    if news["type"] == "table.wake":
        for waker in wakers:
            waker(news["table"], heard(news))
    elif news["type"] == "table.presence":
        await _hear_presence(news)


async def _hear_presence(news: dict[str, Any]) -> None:
    """Note who came or went at another process, and answer one that asks who is here.

    One of an earlier release may serve beside this one: `gone` is told since 30 November 2026, what
    time it is `now` since 28 November.
    """
    told = presence.hear(news["table"], news["lines"], news.get("from", ""), news.get("gone", {}))
    if told:
        for tell in onlookers:
            tell(news["table"])
    _compare_clocks(news.get("now", 0.0))
    if news.get("asks"):
        await tell_presence(news["table"])


def _compare_clocks(theirs: float) -> None:
    """Tell of a clock that is ahead of ours.

    One that is behind looks like news that was long under way; that process is told by ours.
    """
    ahead = theirs - time.time()
    if ahead > MOST_AHEAD_S:
        log.warning(
            "The clock of another process is %.1f seconds ahead of this one's, and shouts are "
            "compared by both: all machines need the same time (NTP)",
            ahead,
        )


async def tell_presence(table_id: int, *, asks: bool = False) -> bool:
    """Tell the other processes, if there are any, which phones are connected here.

    With `asks` they answer with theirs. Returns whether the layer took the news; a broken layer is
    not waited for.
    """
    layer = layer_to_others()
    if layer is None:
        return True
    news = {"type": "table.presence", "table": table_id, "lines": presence.here(table_id)}
    news |= {"gone": presence.gone(table_id), "from": this_process()}
    news |= {"asks": asks, "now": time.time()}
    try:
        await layer.group_send(group_of(table_id), news)
    except Exception as error:
        log.warning("Who is at table %s was not told: %s", table_id, error_in_words(error))
        return False
    ear = _ears.get(asyncio.get_running_loop())
    if ear is not None:
        ear.expects(table_id)
    return True
