"""Two addresses for proxies and alarms: is this process alive, and can the house play?

They are answered before everything else: no session, no language, no known Host is needed.
`/healthz` only says that the process answers: enough for a proxy's rotation, since such a process
tells people in words what is wrong. `/readyz` is for alarms, and for what waits until a house is
up.
"""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction

from config.sqlite3.ours import identity
from config.threads import Threads
from games.keeping import release, sqlite
from games.others import layer_to_others

log = logging.getLogger(__name__)

Scope = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

ALIVE, READY = "/healthz", "/readyz"
# The database is asked at most this often, however often we are.
FRESH_S = 2.0
PATIENCE_S = 5.0
LOOK_SECONDS = 2.0
# Bytes: more than a tap writes.
ROOM = 200_000
# Sorting what does not fit into memory makes PostgreSQL write a file of some 300 KB beside its own,
# and remove it.
SORTS = "SELECT count(*) FROM (SELECT md5(n::text) FROM generate_series(1, 6000) n ORDER BY 1) s"


def with_health(app: App) -> App:
    """Answer the two addresses, and pass everything else on."""
    checks = Checks()

    async def serve(scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == ALIVE:
            await _answer(send, 200, {"alive": True})
        elif scope["path"] == READY:
            found = await checks.look()
            await _answer(send, 200 if found["ready"] else 503, found)
        else:
            await app(scope, receive, send)

    return serve


async def _answer(send: Any, status: int, told: dict[str, Any]) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(told)})


class Checks:
    """Looks at most every two seconds; who asks meanwhile is told what was found then."""

    def __init__(self) -> None:
        self._thread = Threads(1, "health")
        self._seen: dict[str, Any] = {}
        self._at = -FRESH_S
        self._looks: asyncio.Task[dict[str, Any]] | None = None
        self._is_migrated = False
        # The file and its size, as when it was last whole.
        self._whole: tuple[tuple[int, int] | None, int] = (None, 0)
        self._is_cut_short()

    async def look(self) -> dict[str, Any]:
        """Say what works. Without the channel layer the house plays on, only more slowly."""
        if time.monotonic() - self._at < FRESH_S:
            return self._seen
        if self._looks is None or self._looks.done():
            self._looks = asyncio.get_running_loop().create_task(self._look())
        return await asyncio.shield(self._looks)

    async def _look(self) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._thread, self._database)
        try:
            database = await asyncio.wait_for(asyncio.shield(asked), PATIENCE_S)
        except TimeoutError:
            database = "does not answer"
        layer = await _layer()
        is_ready = database == "ok"
        self._seen = {"ready": is_ready, "database": database, "layer": layer}
        self._at = time.monotonic()
        return self._seen

    def _database(self) -> str:
        """Say in words whether the database can be read and written, and is of this release.

        Never the error itself: it may have an address or a name in it.
        """
        try:
            # Asked once: this process's own migrations stay the same.
            self._is_migrated = self._is_migrated or not release.pending()
            if not self._is_migrated:
                return "not migrated"
            _try_to_write()
            if self._is_cut_short():
                return "damaged"
        except Exception as error:
            log.warning("Not ready: %s", error)
            return "cannot be written" if _can_be_read() else "gone"
        finally:
            connection.close()
        return "ok"

    def _is_cut_short(self) -> bool:
        """Tell whether SQLite's file is smaller than it was, and damaged: we make none smaller.

        Taps may not notice for long, as most of what they ask for is in memory or in the journal.
        """
        house = sqlite.path_of_house()
        if connection.vendor != "sqlite" or not house.is_file():
            return False
        file, size = identity(house), house.stat().st_size
        was_file, was_size = self._whole
        if file == was_file and size < was_size and sqlite.damage_of(house, LOOK_SECONDS):
            return True
        self._whole = (file, size)
        return False


def _try_to_write() -> None:
    """Write a row and roll back: no tap waits for that, and nothing is changed.

    Both databases keep uncommitted writes in memory, so a file beside it has to show that there is
    room, and with SQLite that it comes to the disk: one that breaks takes every write, and only
    fails there. Raises OSError and DatabaseError.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO games_house (id, epoch) VALUES (-1, '')")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute(SORTS)
        transaction.set_rollback(True)
    if connection.vendor == "sqlite" and (house := sqlite.path_of_house()).is_file():
        with tempfile.TemporaryFile(dir=house.parent) as beside:
            beside.write(bytes(ROOM))
            beside.flush()
            os.fsync(beside.fileno())


def _can_be_read() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM games_house")
    except Exception:
        return False
    return True


async def _layer() -> str:
    if layer_to_others() is None:
        return "not needed"
    try:
        await ask_redis()
    except Exception:
        return "gone"
    return "ok"


async def ask_redis() -> None:
    """Raise what Redis has against the house's news, or TimeoutError where it says nothing."""
    await asyncio.wait_for(_say_nothing(), PATIENCE_S / 2)


async def _say_nothing() -> None:
    """Tell Redis what nobody listens to: one that answers may refuse this user the house's news."""
    from redis.asyncio import from_url

    prefix = settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"]
    async with from_url(settings.REDIS) as line:
        await line.publish(f"{prefix}-ready", b"")
