"""What an action's fields hold, by their types: a number, somebody's words, a choice, several."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec.inspect import (
    Field,
    IntType,
    Metadata,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
)

from games.actions import Number, RowKey
from games.rules.engine import Action

CHOSEN = (msgspec.inspect.type_info(RowKey), msgspec.inspect.type_info(Number))


@cache
def several_in(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold several values."""
    return frozenset(f.encode_name for f in _fields_of(kind) if isinstance(f.type, VarTupleType))


@cache
def numbers_in(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold one whole number, or none."""
    return frozenset(f.encode_name for f in _fields_of(kind) if _is_number(f.type))


@cache
def chosen_in(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold a number which nobody types: a row's, or a seat's."""
    return frozenset(f.encode_name for f in _fields_of(kind) if f.type in CHOSEN)


@cache
def written_in(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold a text in somebody's words; of one that is picked, none."""
    return frozenset(f.encode_name for f in _fields_of(kind) if _is_written(f.type))


def _fields_of(kind: type[Action]) -> tuple[Field, ...]:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, StructType)
    return info.fields


def _is_written(type_: Type) -> bool:
    if isinstance(type_, Metadata):
        # Marked as CHOSEN (`games.rules.engine`), or with a remark for programs.
        return not (type_.extra or {}).get("is_chosen") and _is_written(type_.type)
    return isinstance(type_, StrType)


def _is_number(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return any(map(_is_number, type_.types))
    return isinstance(type_, IntType)
