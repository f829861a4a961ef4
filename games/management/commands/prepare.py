"""Make the database and the static files ready for this release, once for all processes.

What `play` does before it serves; `serve` needs it done. A database that people have played in is
backed up before it is changed, and one that cannot be is not changed.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from config.collecting import collect_static
from config.sessions import SessionStore
from games.keeping import opening, postgres
from games.management.serving import enough_threads
from games.trouble import in_trouble


class Command(BaseCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _("Back up if needed, migrate, and collect static files; then end.")

    def handle(self, *args: Any, **options: Any) -> None:
        kept, left = opening.make_ready(), opening.left_behind()
        if kept:
            text = _("Before bringing the database up to date it was kept: %(backup)s")
            self.stdout.write(text % {"backup": kept})
        if left:
            text = _(
                "This house is new, though there are backups of another: %(backup)s is the newest. "
                "To have that one back, close this one before anybody plays, and say"
            )
            self.stdout.write(text % {"backup": left})
            self.stdout.write(f"  manage.py restore {shlex.quote(str(left))}")
        try:
            with postgres.taking_time():
                call_command("migrate", verbosity=0, interactive=False)
            with suppress(DatabaseError):  # where nothing can be written they stay
                SessionStore.clear_expired()  # of phones that were not used for 400 days
            if not settings.DEBUG:
                with enough_threads():  # it looks at the files by some
                    collect_static()
        except (DatabaseError, OSError) as error:
            if isinstance(error, DatabaseError) and not in_trouble(error):
                raise
            if type(error) is DatabaseError:  # its file is damaged: more room would not help
                raise CommandError(opening.unreadable(error)) from error
            text = _(
                "The house cannot be made ready: %(why)s. What was in it is all there. %(helps)s, "
                "and start again."
            )
            helps = opening.what_helps(error)
            raise CommandError(text % {"why": error, "helps": helps}) from error
