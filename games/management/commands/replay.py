"""`manage.py replay FILE...`: play recorded games and say how each ends."""

from __future__ import annotations

import errno
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from games.management.record_faults import told
from games.management.terminal import stop_printing
from games.rules.records import RecordError, read

# Far longer than any line of ours. A file without lines (a device, a film) is not read beyond it.
LONGEST_LINE = 1 << 20


class Command(BaseCommand):
    """Replay records by the rules alone: nothing is stored, and no house is needed."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Play recorded games, - for standard input, and print how each ends as JSON."
        )
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help=_("a record, or - for standard input")
        )
        parser.add_argument(
            "--json",
            action="store_true",
            dest="every_line",
            help=_("print the game after every line"),
        )

    def handle(self, *args: Any, files: list[str], every_line: bool, **options: Any) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal speaks
        try:
            good = [self._replay(name, every_line=every_line) for name in files]
            with _room_to_print():
                self.stdout.flush()
        except BrokenPipeError:  # `replay … | head`
            stop_printing()
            return
        if not all(good):
            sys.exit(1)

    def _replay(self, name: str, *, every_line: bool) -> bool:
        last = None
        try:
            with _opened(name) as record:
                for last in read(_lines_of(record)):
                    if every_line:
                        self._say(last.summary())
        except RecordError as fault:
            self.stderr.write(f"{name}:{fault.line}: {told(fault)}")
            return False
        except BrokenPipeError:
            raise
        except OSError as fault:
            self.stderr.write(f"{name}:0: {fault.strerror}")
            return False
        if last is not None and not every_line:
            self._say(last.summary())
        return True

    def _say(self, line: str) -> None:
        with _room_to_print():
            self.stdout.write(line)


@contextmanager
def _room_to_print() -> Iterator[None]:
    """Raise CommandError where there is no room for what is printed: no record is at fault."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        stop_printing()
        text = _("There is no room for what this prints: %(why)s")
        raise CommandError(text % {"why": fault}) from fault


def _lines_of(record: BinaryIO) -> Iterator[bytes]:
    """Yield a record's lines; a part of a longer one would be said to be broken JSON.

    Raises RecordError for a line that is too long.
    """
    lines = iter(partial(record.readline, LONGEST_LINE + 1), b"")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            text = _("this line is too long: at most %(count)s bytes")
            raise RecordError(number, text % {"count": LONGEST_LINE})
        yield line


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as record:
        yield record
