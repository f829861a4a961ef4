"""Sheets as values: dice and strengths as a chapter's records and a file show them."""

from __future__ import annotations

from typing import Any

from campaigns.models import Character, Holding
from campaigns.services.strengths import version_of
from games.asked import Asked
from games.rules.wicked_age import strengths
from games.rules.wicked_age.forms import in_order, is_out

_HELD = Asked(
    lambda character: Holding.objects.filter(character=character).select_related("strength")
)


def holdings_of(character: Character) -> list[Holding]:
    """Return what a character has of particular strengths, also what she has lost (WA-29)."""
    return _HELD(character.pk)


def sheet_value(character: Character) -> dict[str, Any]:
    """Return a sheet as plain values: `forms`, `strengths` and `state` (WA-17, WA-29, WA-83).

    Each strength has its `number` and `name`, the `options` that this copy
    holds, and its `die`.
    """
    held = [one for one in holdings_of(character) if not one.is_lost]
    return {
        "forms": {form: dict(pair) for form, pair in in_order(character.forms).items()},
        "strengths": [strength_value(one) for one in held],
        "state": str(character.state),
    }


def is_out_by_dice(character: Character) -> bool:
    """Tell whether two dice at 0 put her out of the chapter (WA-69)."""
    dice = character.dice().values()
    return is_out(die for one in dice for die in ([one] if isinstance(one, int) else one))


def strength_value(held: Holding) -> dict[str, Any]:
    """Return a strength on a sheet as plain values (WA-29)."""
    version = version_of(held)
    return {
        "number": held.strength.number,
        "name": held.strength.name,
        "options": [str(option) for option in version.options],
        "die": strengths.die_of(version),
    }
