"""Serve, and nothing else: one of several processes behind a proxy.

What is done once for all of them (`manage.py prepare`) was done before; `play` does it by itself,
which two processes starting at one instant must not.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.collecting import is_collected
from games.keeping import lock, opening, postgres, release, sqlite
from games.management.serving import get_ready, refuse_taken, serve, tell_of_redis
from games.management.terminal import USUAL_PORT, port_number


class Command(BaseCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Serve on one address, with the database and the static files as they are."
        )
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            help=_("the address to listen at; left out, this machine alone"),
        )
        parser.add_argument(
            "--port", type=port_number, default=USUAL_PORT, help=_("%(default)s, if left out")
        )

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        refuse_no_house()
        lock.open_the_house()
        with opening.read_in_words():
            opening.refuse_unfit_file()
            postgres.end_restores()
            release.refuse_newer(release.applied())
            refuse_old_database()
        lock.serve_alone(port)
        opening.stay_on_this_file()
        host = host.strip("[]")
        refuse_taken(host, port)
        refuse_no_static_files()
        tell_of_redis(self.stderr)
        get_ready()
        serve(host, port)


def refuse_no_house() -> None:
    """Raise CommandError where SQLite's file is not there."""
    if sqlite.is_missing():
        text = _(
            "There is no house in %(place)s: run manage.py prepare first, or name the one that is "
            "meant (TAPROOM_DATA, TAPROOM_DATABASE)."
        )
        raise CommandError(text % {"place": sqlite.path_of_house()})


def refuse_old_database() -> None:
    """Raise CommandError when this code has migrations that the database has not seen."""
    behind = release.pending()
    connection.close()
    if behind:
        text = ngettext(
            "The database is %(count)s migration behind: run manage.py prepare first.",
            "The database is %(count)s migrations behind: run manage.py prepare first.",
            behind,
        )
        raise CommandError(text % {"count": behind})


def refuse_no_static_files() -> None:
    """Raise CommandError where pages would name files that nobody has collected: each is a 500."""
    if not is_collected():
        text = _(
            "The static files of this release are not in %(folder)s: run manage.py prepare first, "
            "once for each data folder."
        )
        raise CommandError(text % {"folder": settings.STATIC_ROOT})
