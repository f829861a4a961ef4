"""What an undo may reach: the campaign in front, and none of the table's others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Sequence
from games.errors import MovedOn
from games.models import Game, Play, rows
from games.services.change import Change

# By the first of these fields that it has, a row belongs to another one, up to the campaign.
_OWNERS: Final = ("campaign", "chapter", "sequence", "character")


def check_in_front(change: Change, chain: list[Play]) -> None:
    """Raise MovedOn for a play of a campaign that waits: nobody would see what goes back.

    A play that has put a campaign in front can be undone from any: that turns the table back.
    """
    front = rows.first(Campaign, table_id=change.table.pk, is_in_front=True)
    found = next((keys for play in chain if (keys := set(_campaigns_of(play)))), set[int]())
    if front is None or front.pk in found or _has_turned(chain[0]):
        return
    waits = change.table.campaigns.filter(pk__in=found).first()
    if waits is not None:
        text = _("That was in the campaign %(name)s, which waits. Put it in front first.")
        raise MovedOn(text % {"name": waits.name})


def _has_turned(play: Play) -> bool:
    return any(
        label == Campaign._meta.label and "is_in_front" in (after or {})
        for label, _key, _before, after in play.ledger or []
    )


def _campaigns_of(play: Play) -> Iterator[int]:
    """Yield the campaigns whose rows a play has written, as far as they can still be told."""
    for label, key, before, after in play.ledger or []:
        found = _campaign_of(label, key, before or after)
        if found is not None:
            yield found


def _campaign_of(label: str, key: int, values: dict[str, Any] | None) -> int | None:
    """Return the campaign of a row, also of one that is gone and whose values were kept."""
    while (belongs := _belongs(label)) is not None:
        field, owner = belongs
        above = (values or {}).get(field) or _above(label, key, field)
        if above is None:
            return None
        label, key, values = owner, above, None
    return key if label == Campaign._meta.label else None


def _above(label: str, key: int, field: str) -> int | None:
    if label == Game._meta.label:
        sequence = rows.first(Sequence, game_id=key)
        return sequence.pk if sequence else None
    found = rows.first(apps.get_model(label), id=key)
    above: int | None = getattr(found, field) if found else None
    return above


@cache
def _belongs(label: str) -> tuple[str, str] | None:
    """Return by which field a kind of row belongs to which kind; None where that ends."""
    if label == Game._meta.label:
        return "sequence", Sequence._meta.label
    if not label.startswith(f"{Campaign._meta.app_label}."):
        return None
    fields = {one.name: one for one in apps.get_model(label)._meta.concrete_fields}
    owner = next((fields[name] for name in _OWNERS if name in fields), None)
    return (owner.attname, owner.related_model._meta.label) if owner else None
