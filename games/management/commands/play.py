"""Serve an evening: migrate, show where the phones find the table, and listen."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from config.addresses import local_addresses

LONGEST_MESSAGE = 65536
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - the point is that phones can reach it


class Command(BaseCommand):
    help = "Migrate, collect static files, show the address and a QR code, and serve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0")  # noqa: S104 - as above
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        if not settings.DEBUG:
            call_command("collectstatic", verbosity=0, interactive=False)
        if host not in EVERYWHERE and host not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(host)
        address = self._address(host, port)
        settings.LAN_ORIGIN = settings.LAN_ORIGIN or address.rstrip("/")
        self.stdout.write(f"\nTaproom is open at  {address}\n")
        segno.make(address, error="m").terminal(out=sys.stdout, compact=True, border=2)
        self.stdout.write("Scan it with a phone on the same network. Ctrl+C closes the house.\n")
        self.stdout.flush()
        serve(host, port)

    def _address(self, host: str, port: int) -> str:
        if settings.PUBLIC_ORIGIN:
            return str(settings.PUBLIC_ORIGIN) + "/"
        if host in EVERYWHERE:
            host = next(iter(local_addresses()), "localhost")
        return f"http://{host}:{port}/"


def serve(host: str, port: int) -> None:
    """Run Daphne in this process until it is stopped."""
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server

    from config.asgi import application

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
