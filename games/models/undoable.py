"""Rows whose changes can be taken back: each remembers what was read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

from django.db import models


class Undoable(models.Model):
    """A row that only `games.services.ledger` writes; `was` are its fields as they were read."""

    class Meta:
        abstract = True

    @classmethod
    def from_db(  # type: ignore[override]  # its types are those of Django 6.1
        cls, db: str | None, field_names: Collection[str], values: Sequence[Any]
    ) -> Self:
        row = super().from_db(db, field_names, values)
        row.was = dict(zip(field_names, values, strict=False))
        return row

    @classmethod
    def put_right(cls, keys: Iterable[int]) -> None:
        """Bring rows back within bounds that an undo of something earlier has moved."""

    @property
    def was(self) -> dict[str, Any]:
        read: dict[str, Any] = self.__dict__.get("_was", {})
        return read

    @was.setter
    def was(self, values: dict[str, Any]) -> None:
        self.__dict__["_was"] = values
