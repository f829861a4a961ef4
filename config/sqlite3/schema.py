"""How Django changes the tables of a house in SQLite."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.backends.sqlite3 import schema


class SchemaEditor(schema.DatabaseSchemaEditor):
    """Django's; a table is not written anew, portraits and all, for a default of its own.

    Such a default is for processes of an older release, which serve beside those of this one. A
    house in SQLite has one process.
    """

    def _field_should_be_altered(
        self, old_field: Any, new_field: Any, ignore: Collection[str] | None = None
    ) -> bool:
        ignored = {"db_default", *(ignore or ())}
        # Django's types leave out what it keeps to itself.
        should_be = super()._field_should_be_altered  # type: ignore[misc]
        return bool(should_be(old_field, new_field, ignored))
