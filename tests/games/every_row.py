"""Every row of some apps as the database holds it: a refused tap must change none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

Rows = dict[str, list[tuple[Any, ...]]]
# What changes no row, and the table that anything else changes.
LEAVES_ROWS = ("SELECT", "PRAGMA", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT")
INTO = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


class EveryRow:
    """Asks for all rows of all models of the apps, but for a few kinds.

    Thousands of tries are compared, and the ORM takes longer than the database.
    """

    def __init__(self, *labels: str, without: tuple[type[Model], ...]) -> None:
        found = (model for label in labels for model in apps.get_app_config(label).get_models())
        kept = [m for m in found if not issubclass(m, without)]
        self._asked = {m.__name__: _asked_for(m) for m in kept}
        of_others = set(connection.introspection.django_table_names())
        self._beside = of_others - {m._meta.db_table for m in kept}

    def __call__(self) -> Rows:
        found = {}
        with connection.cursor() as cursor:
            for name, asked in self._asked.items():
                cursor.execute(asked)
                found[name] = cursor.fetchall()
        return found

    @contextmanager
    def writing(self) -> Iterator[list[str]]:
        """Gather the statements that may change one of these rows, whether they are taken back.

        Most of what is refused writes nothing, or a session alone: then no row need be compared.
        SQLite tells of each statement; where nobody does, there is always something gathered.
        """
        if connection.vendor != "sqlite":
            yield ["nobody tells"]
            return
        connection.ensure_connection()
        told: list[str] = []

        def hear(statement: str) -> None:
            if not statement.startswith(LEAVES_ROWS):
                into = INTO.match(statement)
                if into is None or into[1] not in self._beside:
                    told.append(statement)

        connection.connection.set_trace_callback(hear)
        try:
            yield told
        finally:
            connection.connection.set_trace_callback(None)


def _asked_for(model: type[Model]) -> str:
    table, key = (
        connection.ops.quote_name(n) for n in (model._meta.db_table, model._meta.pk.column)
    )
    return f"SELECT * FROM {table} ORDER BY {key}"
