"""What an undo may reach: the campaign in front, and none of the table's others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from games.errors import MovedOn
from games.models import Play
from games.services.change import Change

# Which row each kind of row belongs to, up to the campaign.
_BELONGS: Final = {
    "campaigns.Member": ("campaign_id", "campaigns.Campaign"),
    "campaigns.Character": ("campaign_id", "campaigns.Campaign"),
    "campaigns.Strength": ("campaign_id", "campaigns.Campaign"),
    "campaigns.Owed": ("campaign_id", "campaigns.Campaign"),
    "campaigns.Chapter": ("campaign_id", "campaigns.Campaign"),
    "campaigns.Element": ("chapter_id", "campaigns.Chapter"),
    "campaigns.CastLine": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Part": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Interest": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Scene": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Sequence": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Moment": ("chapter_id", "campaigns.Chapter"),
    "campaigns.Holding": ("character_id", "campaigns.Character"),
    "campaigns.Offer": ("sequence_id", "campaigns.Sequence"),
    "games.Game": ("sequence__pk", "campaigns.Sequence"),
}


def check_in_front(change: Change, chain: list[Play]) -> None:
    """Raise MovedOn for a play of a campaign that waits: nobody would see what goes back.

    One that has turned the table to a campaign goes from everywhere: it is turned back.
    """
    front = change.table.campaigns.filter(is_in_front=True).first()
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
        for label, _key, _before, after in play.ledger
    )


def _campaigns_of(play: Play) -> Iterator[int]:
    """Yield the campaigns whose rows a play has written, as far as they can still be told."""
    for label, key, before, after in play.ledger:
        found = _campaign_of(label, key, before or after)
        if found is not None:
            yield found


def _campaign_of(label: str, key: int, values: dict[str, Any] | None) -> int | None:
    """Return the campaign of a row, also of one that is gone and whose values were kept."""
    while label in _BELONGS:
        field, owner = _BELONGS[label]
        rows = apps.get_model(label)._default_manager.filter(pk=key)
        above = (values or {}).get(field) or rows.values_list(field, flat=True).first()
        if above is None:
            return None
        label, key, values = owner, above, None
    return key if label == Campaign._meta.label else None
