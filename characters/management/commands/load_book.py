"""`manage.py load_book`: bring Knave's rows up to the book that the program ships."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from characters.services.book import load_book


class Command(BaseCommand):
    """Add what is missing and renew what nobody has edited; migrating does the same."""

    help = "Fill Knave's book: price list, spells, monsters, hirelings and tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--database", default="default", help="the database to fill")

    def handle(self, *args: Any, database: str, **options: Any) -> None:
        loaded = load_book(database)
        self.stdout.write(
            f"{loaded.added} added, {loaded.renewed} renewed, {loaded.left} left as edited"
        )
