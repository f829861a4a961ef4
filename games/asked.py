"""Queries that are worded once and asked many times.

Wording a query takes Django four times as long as SQLite takes to answer it,
and a tap asks a dozen that never change but for a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

Row = TypeVar("Row", bound=Model)
Values = tuple[Any, ...]

# Keys that no row has: they show where a query's own arguments stand among its parameters.
PLACES = tuple(9_000_000_000_000_000_000 + n for n in range(4))


class Asked(Generic[Row]):
    """A query of a fixed shape, whose arguments are keys that it compares with.

    ``Asked(lambda table: Goal.objects.filter(table=table))`` is asked by calling
    it with the table's key. Rows are as the queryset gives them, with
    what it reads along and defers; what it was reached through is not set on
    them. It can lock nothing.
    """

    def __init__(self, make: Callable[..., QuerySet[Row]]) -> None:
        self._make = make
        # Each kind of database has its own words and values; a backup may stand in for another.
        self._worded: dict[str, _Worded[Row]] = {}

    def __call__(self, *keys: int) -> list[Row]:
        """Return the rows."""
        vendor = connections[DEFAULT_DB_ALIAS].vendor
        if vendor not in self._worded:
            self._worded[vendor] = _Worded(self._make, len(keys))
        return self._worded[vendor].rows(keys)

    def first(self, *keys: int) -> Row | None:
        """Return the first row, or None; the query itself says in which order, and to stop."""
        return next(iter(self(*keys)), None)


class _Worded(Generic[Row]):
    """A query's SQL, where its arguments go, and how rows are made of what comes back."""

    def __init__(self, make: Callable[..., QuerySet[Row]], arguments: int) -> None:
        query = make(*PLACES[:arguments]).query
        self.compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, params = self.compiler.as_sql()
        self.params = tuple(params)
        self.places = [(at, PLACES.index(p)) for at, p in enumerate(params) if p in PLACES]
        if {which for _at, which in self.places} != set(range(arguments)):
            raise ValueError("each argument of a worded query has to be compared with as it is")
        select, info = self.compiler.select, self.compiler.klass_info
        assert select is not None
        assert info is not None
        own = info["select_fields"]
        self.model: type[Row] = info["model"]
        self.slice = slice(own[0], own[-1] + 1)
        self.names = [column[0].target.attname for column in select[self.slice]]
        self.related = get_related_populators(info, select, DEFAULT_DB_ALIAS)
        self.converters = self.compiler.get_converters([column[0] for column in select])

    def rows(self, keys: tuple[int, ...]) -> list[Row]:
        params = list(self.params)
        for at, which in self.places:
            params[at] = keys[which]
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(self.sql, params)
            found: Any = cursor.fetchall()
        if self.converters:
            found = self.compiler.apply_converters(found, self.converters)
        return [self._row(values) for values in found]

    def _row(self, values: Values) -> Row:
        row = self.model.from_db(DEFAULT_DB_ALIAS, self.names, values[self.slice])
        for populator in self.related:
            populator.populate(values, row)
        return row
