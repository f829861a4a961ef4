"""`manage.py drill`: prove that the newest backup would come back, without touching the house."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.keeping import KeepingError, backups
from games.keeping.drilling import drill
from games.management.terminal import ago, place_named

MOST_FAULTS = 10


class Command(BaseCommand):
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Restore the newest backup aside, replay its games, and say how long it took."
        )
        parser.add_argument(
            "file", type=place_named, nargs="?", help=_("another backup than the newest")
        )

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        found = backups.meant_by(file) if file else backups.newest_in(settings.BACKUP_DIR)
        try:
            done = drill(found)
        except KeepingError as error:
            raise CommandError(f"{found.name}: {error}") from error
        tables, games, faults = done.proof
        for fault in faults[:MOST_FAULTS]:
            self.stderr.write(fault)
        if faults:
            text = ngettext(
                "%(file)s would come back with %(count)s fault.",
                "%(file)s would come back with %(count)s faults.",
                len(faults),
            )
            raise CommandError(text % {"file": found.name, "count": len(faults)})
        text = _(
            "%(file)s, made %(ago)s, comes back whole in %(seconds)s s: rows: %(rows)s, tables: "
            "%(tables)s, games replayed: %(games)s, campaigns to read: %(exports)s."
        )
        told = {
            "file": found.name,
            "ago": ago(done.made_at),
            "seconds": number_format(done.seconds, 1),
        }
        counts = {"rows": done.rows, "tables": tables, "games": games, "exports": done.exports}
        self.stdout.write(text % {**told, **counts})
