"""Records of any game, told line by line: what they come to, or what is wrong with them."""

from __future__ import annotations

import json

import pytest

from games.rules import records
from games.rules.records import RecordError


def lines(*told: object) -> list[bytes]:
    """Return lines of a record: objects as JSON, bytes as they are."""
    return [one if isinstance(one, bytes) else json.dumps(one).encode() for one in told]


def end(*told: object) -> records.Position:
    """Return the last position of a record."""
    *_, last = records.read(lines(*told))
    return last


def error(*told: object) -> RecordError:
    """Return why a record is refused, which it must be."""
    with pytest.raises(RecordError) as refused:
        end(*told)
    assert refused.value.why
    return refused.value
