"""`manage.py seat CODE [NAME]`: a way back for a forgotten player, or another host for a table."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.addresses import local_addresses
from games import actions
from games.addresses import address_of
from games.at_table import tidy_code
from games.deeds.people import PASS_MINUTES
from games.deeds.table import DOOR_HOURS
from games.errors import Refused
from games.keeping import lock, opening
from games.management.terminal import USUAL_PORT, port_number, print_any_letters
from games.models import Seat, Table
from games.rules.engine import Action
from games.services.act import Actor, Result, Tap, act
from games.services.tables import has_host
from games.text import folded


class Command(BaseCommand):
    """For whoever serves: gives the host's seat back, which nobody at the table can do.

    It also names another host where the present one has gone home for good, and opens the door of
    a table that its host has left. All of it takes the one way in, so that everybody at the table
    can read of it.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Print an address that gives the host's seat, or another's, to the next who opens it."
        )
        parser.add_argument("code", help=_("the table's"))
        parser.add_argument(
            "name", nargs="?", default="", help=_("whose seat; without it the host's")
        )
        parser.add_argument(
            "--host", action="store_true", help=_("make NAME, who sits there, the host instead")
        )
        parser.add_argument(
            "--port", type=port_number, help=_("left out, the one at which Taproom was opened last")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        print_any_letters()
        with opening.beside_the_house():
            port = options["port"] or lock.served_at() or USUAL_PORT
            self._pass_on(options["code"], options["name"], port, hosts=options["host"])

    def _pass_on(self, code: str, name: str, port: int, *, hosts: bool) -> None:
        table = Table.objects.filter(code=tidy_code(code)).first()
        if table is None:
            raise CommandError(_("There is no table %(code)s.") % {"code": code})
        if hosts and not name:
            raise CommandError(_("Say who: manage.py seat CODE NAME --host"))
        if not name and not has_host(table):
            self._let_in(table, port)
            return
        seat = _seat(table, name)
        if hosts:
            _done(table, seat.number, actions.HandHost(seat.number))
            text = _("%(name)s is the host at table %(code)s now.")
            self.stdout.write(text % {"name": seat.name, "code": table.code})
            return
        done = _done(table, seat.number, actions.OfferPass(seat.number))
        path = address_of("take_over", done.answer["token"])
        text = ngettext(
            "Who opens this first, within %(minutes)s minute, is %(name)s at table %(code)s.",
            "Who opens this first, within %(minutes)s minutes, is %(name)s at table %(code)s.",
            PASS_MINUTES,
        )
        told = {"minutes": PASS_MINUTES, "name": seat.name, "code": table.code}
        self.stdout.write(f"{_origin(port)}{path}\n{text % told}")

    def _let_in(self, table: Table, port: int) -> None:
        """Open the door of a table that its host has left: whoever sits down first is the host."""
        _done(table, None, actions.SetDoor("open"))
        path = address_of("scan", table.key)
        text = ngettext(
            "Nobody hosts table %(code)s, so its door is open now, for %(hours)s hour. Who sits "
            "down first is the host.",
            "Nobody hosts table %(code)s, so its door is open now, for %(hours)s hours. Who sits "
            "down first is the host.",
            DOOR_HOURS,
        )
        told = text % {"code": table.code, "hours": DOOR_HOURS}
        self.stdout.write(f"{_origin(port)}{path}\n{told}")


def _origin(port: int) -> str:
    here = next(iter(local_addresses()), "localhost")
    return settings.PUBLIC_ORIGIN or settings.LAN_ORIGIN or f"http://{here}:{port}"


def _done(table: Table, seat: int | None, action: Action) -> Result:
    """Do something as the house, from a seat or none. Raises CommandError where it is refused."""
    try:
        return act(table.pk, Actor(seat, is_house=True), action, Tap(secrets.token_hex(8)))
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal


def _seat(table: Table, name: str) -> Seat:
    """Return the seat of this name, or the host's. Raises CommandError with who there is."""
    there = list(table.seats.filter(standing=Seat.Standing.SEATED, regular=""))
    found = [s for s in there if (folded(s.name) == folded(name) if name else s.is_gm)]
    if len(found) != 1:
        whom = _whom(name, len(found))
        if not there:
            raise CommandError(_("%(whom)s There sits nobody.") % {"whom": whom})
        names = ", ".join(s.name for s in there)
        raise CommandError(_("%(whom)s There sit: %(names)s.") % {"whom": whom, "names": names})
    return found[0]


def _whom(name: str, found: int) -> str:
    if found:
        text = ngettext(
            "%(count)s such seat is at this table.",
            "%(count)s such seats are at this table.",
            found,
        )
        return text % {"count": found}
    if name:
        return _("Nobody called %(name)s sits at this table.") % {"name": name}
    return _("No host sits at this table.")
