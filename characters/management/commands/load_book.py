"""`manage.py load_book`: bring Knave's rows up to the book that the program ships."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connections
from django.utils.translation import gettext as _

from characters.services.book import load_book
from games.keeping import opening


class Command(BaseCommand):
    """Add what is missing and renew what nobody has edited; migrating does the same."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _(
            "Fill Knave's book: price list, spells, monsters, hirelings and tables."
        )
        parser.add_argument(
            "--database",
            default="default",
            choices=tuple(connections),
            help=_("the database to fill"),
        )

    def handle(self, *args: Any, database: str, **options: Any) -> None:
        with opening.beside_the_house():
            loaded = load_book(database)
        text = _("added: %(added)s, renewed: %(renewed)s, left as edited: %(left)s")
        told = {"added": loaded.added, "renewed": loaded.renewed, "left": loaded.left}
        self.stdout.write(text % told)
