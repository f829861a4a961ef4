"""How the columns of an answer become a row, with the related rows read along.

In two steps: what `read` returns can be kept, since it is never handed out; `row` makes a model
instance of it as Django would, as often as needed, and no two instances share anything mutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from django.db import models
from django.db.models.base import ModelState

from games.models.undoable import Undoable
from games.models.values import is_mutable, reading

Row = TypeVar("Row", bound=models.Model)
Part = tuple[dict[str, Any], tuple[Any, ...]]
"""The fields of a row, and such a part, or None, for each row that is read along with it."""


class Along(NamedTuple):
    """A related row of the same query: where its key stands, and how each is set on the other."""

    shape: Shape
    key_at: int
    tell_row: Any
    tell_along: Any


class Shape:
    """The columns from `at` on as fields of a model."""

    def __init__(
        self,
        model: type[models.Model],
        fields: Sequence[Any],
        vendor: str,
        at: int = 0,
        along: Sequence[Along] = (),
    ) -> None:
        self.model, self.along = model, tuple(along)
        self._slice = slice(at, at + len(fields))
        self._names = [f.attname for f in fields]
        self._key = model._meta.pk.attname
        self._is_undoable = issubclass(model, Undoable)
        converters = [(f, convert) for f in fields if (convert := reading(f, vendor))]
        self._once = [(f.attname, c) for f, c in converters if not is_mutable(f)]
        self._each = [(f.attname, c) for f, c in converters if is_mutable(f)]

    def read(self, values: Sequence[Any]) -> Part:
        """Return what can be kept of a row."""
        fields = dict(zip(self._names, values[self._slice], strict=True))
        for name, convert in self._once:
            if fields[name] is not None:
                fields[name] = convert(fields[name])
        if not self.along:
            return fields, ()
        return fields, tuple(
            None if values[one.key_at] is None else one.shape.read(values) for one in self.along
        )

    def row(self, part: Part, db: str) -> Any:
        """Return a model instance of what was kept."""
        fields = part[0].copy()
        for name, convert in self._each:
            if fields[name] is not None:
                fields[name] = convert(fields[name])
        row = made(self.model, fields, db)
        if self._is_undoable:
            row.__dict__["_was"] = fields
        for one, other in zip(self.along, part[1], strict=True):
            along = None if other is None else one.shape.row(other, db)
            one.tell_row(row, along)
            if along is not None:
                one.tell_along(along, row)
        return row

    def parts(self, part: Part) -> Iterator[tuple[type[models.Model], Any, dict[str, Any]]]:
        """Yield model, key and fields of a row and of all that were read along."""
        yield self.model, part[0][self._key], part[0]
        for one, other in zip(self.along, part[1], strict=True):
            if other is not None:
                yield from one.shape.parts(other)


@cache
def shape_of(model: type[models.Model], vendor: str) -> Shape:
    """Return the shape of a row with all its fields, and nothing else."""
    return Shape(model, model._meta.concrete_fields, vendor)


def made(model: type[Row], fields: dict[str, Any], db: str | None = None) -> Row:
    """Return an instance with these fields: one of a database, or one yet to be inserted."""
    row = model.__new__(model)
    row.__dict__.update(fields)
    row._state = state = ModelState()
    state.db, state.adding = db, db is None
    return row
