"""The values at the paths that a template reads, as one hashable key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter
from typing import Any, Final

from games.screens.paths import COUNT, EACH, TRUTH, Path

Getter = Callable[[Any], Hashable]
# Stands in a key for a value that is not given. Not None, which a template would print.
MISSING: Final = "\ue000missing\ue001"


def getter(paths: list[Path]) -> Getter:
    """Make a function that returns the values at these paths as one key."""
    if () in paths:
        return lambda value: value
    plain = sorted(".".join(p) for p in paths if EACH not in p and p[-1] != TRUTH)
    tested = sorted(p[:-1] for p in paths if EACH not in p and p[-1] == TRUTH)
    loops: dict[Path, list[Path]] = {}
    for path in paths:
        if EACH in path:
            at = path.index(EACH)
            loops.setdefault(path[:at], []).append(path[at + 1 :])
    each = [(_walk(before), _row_getter(rest)) for before, rest in sorted(loops.items())]
    fields, truths = _fields(plain), _truths(tested)
    if not each and not tested:
        return fields
    return lambda value: (
        fields(value),
        truths(value),
        *[tuple(map(row, walk(value))) for walk, row in each],
    )


def _row_getter(paths: list[Path]) -> Getter:
    """Make a function that returns what is read of one row: of one that is counted, nothing."""
    read = [p for p in paths if p != (COUNT,)]
    return getter(read) if read else lambda row: None


def _fields(names: list[str]) -> Getter:
    """Make a function that returns these fields of a value, missing ones marked as such."""
    if not names:
        return lambda value: None
    fast = attrgetter(*names)

    def fields(value: Any) -> Hashable:
        try:
            return fast(value)
        except AttributeError:
            return tuple(_step(value, name.split(".")) for name in names)

    return fields


def _truths(paths: list[Path]) -> Getter:
    """Make a function that tells which of these values a template would take for true."""
    if not paths:
        return lambda value: None
    if () in paths:
        rest = _truths([path for path in paths if path])
        return lambda value: (bool(value), rest(value))
    # Named twice, so that the getter returns a tuple even for a single name.
    names = [".".join(path) for path in paths]
    fast = attrgetter(*names, names[-1])

    def truths(value: Any) -> Hashable:
        try:
            return tuple(map(bool, fast(value)))
        except AttributeError:
            found = [_step(value, path) for path in paths]
            return tuple([bool(one) and one is not MISSING for one in found])

    return truths


def _walk(path: Path) -> Callable[[Any], Iterable[Any]]:
    def walk(value: Any) -> Iterable[Any]:
        found = _step(value, path)
        return () if found is MISSING else found or ()

    return walk


def _step(value: Any, path: Iterable[str]) -> Any:
    """Return what a template finds at a path: a field, an entry, or nothing at all."""
    for name in path:
        try:
            value = getattr(value, name)
        except AttributeError:
            try:
                value = value[name]
            except (TypeError, LookupError):
                return MISSING
    return value
