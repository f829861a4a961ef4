"""What a character is called before she has a name."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Character


def called(one: Character) -> str:
    """Return her name, or until she has one whose character she is."""
    if one.name or one.owner is None:
        return str(one)
    return _("%(by)s's character") % {"by": one.owner.name}


def about(one: Character) -> dict[str, Any]:
    """Return how an event speaks of her; the sentence finds words for one without a name."""
    return {"name": one.name, "by": one.owner.name if one.owner else ""}
