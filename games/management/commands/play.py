"""Serve an evening: migrate, show where the phones find the table, and listen."""

from __future__ import annotations

import gc
import logging
import resource
import sys
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.addresses import local_addresses
from config.logs import Terse
from games.keeping import KeepingError, lock, opening
from games.live.workers import worker_of

LONGEST_MESSAGE = 65536
SWITCH_SECONDS = 0.0005
GARBAGE_AT = 2_000
CLOSES_SECONDS = 3
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - the point is that phones can reach it


class Command(BaseCommand):
    help = "Migrate, collect static files, show the address and a QR code, and serve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0")  # noqa: S104 - as above
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        try:
            lock.serve_alone()
        except KeepingError as error:
            raise CommandError(str(error)) from error
        call_command("prepare", stdout=self.stdout)
        opening.stay_on_this_file()
        if host not in EVERYWHERE and host not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(host)
        address = self._address(host, port)
        settings.LAN_ORIGIN = settings.LAN_ORIGIN or address.rstrip("/")
        self.stdout.write(f"\nTaproom is open at  {address}\n")
        segno.make(address, error="m").terminal(out=sys.stdout, compact=True, border=2)
        self.stdout.write("Scan it with a phone on the same network. Ctrl+C closes the house.\n")
        self.stdout.flush()
        opening.back_up_by_itself()
        serve(host, port)

    def _address(self, host: str, port: int) -> str:
        if settings.PUBLIC_ORIGIN:
            return str(settings.PUBLIC_ORIGIN) + "/"
        if host in EVERYWHERE:
            host = next(iter(local_addresses()), "localhost")
        return f"http://{host}:{port}/"


def serve(host: str, port: int) -> None:
    """Serve in this process until it is stopped, with the server that the settings name."""
    # A thread that has something to do waits no longer than this for another one's turn to end.
    sys.setswitchinterval(SWITCH_SECONDS)
    _take_all_lines()
    worker_of(0)  # before anybody comes, it has time to make things ready
    {"daphne": _serve_by_daphne, "uvicorn": _serve_by_uvicorn}[settings.SERVER](host, port)


def _serve_by_daphne(host: str, port: int) -> None:
    from daphne.endpoints import build_endpoint_description_strings

    from config.asgi import application
    from config.daphne_server import Server

    _freeze()
    Server(
        application=application,
        endpoints=build_endpoint_description_strings(host=host, port=port),
        websocket_timeout=-1,
        websocket_connect_timeout=10,
        ping_interval=20,
        ping_timeout=30,
        websocket_handshake_timeout=10,
        websocket_max_message_size=LONGEST_MESSAGE,
        websocket_max_frame_size=LONGEST_MESSAGE,
        server_name="Taproom",
    ).run()


def _serve_by_uvicorn(host: str, port: int) -> None:
    import uvicorn

    from config.asgi import application
    from config.requests import Requests
    from config.sockets import Socket

    _freeze()
    logging.getLogger("uvicorn.error").addFilter(Terse())
    uvicorn.run(
        application,
        host=host,
        port=port,
        lifespan="off",
        log_level="warning",
        server_header=False,
        proxy_headers=False,  # whom to believe about that is games.limits' own setting
        # After five seconds, as is usual, it would hang up just as somebody taps again.
        timeout_keep_alive=75,
        # Whoever sends half a request would keep the house from closing for as long as they like.
        timeout_graceful_shutdown=CLOSES_SECONDS,
        http=Requests,
        ws=Socket,
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=20,
        ws_ping_timeout=30,
    )


def _take_all_lines() -> None:
    """Let as many lines be open as the system allows: by default it is 1,024, files and all."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # where "without limit" is said and not meant
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard), hard))


def _freeze() -> None:
    """Let nobody look for garbage in what stays for good: that would stop every table for a while.

    What comes and goes is looked through less often, too: most of it is free
    the moment nobody holds it. The newest is looked at in small portions, which no tap
    feels: twenty thousand at once took four milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AT, 200, 50)
