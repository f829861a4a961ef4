"""Every row of some apps as the database holds it: a refused tap must change none of them."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

Rows = dict[str, list[tuple[Any, ...]]]


class EveryRow:
    """Asks for all rows of all models of the apps, but for a few kinds.

    Thousands of tries are compared, and the ORM takes longer than the database.
    """

    def __init__(self, *labels: str, without: tuple[type[Model], ...]) -> None:
        found = (model for label in labels for model in apps.get_app_config(label).get_models())
        self._asked = {m.__name__: _asked_for(m) for m in found if not issubclass(m, without)}

    def __call__(self) -> Rows:
        found = {}
        with connection.cursor() as cursor:
            for name, asked in self._asked.items():
                cursor.execute(asked)
                found[name] = cursor.fetchall()
        return found


def _asked_for(model: type[Model]) -> str:
    table, key = (
        connection.ops.quote_name(n) for n in (model._meta.db_table, model._meta.pk.column)
    )
    return f"SELECT * FROM {table} ORDER BY {key}"
