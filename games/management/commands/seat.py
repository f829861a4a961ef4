"""`manage.py seat CODE [NAME]`: a way back for somebody whose browser has forgotten them."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.addresses import local_addresses
from games import actions
from games.addresses import address_of
from games.deeds.people import PASS_MINUTES
from games.errors import Refused
from games.models import Seat, Table
from games.services.act import Actor, Tap, act
from games.text import folded


class Command(BaseCommand):
    """The host gives players' seats to other phones; who gives back the host's is whoever serves.

    It goes the one way in, so everybody at the table reads that a pass was made.
    """

    help = "Print an address that gives the host's seat, or another's, to the next who opens it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the table's")
        parser.add_argument("name", nargs="?", default="", help="whose seat; without it the host's")
        parser.add_argument("--port", type=int, default=8000, help="where Taproom is served here")

    def handle(self, *args: Any, code: str, name: str, port: int, **options: Any) -> None:
        table = Table.objects.filter(code=code.upper()).first()
        if table is None:
            raise CommandError(f"There is no table {code}.")
        seat = _seat(table, name)
        offer = actions.OfferPass(seat.number)
        try:
            done = act(
                table.pk, Actor(seat.number, is_house=True), offer, Tap(secrets.token_hex(8))
            )
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        here = next(iter(local_addresses()), "localhost")
        origin = settings.PUBLIC_ORIGIN or settings.LAN_ORIGIN or f"http://{here}:{port}"
        path = address_of("take_over", done.answer["token"])
        self.stdout.write(
            f"{origin}{path}\nWho opens this first, within {PASS_MINUTES} minutes, is {seat.name} "
            f"at table {table.code}."
        )


def _seat(table: Table, name: str) -> Seat:
    """Return the seat of this name, or the host's. Raises CommandError with who there is."""
    there = list(table.seats.filter(standing=Seat.Standing.SEATED, regular=""))
    found = [s for s in there if (folded(s.name) == folded(name) if name else s.is_gm)]
    if len(found) != 1:
        names = ", ".join(s.name for s in there) or "nobody"
        whom = f"{len(found)} seats of that name" if name else f"{len(found)} hosts"
        raise CommandError(f"There are {whom} at this table. There sit: {names}.")
    return found[0]
