"""Sheets as values: dice and strengths as a chapter's records and a file show them."""

from __future__ import annotations

from typing import Any

from campaigns.models import Character, Holding
from campaigns.services.strengths import version_of
from games.rules.wicked_age import strengths
from games.rules.wicked_age.forms import in_order


def sheet_value(character: Character) -> dict[str, Any]:
    """Return a sheet as plain values: `forms`, `strengths` and `state` (WA-17, WA-29, WA-83).

    Each strength has its `number` and `name`, the `options` that this copy
    holds, and its `die`.
    """
    held = character.holdings.filter(is_lost=False).select_related("strength")
    return {
        "forms": {form: dict(pair) for form, pair in in_order(character.forms).items()},
        "strengths": [strength_value(one) for one in held],
        "state": str(character.state),
    }


def strength_value(held: Holding) -> dict[str, Any]:
    """Return a strength on a sheet as plain values (WA-29)."""
    version = version_of(held)
    return {
        "number": held.strength.number,
        "name": held.strength.name,
        "options": [str(option) for option in version.options],
        "die": strengths.die_of(version),
    }
