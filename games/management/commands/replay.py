"""`manage.py replay FILE...`: play recorded games and say how each ends."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand

from games.rules.records import RecordError, read


class Command(BaseCommand):
    """Replay records by the rules alone; nothing is stored, and no database is needed."""

    help = "Play recorded games, '-' for standard input, and print how each ends as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record, or - for stdin")
        parser.add_argument(
            "--json", action="store_true", dest="every_line", help="print the game after every line"
        )

    def handle(self, *args: Any, files: list[str], every_line: bool, **options: Any) -> None:
        good = [self._replay(name, every_line=every_line) for name in files]
        if not all(good):
            sys.exit(1)

    def _replay(self, name: str, *, every_line: bool) -> bool:
        last = None
        try:
            with _opened(name) as record:
                for last in read(record):
                    if every_line:
                        self.stdout.write(last.summary())
        except RecordError as fault:
            self.stderr.write(f"{name}:{fault.line}: {fault.why}")
            return False
        except OSError as fault:
            self.stderr.write(f"{name}:0: {fault.strerror}")
            return False
        if last is not None and not every_line:
            self.stdout.write(last.summary())
        return True


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as record:
        yield record
