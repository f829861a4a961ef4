"""`manage.py backup`: keep the house as it is now, while people play."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.keeping import release
from games.keeping.making import has_changed, make
from games.keeping.opening import make_ready
from games.management.terminal import place_named


class Command(BaseCommand):
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Make a backup: one file with the database, a manifest, and campaigns to read."
        )
        parser.add_argument(
            "--to", type=place_named, metavar="DIR", help=_("another folder than usual")
        )
        parser.add_argument("--keep", action="store_true", help=_("this one is never tidied away"))
        parser.add_argument(
            "--if-changed",
            action="store_true",
            help=_("only if the database was written to since"),
        )
        parser.add_argument(
            "--portable",
            action="store_true",
            help=_("rows of any database, to move to another kind"),
        )
        parser.add_argument(
            "--without-key",
            action="store_true",
            help=_("leave out the secret: phones lose seats"),
        )
        parser.add_argument(
            "--before-update",
            action="store_true",
            help=_("only if there is something to migrate"),
        )
        parser.add_argument("--gently", action="store_true", help=_("let everything else go first"))

    def handle(self, *args: Any, to: Path | None, **options: Any) -> None:
        begun = time.monotonic()
        try:
            if options["if_changed"] and not has_changed(to):
                self.stdout.write(_("Nothing has changed since the newest backup."))
                return
            if options["before_update"]:
                kept = make_ready(to, is_asked=True)
                self.stdout.write(_("Kept: %(backup)s") % {"backup": kept} if kept else _why_none())
                return
            path = make(
                to,
                why="kept" if options["keep"] else "",
                portable=options["portable"],
                with_key=not options["without_key"],
                # Only then: while it is copied commits wait for this process.
                after_copy=(lambda: os.nice(15)) if options["gently"] else lambda: 0,
            )
        except OSError as error:  # a folder where nobody may look whether something has changed
            raise CommandError(_("No backup was made: %(why)s") % {"why": error}) from error
        took, size = time.monotonic() - begun, path.stat().st_size
        text = _("%(backup)s (%(megabytes)s MB) in %(seconds)s s")
        told = {"megabytes": number_format(size / 1e6, 1), "seconds": number_format(took, 1)}
        self.stdout.write(text % {"backup": path, **told})


def _why_none() -> str:
    if release.pending():
        return _("Nobody has used this house: there is nothing to keep.")
    return _("There is nothing to migrate.")
