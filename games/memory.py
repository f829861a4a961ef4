"""Results that screens have worked out, kept for as long as they are asked for of the same objects.

A snapshot that follows another keeps the objects of rows that have not changed (`same`), and what
screens make of them is made once (`Memory`). All of it may be dropped at any moment: it is then
made again, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, TypeVarTuple

from django.db.models import Model

from games.said import language

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)
Of = TypeVarTuple("Of")
Made = dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]]

# What the server's host edits in the admin is no commit of a table: it is seen after so long.
TRUSTED_SECONDS = 60.0
# These are compared by value; everything else by identity.
_PLAIN = (str, int, float, bool, type(None), frozenset)
_APART = {"_state", "_was"}


class Memory:
    """Keeps what functions returned, from one reading of a table to the next.

    What the next reading does not ask for is dropped by the one after it. Whoever is given a result
    must not change it.
    """

    def __init__(self, before: Memory | None = None) -> None:
        self._before: Made = before._now if before else {}
        self._now: Made = {}

    def once(self, make: Callable[[*Of], T], *of: *Of) -> T:
        """Return `make(*of)`, worked out once for these very objects in the active language."""
        key = (
            make.name if isinstance(make, _Named) else make,
            language(),
            *((type(o), o) if isinstance(o, _PLAIN) else id(o) for o in of),
        )
        found = self._now.get(key)
        if found is None:
            found = self._before.get(key)
            # The arguments are kept as well: an id belongs to an object only as long as it exists.
            self._now[key] = found = (of, make(*of)) if found is None else found
        made: T = found[1]
        return made

    def known(self, name: Hashable, make: Callable[[], T], *of: Any) -> T:
        """Return `make()`, worked out once under this name for these objects in this language."""
        return self.once(_Named(name, make), *of)

    def row(self, things: Iterable[T]) -> tuple[T, ...]:
        """Return things as a tuple: the same tuple object for the same objects."""
        return self.once(_tuple, *things)


class _Named(Generic[T]):
    """A function known by a name; the arguments it is called with only say what it depends on."""

    def __init__(self, name: Hashable, make: Callable[[], T]) -> None:
        self.name, self.make = name, make

    def __call__(self, *of: Any) -> T:
        return self.make()


def _tuple(*things: T) -> tuple[T, ...]:
    return things


def same(new: T, old: Any) -> T:
    """Return the old object where the new one equals it, else the new one with equal parts kept.

    Goes into rows (with related rows read along), lists, tuples and mappings; other values are
    compared as wholes.
    """
    if new is old:
        return new
    if isinstance(new, Model):
        kept: T = old if is_same_row(new, old) else new
    elif isinstance(new, list | tuple):
        kept = _same_list(new, old)
    elif isinstance(new, Mapping):
        kept = _same_mapping(new, old)
    else:
        kept = old if type(new) is type(old) and new == old else new
    return kept


def same_rows(new: Sequence[Row], old: Sequence[Row]) -> Sequence[Row]:
    """Return the rows in their new order, each as the old object where it has not changed.

    If nothing has changed it is the old sequence itself.
    """
    by_key = {row.pk: row for row in old}
    as_before = (same(row, by_key.get(row.pk)) for row in new)
    kept = type(new)(as_before)  # type: ignore[call-arg]  # a list or a tuple
    rows: Sequence[Row] = _same_list(kept, old)
    return rows


def _same_list(new: Any, old: Any) -> Any:
    if type(new) is not type(old):
        return new
    if isinstance(new, tuple) and hasattr(new, "_fields"):
        return old if new == old else new
    if len(new) == len(old):
        kept = [same(n, o) for n, o in zip(new, old, strict=True)]
        return old if all(k is o for k, o in zip(kept, old, strict=True)) else type(new)(kept)
    return type(new)(same(n, o) for n, o in zip(new, old, strict=False)) + new[len(old) :]


def _same_mapping(new: Any, old: Any) -> Any:
    if not isinstance(old, Mapping):
        return new
    is_alike = new.keys() == old.keys()
    for key, value in new.items():
        kept = same(value, old.get(key))
        new[key] = kept
        is_alike = is_alike and kept is old[key]
    return old if is_alike else new


def is_same_row(new: Model, old: Any, above: Model | None = None) -> bool:
    """Tell whether two rows have equal fields, and equal related rows read along.

    A related row may point back at the one `above` it.
    """
    if type(new) is not type(old):
        return False
    ours, theirs = new.__dict__, old.__dict__
    if len(ours) != len(theirs):
        return False
    for name, value in ours.items():
        if name not in _APART and (name not in theirs or theirs[name] != value):
            return False
    mine, its = new._state.fields_cache, old._state.fields_cache
    return mine.keys() == its.keys() and all(
        _is_same_related(mine[name], its[name], new, above) for name in mine
    )


def _is_same_related(mine: Any, its: Any, row: Model, above: Model | None) -> bool:
    if mine is its or (above is not None and mine is above):
        return True
    is_row = isinstance(mine, Model) and isinstance(its, Model)
    return is_row and is_same_row(mine, its, row)
