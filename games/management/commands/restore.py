"""`manage.py restore FILE`: put a backup back in the house's place."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.keeping import KeepingError, archive
from games.keeping.restoring import Restored, restore
from games.management.terminal import ago, place_named, print_any_letters

MOST_LISTED = 20
SAME_KEY = (
    "Phones that come by the same address as before find their seats again; who sat down since "
    "then sits down once more."
)
OTHER_KEY = (
    "Phones' seats are signed with another key than this house's, so no phone finds its seat: set "
    "TAPROOM_SECRET_KEY to the key of the house that this is from (what is in its secret_key, or "
    "what was set there), or give the hosts' seats with manage.py seat."
)


class Command(BaseCommand):
    help = "Restore a backup into an empty house; say in words what came back."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=place_named, metavar="FILE", help="a backup, or a folder of them"
        )
        parser.add_argument(
            "--replace", action="store_true", help="put the house that is there aside"
        )

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        print_any_letters()
        begun = time.monotonic()
        try:
            found = archive.meant_by(file)
            restored = restore(found, replace=replace)
        except KeepingError as error:
            raise CommandError(str(error)) from error
        self._tell(found, restored, time.monotonic() - begun)

    def _tell(self, file: Path, restored: Restored, took: float) -> None:
        say = self.stdout.write
        say(f"{file.name} is back, as the house was {ago(restored.made_at)}, in {took:.1f} s.")
        if restored.aside:
            its_key = f"; its key: {restored.aside_key}" if restored.aside_key else ""
            say(f"What was here before is kept: {restored.aside}{its_key}")
        for table in restored.tables[:MOST_LISTED]:
            at = f"last played {ago(table.newest)}" if table.newest else "nothing played yet"
            say(f"  {table.name} ({table.code}): seats: {table.seats}, lines: {table.seq}, {at}")
        if len(restored.tables) > MOST_LISTED:
            say(f"  and {len(restored.tables) - MOST_LISTED} more tables")
        say(OTHER_KEY if restored.has_other_key else SAME_KEY)
        say("Passes for seats that were on their way are void: show a new QR code.")
