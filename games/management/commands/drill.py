"""`manage.py drill`: prove that the newest backup would come back, without touching the house."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.keeping import KeepingError, archive
from games.keeping.restoring import drill
from games.management.terminal import ago, place_named

MOST_FAULTS = 10


class Command(BaseCommand):
    help = "Restore the newest backup aside, replay its games, and say how long it took."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=place_named, nargs="?", help="another backup than the newest"
        )

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        try:
            found = archive.meant_by(file) if file else archive.newest_in(settings.BACKUP_DIR)
        except KeepingError as error:
            raise CommandError(str(error)) from error
        try:
            done = drill(found)
        except KeepingError as error:
            raise CommandError(f"{found.name}: {error}") from error
        tables, games, faults = done.proof
        for fault in faults[:MOST_FAULTS]:
            self.stderr.write(fault)
        if faults:
            raise CommandError(f"{found.name} would come back with {len(faults)} faults.")
        self.stdout.write(
            f"{found.name}, made {ago(done.made_at)}, comes back whole in {done.seconds:.1f} s: "
            f"rows: {done.rows}, tables: {tables}, games replayed: {games}, "
            f"campaigns to read: {done.exports}."
        )
