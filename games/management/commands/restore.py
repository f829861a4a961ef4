"""`manage.py restore FILE`: put a backup back in the house's place."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.keeping import backups
from games.keeping.restoring import Restored, Returned, restore
from games.management.terminal import ago, place_named, print_any_letters

MOST_LISTED = 20


class Command(BaseCommand):
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _("Restore a backup into an empty house; say in words what came back.")
        parser.add_argument(
            "file", type=place_named, metavar="FILE", help=_("a backup, or a folder of them")
        )
        parser.add_argument(
            "--replace", action="store_true", help=_("put the house that is there aside")
        )

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        print_any_letters()
        begun = time.monotonic()
        found = backups.meant_by(file)
        restored = restore(found, replace=replace)
        self._tell(found, restored, time.monotonic() - begun)

    def _tell(self, file: Path, restored: Restored, took: float) -> None:
        say = self.stdout.write
        text = _("%(file)s is back, as the house was %(ago)s, in %(seconds)s s.")
        made, seconds = ago(restored.made_at), number_format(took, 1)
        say(text % {"file": file.name, "ago": made, "seconds": seconds})
        if restored.aside:
            say(_("What was here before is kept: %(place)s") % {"place": _aside(restored)})
        for table in restored.tables[:MOST_LISTED]:
            say(f"  {_line(table)}")
        if more := restored.tables[MOST_LISTED:]:
            text = ngettext("and %(count)s more table", "and %(count)s more tables", len(more))
            say(f"  {text % {'count': len(more)}}")
        say(_about_phones(restored))
        say(_("Passes for seats that were on their way are void: show a new QR code."))


def _aside(restored: Restored) -> str:
    if not restored.aside_key:
        return restored.aside
    text = _("%(place)s; its key: %(key)s")
    return text % {"place": restored.aside, "key": restored.aside_key}


def _about_phones(restored: Restored) -> str:
    if restored.has_other_key:
        return _(
            "Phones' seats are signed with another key than this house's, so no phone finds its "
            "seat: set TAPROOM_SECRET_KEY to the key of the house that this is from (what is in "
            "its secret_key, or what was set there), or give the hosts' seats with manage.py seat."
        )
    return _(
        "Phones that come by the same address as before find their seats again; who sat down "
        "since then sits down once more."
    )


def _line(table: Returned) -> str:
    told = {"name": table.name, "code": table.code, "seats": table.seats, "lines": table.seq}
    if table.newest is None:
        text = _("%(name)s (%(code)s): seats: %(seats)s, lines: %(lines)s, nothing played yet")
        return text % told
    text = _("%(name)s (%(code)s): seats: %(seats)s, lines: %(lines)s, last played %(ago)s")
    return text % {**told, "ago": ago(table.newest)}
