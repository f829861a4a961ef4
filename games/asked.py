"""Queries whose SQL is put together once and asked many times.

Putting one together takes Django twenty times as long as SQLite takes to answer it (15 to 40 times
were measured), and a tap asks a dozen queries in which nothing but a key ever changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Generic, TypeVar

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS
from django.db.models import ForeignKey, Model, QuerySet
from django.db.models.expressions import Col, OrderBy
from django.db.models.lookups import Lookup
from django.db.models.query import get_related_populators
from django.db.models.sql.where import WhereNode

from games.models import rows
from games.models.acts import database
from games.models.kept_answers import Depends
from games.models.shapes import Along, Shape

Row = TypeVar("Row", bound=Model)

# Keys that no row has: they mark where a query's own arguments stand among its parameters.
PLACES = tuple(9_000_000_000_000_000_000 + n for n in range(4))


class Asked(Generic[Row]):
    """A query of a fixed shape whose arguments are keys that it compares with.

    ``Asked(lambda table: Goal.objects.filter(table=table))`` is called with the table's key. Rows
    are as the queryset gives them, with its `select_related` and `defer`; the object that it was
    reached through is not set on them. A key that no database holds finds nothing. It cannot lock
    rows.
    """

    def __init__(self, make: Callable[..., QuerySet[Row]]) -> None:
        self._make = make
        # Each kind of database has SQL of its own, and while a backup is proved another one stands
        # in.
        self._worded: dict[str, _Worded[Row]] = {}

    def __call__(self, *keys: int) -> list[Row]:
        """Return the rows."""
        db = database()
        if db.vendor not in self._worded:
            self._worded[db.vendor] = _Worded(self._make, len(keys))
        return self._worded[db.vendor].rows(db, keys)

    def first(self, *keys: int) -> Row | None:
        """Return the first row, or None; the query itself says in which order, and to stop."""
        return next(iter(self(*keys)), None)


class _Worded(Generic[Row]):
    """A query's SQL, where its arguments go, and how rows are made of what comes back."""

    def __init__(self, make: Callable[..., QuerySet[Row]], arguments: int) -> None:
        query = make(*PLACES[:arguments]).query
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, params = compiler.as_sql()
        self.params = tuple(params)
        self.places = [(at, PLACES.index(p)) for at, p in enumerate(params) if p in PLACES]
        if {which for _at, which in self.places} != set(range(arguments)):
            raise ValueError("each argument of a worded query has to be compared with as it is")
        select, info = compiler.select, compiler.klass_info
        assert select is not None
        assert info is not None
        own, columns = info["select_fields"], [column for column, _sql, _alias in select]
        # Its types are those of Django 6.1.
        related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        self.shape = _shape(info["model"], columns, own[0], own[-1] + 1, related)
        self.depends = _depends(compiler)

    def rows(self, db: Any, keys: tuple[int, ...]) -> list[Row]:
        def ask() -> Any:
            if rows.are_beyond(keys):
                return []
            params = list(self.params)
            for at, which in self.places:
                params[at] = keys[which]
            return rows.execute(db, self.sql, params).fetchall()

        return rows.answered(db, (self, keys), self.shape, self.depends, ask)


def _shape(model: type[Model], columns: list[Any], first: int, end: int, related: Any) -> Shape:
    """Return what stands in the columns from the first on, as Django's populators know it."""
    vendor = database().vendor
    along = [
        Along(
            _shape(one.model_cls, columns, one.cols_start, one.cols_end, one.related_populators),
            one.cols_start + one.pk_idx,
            one.local_setter,
            one.remote_setter,
        )
        for one in related
    ]
    return Shape(model, [column.target for column in columns[first:end]], vendor, first, along)


def _depends(compiler: Any) -> Depends | None:
    """Return what can change the answer to a query; None where that can't be told."""
    query = compiler.query
    models = [_model_of(alias.table_name) for alias in query.alias_map.values()]
    ordered = [by for by, _sql in compiler.get_order_by()]
    fields = [_fields_in(one) for one in [*_leaves(query.where), *ordered]]
    is_simple = not (query.combinator or query.group_by or query.distinct or query.annotations)
    if not is_simple or None in models or None in fields:
        return None
    found = {one for some in fields if some for one in some}
    if len(models) > 1:  # related rows are found by a key
        keys = [(m, f) for m in models if m for f in m._meta.concrete_fields]
        found |= {(m, f.attname) for m, f in keys if isinstance(f, ForeignKey)}
    return Depends(frozenset(m for m in models if m), frozenset(found))


@cache
def _model_of(table: str) -> type[Model] | None:
    return next((m for m in apps.get_models() if m._meta.db_table == table), None)


def _leaves(node: WhereNode) -> Iterator[Any]:
    for child in node.children:
        if isinstance(child, WhereNode):
            yield from _leaves(child)
        else:
            yield child


def _fields_in(expression: Any) -> set[tuple[type[Model], str]] | None:
    """Return the fields that a condition or an order reads, or None where it is more than that."""
    if isinstance(expression, Col):
        return {(expression.target.model, expression.target.attname)}
    if not isinstance(expression, Lookup | OrderBy):
        return None
    found: set[tuple[type[Model], str]] = set()
    for one in expression.get_source_expressions():
        below = _fields_in(one)
        if below is None:
            return None
        found |= below
    return found
