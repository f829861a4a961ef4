"""What a backup has of campaigns beside the database: each as its file, to be read without us."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.utils.text import slugify

from campaigns.models import Campaign
from campaigns.services.file_read import opened
from campaigns.services.file_write import file_of
from campaigns.services.sequence_record import full_record
from games.keeping import EXPORTS, REPLAYS, Export
from games.models import Game
from games.rules import records
from games.rules import wicked_sequence as ws


def register_keeping() -> None:
    """Let backups export campaigns, and drills play their fights again."""
    EXPORTS.append(Export(_files, opened))
    REPLAYS[ws.NAME] = _from_its_record


def _files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for campaign in Campaign.objects.select_related("table").order_by("pk").iterator(10):
        name = slugify(campaign.name)[:40] or "campaign"
        file = f"campaigns/{campaign.table.code}-{name}-{campaign.pk}.json"
        yield file, partial(file_of, campaign)


def _from_its_record(game: Game) -> Any:
    """Play a fight again with the moves that it brought from another house."""
    return records.replay(full_record(game.sequence)).state
