"""The numbers by which a campaign calls its own rows, here and in its file (decision 15)."""

from __future__ import annotations

from typing import Any

from django.db.models import Manager, Max


def next_number(of: Manager[Any], field: str = "number") -> int:
    """Return the number that the next of some rows will have, from 1."""
    return (of.aggregate(most=Max(field))["most"] or 0) + 1
