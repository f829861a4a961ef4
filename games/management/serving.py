"""Serving in this process: what `play` and `serve` share once the house is ready."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from config.addresses import EVERYWHERE, why_not_here
from config.logs import Terse, error_in_words, wait_for_no_reader
from config.threads import start_all
from games.health import ask_redis
from games.live.trimming import give_back_large
from games.live.workers import worker_of
from games.others import layer_to_others
from games.showing import learn_refusals

LONGEST_FRAME = 65_536  # bytes; the application takes less (games/live/consumer.py)
SWITCH_SECONDS = 0.0005
GARBAGE_AT = 2_000
CLOSES_SECONDS = 3
# How long a tap waits for another program's lock on SQLite, or for a PostgreSQL that stands still,
# before it is refused in words: its phone gives a silent line up after eight seconds
# (static/line.js). A command, for which no phone waits, has longer.
LOCK_SECONDS = 6
# How many connections may wait in the system's queue. When a house is back all of its phones come
# at once, and with Twisted's fifty the system would turn others away.
MOST_AT_THE_DOOR = 2048

# The modules of each server. They take a while to load, so only those of the one in use are.
SERVERS = {
    "daphne": ["config.daphne_server"],
    "uvicorn": ["config.uvicorn_requests", "config.uvicorn_sockets"],
}


def refuse_taken(host: str, port: int) -> None:
    """Raise CommandError where nobody can listen; servers find out late, and exit with success."""
    if why := why_not_here(host, port):
        text = _(
            "Nothing can listen on %(host)s, port %(port)s: %(why)s. Name another HOST or PORT."
        )
        raise CommandError(text % {"host": host, "port": port, "why": why})


def tell_of_redis(out: OutputWrapper) -> None:
    """Say where Redis does not take this process's news. The house opens all the same.

    It plays on without Redis, which may come later; a mistyped address never does.
    """
    if layer_to_others() is None:
        return
    try:
        asyncio.run(ask_redis())
    except Exception as error:
        text = _(
            "The Redis that TAPROOM_REDIS names cannot be used just now: %(why)s. The house opens "
            "all the same, but what is done at one process is seen at the others seconds later. "
            "Look whether its server runs, and is the one that is meant."
        )
        with suppress(OSError):  # nobody reads it
            out.write(text % {"why": error_in_words(error)})


def get_ready() -> None:
    """Load and start what serving needs. Raises CommandError where there can be no more threads."""
    # How long a thread with work waits until the running one has to let it have the interpreter.
    sys.setswitchinterval(SWITCH_SECONDS)
    _take_all_lines()
    _wait_less_than_phones()
    learn_refusals()
    _start_threads()
    for module in SERVERS[settings.SERVER]:
        import_module(module)
    give_back_large()
    _freeze()


def serve(host: str, port: int) -> None:
    """Serve in this process until it is stopped, with the server that the settings name.

    `get_ready` comes before.
    """
    by = {"daphne": _serve_by_daphne, "uvicorn": _serve_by_uvicorn}[settings.SERVER]
    with translation.override(settings.LANGUAGE_CODE):  # the terminal's is nobody's at a table
        by(host, port)


def _serve_by_daphne(host: str, port: int) -> None:
    from daphne.endpoints import build_endpoint_description_strings

    from config.asgi import application
    from config.daphne_server import Server

    doors = build_endpoint_description_strings(host=host, port=port)
    Server(
        application=application,
        endpoints=[f"{door}:backlog={MOST_AT_THE_DOOR}" for door in doors],
        websocket_timeout=-1,
        websocket_connect_timeout=10,
        ping_interval=20,
        ping_timeout=30,
        websocket_handshake_timeout=10,
        websocket_max_message_size=LONGEST_FRAME,
        websocket_max_frame_size=LONGEST_FRAME,
        server_name="Taproom",
    ).run()


def _serve_by_uvicorn(host: str, port: int) -> None:
    import uvicorn

    from config.asgi import application
    from config.uvicorn_requests import Requests
    from config.uvicorn_sockets import Socket

    logging.getLogger("uvicorn.error").addFilter(Terse())
    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        backlog=MOST_AT_THE_DOOR,
        lifespan="off",
        log_level="warning",
        server_header=False,
        proxy_headers=False,  # `games.visitors` says which proxy is believed
        # Uvicorn's own five seconds would close the connection just as somebody taps again.
        timeout_keep_alive=75,
        # Without a limit whoever sends half a request could keep the house from closing.
        timeout_graceful_shutdown=CLOSES_SECONDS,
        http=Requests,
        ws=Socket,  # type: ignore[arg-type]  # a protocol in all but its base
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=20,
        ws_ping_timeout=30,
    )
    # The loop's own sockets at `::` leave out IPv4, by which this machine calls itself.
    sockets = [config.bind_socket()] if host == EVERYWHERE[1] else None
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):  # it has closed by then
        server.run(sockets)
    if not server.started:
        sys.exit(1)


def _start_threads() -> None:
    """Start every thread that serving needs. Raises CommandError where there can be no more."""
    import config.asgi  # noqa: F401 - it names them

    with enough_threads():
        wait_for_no_reader()
        worker_of(0)  # started now, it compiles templates before anybody comes
        start_all()


@contextmanager
def enough_threads() -> Iterator[None]:
    """Raise CommandError where a thread that is started in the block may not be."""
    try:
        yield
    except RuntimeError as error:
        text = _(
            "The house cannot open: %(why)s. It takes some twenty; see what limits them here "
            "(ulimit -u and -v, TasksMax, pids)."
        )
        raise CommandError(text % {"why": error}) from error


def _wait_less_than_phones() -> None:
    if settings.IS_SQLITE:
        options = connection.settings_dict["OPTIONS"]  # which all threads' connections share
        options["timeout"] = min(options["timeout"], LOCK_SECONDS)
    else:
        from config.postgresql.base import PatientConnection

        PatientConnection.patience = LOCK_SECONDS


def _take_all_lines() -> None:
    """Allow as many open files, sockets included, as the system lets us: its default is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems say "unlimited" and refuse it
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard), hard))


def _freeze() -> None:
    """Keep the garbage collector away from what stays for good: a full run would stop every table.

    It also looks less often at what comes and goes, since most of that is freed as soon as nobody
    refers to it. It takes the newest objects in small portions, which no tap feels: twenty thousand
    at once took four milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AT, 200, 50)
