"""Serve an evening: migrate, show where the phones find the table, and listen."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import suppress
from functools import partial
from io import StringIO
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config.addresses import EVERYWHERE, leads_only_here, listens_at, local_addresses
from games.keeping import lock, opening
from games.live.whereabouts import Whereabouts
from games.management.awake import kept_awake
from games.management.serving import enough_threads, get_ready, refuse_taken, serve, tell_of_redis
from games.management.terminal import USUAL_PORT, port_number, spoken, stop_printing


class Command(BaseCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Migrate, collect static files, show the address and a QR code, and serve."
        )
        parser.add_argument(
            "--host",
            default=EVERYWHERE[0],
            help=_("the address to listen at; left out, every one this machine has"),
        )
        parser.add_argument(
            "--port", type=port_number, default=USUAL_PORT, help=_("%(default)s, if left out")
        )

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        lock.serve_alone(port)
        host = listens_at(host.strip("[]") or EVERYWHERE[0])
        call_command("prepare", stdout=self.stdout)
        opening.stay_on_this_file()
        refuse_taken(host, port)
        name = self._name(host)
        if host not in EVERYWHERE and name not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(name)
        is_set = bool(settings.LAN_ORIGIN)
        address = settings.PUBLIC_ORIGIN or settings.LAN_ORIGIN or f"http://{name}:{port}"
        settings.LAN_ORIGIN = settings.LAN_ORIGIN or address
        tell_of_redis(self.stderr)
        get_ready()  # before the address is shown: whoever reads it may come at once
        with kept_awake() as may_sleep:
            self.show(address, may_sleep=may_sleep)
            with enough_threads():
                if host in EVERYWHERE and not settings.PUBLIC_ORIGIN:
                    Whereabouts(
                        port,
                        partial(self.show, has_moved=True),
                        moves=not is_set,
                        has_six=host == EVERYWHERE[1],
                    ).follow()
                opening.back_up_by_itself()
            serve(host, port)

    def _name(self, host: str) -> str:
        """Return this machine's name or address as it stands in a URL."""
        if host in EVERYWHERE:
            return next(iter(local_addresses()), "localhost")
        return f"[{host}]" if ":" in host else host

    def show(self, address: str, *, has_moved: bool = False, may_sleep: bool = False) -> None:
        """Say where the house is. It opens all the same where nothing can be written any more."""
        try:
            with spoken():  # in a thread of its own, too, whenever the house has moved
                self._show(address, has_moved=has_moved, may_sleep=may_sleep)
        except OSError:  # `play | head`, or `play > log` where there is no room
            stop_printing()

    def _show(self, address: str, *, has_moved: bool, may_sleep: bool) -> None:
        self.stdout.write("\n" + _("Taproom is open at") + f"  {address}/\n")
        if not leads_only_here(address):
            drawn = StringIO()
            segno.make(f"{address}/", error="m").terminal(out=drawn, compact=True, border=2)
            with suppress(UnicodeEncodeError):  # a terminal that cannot draw it shows the address
                self.stdout.write(drawn.getvalue())
            self.stdout.write(_("Open that with a phone on the same network, or scan the code."))
        else:
            self.stdout.write(
                _(
                    "No phone finds it there. Join a network, and the address is shown here; one "
                    "that was started with HOST is started without."
                )
            )
        if has_moved:
            self.stdout.write(
                _(
                    "This machine has another address now. Phones that came by the old one scan "
                    "again, and are\ngiven their seats by the host (or by: manage.py seat CODE)."
                )
            )
        if may_sleep:
            self.stdout.write(
                _(
                    "This machine may fall asleep when nobody touches it, and the house with it: "
                    "turn that off in its settings."
                )
            )
        self.stdout.write(_("Ctrl+C closes the house."))
        self.stdout.flush()
